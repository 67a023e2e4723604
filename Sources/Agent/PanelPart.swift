import Codec
import Device
import Node
import Panel
import Runtime

/// The status light and the button as a part of the agent: the last one, so that the light shows the state after all
/// others have advanced.
final class PanelPart: Part, CommandHandler {
  private static let rows = [CommandRow("tool.light", limit: 1), CommandRow("tool.press", limit: 1)]

  private let panel: FrontPanel
  /// Gives the signals of the light, and gets the presses of the button. Owns this part.
  private unowned(unsafe) let agent: Agent
  /// Until when the light asks for a person because a tool did.
  private var asksUntil: Int64?
  /// The question that waits for a short press.
  private var question: InvokeToken?

  init(light: (any Light)?, button: (any Button)?, agent: Agent) {
    panel = FrontPanel(light: light, button: button, clock: agent.clock, log: agent.log)
    self.agent = agent
  }

  /// True while a tool of the agent has the light ask for a person.
  var isAsking: Bool { question != nil || asksUntil != nil }

  /// When the press began that the last gesture is of.
  var pressBegan: Int64? { panel.pressBegan }

  override func start() {
    panel.show(agent.signals)
    panel.start(agent)
  }

  override func stop() { panel.stop() }

  override var nextDeadline: Int64? { earliest(panel.nextDeadline, asksUntil) }

  override func advance(to now: Int64) {
    if let end = asksUntil, end <= now { asksUntil = nil }
    panel.advance(to: now)
    panel.show(agent.signals)
  }

  // MARK: Tools

  /// It declares nothing, and its commands must be known when the tools are chosen, which is last.
  override var declarationPlace: Int { Int.max - 1 }

  /// Without a light nobody would see that somebody is asked, and without a button nobody could answer.
  override func addCommands(to router: Router) {
    if panel.hasLight { router.add(forTools: [Self.rows[0]], self) }
    if panel.hasButton { router.add(forTools: [Self.rows[1]], PressCommand(self)) }
  }

  /// `{seconds?}`: the light asks for a person, until somebody presses the button or the time is over.
  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    var duration = Budget.askingMilliseconds
    if let seconds = parameters.member("seconds") {
      guard let value = seconds.double, value >= 1, value <= Double(Budget.askingMost / 1000) else {
        return agent.router.fail(token, code: "INVALID_REQUEST") { $0.text("\"seconds\" is a number from 1 to 600") }
      }
      duration = Int64(clamping: value * 1000)
    }
    asksUntil = agent.clock.monotonic + duration
    agent.router.succeed(token) { writer in
      writer.beginObject()
      writer.key("seconds")
      writer.int(duration / 1000)
      writer.endObject()
    }
  }

  func cancel(_ token: InvokeToken) {}

  /// The question of a tool waits for a short press.
  fileprivate func ask(_ token: InvokeToken) { question = token }

  fileprivate func askNoMore(_ token: InvokeToken) { if question == token { question = nil } }

  /// A short press: somebody came.
  func acknowledge() {
    asksUntil = nil
    guard let token = question else { return }
    question = nil
    agent.router.succeed(token) { writer in
      writer.beginObject()
      writer.key("answer")
      writer.string("pressed")
      writer.endObject()
    }
  }

  /// The signal that is shown; nil when the light is off, or there is none.
  var shown: Signal? { panel.shown }

  var light: HardwareState { Self.state(panel.hasLight, panel.lightFault) }
  var button: HardwareState { Self.state(panel.hasButton, panel.buttonFault) }

  private static func state(_ isConfigured: Bool, _ fault: Errno?) -> HardwareState {
    guard isConfigured else { return HardwareState(.absent, detail: "none is configured", isPermitted: false) }
    return HardwareState(fault == nil ? .ok : .error, detail: fault?.text)
  }
}

/// The command that waits for a short press of the button.
private final class PressCommand: CommandHandler {
  private unowned(unsafe) let panel: PanelPart

  init(_ panel: PanelPart) { self.panel = panel }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    panel.ask(token)
  }

  func cancel(_ token: InvokeToken) { panel.askNoMore(token) }
}
