import Codec
import Runtime

/// A report that this program makes of the board as a process of its own, because it tries addresses and devices, which
/// blocks.
public enum Inspection: Sendable {
  /// The findings of `talon doctor --json`.
  case doctor
  /// The file of `talon support`: gzip of a tar archive.
  case bundle
}

/// Makes such a report. One at a time.
public protocol Inspector: AnyObject {
  /// Blocks, on a worker. Returns the bytes of the report.
  /// - Parameter report: room for it
  func inspect(
    _ inspection: Inspection, into report: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) throws(DiagnosisError) -> Int
}

/// Why there is no report.
public enum DiagnosisError: WireError {
  /// Another one is being made.
  case busy
  /// The process did not begin, or failed.
  case failed
  /// It took longer than `Budget.inspectionMilliseconds`.
  case slow
  /// It is longer than `Budget.inspectionBytes`.
  case tooLarge
  /// The parameters are not an object, or one of them is wrong.
  case notAnObject, lines, level, module

  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .busy: ("UNAVAILABLE", "another report is being made: try again in some seconds")
    case .failed: ("UNAVAILABLE", "the report could not be made: talon doctor on the board says why")
    case .slow: ("UNAVAILABLE", "the report took too long")
    case .tooLarge: ("PAYLOAD_TOO_LARGE", "the report does not fit a message: talon support on the board makes it")
    case .notAnObject: ("INVALID_REQUEST", "the parameters must be an object")
    case .lines: ("INVALID_REQUEST", "lines must be a number from 1 to 200")
    case .level: ("INVALID_REQUEST", "level must be error, warning, notice, info or debug")
    case .module: ("INVALID_REQUEST", "module must be a text of at most 32 bytes, as the log's lines begin with")
    }
  }
}
