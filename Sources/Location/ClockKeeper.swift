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

/// Sets the board's clock by satellites when nothing else has, so that dates are right on a board without a battery
/// clock.
///
/// The receiver's time is checked first: two instants must be as far apart as on the monotonic clock.
public final class ClockKeeper {
  /// Milliseconds between two instants that are compared, at least.
  static let proof: Int64 = 2_000
  /// Largest difference from the monotonic clock in milliseconds: the line and the receiver delay by up to half a
  /// second.
  static let tolerance: Int64 = 600
  /// Smallest difference that is corrected, in milliseconds: a smaller one may be the delay of the line.
  static let smallest: Int64 = 2_000

  private let clock: any Clock
  private let setter: any DateSetter
  private let log: Log
  private var first: GNSSTime?
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
    guard !hasGivenUp, time.isFullyResolved else { return }
    guard let first, time.arrival > first.arrival else {
      self.first = time
      return
    }
    let apart = time.arrival - first.arrival
    guard apart >= Self.proof else { return }
    let drift = (time.instant - first.instant) - apart
    self.first = time
    guard abs(drift) <= Self.tolerance, !setter.isKept else { return }
    set(time)
  }

  private func set(_ time: GNSSTime) {
    let right = time.instant + (clock.monotonic - time.arrival)
    let step = right - clock.wall
    guard abs(step) >= Self.smallest else { return }
    do throws(Errno) {
      try setter.set(right)
      log.write(.notice, "location") { line in
        line.add("the clock was set by satellites, ")
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
