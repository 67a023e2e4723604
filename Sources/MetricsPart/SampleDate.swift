import Codec
import Device
import Runtime

/// How the calendar's time follows from `Clock.monotonic`. A board without a battery clock starts in 1970, or at the
/// time when it was switched off; samples with such a time would be refused, or stand in the wrong place for ever. So
/// the date counts only when the system's clock is synchronized, or when a server's own date has confirmed it; a server
/// that says another one is right.
struct SampleDate {
  /// Milliseconds from a monotonic instant to the calendar's; nil while the date is not known.
  private(set) var offset: Int64?
  private var isConfirmed = false

  /// The system's clock was read.
  mutating func read(_ clock: ClockReading?, wall: Int64, now: Int64) {
    guard let clock, clock.isSynchronized == true, BelievableDate.contains(wall) else { return }
    (offset, isConfirmed) = (wall - now, true)
  }

  /// A server answered at `now`, and its own date is this.
  mutating func heard(_ date: Int64, wall: Int64, now: Int64) {
    if isConfirmed || !BelievableDate.contains(date) { return }
    if let offset, Self.isClose(offset + now, date) { return }
    offset = (Self.isClose(wall, date) ? wall : date) - now
  }

  private static func isClose(_ one: Int64, _ other: Int64) -> Bool {
    let difference = one.subtracting(clamping: other)
    return difference > -Budget.metricClockError && difference < Budget.metricClockError
  }

  /// The date of an instant; nil while that is not known.
  func date(of now: Int64) -> Int64? { offset.map { now + $0 } }
}
