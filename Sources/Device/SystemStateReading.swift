import Runtime

/// The state of the system's clock.
public struct ClockReading: Equatable, Sendable {
  /// True when it is synchronized (NTP, GPS); nil when the kernel cannot be queried.
  public var isSynchronized: Bool?
  /// True when the board has a battery clock.
  public var hasHardwareClock = false
  /// Milliseconds since 1970, by the system's clock.
  public var wall: Int64 = 0

  /// A board without a clock.
  public init() {}

  /// True when the date is plausible: a board without a battery clock starts in 1970, or at the time when it was
  /// switched off.
  public var isBelievable: Bool { BelievableDate.contains(wall) }
}

/// The board's watchdog (kernel document watchdog-api).
public struct WatchdogReading: Sendable {
  /// Its name.
  public var identity = DeviceName()
  /// True while a program keeps it from resetting the board.
  public var isActive = false
  /// Its timeout in seconds.
  public var timeout: Int?
  /// True when it caused the last reset (`WDIOF_CARDRESET`).
  public var hasReset = false

  /// An inactive watchdog.
  public init() {}
}
