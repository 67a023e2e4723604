import Programs
import Runtime

/// `talon serve-run FILE ASKER USER`: serves one connection of the agent, which is its standard input; systemd starts
/// it as root for each (`talon-run@.service`). As root it looks who asks, and reads the section `[run]` of FILE; then
/// it is USER for good, before it reads the request. Not for people, and in no list.
enum RunService {
  private static let name = "serve-run"
  private static let socket = Descriptor(0)

  /// The exit code; nil for another command.
  static func run(_ words: [String]) -> Int32? {
    guard words.count == 4, words[0] == name else { return nil }
    do throws(Failure) {
      let allowed = try enter(
        file: words[1], asker: words[2], user: words[3], unit: "talon-run.socket", read: RunConfiguration.read)
      let (command, milliseconds) = try readRequest()
      try serve(command, min(milliseconds, allowed.timeout), allowed)
      return 0
    } catch {
      // The agent is told, and the journal.
      RunRelay(socket, limit: 0).refuse(error.text)
      Console.err("talon: \(error.text)")
      return error.code.rawValue
    }
  }

  // MARK: As root

  /// Looks who asks, reads what root's file allows, and becomes the user of programs for good. `unit`: what starts
  /// this.
  static func enter<Allowed>(
    file: String, asker: String, user: String, unit: String, read: (String) throws(ConfigurationError) -> Allowed
  ) throws(Failure) -> Allowed {
    guard Process.user == 0 else { throw Failure(.system, "it has to be started by root (\(unit))") }
    let (asker, user) = (try find(asker), try find(user))
    var peer: UInt32 = 0
    do throws(Errno) { peer = try Syscall.peer(socket).user } catch {
      throw Failure(.system, "its standard input is no socket of a program on this board")
    }
    guard peer == asker.number || peer == 0 else { throw Failure(.system, "user \(peer) may not ask for programs") }
    guard !user.isRoot, user.number != asker.number else {
      throw Failure(.system, "programs need a user of their own, neither root nor the agent's")
    }
    try checkOwner(of: file)
    do throws(ConfigurationError) {
      let allowed = try read(file)
      do throws(Errno) { try Privileges.become(user) } catch {
        throw ConfigurationError(file: file, line: nil, key: nil, reason: "the rights of root cannot be given up")
      }
      return allowed
    } catch {
      throw Failure(.configuration, error.text)
    }
  }

  static func find(_ name: String) throws(Failure) -> LimitedProgram.User {
    do throws(Errno) { return try LimitedProgram.User(named: name) } catch {
      throw Failure(.system, "this board has no user \(name)")
    }
  }

  /// Nothing that another user could have put there counts: neither what is allowed, nor a program.
  static func checkOwner(of path: String) throws(Failure) {
    do throws(Errno) {
      let status = try Syscall.status(Path(path))
      guard status.isPlain else { throw Errno.noSuchFile }
      let owner = try Privileges.owner(onTheWayTo: path)
      if owner == nil, status.user == 0, status.mode & 0o022 == 0 { return }
    } catch {
      throw Failure(.unavailable, "\(path) cannot be used: \(String(error.text))")
    }
    throw Failure(.unavailable, "\(path) is not root's alone: others may change it")
  }

  // MARK: As the programs' user

  private static func readRequest() throws(Failure) -> (words: [String], milliseconds: Int64) {
    let head = FixedBuffer(capacity: RunMessage.headBytes)
    let deadline = SystemClock().monotonic + Int64(Budget.runRequestMilliseconds)
    do throws(Errno) {
      try read(into: head.bytes, until: deadline)
      guard let (count, milliseconds) = RunMessage.readHead(UnsafeBufferPointer(head.bytes)) else {
        throw Errno.invalidArgument
      }
      let body = FixedBuffer(capacity: count)
      try read(into: body.bytes, until: deadline)
      guard let words = RunMessage.words(UnsafeBufferPointer(body.bytes)) else { throw Errno.invalidArgument }
      return (words, milliseconds)
    } catch {
      throw Failure(.unavailable, "no request arrived that can be read: \(String(error.text))")
    }
  }

  /// Reads as many bytes as there is room for.
  static func read(
    into room: UnsafeMutableBufferPointer<UInt8>, until deadline: Int64
  ) throws(Errno) {
    var count = 0
    while count < room.count {
      let left = deadline - SystemClock().monotonic
      guard left > 0, try Syscall.waitReadable(socket, or: nil, milliseconds: Int32(clamping: left)).ready else {
        throw .timedOut
      }
      let piece = UnsafeMutableBufferPointer(rebasing: room[count...])
      do throws(Errno) {
        let got = try Syscall.receiveStream(socket, into: piece)
        if got == 0 { throw .brokenPipe }
        count += got
      } catch {
        if error != .wouldBlock { throw error }
      }
    }
  }

  private static func serve(
    _ words: [String], _ milliseconds: Int64, _ allowed: RunConfiguration
  ) throws(Failure) {
    let list = ProgramList(allowed.programs)
    guard let index = words[0].withBytes({ list.index(of: $0) }) else {
      throw Failure(.unavailable, "\(words[0]) is not among the programs of [run]")
    }
    try checkOwner(of: list.paths[index])
    if !allowed.hasNetwork, !Confinement.hasFilter {
      throw Failure(
        .unavailable, "this kernel has no seccomp, which keeps programs from the network: set network = yes")
    }
    var limits = LimitedProgram.Limits()
    limits.addressBytes = allowed.memory << 20
    limits.processes = Budget.runProcesses
    limits.folder = RunRequest.folder
    limits.isOffline = !allowed.hasNetwork
    let relay = RunRelay(socket, limit: allowed.output)
    do throws(Errno) {
      let end = try LimitedProgram.relay(
        Path(list.paths[index]), words, limits: limits, milliseconds: milliseconds, to: relay)
      relay.end(end)
    } catch {
      throw Failure(.unavailable, "\(list.paths[index]) cannot be begun: \(String(error.text))")
    }
  }
}
