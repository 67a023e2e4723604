/// Writes the frames of a client (RFC 6455 section 5). A message is one frame: its header first, then its
/// payload in chunks of any size, each masked by `WebSocketMask.apply(to:at:)`.
public enum WebSocketEncoder {
  /// The longest header, in bytes: 2, a length of 8, and the key.
  public static let headerLengthMax = 14
  /// The longest control frame, in bytes.
  public static let controlLengthMax = 6 + WebSocketControl.lengthMax

  /// How many bytes the header of a frame with this payload has.
  public static func headerLength(payloadLength: UInt64) -> Int {
    payloadLength < 126 ? 6 : payloadLength < 0x1_0000 ? 8 : 14
  }

  /// Writes the header of a frame.
  /// - Returns: how many bytes; less room in `output` than `headerLength(payloadLength:)` is a programmer's
  ///   error.
  public static func header(
    _ opcode: WebSocketOpcode, isFinal: Bool = true, payloadLength: UInt64, mask: WebSocketMask,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let length = headerLength(payloadLength: payloadLength)
    precondition(output.count >= length)
    let lengthBytes = length - 6
    output[0] = opcode.rawValue | (isFinal ? 0x80 : 0)
    output[1] = 0x80 | (lengthBytes == 0 ? UInt8(payloadLength) : lengthBytes == 2 ? 126 : 127)
    for place in 0..<lengthBytes {
      output[2 + place] = UInt8(truncatingIfNeeded: payloadLength >> UInt64(8 * (lengthBytes - 1 - place)))
    }
    for place in 0..<4 { output[length - 4 + place] = mask.byte(at: place) }
    return length
  }

  /// Writes a whole ping.
  /// - Returns: how many bytes; less room in `output` than `controlLengthMax`, or a payload longer than 125
  ///   bytes, is a programmer's error.
  public static func ping(
    _ payload: Span<UInt8>, mask: WebSocketMask, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    control(.ping, payload, mask, output)
  }

  /// Writes a whole pong.
  /// - Returns: how many bytes; less room in `output` than `controlLengthMax`, or a payload longer than 125
  ///   bytes, is a programmer's error.
  public static func pong(
    _ payload: Span<UInt8>, mask: WebSocketMask, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    control(.pong, payload, mask, output)
  }

  /// Writes a whole close frame.
  /// - Parameters:
  ///   - code: a code that may be sent, or nil for a frame that gives none, and no reason either.
  ///   - reason: UTF-8, cut to the 123 bytes that fit, between two characters.
  /// - Returns: how many bytes; less room in `output` than `controlLengthMax`, or an invalid code, is a
  ///   programmer's error.
  public static func close(
    _ code: UInt16?, reason: Span<UInt8>, mask: WebSocketMask, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard let code else { return control(.close, reason.extracting(..<0), mask, output) }
    precondition(WebSocketCloseCode.isValid(code))
    var payload = WebSocketControl()
    payload.append(UInt8(code >> 8))
    payload.append(UInt8(code & 0xFF))
    for index in 0..<reason.utf8Cut(at: WebSocketControl.lengthMax - 2) { payload.append(reason[index]) }
    return control(.close, payload.payload, mask, output)
  }

  private static func control(
    _ opcode: WebSocketOpcode, _ payload: Span<UInt8>, _ mask: WebSocketMask,
    _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    precondition(payload.count <= WebSocketControl.lengthMax)
    let start = header(opcode, payloadLength: UInt64(payload.count), mask: mask, into: output)
    for index in 0..<payload.count { output[start + index] = payload[index] ^ mask.byte(at: index) }
    return start + payload.count
  }
}

extension Span where Element == UInt8 {
  /// The most bytes, up to `limit`, that do not cut a character of a UTF-8 text in two.
  func utf8Cut(at limit: Int) -> Int {
    guard count > limit else { return count }
    var end = limit
    while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
