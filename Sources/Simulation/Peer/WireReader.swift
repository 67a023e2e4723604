import Codec

/// Reads what a client writes: the head of its HTTP request, then masked frames, put together to messages.
final class WireReader {
  /// What a message is.
  enum Kind {
    case head, text, binary, ping, pong, close

    var isControl: Bool { self == .ping || self == .pong || self == .close }
  }

  /// A message, whole once the stream has come to `end`.
  struct Message {
    let kind: Kind
    /// Where it stands in `texts`.
    let start: Int
    let count: Int
    /// The stream's offset after its last byte.
    let end: Int
  }

  private enum Phase { case head, header, payload }

  /// The messages' texts, unmasked, and apart from them the payloads of control frames, which may come in between.
  private let texts = ByteStream()
  private let controls = ByteStream(capacity: 256)
  private(set) var messages: [Message] = []
  private var taken = 0
  private var seen = 0
  private var phase = Phase.head
  private var offset = 0
  private var header: (bytes: InlineArray<14, UInt8>, count: Int) = (InlineArray(repeating: 0), 0)
  private var left = 0
  private var place = 0
  private var mask = WebSocketMask(0)
  private var target: ByteStream
  private var frameStart = 0
  private var messageStart: Int?
  private var messageKind = Kind.text
  private var lastFour: UInt32 = 0
  /// False once something came that no client may send.
  private(set) var isSound = true

  init() { target = texts }

  /// Takes bytes as the client writes them.
  func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < bytes.count, isSound {
      switch phase {
      case .head: index = readHead(bytes, index)
      case .header: index = readHeader(bytes, index)
      case .payload: index = readPayload(bytes, index)
      }
    }
  }

  /// The next message whose last byte stands before `offset` of the stream.
  func next(before offset: Int) -> Message? {
    guard taken < messages.count, messages[taken].end <= offset else { return nil }
    taken += 1
    return messages[taken - 1]
  }

  /// The next message that is whole, whether it has arrived or not.
  func nextWritten() -> Message? {
    guard seen < messages.count else { return nil }
    seen += 1
    return messages[seen - 1]
  }

  /// The text of a message; valid until the next call of `feed`.
  func text(_ message: Message) -> UnsafeBufferPointer<UInt8> {
    let stream = message.kind.isControl ? controls : texts
    return UnsafeBufferPointer(stream.bytes(message.start, message.start + message.count))
  }

  /// Forgets the messages that were taken.
  func compact() {
    guard taken > 0, taken == messages.count else { return }
    let isBetween = phase == .header && messageStart == nil || phase == .head
    if isBetween { texts.drop(before: texts.end) }
    if phase == .header { controls.drop(before: controls.end) }
    messages.removeAll(keepingCapacity: true)
    taken = 0
    seen = 0
  }

  private func readHead(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < bytes.count {
      lastFour = lastFour << 8 | UInt32(bytes[index])
      index += 1
      guard lastFour == 0x0D0A_0D0A else { continue }
      phase = .header
      break
    }
    texts.append(UnsafeBufferPointer(rebasing: bytes[start..<index]))
    offset += index - start
    if phase == .header { messages.append(Message(kind: .head, start: 0, count: texts.end, end: offset)) }
    return index
  }

  private func readHeader(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var index = start
    while index < bytes.count {
      header.bytes[header.count] = bytes[index]
      header.count += 1
      index += 1
      offset += 1
      guard header.count >= 2 else { continue }
      let short = header.bytes[1] & 0x7F
      let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
      guard header.count == 6 + lengthBytes else { continue }
      beginFrame(short, lengthBytes)
      break
    }
    return index
  }

  private func beginFrame(_ short: UInt8, _ lengthBytes: Int) {
    // RFC 6455 section 5.1: a client masks every frame, and uses no reserved bit.
    isSound = header.bytes[1] & 0x80 != 0 && header.bytes[0] & 0x70 == 0
    left = Int(short)
    if lengthBytes > 0 {
      left = 0
      for place in 0..<lengthBytes { left = left << 8 | Int(header.bytes[2 + place]) }
    }
    var key: UInt32 = 0
    for place in 0..<4 { key = key << 8 | UInt32(header.bytes[2 + lengthBytes + place]) }
    mask = WebSocketMask(key)
    place = 0
    header.count = 0
    target = header.bytes[0] & 0x08 != 0 ? controls : texts
    frameStart = target.end
    phase = .payload
    if left == 0 { endFrame() }
  }

  private func readPayload(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    let count = min(left, bytes.count - start)
    let from = target.end
    target.append(UnsafeBufferPointer(rebasing: bytes[start..<(start + count)]))
    mask.apply(to: target.bytes(from, from + count), at: place)
    place += count
    left -= count
    offset += count
    if left == 0 { endFrame() }
    return start + count
  }

  private func endFrame() {
    phase = .header
    let opcode = header.bytes[0] & 0x0F
    let isFinal = header.bytes[0] & 0x80 != 0
    if opcode >= 8 {
      let kind: Kind = opcode == 8 ? .close : opcode == 9 ? .ping : .pong
      messages.append(Message(kind: kind, start: frameStart, count: controls.end - frameStart, end: offset))
      isSound = isSound && isFinal
      return
    }
    if opcode != 0 {
      isSound = isSound && messageStart == nil
      messageStart = frameStart
      messageKind = opcode == 1 ? .text : .binary
    }
    guard let start = messageStart else { return isSound = false }
    guard isFinal else { return }
    messages.append(Message(kind: messageKind, start: start, count: texts.end - start, end: offset))
    messageStart = nil
  }
}
