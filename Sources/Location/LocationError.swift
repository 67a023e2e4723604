import Codec
import Runtime

/// Why there is no position, by what to do next.
public enum LocationError: WireError {
  // Ask differently.

  /// A parameter of the wrong JSON type or value: its key, and what it must be.
  case invalid(key: StaticString, wanted: StaticString)
  /// The parameters are no JSON object.
  case notAnObject

  // Look at the hardware or the configuration.

  /// No receiver is configured.
  case noReceiver
  /// The receiver's port is closed, for this reason.
  case lost(Errno)
  /// The receiver knows where but not on which date, and neither does the board's clock.
  case noDate

  // Try again.

  /// No fresh fix before the deadline.
  case timeout
  /// `Budget.runningInvokes` requests wait already.
  case tooMany

  /// Names what was asked for, or the kernel's reason.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .invalid(_, let wanted):
      writer.text(" must be ")
      writer.text(wanted)
    case .lost(let reason):
      writer.text(reason.text)
    default: break
    }
  }

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .invalid(let key, _): ("INVALID_REQUEST", key)
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .noReceiver: ("LOCATION_UNAVAILABLE", "no position receiver is configured")
    case .lost: ("LOCATION_UNAVAILABLE", "position receiver is not connected: ")
    case .noDate: ("LOCATION_UNAVAILABLE", "receiver gives no date and the clock is not set")
    case .timeout: ("LOCATION_TIMEOUT", "no fix in time")
    case .tooMany: ("UNAVAILABLE", "too many location requests at once")
    }
  }
}
