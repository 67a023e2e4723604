import Location
import Runtime

/// The system clock of the board.
public final class SystemDate: DateSetter {
  private let keeping = ClockKeeping()
  private var hasSet = false

  @export(interface)
  public init() {}

  /// True while NTP or the like sets the clock.
  public var isKept: Bool { keeping.isAtWork ?? false }

  public var isSet: Bool { hasSet || isKept }

  public func set(_ wall: Int64) throws(Errno) {
    try SystemClock.setWall(wall)
    hasSet = true
  }
}

/// Detects whether the system clock is synchronized.
final class ClockKeeping {
  /// The folder of systemd-timesyncd, and the file that it creates when it has set the clock
  /// (systemd-timesyncd.service(8)).
  private let folder, file: Path?

  init(root: String = "") {
    folder = try? Path(root + "/run/systemd/timesync")
    file = try? Path(root + "/run/systemd/timesync/synchronized")
  }

  /// True when `STA_UNSYNC` of adjtimex(2) is not set. A sandbox that protects the clock hides that; then
  /// systemd-timesyncd's file decides. Nil when neither can be read.
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
