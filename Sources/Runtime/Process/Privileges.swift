import CLinux

/// Drops root's privileges before files in another user's folder are opened. The owner of a folder may replace anything
/// in it by a link, a pipe or another folder at any moment; so root becomes that user first, irrevocably.
public enum Privileges {
  /// A user with its group, by their numbers.
  public struct Owner: Equatable, Sendable {
    public let user: UInt32
    public let group: UInt32
  }

  /// The kernel's limit of symbolic links in a path (`MAXSYMLINKS`).
  private static let linksMost = 40

  /// The first owner other than root along the absolute path `path`, symbolic links and the last component included.
  /// Only root can change the path up to there. Nil: all of it belongs to root, or does not exist.
  public static func owner(onTheWayTo path: String) throws(Errno) -> Owner? {
    var names = Array(components(path).reversed())
    var place: [String] = []
    var links = 0
    while let name = names.popLast() {
      if name == ".." {
        _ = place.popLast()
        continue
      }
      let next = Self.path(place + [name])
      guard let status = try status(next) else { return nil }
      if status.user != 0 { return Owner(user: status.user, group: status.group) }
      guard status.isLink else {
        place.append(name)
        continue
      }
      links += 1
      guard links <= linksMost else { throw .tooManyLinks }
      let target = try Syscall.target(ofLink: Path(next))
      if target.utf8.first == UInt8(ascii: "/") { place = [] }
      names += components(target).reversed()
    }
    return nil
  }

  /// Becomes the first owner other than root that is found along these paths, irrevocably. Does nothing for users other
  /// than root. The process must end if this throws.
  public static func become(ownerOnTheWayTo paths: [String]) throws(Errno) {
    guard Process.user == 0 else { return }
    for path in paths {
      guard let owner = try owner(onTheWayTo: path) else { continue }
      try check(tl_become(owner.user, owner.group))
      return
    }
  }

  /// Becomes this user, with its groups, irrevocably. The process must end if this throws.
  public static func become(_ user: LimitedProgram.User) throws(Errno) { try check(tl_become(user.number, user.group)) }

  /// `lchown(2)`: changes the owner of a file, or of a link itself.
  public static func give(_ path: Path, to owner: Owner) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try check(tl_lchown(path.cString, owner.user, owner.group))
  }

  /// Nil when there is nothing.
  private static func status(_ path: String) throws(Errno) -> Syscall.Status? {
    do throws(Errno) {
      return try Syscall.linkStatus(Path(path))
    } catch {
      if error == .noSuchFile || error == .notDirectory { return nil }
      throw error
    }
  }

  private static func components(_ path: String) -> [String] {
    var names: [String] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      let name = String(decoding: Array(part), as: UTF8.self)
      if name != "." { names.append(name) }
    }
    return names
  }

  private static func path(_ names: [String]) -> String {
    var path = ""
    for name in names { path += "/" + name }
    return path
  }
}
