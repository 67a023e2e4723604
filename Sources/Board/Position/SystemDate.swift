import Location
import Runtime

/// The board's date.
public final class SystemDate: DateSetter {
  private var hasSet = false

  public init() {}

  /// `STA_UNSYNC` of adjtimex(2) is not set: NTP or the like is at work.
  public var isKept: Bool {
    do throws(Errno) {
      return try Syscall.clockIsSynchronized()
    } catch {
      return false
    }
  }

  public var isSet: Bool { hasSet || isKept }

  public func set(_ wall: Int64) throws(Errno) {
    try SystemClock.setWall(wall)
    hasSet = true
  }
}
