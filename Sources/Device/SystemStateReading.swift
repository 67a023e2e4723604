import Runtime

/// Whether the system's clock can be believed.
public struct ClockReading: Equatable, Sendable {
  /// True when something keeps it right (NTP, GPS); nil when the kernel may not be asked.
  public var isSynchronized: Bool?
  /// True when the board has a clock that runs without power.
  public var hasHardwareClock = false
  /// Milliseconds since 1970, by the system's clock.
  public var wall: Int64 = 0

  /// A board without a clock.
  public init() {}

  /// True when the clock shows a time at which this program may run: a board without a clock starts in 1970, or where it
  /// was switched off long ago.
  public var isBelievable: Bool { wall >= Budget.earliestWall }
}

/// The board's watchdog (kernel document watchdog-api).
public struct WatchdogReading: Sendable {
  /// What it calls itself.
  public var identity = DeviceName()
  /// True while somebody feeds it.
  public var isActive = false
  /// Seconds that it waits.
  public var timeout: Int?
  /// True when it was what started the board anew (`WDIOF_CARDRESET`).
  public var hasReset = false

  /// A watchdog that sleeps.
  public init() {}
}
