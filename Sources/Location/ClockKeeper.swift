import Runtime

/// Reads and sets the board's date.
public protocol DateSetter: AnyObject {
  /// True when something else (NTP) synchronizes the clock.
  var isKept: Bool { get }
  /// True when the clock is believed to be right: something else synchronizes it, or it was set here.
  var isSet: Bool { get }
  /// Sets the date: milliseconds since the Unix epoch.
  func set(_ wall: Int64) throws(Errno)
}

/// Sets the board's clock by a receiver when nothing else has, so that dates are right on a board without a battery
/// clock.
///
/// A time must be plausible, and it must agree with the monotonic clock for a while. How long depends on what the
/// receiver reports (`GNSSTime.isFullyResolved`):
///
/// | source | fully resolved | not resolved |
/// |---|---|---|
/// | RMC, ZDA | with a fix by satellites | without a fix, or with a computed one |
/// | NAV-PVT, NAV-TIMEUTC | all valid flags | date and time valid, leap seconds unknown |
/// | gpsd | leap seconds reported, or a fix by satellites | otherwise |
/// | agrees for | 2 s | 10 s and 5 times |
/// | sets the clock | forward and back | forward, until a resolved time or NTP was there |
///
/// A time that is not resolved comes from the receiver's battery clock or from its first satellite. It may be seconds
/// off, because the receiver does not know the leap seconds yet. A resolved time corrects it later.
public final class ClockKeeper {
  /// Milliseconds for which a fully resolved time must agree with the monotonic clock, at least.
  static let proof: Int64 = 2_000
  /// The same for a time that is not resolved. A receiver that receives its first satellite replaces the time of its
  /// battery clock, and a test of a few seconds would often end before.
  static let unresolvedProof: Int64 = 10_000
  /// How many times in a row must agree when the time is not resolved: slow receivers report every ten seconds.
  static let unresolvedTimes = 5
  /// Largest difference from the monotonic clock in milliseconds: the line and the receiver delay by up to half a
  /// second.
  static let tolerance: Int64 = 600
  /// Smallest difference that is corrected, in milliseconds: a smaller one may be the delay of the line.
  static let smallest: Int64 = 2_000

  private let clock: any Clock
  private let setter: any DateSetter
  private let log: Log
  private var resolved = ClockProof(span: ClockKeeper.proof, times: 2)
  private var unresolved = ClockProof(span: ClockKeeper.unresolvedProof, times: ClockKeeper.unresolvedTimes)
  /// True once the clock was right by a resolved time or by something else.
  private var isConfirmed = false
  private var hasGivenUp = false

  /// A keeper that has set nothing.
  @export(interface)
  public init(clock: any Clock, setter: any DateSetter, log: Log) {
    self.clock = clock
    self.setter = setter
    self.log = log
  }

  /// Takes the receiver's time.
  public func take(_ time: GNSSTime) {
    guard !hasGivenUp, BelievableDate.contains(received: time.instant) else { return }
    let isProven = time.isFullyResolved ? resolved.add(time) : unresolved.add(time)
    guard isProven else { return }
    let isKept = setter.isKept
    let wasConfirmed = isConfirmed
    if isKept || time.isFullyResolved { isConfirmed = true }
    if isKept || wasConfirmed && !time.isFullyResolved { return }
    set(time)
  }

  private func set(_ time: GNSSTime) {
    let right = time.instant + (clock.monotonic - time.arrival)
    let step = right - clock.wall
    guard abs(step) >= Self.smallest else { return }
    // A clock that shows a plausible date is at most behind: its date was saved before the last start.
    if step < 0, !time.isFullyResolved, BelievableDate.contains(clock.wall) { return }
    do throws(Errno) {
      try setter.set(right)
      log.write(.notice, "location") { line in
        line.add("the clock was set by ")
        line.add(time.isFullyResolved ? "satellites, " : "a receiver without a fix, ")
        line.add(abs(step) / 1000)
        line.add(step > 0 ? " s forward" : " s back")
      }
    } catch {
      hasGivenUp = true
      log.write(.warning, "location") { line in
        line.add("the clock cannot be set by satellites (CAP_SYS_TIME): ")
        line.add(error)
      }
    }
  }
}

/// Checks whether times in a row are as far apart as on the monotonic clock.
private struct ClockProof {
  /// Milliseconds from the first to the last, and how many, at least.
  let span: Int64
  let times: Int
  private var first: GNSSTime?
  private var count = 0

  init(span: Int64, times: Int) {
    self.span = span
    self.times = times
  }

  /// Adds the next time.
  /// - Returns: true when the times agree for long enough. The next proof begins with this time, because the drift of
  ///   the monotonic clock adds up.
  mutating func add(_ time: GNSSTime) -> Bool {
    guard let first, time.arrival > first.arrival, agrees(time, with: first) else {
      (self.first, count) = (time, 1)
      return false
    }
    count += 1
    guard time.arrival - first.arrival >= span, count >= times else { return false }
    (self.first, count) = (time, 1)
    return true
  }

  private func agrees(_ time: GNSSTime, with first: GNSSTime) -> Bool {
    abs((time.instant - first.instant) - (time.arrival - first.arrival)) <= ClockKeeper.tolerance
  }
}
