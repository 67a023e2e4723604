import Board
import OwnAgent
import Runtime

/// `talon serve-agent FILE ASKER USER FOLDER`: the board's own agent, for one connection of the node, which is its
/// standard input; systemd starts it as root for each (`talon-agent@.service`). As root it looks who asks, and reads
/// the sections `[agent]` and `[model NAME]` of FILE and the keys that they name; then it is USER for good, before it
/// reads a byte of the connection. What it keeps is in FOLDER. Not for people, and in no list.
enum AgentService {
  private static let name = "serve-agent"
  private static let socket = Descriptor(0)

  /// The exit code; nil for another command.
  static func run(_ words: [String]) -> Int32? {
    guard words.count == 5, words[0] == name else { return nil }
    do throws(Failure) {
      let wanted = try prepare(file: words[1], asker: words[2], user: words[3])
      try serve(wanted, files: folder(of: words[1]), state: words[4])
      return 0
    } catch {
      Console.err("talon: \(error.text)")
      return error.code.rawValue
    }
  }

  private static func folder(of path: String) -> String {
    String(path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
  }

  // MARK: As root

  private static func prepare(file: String, asker: String, user: String) throws(Failure) -> AgentWish {
    guard Process.user == 0 else { throw Failure(.system, "it has to be started by root (talon-agent.socket)") }
    let (asker, user) = (try RunService.find(asker), try RunService.find(user))
    var peer: UInt32 = 0
    do throws(Errno) { peer = try Syscall.peer(socket).user } catch {
      throw Failure(.system, "its standard input is no socket of a program on this board")
    }
    guard peer == asker.number || peer == 0 else { throw Failure(.system, "user \(peer) may not ask the agent") }
    guard !user.isRoot, user.number != asker.number else {
      throw Failure(.system, "the agent needs a user of its own, neither root nor the node's")
    }
    try RunService.checkOwner(of: file)
    do throws(ConfigurationError) {
      let wish = try AgentWish(AgentServiceConfiguration.read(file), file: file)
      do throws(Errno) { try Privileges.become(user) } catch {
        throw ConfigurationError(file: file, line: nil, key: nil, reason: "the rights of root cannot be given up")
      }
      return wish
    } catch {
      throw Failure(.configuration, error.text)
    }
  }

  // MARK: As the agent's user

  private static func serve(_ wish: AgentWish, files: String, state: String) throws(Failure) {
    let clock = SystemClock()
    let log = Log(clock: clock)
    let store = try StateFolder.open(state)
    do throws(Errno) {
      let loop = try Loop(clock: clock)
      let process = try AgentProcess(
        socket: socket, loop: loop, clock: clock, folder: files, state: state, log: log)
      // One worker: the memory and the records are on the same flash.
      let workers = try WorkerPool(loop: loop, threads: 1)
      defer { workers.stop() }
      let keeper = AgentKeeper(store: store, runner: workers, clock: clock, log: log)
      let wiring = AgentWiring(wish: wish, loop: loop, clock: clock, runner: workers, log: log)
      let means = try wiring.means(memoryPath: state + "/memory.db")
      let server = try AgentServer(
        wish.settings, means, keeper: keeper, host: process, clock: clock, random: SystemRandom(), log: log)
      let model = wish.program.map { ModelProcess($0, loop: loop, clock: clock, log: log) }
      model?.start()
      try process.serve(server, keeper)
      withExtendedLifetime(model) {}
    } catch {
      throw Failure(.system, "the agent cannot run: \(String(error.text))")
    }
  }
}
