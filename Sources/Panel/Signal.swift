/// A signal of the status light, in the order of urgency: of all active ones the light shows the first.
///
/// Trouble with the gateway comes before the fault of a device, because without the gateway no device is of use.
public enum Signal: Int, CaseIterable, Sendable {
  /// The camera or the microphone is in use. Nothing can hide it: people near the board have a right to know.
  case live
  /// A conversation by voice: the board listens to somebody, understands what was said, speaks. While one of them is
  /// shown the microphone may be on.
  case listening, understanding, speaking
  /// The button is pressed, not for long yet. The panel itself adds it.
  case pressed
  /// A factory reset is offered: one more press forgets everything.
  case resetOffered
  /// Panic: no camera, no microphone, no gateway.
  case panic
  /// Somebody is asked whether the agent may use a device.
  case consent
  /// The gateway shows another certificate than the trusted one.
  case trustAlarm
  /// The agent asks for a person, most urgently first.
  case urgent, interrupt, active
  /// The agent is starting.
  case booting
  /// The board has no network.
  case noNetwork
  /// The network is there, the gateway does not answer.
  case gatewayUnreachable
  /// The gateway waits for a person to approve this board.
  case awaitingApproval
  /// A device that the configuration names is absent or broken.
  case hardwareFault
  /// The board is connected, but the gateway lets none of its commands through.
  case commandsBlocked
  /// The agent has a message that is not urgent.
  case notify, passive
  /// A command runs.
  case working
  /// All is well.
  case connected
}

/// The active signals.
public struct SignalSet: Equatable, Sendable {
  private var bits: UInt32 = 0

  /// No signal: the light is dark.
  public init() {}

  /// Adds or removes one signal.
  public subscript(_ signal: Signal) -> Bool {
    get { bits >> UInt32(signal.rawValue) & 1 == 1 }
    set {
      let bit = UInt32(1) << UInt32(signal.rawValue)
      bits = newValue ? bits | bit : bits & ~bit
    }
  }

  /// The signal that the light shows.
  public var first: Signal? { bits == 0 ? nil : Signal(rawValue: bits.trailingZeroBitCount) }
}
