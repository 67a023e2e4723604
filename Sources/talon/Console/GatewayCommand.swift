import Codec
import Runtime

/// `talon gateway`: who the gateway is, and how it fares.
enum GatewayCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    if options.words.first == "approvals" { return try ApprovalsCommand.run(options) }
    if let word = options.words.first {
      throw Failure(.usage, "expected: talon gateway [approvals], not \"\(word)\"")
    }
    let configuration = try ConfigCommand.read(options.configurationPath, as: .owner)
    let line = try ConsoleCommands.ask("gateway-facts", configuration) { _ in }
    let root = JSONView(line.span)
    if let facts = root.member("result") {
      row("version", facts.text("version"))
      row("protocol", facts.member("protocol")?.int64.map { "\($0)" } ?? "")
      row("scopes", facts.text("scopes"))
      row("approvals", facts.text("approvals"))
    }
    // Each by itself: a gateway that lacks one has the others.
    identity(configuration)
    health(configuration)
    heartbeat(configuration)
    return .ok
  }

  private static func row(_ name: String, _ text: String) {
    if !text.isEmpty { Console.show("\(name.left(11)) \(text)") }
  }

  /// Asks one thing; what is wrong with it is its row.
  private static func ask(_ operation: StaticString, _ name: String, _ configuration: Configuration) -> [UInt8]? {
    do throws(Failure) {
      return try ConsoleCommands.ask(operation, configuration) { _ in }
    } catch {
      row(name, "not known: \(error.text)")
      return nil
    }
  }

  private static func identity(_ configuration: Configuration) {
    guard let line = ask("gateway-identity", "gateway", configuration) else { return }
    let root = JSONView(line.span)
    guard let result = root.member("result") else { return }
    row("gateway", result.text("deviceId"))
    row("public key", result.text("publicKey"))
  }

  private static func health(_ configuration: Configuration) {
    guard let line = ask("gateway-health", "health", configuration) else { return }
    let root = JSONView(line.span)
    guard let health = root.member("result") else { return }
    row("health", health.member("ok")?.bool == false ? "not well" : "well")
    if let up = health.member("uptimeMs")?.int64 { row("up for", duration(up)) }
    row("channels", channels(health))
    row("agents", agents(health))
    if let sessions = health.member("sessions"), let count = sessions.member("count")?.int64 {
      row("sessions", "\(count)")
    }
    if let every = health.member("heartbeatSeconds")?.int64 {
      row(
        "heartbeat", every > 0 ? "every \(duration(every.multipliedReportingOverflow(by: 1000).partialValue))" : "off")
    }
  }

  /// "telegram linked, whatsapp not linked".
  private static func channels(_ health: borrowing JSONView) -> String {
    guard let channels = health.member("channels"), channels.kind == .object else { return "" }
    var texts: [String] = []
    var members = channels.members()
    while texts.count < Budget.consoleRows, let member = members.next() {
      let state: String
      if member.value.member("configured")?.bool == false {
        state = "not configured"
      } else if let linked = member.value.member("linked")?.bool {
        state = linked ? "linked" : "not linked"
      } else if let runs = member.value.member("running")?.bool {
        state = runs ? "runs" : "does not run"
      } else {
        state = "configured"
      }
      let trouble = member.value.text("lastError")
      texts.append("\(member.name.text) \(state)\(trouble.isEmpty ? "" : " (\(trouble))")")
    }
    return texts.isEmpty ? "none" : texts.joined(separator: ", ")
  }

  private static func agents(_ health: borrowing JSONView) -> String {
    guard let agents = health.member("agents"), agents.kind == .array else { return "" }
    let usual = health.text("defaultAgentId")
    var texts: [String] = []
    var elements = agents.elements()
    while texts.count < Budget.consoleRows, let agent = elements.next() {
      let name = agent.text("agentId").isEmpty ? agent.text("id") : agent.text("agentId")
      texts.append(name == usual || agent.member("isDefault")?.bool == true ? "\(name) (the default)" : name)
    }
    return texts.joined(separator: ", ")
  }

  private static func heartbeat(_ configuration: Configuration) {
    guard let line = ask("gateway-heartbeat", "last beat", configuration) else { return }
    let root = JSONView(line.span)
    guard let beat = root.member("result"), beat.kind == .object else { return row("last beat", "none yet") }
    var text = beat.text("status")
    if let time = beat.member("ts")?.int64, time > 0 {
      text += "  \(IdentityCommand.string(ISO8601(unixMilliseconds: min(time, 253_402_300_799_999)).text))"
    }
    if !beat.text("reason").isEmpty { text += "  \(beat.text("reason"))" }
    if !beat.text("preview").isEmpty { text += "  \(beat.text("preview"))" }
    row("last beat", text)
  }

  /// "3 min", "2 h 5 min", "4 d 3 h".
  private static func duration(_ milliseconds: Int64) -> String {
    let seconds = max(milliseconds, 0) / 1000
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7_200 { return "\(seconds / 60) min" }
    if seconds < 172_800 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
    return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
  }
}
