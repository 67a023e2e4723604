import Codec
import Runtime

/// One line of the log as a frame of syslog over TLS: its length, a space, and the message (RFC 5424 section 6, RFC
/// 5425 section 4.3).
struct SyslogLine {
  /// "daemon" of RFC 5424 section 6.2.1, Table 1.
  private static let facility = 3

  /// The board's name, as a header may have it.
  private let host: InlineText<128>
  private let body = FixedBuffer(capacity: Budget.syslogFrameBytes)

  /// Lines of a board of this name. Header fields are printable ASCII without spaces (RFC 5424 section 6).
  init(host name: String) {
    var bytes: [UInt8] = []
    for byte in name.utf8 { bytes.append(byte > 0x20 && byte < 0x7F ? byte : UInt8(ascii: "-")) }
    host = InlineText(cutting: bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self))
  }

  /// Writes the frame into `frame`, and returns its bytes.
  /// - Parameter instant: Unix time in milliseconds
  func write(_ level: LogLevel, _ text: UnsafeBufferPointer<UInt8>, at instant: Int64, into frame: FixedBuffer) -> Int {
    var message = ByteWriter(into: body.bytes)
    message.text("<")
    message.decimal(Int64(Self.facility * 8 + level.rawValue))
    message.text(">1 ")
    message.bytes(ISO8601(unixMilliseconds: instant).text)
    message.text(" ")
    message.bytes(host.span)
    message.text(" talon - ")
    let module = Self.module(text)
    if module.isEmpty { message.text("-") } else { message.bytes(Span(_unsafeElements: module)) }
    message.text(" - ")
    message.bytes(Span(_unsafeElements: text))
    let count = min(message.count, body.bytes.count)
    var writer = ByteWriter(into: frame.bytes)
    writer.decimal(Int64(count))
    writer.text(" ")
    writer.bytes(Span(_unsafeElements: UnsafeBufferPointer(rebasing: body.bytes[..<count])))
    return min(writer.count, frame.bytes.count)
  }

  /// What stands before the first colon, as the message's id: at most 32 bytes (RFC 5424 section 6.2.7). Modules are
  /// letters.
  private static func module(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    for index in 0..<min(text.count, 33) {
      if text[index] == UInt8(ascii: ":") { return UnsafeBufferPointer(rebasing: text[..<index]) }
      guard text[index] > 0x20, text[index] < 0x7F else { break }
    }
    return UnsafeBufferPointer(rebasing: text[..<0])
  }
}
