/// Decodes the frames of a WebSocket server (RFC 6455 section 5) as they arrive, and buffers only the payload of a
/// control frame. Messages have no size limit here: they are delivered in pieces, and the caller limits them.
public struct WebSocketDecoder {
  private enum State {
    case header
    case payload
    case closed
  }

  private var state = State.header
  /// The header being read: 2 bytes, then up to 8 of length.
  private var header = InlineArray<10, UInt8>(repeating: 0)
  private var headerCount = 0

  private var opcode = WebSocketOpcode.continuation
  private var isFinalFrame = false
  /// Bytes of the frame's payload still to come.
  private var remaining: UInt64 = 0
  private var control = WebSocketControl()

  /// True between the first and the last frame of a message.
  private var isInMessage = false
  private var isText = false
  /// True until the message's first piece was delivered.
  private var isAtStart = false
  private var utf8 = UTF8Validator()
  private var failure: WebSocketError?

  /// A decoder for the first byte after the handshake.
  public init() {}

  /// Finds the next item in `input` from `index` on, and moves `index` after it. Call again with the same input until
  /// it returns `needMore`, then with new input from 0. After an error every further call throws it again.
  public mutating func next(_ input: Span<UInt8>, at index: inout Int) throws(WebSocketError) -> WebSocketItem {
    if let failure { throw failure }
    do throws(WebSocketError) {
      return try item(input, &index)
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func item(_ input: Span<UInt8>, _ index: inout Int) throws(WebSocketError) -> WebSocketItem {
    while true {
      switch state {
      case .closed:
        index = input.count
        return .needMore
      case .header:
        guard try header(input, &index) else { return .needMore }
        state = .payload
      case .payload:
        if opcode.isControl {
          guard control(input, &index) else { return .needMore }
          return try endControl()
        }
        if let chunk = try data(input, &index) { return .data(chunk) }
        // An empty fragment makes no piece; a payload that is incomplete needs more input.
        if state == .payload { return .needMore }
      }
    }
  }

  /// Reads the header of a frame; false when it is incomplete.
  private mutating func header(_ input: Span<UInt8>, _ index: inout Int) throws(WebSocketError) -> Bool {
    while index < input.count {
      header[headerCount] = input[index]
      headerCount += 1
      index += 1
      if headerCount == 1 { try begin(header[0]) }
      guard headerCount >= 2 else { continue }
      if headerCount == 2 { try checkLength(header[1]) }
      guard headerCount == headerLength else { continue }
      headerCount = 0
      remaining = try payloadLength()
      return true
    }
    return false
  }

  /// Reads a frame's first byte: the final bit, three reserved bits and the opcode.
  private mutating func begin(_ byte: UInt8) throws(WebSocketError) {
    guard byte & 0x70 == 0 else { throw WebSocketError(kind: .reservedBit) }
    guard let opcode = WebSocketOpcode(rawValue: byte & 15) else {
      throw WebSocketError(kind: .reservedOpcode)
    }
    self.opcode = opcode
    isFinalFrame = byte & 0x80 != 0
    if opcode.isControl {
      guard isFinalFrame else { throw WebSocketError(kind: .invalidControl) }
      control = WebSocketControl()
      return
    }
    guard (opcode == .continuation) == isInMessage else { throw WebSocketError(kind: .invalidFragment) }
    guard opcode != .continuation else { return }
    (isInMessage, isAtStart) = (true, true)
    isText = opcode == .text
  }

  /// Checks a frame's second byte: the mask bit and the short length.
  private func checkLength(_ byte: UInt8) throws(WebSocketError) {
    guard byte & 0x80 == 0 else { throw WebSocketError(kind: .masked) }
    guard !opcode.isControl || byte <= WebSocketControl.lengthMax else {
      throw WebSocketError(kind: .invalidControl)
    }
  }

  private var headerLength: Int {
    switch header[1] {
    case 126: 4
    case 127: 10
    default: 2
    }
  }

  private func payloadLength() throws(WebSocketError) -> UInt64 {
    guard headerLength > 2 else { return UInt64(header[1]) }
    var length: UInt64 = 0
    for place in 2..<headerLength { length = length << 8 | UInt64(header[place]) }
    let shortest: UInt64 = headerLength == 4 ? 126 : 0x1_0000
    guard length >= shortest, length < 1 << 63 else { throw WebSocketError(kind: .invalidLength) }
    return length
  }

  /// Reads the payload of a control frame; false when it is incomplete.
  private mutating func control(_ input: Span<UInt8>, _ index: inout Int) -> Bool {
    while remaining > 0, index < input.count {
      control.append(input[index])
      index += 1
      remaining -= 1
    }
    return remaining == 0
  }

  private mutating func endControl() throws(WebSocketError) -> WebSocketItem {
    state = .header
    if opcode == .ping { return .ping(control) }
    if opcode == .pong { return .pong(control) }
    let close = try WebSocketClose(control)
    state = .closed
    return .close(close)
  }

  /// Reads a piece of a message, or nil when there is none here.
  private mutating func data(_ input: Span<UInt8>, _ index: inout Int) throws(WebSocketError)
    -> WebSocketChunk?
  {
    let length = Int(Swift.min(remaining, UInt64(input.count - index)))
    let range = index..<index + length
    index += length
    remaining -= UInt64(length)
    let endsFrame = remaining == 0
    let endsMessage = endsFrame && isFinalFrame
    if isText {
      guard utf8.accept(input.extracting(range)) else { throw WebSocketError(kind: .invalidUTF8) }
      guard !endsMessage || utf8.isComplete else { throw WebSocketError(kind: .invalidUTF8) }
    }
    if endsFrame { state = .header }
    if endsMessage { isInMessage = false }
    guard length > 0 || endsMessage else { return nil }
    defer { isAtStart = false }
    return WebSocketChunk(isText: isText, isStart: isAtStart, isFinal: endsMessage, range: range)
  }
}
