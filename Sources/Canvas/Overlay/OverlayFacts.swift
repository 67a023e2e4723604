import Runtime

/// How urgently the agent needs the person, shown as a border; in rising order.
public enum BorderLevel: UInt8, Sendable {
  case none, passive, notify, active, interrupt, urgent
}

/// Contents of the overlay, which is in front of every page.
public struct OverlayFacts: Equatable, Sendable {
  /// Devices that can hear or see a person are on.
  public var isCameraLive = false
  public var isMicrophoneLive = false
  /// What is on the screen is being recorded.
  public var isRecorded = false
  /// The person has paused the board: nothing else is shown.
  public var isHeld = false
  /// The agent's request to the person, until someone responds.
  public var border = BorderLevel.none
  /// Where a conversation by voice stands, and how loud the person is, from 0 to 4.
  public var orb = OrbState.none
  public var orbLevel: UInt8 = 0
  /// What the person is asked; nil: nothing.
  public var consent: ConsentFacts?
  /// What the gateway asks the person; nil: nothing.
  public var approval: ConsentFacts?
  /// What the person has granted; nil: nothing.
  public var grant: GrantFacts?

  public init() {}
}

/// The state of a press (canvas reference 2.10).
public enum PressStatus: Sendable {
  /// On its way to the gateway.
  case sending
  /// The gateway has it; the agent is at work.
  case working
  /// The agent has changed the screen since.
  case updated
  /// It did not arrive.
  case failed
}
