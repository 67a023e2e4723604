import Codec
import Runtime

/// Why a request timed out.
public enum LocationTimeoutReason: Equatable, Sendable {
  /// The receiver sends nothing.
  case data
  /// It sends no valid messages: noise, or another baud rate.
  case sense
  /// It has no fix, with this many satellites in view.
  case fix(satellites: Int)
  /// It has a fix whose error in meters is larger than requested.
  case accuracy(Double, wanted: Double)
}

/// Why there is no position, grouped by what to do next.
public enum LocationError: WireError {
  // Change the request.

  /// A parameter of the wrong JSON type or value: its key, and what it must be.
  case invalid(key: StaticString, wanted: StaticString)
  /// The parameters are not a JSON object.
  case notAnObject

  // Check the hardware or the configuration.

  /// Switched off in the configuration.
  case disabled
  /// No receiver is configured.
  case noReceiver
  /// The receiver's port, or the connection to gpsd, is closed for this reason.
  case lost(Errno, of: DeviceInterface = .serial)
  /// The receiver has a position but no date, and the board's clock is not set.
  case noDate

  // Try again.

  /// No new fix before the deadline: the reason, and the last fix's age in milliseconds, if there was one.
  case timeout(LocationTimeoutReason, lastFix: Int64?)
  /// `Budget.runningInvokes` requests wait already.
  case tooMany

  /// Writes the requested value, what the kernel's reason means, or the state of the receiver.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .invalid(_, let wanted):
      writer.text(" must be ")
      writer.text(wanted)
    case .lost(let reason, let interface): DeviceTrouble(reason, of: interface).write { writer.text($0) }
    case .timeout(let lack, let age):
      Self.write(lack, to: &writer)
      guard let age else { return writer.text("; there has been no fix yet") }
      writer.text("; the last fix is ")
      writer.decimal(age / 1000)
      writer.text(" s old")
    default: break
    }
  }

  private static func write(_ lack: LocationTimeoutReason, to writer: inout ByteWriter) {
    switch lack {
    case .data: writer.text("the receiver sends nothing")
    case .sense: writer.text("what the receiver sends makes no sense")
    case .fix(let satellites):
      writer.text("the receiver has no fix, with ")
      writer.decimal(Int64(satellites))
      writer.text(satellites == 1 ? " satellite in view" : " satellites in view")
    case .accuracy(let meters, let wanted):
      writer.text("the fix is off by up to ")
      writer.decimal(Int64(clamping: min(meters, 1e9).rounded(.up)))
      writer.text(" m, and ")
      writer.decimal(Int64(clamping: wanted))
      writer.text(" m were asked for")
    }
  }

  /// The code and its text.
  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .invalid(let key, _): ("INVALID_REQUEST", key)
    case .notAnObject: ("INVALID_REQUEST", "parameters must be an object")
    case .disabled: ("LOCATION_DISABLED", "switched off in the configuration")
    case .noReceiver: ("LOCATION_UNAVAILABLE", "no position receiver is configured")
    case .lost: ("LOCATION_UNAVAILABLE", "position receiver is not connected: ")
    case .noDate: ("LOCATION_UNAVAILABLE", "receiver gives no date and the clock is not set")
    case .timeout: ("LOCATION_TIMEOUT", "no fix in time: ")
    case .tooMany: ("UNAVAILABLE", "too many location requests at once")
    }
  }
}
