import Codec
import Runtime

/// `talon update`: a bundle for this board, and what becomes of it.
enum UpdateCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath, as: .caller)
    let word = options.words.first ?? "status"
    let isWord = ["status", "check", "rollback", "confirm", "cancel"].contains(word)
    if !isWord, options.has("--older") { try allow("install", configuration) }
    if word == "rollback", Process.user == 0 { try allow("rollback", configuration) }
    try ConfigCommand.become(configuration)
    switch word {
    case "status": return try status(configuration)
    case "check": return try act("update-check", "the server is asked now", configuration)
    case "rollback":
      return try act("update-rollback", "the board goes back to its other system: it restarts now", configuration)
    case "confirm": return try act("update-confirm", "the new system becomes the board's own", configuration)
    case "cancel": return try act("update-cancel", "canceled", configuration)
    default: return try begin(word, configuration)
    }
  }

  /// Starts of the board that root's word outlasts: power may go in the middle of an update.
  private static let starts = 20

  /// Root's side goes to a release that is older than the board has confirmed only where root says so, and not the
  /// agent: by a file in its own folder, which counts once (`images/root/usr/lib/talon-image/floor`).
  private static func allow(_ word: String, _ configuration: Configuration) throws(Failure) {
    guard Process.user == 0 else {
      throw Failure(.usage, "an older release is for root to allow: sudo talon update FILE --older")
    }
    let folder = configuration.runtimeDirectory + "-system/kept"
    do throws(Errno) {
      // A board with one system has no such folder, and a folder that is not root's is none that root's side reads.
      guard try Privileges.owner(onTheWayTo: folder) == nil else { return }
      guard (try? Syscall.status(Path(folder)))?.isFolder == true else { return }
      let text = Array("\(word) \(starts) ".utf8) + (try TextFile.read("/proc/uptime", limit: 64))
      let (path, temporary) = (try Path(folder + "/older"), try Path(folder + "/older.new"))
      var failure: Errno?
      text.withUnsafeBytes { bytes in
        do throws(Errno) { try TextFile.replace(path, temporary: temporary, bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    } catch {
      throw Failure(.cannotCreate, "\(folder)/older cannot be written: \(String(error.text))")
    }
  }

  private static func begin(_ word: String, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let isAddress = word.hasPrefix("https://") || word.hasPrefix("http://")
    let bundle = isAddress ? word : try BoardCommands.place(word)
    let line = try ConsoleClient(folder: configuration.runtimeDirectory).ask("update") { writer in
      writer.key("bundle")
      writer.string(bundle)
    }
    try BoardCommands.check(line)
    Console.out(
      "\(bundle) is taken, installed and tried now; the board restarts. talon update status shows how far it is")
    return .ok
  }

  private static func act(
    _ operation: StaticString, _ sentence: String, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    try BoardCommands.check(ConsoleClient(folder: configuration.runtimeDirectory).ask(operation) { _ in })
    Console.show(sentence)
    return .ok
  }

  private static func status(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let line = try BoardCommands.check(
      ConsoleClient(folder: configuration.runtimeDirectory).ask("update-status") { _ in })
    let root = JSONView(line.span)
    guard let update = root.member("result") else {
      throw Failure(.temporary, "the agent's answer has no state of updates; see talon log")
    }
    for text in lines(of: update) { Console.show(text) }
    return .ok
  }

  /// The state in sentences.
  static func lines(of update: borrowing JSONView) -> [String] {
    var lines: [String] = []
    if update.member("slot") != nil {
      let trial = update.member("isTrial")?.bool == true ? ", for the first time: it has to prove itself" : ""
      lines.append("runs \(update.text("running")) from slot \(update.text("slot"))\(trial)")
      if update.member("other") != nil {
        lines.append("the other slot has \(update.text("other")) (\(update.text("otherState")))")
      }
    } else {
      lines.append("this board has one system only, which its package manager updates: apt upgrade")
    }
    lines.append(sentence(of: update))
    if update.member("asksInMs") != nil {
      let failures = update.number("failures")
      let trouble = failures == 0 ? "" : "; \(failures) questions in a row were not answered (talon log)"
      lines.append("asks for updates again in \((update.number("asksInMs") + 999) / 1000) s\(trouble)")
    }
    return lines
  }

  /// How far the update is.
  static func sentence(of update: borrowing JSONView) -> String {
    let version = update.text("version").isEmpty ? "a bundle" : update.text("version")
    let percent = update.member("percent") == nil ? "" : " (\(update.number("percent")) %)"
    switch update.text("state") {
    case "offered": return "\(version) is offered, and waits to be downloaded"
    case "downloading": return "\(version) is being downloaded\(percent)"
    case "downloaded": return "\(version) is downloaded, and waits to be installed"
    case "installing": return "\(version) is being installed\(percent)"
    case "installed": return "\(version) is installed, and waits for the restart"
    case "restarting": return "the board restarts into \(version)"
    case "trial": return "\(version) runs, and has to prove itself"
    case "confirming": return "\(version) has proved itself, and becomes the board's own"
    case "comparing": return "\(version) reached no gateway; this system tries whether it can"
    case "undecided":
      return "\(version) reached no gateway, and neither does this system; it is tried again when it is back"
    case "closed": return "\(version): \(update.text("outcome")), which the server is still to be told"
    default: break
    }
    switch update.text("outcome") {
    case "success": return "the last update (\(update.text("outcomeVersion"))) \(update.text("reason"))"
    case "failure": return "the last update (\(update.text("outcomeVersion"))) failed: \(update.text("reason"))"
    case "canceled": return "the last update was canceled"
    default: return "no update is under way"
    }
  }
}
