import CLinux

/// Root on the command line, below folders of somebody else's. Who owns a folder may put a link, a pipe or another folder in
/// the place of everything in it, at any moment; so root becomes that user before it opens anything there, and cannot return.
public enum Privileges {
  /// A user with its group, by their numbers.
  public struct Owner: Equatable, Sendable {
    public let user: UInt32
    public let group: UInt32
  }

  /// As the kernel has it (`MAXSYMLINKS`).
  private static let linksMost = 40

  /// The first owner other than root on the way to `path`, an absolute one: from the root folder on, over symbolic links, and of
  /// what stands there itself. Up to there nobody but root can change the way. Nil: all of it is root's, or not there.
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

  /// Gives up root for good when something on the way to one of these paths is somebody else's; the first of them decides.
  /// Nothing for who is not root. A process for which this throws must end.
  public static func become(ownerOnTheWayTo paths: [String]) throws(Errno) {
    guard Process.user == 0 else { return }
    for path in paths {
      guard let owner = try owner(onTheWayTo: path) else { continue }
      try check(tl_become(owner.user, owner.group))
      return
    }
  }

  /// `lchown(2)`: gives something to a user, and never what a link points to.
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
