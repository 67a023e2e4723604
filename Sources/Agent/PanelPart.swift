import Device
import Node
import Panel
import Runtime

/// The status light and the button as a part of the agent: the last one, so that the light shows the state after all
/// others have advanced.
final class PanelPart: Part {
  private let panel: FrontPanel
  /// Gives the signals of the light, and gets the presses of the button. Owns this part.
  private unowned(unsafe) let agent: Agent

  init(light: (any Light)?, button: (any Button)?, agent: Agent) {
    panel = FrontPanel(light: light, button: button, clock: agent.clock, log: agent.log)
    self.agent = agent
  }

  override func start() {
    panel.show(agent.signals)
    panel.start(agent)
  }

  override func stop() { panel.stop() }

  override var nextDeadline: Int64? { panel.nextDeadline }

  override func advance(to now: Int64) {
    panel.advance(to: now)
    panel.show(agent.signals)
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
