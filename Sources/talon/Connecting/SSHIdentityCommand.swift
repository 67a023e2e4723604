import Board
import Gateway
import Runtime

/// `talon ssh-identity`: lets gateways verify this board over SSH, or no longer. A small link with the name `openclaw`
/// answers who the board is; a real `openclaw` is never replaced.
enum SSHIdentityCommand {
  private static let link = "/usr/local/bin/openclaw"
  /// Where a login shell looks for programs (Debian's /etc/profile).
  private static let folders = [
    "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
  ]

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    guard let word = options.words.first else { return try show() }
    guard Process.user == 0 else { throw Failure(.usage, "talon ssh-identity \(word) is for root: use sudo") }
    switch word {
    case "install": return try install(configuration)
    case "remove": return try remove()
    default:
      throw Failure(.usage, "expected: talon ssh-identity, talon ssh-identity install, talon ssh-identity remove")
    }
  }

  private static func show() throws(Failure) -> ExitCode {
    let copy = (try? PublicIdentity.read()) ?? []
    Console.show("link        \(try isOurs(link) ? link : "none: talon ssh-identity install makes it")")
    Console.show("public key  \(PublicIdentity.parse(copy)?.key ?? "no copy that others may read")")
    return .ok
  }

  private static func install(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let program = try program()
    for folder in folders {
      let place = folder + "/openclaw"
      if try exists(place), try !isOurs(place) {
        throw Failure(.cannotCreate, "\(place) is there already, and answers for itself: nothing was changed")
      }
    }
    do throws(Errno) {
      try makeFolder(like: configuration.stateDirectory)
      if try linkTarget(link) == nil { try Syscall.link(program, at: Path(link)) }
    } catch {
      throw Failure(.cannotCreate, "\(link) and \(PublicIdentity.folder) cannot be made: \(String(error.text))")
    }
    try ConfigCommand.become(configuration)
    let store = try StateFolder.open(configuration.stateDirectory)
    let identity = try StateFolder.identity(store, SystemRandom(), OpenSSLCryptography(), nil)
    do throws(Errno) {
      try PublicIdentity.write(identity)
    } catch {
      throw Failure(.cannotCreate, "the public copy of the identity cannot be written: \(String(error.text))")
    }
    Console.show("link        \(link) answers \"openclaw node identity --json\"")
    Console.out("next        let the gateway's user log in here by its key, and make this board's host key known there")
    return .ok
  }

  private static func remove() throws(Failure) -> ExitCode {
    do throws(Errno) {
      if try linkTarget(link) != nil, try ours(link) { try Syscall.unlink(Path(link)) }
      try PublicIdentity.remove()
    } catch {
      throw Failure(.cannotCreate, "\(link) or \(PublicIdentity.folder) cannot be removed: \(String(error.text))")
    }
    Console.out("gateways can no longer verify this board over SSH")
    return .ok
  }

  /// The agent's user keeps the copy true, so the folder is its own; everybody may read it.
  private static func makeFolder(like state: String) throws(Errno) {
    let path = try Path(PublicIdentity.folder)
    do throws(Errno) {
      try Syscall.makeFolder(path, permissions: 0o755)
    } catch {
      if error != .exists { throw error }
    }
    try Syscall.setPermissions(path, 0o755)
    if let owner = try Privileges.owner(onTheWayTo: state) { try Privileges.give(path, to: owner) }
  }

  // MARK: Files

  private static func program() throws(Failure) -> String {
    do throws(Errno) {
      return try Syscall.target(ofLink: Path("/proc/self/exe"))
    } catch {
      throw Failure(.system, "where this program is cannot be found out: \(String(error.text))")
    }
  }

  private static func exists(_ path: String) throws(Failure) -> Bool {
    do throws(Errno) {
      _ = try Syscall.linkStatus(Path(path))
      return true
    } catch {
      if error == .noSuchFile || error == .notDirectory { return false }
      throw Failure(.system, "\(path) cannot be looked at: \(String(error.text))")
    }
  }

  private static func isOurs(_ path: String) throws(Failure) -> Bool {
    do throws(Errno) {
      return try ours(path)
    } catch {
      throw Failure(.system, "\(path) cannot be looked at: \(String(error.text))")
    }
  }

  /// True for a link to this very program.
  private static func ours(_ path: String) throws(Errno) -> Bool {
    guard let target = try linkTarget(path) else { return false }
    return try target == Syscall.target(ofLink: Path("/proc/self/exe"))
  }

  /// Where a link leads; nil for what is no link, or not there.
  private static func linkTarget(_ path: String) throws(Errno) -> String? {
    do throws(Errno) {
      guard try Syscall.linkStatus(Path(path)).isLink else { return nil }
    } catch {
      if error == .noSuchFile || error == .notDirectory { return nil }
      throw error
    }
    return try Syscall.target(ofLink: Path(path))
  }
}
