import MCP
import Programs
import Runtime

/// `talon serve-mcp FILE ASKER USER`: begins an MCP server of the owner for one connection of the agent, which is its
/// standard input; systemd starts it as root for each (`talon-mcp@.service`). As root it looks who asks, and reads the
/// sections `[mcp NAME]` of FILE; then it is USER for good, before it reads the request, which names a section and
/// nothing else. Not for people, and in no list.
enum ServerService {
  private static let name = "serve-mcp"
  private static let socket = Descriptor(0)

  /// The exit code; nil for another command.
  static func run(_ words: [String]) -> Int32? {
    guard words.count == 4, words[0] == name else { return nil }
    do throws(Failure) {
      let servers = try RunService.enter(
        file: words[1], asker: words[2], user: words[3], unit: "talon-mcp.socket", read: MCPKeys.read)
      try serve(servers)
      return 0
    } catch {
      // The agent is told, and the journal.
      RunRelay(socket, limit: 0).refuse(error.text)
      Console.err("talon: \(error.text)")
      return error.code.rawValue
    }
  }

  // MARK: As the servers' user

  /// The section that the request names.
  private static func readRequest(_ servers: [MCPSettings]) throws(Failure) -> MCPSettings {
    let buffer = FixedBuffer(capacity: ServerRequest.most)
    let deadline = SystemClock().monotonic + Int64(Budget.runRequestMilliseconds)
    var wanted = 1
    var count = 0
    do throws(Errno) {
      while true {
        // No byte more: what follows is for the program.
        try RunService.read(into: UnsafeMutableBufferPointer(rebasing: buffer.bytes[count..<wanted]), until: deadline)
        count = wanted
        switch ServerRequest.read(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])) {
        case .wrong: throw Errno.invalidArgument
        case .waiting: wanted = 1 + Int(buffer.bytes[0])
        case .name(let bytes):
          let name = String(decoding: bytes, as: UTF8.self)
          if let server = servers.first(where: { $0.name == name && !$0.command.isEmpty }) { return server }
          throw Errno.noSuchFile
        }
      }
    } catch {
      if error == .noSuchFile { throw Failure(.unavailable, "there is no such section [mcp NAME] with a command") }
      throw Failure(.unavailable, "no request arrived that can be read: \(String(error.text))")
    }
  }

  private static func serve(_ servers: [MCPSettings]) throws(Failure) {
    let server = try readRequest(servers)
    let path = server.command[0]
    try RunService.checkOwner(of: path)
    if !server.hasNetwork, !Confinement.hasFilter {
      throw Failure(
        .unavailable, "this kernel has no seccomp, which keeps programs from the network: set network = yes")
    }
    var limits = LimitedProgram.Limits()
    // Interpreters reserve far more addresses than they use; `MemoryMax` of the unit counts what they use.
    limits.addressBytes = nil
    limits.openFiles = Budget.mcpOpenFiles
    limits.processes = Budget.mcpProcesses
    limits.folder = RunRequest.folder
    limits.isOffline = !server.hasNetwork
    do throws(Errno) {
      let clock = SystemClock()
      let loop = try Loop(clock: clock)
      // Before the program begins, so that its end does not end this one by SIGPIPE.
      let relay = try ServerRelay(socket, loop: loop, clock: clock)
      try relay.run(try LimitedProgram.begin(Path(path), server.command, limits: limits))
    } catch {
      throw Failure(.unavailable, "\(path) cannot be begun: \(String(error.text))")
    }
  }
}
