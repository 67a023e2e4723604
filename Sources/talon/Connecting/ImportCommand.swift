import Gateway
import Runtime

/// `talon import`: takes over name, gateway and token of an `openclaw node` installation on this board, and changes
/// nothing there.
enum ImportCommand {
  private static let unit = "/.config/systemd/user/openclaw-node.service"
  private static let fileBytes = 256 * 1024

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let path = options.configurationPath
    let configuration = try ConfigCommand.read(path, as: .caller)
    let folder = try folder(options.words.first)
    let found = try read(folder)
    let code = SetupCode(url: try found.url(), pin: try found.pin(), token: Array(found.token.utf8))
    let name = try takenName(found.name, configuration, path)
    try ConfigCommand.become(configuration)
    let taken = try ConnectCommand.adopt(code, configuration)
    Console.show("from         \(folder), where nothing was changed")
    if let name { Console.show("name         \(name)") }
    for url in taken.urls { Console.show("gateway      \(url.text)") }
    Console.out(
      "certificate  \(taken.pin == nil ? "none: the first one seen will be trusted" : "the one that it trusted")")
    Console.show("token        \(found.token.isEmpty ? "none was found" : "taken over, not shown")")
    Console.out(
      "next         stop the other node (systemctl --user disable --now openclaw-node), and approve this one:")
    Console.out("             its identity is its own; talon status shows the command")
    RunningAgent.startOver(configuration)
    return .ok
  }

  // MARK: Reading

  /// The folder of the installation: the one that is named, or that of the person who calls.
  private static func folder(_ word: String?) throws(Failure) -> String {
    if let word { return word }
    var tried: [String] = []
    if let state = Process.environment("OPENCLAW_STATE_DIR"), !state.isEmpty { tried.append(state) }
    if let user = Process.environment("SUDO_USER"), !user.isEmpty, !user.utf8.contains(UInt8(ascii: "/")) {
      tried.append("/home/\(user)/.openclaw")
    }
    if let home = Process.environment("HOME"), !home.isEmpty { tried.append(home + "/.openclaw") }
    for folder in tried where (try? Syscall.status(Path(folder)))?.isFolder == true { return folder }
    throw Failure(
      .unavailable, "no installation of openclaw was found; name its folder, as in talon import /home/pi/.openclaw")
  }

  private static func read(_ folder: String) throws(Failure) -> OpenClawInstallation {
    var found = OpenClawInstallation()
    let node = try bytes(folder + "/node.json")
    if let node, !found.take(nodeJSON: node) { throw Failure(.usage, "\(folder)/node.json is not valid JSON") }
    let service = try bytes(folder + "/.." + unit)
    if let service { found.take(unit: service) }
    for name in ["/node.env", "/.env"] { if let text = try bytes(folder + name) { found.take(environment: text) } }
    if let text = try bytes(folder + "/openclaw.json") { found.take(openclawJSON: text) }
    guard node != nil || service != nil else {
      let isNewer = (try? Syscall.status(Path(folder + "/state/openclaw.sqlite"))) != nil
      throw Failure(
        .unavailable,
        isNewer
          ? "\(folder) keeps its gateway in a database, and has no service to read it from (\(unit)): pair with "
            + "talon connect"
          : "\(folder) has neither node.json nor a service of a node (\(unit))")
    }
    return found
  }

  /// A regular file; nil where there is none.
  private static func bytes(_ path: String) throws(Failure) -> [UInt8]? {
    do throws(Errno) {
      let file = try Syscall.openPlain(Path(path), .read)
      defer { file.close() }
      let buffer = FixedBuffer(capacity: fileBytes + 1)
      let count = try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(buffer.bytes))
      guard count <= fileBytes else { throw Errno(27) }
      return Array(buffer.bytes[..<count])
    } catch {
      if error == .noSuchFile || error == .notDirectory { return nil }
      throw Failure(.usage, "\(path) cannot be read: \(String(error.text))")
    }
  }

  // MARK: Name

  /// Writes the name into the configuration, where none is set; nil when nothing was written.
  private static func takenName(
    _ name: String, _ configuration: Configuration, _ path: String
  ) throws(Failure) -> String? {
    if name.isEmpty { return nil }
    if !configuration.name.isEmpty { return "\(configuration.name), as it is configured" }
    try ConfigCommand.write(path, section: "node", key: "name", value: name)
    return name
  }
}
