import Codec
import Runtime

@testable import Location

/// A receiver that says what a test wants, with right checksums.
enum Receiver {
  /// A sentence of the text between `$` and `*`.
  static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0 as UInt8) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  static func gga(
    _ time: String, _ position: String = "4807.038,N,01131.000,E", quality: Int = 1, hdop: String = "0.9",
    altitude: String = "545.4"
  ) -> String {
    sentence("GPGGA,\(time),\(position),\(quality),08,\(hdop),\(altitude),M,46.9,M,,")
  }

  static func rmc(
    _ time: String, _ date: String = "150726", status: String = "A",
    _ position: String = "4807.038,N,01131.000,E", knots: String = "022.4", course: String = "084.4"
  ) -> String {
    sentence("GPRMC,\(time),\(status),\(position),\(knots),\(course),\(date),,,A")
  }

  static func vtg(course: String = "084.4", knots: String = "010.0") -> String {
    sentence("GPVTG,\(course),T,,M,\(knots),N,,K,A")
  }
}

/// Time that a test sets.
final class ManualClock: Clock {
  var monotonic: Int64 = 1_000_000
  /// 15 July 2026, 12:35:20 UTC.
  var wall: Int64 = 1_784_118_920_000
}

/// A tracker that reads text.
final class TrackerUnderTest {
  private var tracker = FixTracker()
  private var reader = NMEAReader()
  var latest: Fix? { tracker.latest }

  func receiverRestarted() { tracker.receiverRestarted() }

  /// Reads a text; true when it made a new fix.
  func read(_ text: String, at arrival: Int64 = 0) -> Bool {
    var index = 0
    var isNew = false
    let bytes = text.utf8.span
    while let sentence = reader.next(bytes, at: &index) {
      isNew = tracker.accept(sentence, at: arrival, wall: ManualClock().wall) || isNew
    }
    return isNew
  }
}

/// JSON that a writer made.
func json(_ write: (inout JSONWriter) -> Void) -> String {
  let buffer = FixedBuffer(capacity: 4096)
  var writer = JSONWriter(into: buffer.bytes)
  write(&writer)
  precondition(writer.isComplete)
  return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
}

/// Code and message of an error.
func text(_ error: LocationError) -> String {
  let buffer = FixedBuffer(capacity: 256)
  var writer = ByteWriter(into: buffer.bytes)
  error.writeMessage(to: &writer)
  return "\(error.code) | " + String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
}
