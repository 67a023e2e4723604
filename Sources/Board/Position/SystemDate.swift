import Location
import Runtime

/// The board's date.
public final class SystemDate: DateSetter {
  private let keeping = ClockKeeping()
  private var hasSet = false

  public init() {}

  /// NTP or the like is at work.
  public var isKept: Bool { keeping.isAtWork ?? false }

  public var isSet: Bool { hasSet || isKept }

  public func set(_ wall: Int64) throws(Errno) {
    try SystemClock.setWall(wall)
    hasSet = true
  }
}

/// Whether something keeps the system's clock right.
final class ClockKeeping {
  /// What systemd-timesyncd has, and makes when it has set the clock (systemd-timesyncd.service(8)).
  private let folder, file: Path?

  init(root: String = "") {
    folder = try? Path(root + "/run/systemd/timesync")
    file = try? Path(root + "/run/systemd/timesync/synchronized")
  }

  /// `STA_UNSYNC` of adjtimex(2) is not set. A sandbox that protects the clock hides that as well; then it counts what
  /// systemd-timesyncd has done. Nil when nobody tells.
  var isAtWork: Bool? {
    do throws(Errno) {
      return try Syscall.clockIsSynchronized()
    } catch {
      if isThere(file) { return true }
      return isThere(folder) ? false : nil
    }
  }

  private func isThere(_ path: Path?) -> Bool {
    guard let path else { return false }
    do throws(Errno) {
      _ = try Syscall.status(path)
      return true
    } catch {
      return false
    }
  }
}
