// talon: the program: its command line, the configuration, the wiring of the agent with the devices of the board, and
// the console. It may import every other shipping module. It must not hold logic of a capability, which belongs to
// the capability's module or part.

import Runtime

/// The command line.
@main
struct Talon {
  static func main() {
    let words = Process.arguments
    if let code = ConfinedCommand.run(words) { Process.exit(code) }
    do throws(Failure) {
      if OpenClawName.isOurs { Process.exit(try OpenClawName.run(words).rawValue) }
      Process.exit(try run(words).rawValue)
    } catch {
      Console.err("talon: \(error.text)")
      Process.exit(error.code.rawValue)
    }
  }

  /// Finds the command and runs it.
  static func run(_ words: [String]) throws(Failure) -> ExitCode {
    guard let first = words.first else {
      Console.err(Columns.fitted(Usage.overview))
      return .usage
    }
    if first == "help", words.count > 1, Usage.named(words[1]) != nil { return try run([words[1], "--help"]) }
    if first == "--help" || first == "-h" || first == "help" {
      Console.out(Columns.fitted(Usage.overview))
      return .ok
    }
    if first == "--version" || first == "-V" || first == "-v" { return try run(["version"]) }
    // For the completion of shells (board/lib/manual.sh).
    if first == "completion" {
      for word in ConsoleGrammar.completions(after: Array(words.dropFirst())) { Console.out(word) }
      return .ok
    }
    guard let usage = Usage.named(first) else {
      let near = Nearest.word(first, of: Usage.all.map { $0.command }).map { "did you mean talon \($0)?" }
      throw Failure(.usage, "unknown command \"\(first)\"; \(near ?? "see talon --help")")
    }
    let options = try Options(Array(words.dropFirst()), usage)
    if options.wantsHelp {
      Console.out(Columns.fitted(usage.text))
      return .ok
    }
    try ConsoleRights.limit(usage.command, options)
    do throws(Failure) {
      return try run(usage.command, options)
    } catch {
      throw naming(words, error)
    }
  }

  /// A sentence that only says what is expected gets what was typed before it.
  private static func naming(_ words: [String], _ failure: Failure) -> Failure {
    guard failure.code == .usage, failure.text.hasPrefix("expected: "), words.count > 1 else { return failure }
    let typed = words.joined(separator: " ").left(40).split(separator: " ").joined(separator: " ")
    return Failure(.usage, "\"\(typed)\" is not understood; \(failure.text)")
  }

  private static func run(_ command: String, _ options: Options) throws(Failure) -> ExitCode {
    let path = options.configurationPath
    switch command {
    case "run": return try RunCommand.run(configurationPath: path)
    case "status": return try StatusCommand.run(isJSON: options.has("--json"), configurationPath: path)
    case "doctor": return try DoctorCommand.run(options)
    case "support": return try SupportCommand.run(options)
    case "identity": return try IdentityCommand.run(configurationPath: path)
    case "connect": return try ConnectCommand.run(options)
    case "open": return try OpenCommand.run(options)
    case "import": return try ImportCommand.run(options)
    case "ssh-identity": return try SSHIdentityCommand.run(options)
    case "trust":
      if options.has("--authorities"), options.words.isEmpty {
        return try TrustCommand.trustAuthorities(configurationPath: path)
      }
      if options.has("--replace") { return try TrustCommand.replace(options.words.first, configurationPath: path) }
      if let word = options.words.first {
        throw Failure(.usage, "\"\(word)\" needs --replace, and nothing else, before it")
      }
      return try TrustCommand.show(configurationPath: path)
    case "camera": return try CameraCommand.run(options)
    case "gps": return try GpsCommand.run(options)
    case "light": return try LightCommand.run(options)
    case "io": return try HandCommand.run(options)
    case "imu": return try ImuCommand.run(options)
    case "discover": return try DiscoverCommand.run(options)
    case "config": return try ConfigCommand.run(options)
    case "console": return try ConsoleCommand.run(options)
    case "chat": return try ChatCommand.run(options)
    case "gateway": return try GatewayCommand.run(options)
    case "grants": return try GrantsCommand.run(options)
    case "journal": return try JournalCommand.run(options)
    case "tools": return try ToolsCommand.run(options)
    case "update": return try UpdateCommand.run(options)
    case "log": return try LogCommand.run(options)
    case "snap", "photos", "selftest", "panic", "acknowledge", "reload", "reset", "reboot":
      return try BoardCommands.run(command, options)
    case "version":
      Console.show("talon \(Version.number) (build \(Version.build))")
      return .ok
    default:
      if let code = try MediaCommands.run(command, options) { return code }
      return try ConsoleCommands.run(command, options)
    }
  }
}
