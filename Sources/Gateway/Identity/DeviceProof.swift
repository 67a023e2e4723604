import Codec

/// What the signature of a `connect` covers (gateway reference 4.2): version 3 of the device proof, or version 2 for
/// gateways that know no other.
enum DeviceProof {

  /// Writes the payload that is signed: eleven fields with `|` between them; version 2 lacks the last two.
  /// - Parameters:
  ///   - scopes: joined by commas, in the order in which they are sent.
  ///   - signedAt: milliseconds since the epoch, equal to `device.signedAt`.
  ///   - token: what is sent in `auth.token` or `auth.deviceToken`; empty for a password or nothing.
  ///   - platform, deviceFamily: as sent in `client`; trimmed and lower-cased here.
  static func write(
    deviceID: Span<UInt8>, clientID: Span<UInt8>, clientMode: Span<UInt8>, role: Span<UInt8>,
    scopes: Span<UInt8>, signedAt: Int64, token: Span<UInt8>, nonce: Span<UInt8>,
    platform: Span<UInt8>, deviceFamily: Span<UInt8>, isOlder: Bool = false, into writer: inout ByteWriter
  ) {
    writer.text(isOlder ? "v2" : "v3")
    field(deviceID, &writer)
    field(clientID, &writer)
    field(clientMode, &writer)
    field(role, &writer)
    field(scopes, &writer)
    writer.text("|")
    writer.decimal(signedAt)
    field(token, &writer)
    field(nonce, &writer)
    if isOlder { return }
    normalized(platform, &writer)
    normalized(deviceFamily, &writer)
  }

  private static func field(_ text: Span<UInt8>, _ writer: inout ByteWriter) {
    writer.text("|")
    writer.bytes(text)
  }

  /// Without outer white space, and with A to Z alone in lower case.
  private static func normalized(_ text: Span<UInt8>, _ writer: inout ByteWriter) {
    writer.text("|")
    var start = 0
    var end = text.count
    while start < end, isSpace(text[start]) { start += 1 }
    while start < end, isSpace(text[end - 1]) { end -= 1 }
    for index in start..<end {
      let byte = text[index]
      let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      writer.byte(isCapital ? byte | 0x20 : byte)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
