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
