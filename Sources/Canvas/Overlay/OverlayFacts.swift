import Runtime

/// How much the agent wants a person, as a border shows it; from the least.
public enum BorderLevel: UInt8, Sendable {
  case none, passive, notify, active, interrupt, urgent
}

/// What stands in front of every page, whatever it shows.
public struct OverlayFacts: Equatable, Sendable {
  /// Devices that can hear or see a person are on.
  public var isCameraLive = false
  public var isMicrophoneLive = false
  /// What is on the screen is being recorded.
  public var isRecorded = false
  /// A person holds the board still: nothing else is shown.
  public var isHeld = false
  /// What the agent asks of a person until somebody has come.
  public var border = BorderLevel.none

  public init() {}
}

/// What became of a press (canvas reference 2.10).
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
