import Codec
import Gateway
import Runtime

/// `talon journal`: what this board did, when, for how long, and who had allowed it.
enum JournalCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    let wanted = try options.number("--limit", 1...1000) ?? 20
    try show(wanted, folder: configuration.runtimeDirectory) { Console.show($0) }
    return .ok
  }

  /// Shows the newest uses, at most so many, which the agent that runs with this folder gives page after page.
  static func show(_ wanted: Int, folder: String, _ show: (String) -> Void) throws(Failure) {
    var (shown, total) = (0, 1)
    while shown < min(wanted, total) {
      // A connection is good for one answer.
      let line = try BoardCommands.check(
        ConsoleClient(folder: folder).ask("journal") { writer in
          writer.key("back")
          writer.int(Int64(shown))
        })
      let root = JSONView(line.span)
      guard let result = root.member("result"), let uses = result.member("uses") else {
        throw Failure(.temporary, "the agent's answer has no journal; see talon log")
      }
      total = Int(clamping: result.number("count"))
      if total == 0 { return show("Nothing was used yet.") }
      let before = shown
      var elements = uses.elements()
      while let use = elements.next(), shown < wanted {
        show(self.line(use))
        shown += 1
      }
      if shown == before { return }
    }
  }

  private static func line(_ use: borrowing JSONView) -> String {
    var what = ""
    if let list = use.member("permissions") {
      var elements = list.elements()
      while let word = elements.next() { what += (what.isEmpty ? "" : "+") + word.text }
    }
    var text = IdentityCommand.string(ISO8601(unixMilliseconds: use.number("atMs")).text)
    text += "  \(what.left(18)) \(use.text("command").left(18))"
    if use.number("count") > 1 { text += " x\(use.number("count"))" }
    let lasted = use.number("lastedMs")
    text += lasted < 1000 ? " \(lasted) ms" : " \(GrantsCommand.time(lasted / 1000))"
    text += "  \(basis(use))"
    if !use.text("session").isEmpty { text += ", session \(Console.quoted(use.text("session")))" }
    return text
  }

  private static func basis(_ use: borrowing JSONView) -> String {
    switch use.text("allowedBy") {
    case "file": return "allowed by talon.conf"
    case "board": return "by somebody at the board"
    default:
      let scope = use.text("scope")
      let length = scope == "once" ? "once" : scope == "session" ? "for the session" : "for a time"
      return "granted \(length) at the \(use.text("allowedBy"))"
    }
  }
}
