/// Something that the status light can say. In the order of urgency: of all that hold at once, the light says the first.
///
/// What stands in the way of the gateway comes before a fault of one device: without the gateway no device is of use.
public enum Signal: Int, CaseIterable, Sendable {
  /// The camera or the microphone is in use. Nothing can hide it: people near the board have a right to know.
  case live
  /// Somebody presses the button, not for long yet. The panel adds it by itself.
  case pressed
  /// A factory reset is offered: one more press forgets everything.
  case resetOffered
  /// A person holds the board still: no camera, no microphone, no gateway.
  case panic
  /// The gateway shows another certificate than the trusted one.
  case trustAlarm
  /// The agent asks for a person, most urgently first.
  case urgent, interrupt, active
  /// Nothing has been tried yet.
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
  /// The agent has something to say, without hurry.
  case notify, passive
  /// A command runs.
  case working
  /// All is well.
  case connected
}

/// What holds at one time.
public struct SignalSet: Equatable, Sendable {
  private var bits: UInt32 = 0

  /// Nothing holds: the light is dark.
  public init() {}

  /// Adds or takes one signal.
  public subscript(_ signal: Signal) -> Bool {
    get { bits >> UInt32(signal.rawValue) & 1 == 1 }
    set {
      let bit = UInt32(1) << UInt32(signal.rawValue)
      bits = newValue ? bits | bit : bits & ~bit
    }
  }

  /// What the light says of it.
  public var first: Signal? { bits == 0 ? nil : Signal(rawValue: bits.trailingZeroBitCount) }
}
