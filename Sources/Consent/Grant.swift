import Codec
import Runtime

/// What a person at the board has allowed.
public struct Grant: Equatable, Sendable {
  /// How long it is good for.
  public enum Scope: UInt8, Sendable {
    /// For one use.
    case once = 1
    /// Until an instant.
    case until
    /// Until the connection to the gateway ends.
    case session

    /// The word of `talon grants`.
    public var word: StaticString {
      switch self {
      case .once: "once"
      case .until: "until"
      case .session: "session"
      }
    }
  }

  /// What the person used.
  public enum Source: UInt8, Sendable {
    case screen = 1, button, console

    /// The word of `talon grants` and of the log.
    public var word: StaticString {
      switch self {
      case .screen: "screen"
      case .button: "button"
      case .console: "console"
      }
    }
  }

  public var scope: Scope
  public var source: Source
  /// When it was given, in milliseconds since the Unix epoch, for people; and of the monotonic clock.
  public var givenAt: Int64
  public var start: Int64
  /// With `until`: the milliseconds for which it was given.
  public var duration: Int64
  /// True when something had set the wall clock before `givenAt` was read there: only such a grant outlives a power
  /// cut.
  public var isDated: Bool
  /// The digest of the one command line, call of a tool, or camera that it is for (`ConsentSubject`); empty: for each.
  public var digest = InlineText<32>()
  /// What it is for. One for a single use is for any.
  public var kinds = UseKinds.all

  /// A grant; see the properties.
  public init(
    _ scope: Scope, by source: Source, givenAt: Int64, start: Int64, duration: Int64 = 0, isDated: Bool = false
  ) {
    self.scope = scope
    self.source = source
    self.givenAt = givenAt
    self.start = start
    self.isDated = isDated
    self.duration = max(0, min(duration, Budget.grantMilliseconds))
  }

  /// When it ends, in milliseconds of the monotonic clock; nil: not by time.
  public var end: Int64? { scope == .until ? start.adding(clamping: duration) : nil }
}

/// A moment by the board's clocks.
public struct ConsentMoment: Sendable {
  /// Milliseconds of the monotonic clock, and since the Unix epoch.
  public var now: Int64
  public var wall: Int64
  /// Minutes by which local time is ahead of UTC.
  public var offset: Int64
  /// True when something has set the wall clock.
  public var isDateRight: Bool

  /// A moment; see the properties.
  public init(now: Int64, wall: Int64, offset: Int64, isDateRight: Bool) {
    self.now = now
    self.wall = wall
    self.offset = offset
    self.isDateRight = isDateRight
  }

  /// A grant that is given now, with `until` for so many milliseconds.
  public func grant(_ scope: Grant.Scope, by source: Grant.Source, for milliseconds: Int64 = 0) -> Grant {
    Grant(scope, by: source, givenAt: wall, start: now, duration: milliseconds, isDated: isDateRight)
  }
}

/// An answer of a person to a question.
public enum ConsentAnswer: UInt8, CaseIterable, Sendable {
  case once, minute, session, today, no

  /// The button on the screen.
  public var label: StaticString {
    switch self {
    case .once: "Once"
    case .minute: "60 seconds"
    case .session: "This session"
    case .today: "Today"
    case .no: "No"
    }
  }

  /// The word of `talon grants`.
  public var word: StaticString {
    switch self {
    case .once: "once"
    case .minute: "60s"
    case .session: "session"
    case .today: "today"
    case .no: "no"
    }
  }

  /// The grant that it gives; nil for "no".
  public func grant(by source: Grant.Source, at moment: ConsentMoment) -> Grant? {
    switch self {
    case .no: nil
    case .once: moment.grant(.once, by: source)
    case .session: moment.grant(.session, by: source)
    case .minute: moment.grant(.until, by: source, for: 60_000)
    case .today: moment.grant(.until, by: source, for: Self.restOfDay(wall: moment.wall, offset: moment.offset))
    }
  }

  /// Milliseconds until the next midnight of the board's time zone; half a day where the board does not know the date.
  static func restOfDay(wall: Int64, offset: Int64) -> Int64 {
    guard BelievableDate.contains(wall) else { return 43_200_000 }
    let day: Int64 = 86_400_000
    let past = (wall % day + offset % 1440 * 60_000 + day) % day
    return day - past
  }
}
