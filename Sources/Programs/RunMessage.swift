import Runtime

/// The messages between the agent and the service that runs programs, on a stream socket. The agent sends one request:
/// four bytes of its length, least significant first; the milliseconds as eight bytes; then the words, each with a zero
/// byte after it. The service answers in frames until it closes: a kind, two bytes of length, and so many bytes.
///
/// Neither trusts the other: lengths are bounded, and the service checks the words against the board's file itself.
public enum RunMessage {
  /// Bytes before the words of a request.
  public static let headBytes = 12

  /// The kinds of frames.
  public enum Kind: UInt8, Sendable {
    /// Bytes that the program wrote; to standard error.
    case output = 0x6F
    case errors = 0x65
    /// It wrote more than it may; the rest is left out.
    case cut = 0x63
    /// It runs, and reads what it is sent: of a server alone, which has an input.
    case begun = 0x62
    /// It has ended: with a status, by a signal (four bytes, least significant first), or at the end of its time.
    case exited = 0x78
    case signal = 0x73
    case timedOut = 0x74
    /// It was not begun, or not to its end: a sentence.
    case refused = 0x72
  }

  /// Writes the head of a request with so many bytes of words.
  public static func writeHead(words: Int, milliseconds: Int64, into room: UnsafeMutableBufferPointer<UInt8>) {
    put(UInt64(clamping: words + 8), 4, room, 0)
    put(UInt64(clamping: milliseconds), 8, room, 4)
  }

  /// The bytes of words, and the milliseconds, of a request's head; nil when they are more than a request may have.
  public static func readHead(_ head: UnsafeBufferPointer<UInt8>) -> (words: Int, milliseconds: Int64)? {
    guard head.count == headBytes else { return nil }
    let length = number(head, 0, 4)
    let words = Int(clamping: length) - 8
    guard words > 0, words <= Budget.runCommandBytes else { return nil }
    return (words, PeerTime.milliseconds(Int64(clamping: number(head, 4, 8))))
  }

  /// The words of a request; nil when they are not well formed.
  public static func words(_ bytes: UnsafeBufferPointer<UInt8>) -> [String]? {
    guard bytes.last == 0 else { return nil }
    var words: [String] = []
    for word in bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false) {
      guard !word.isEmpty, words.count < Budget.runWords else { return nil }
      words.append(String(decoding: word, as: UTF8.self))
    }
    return words
  }

  /// Writes a frame, and returns its bytes; `body` is cut to what a frame may have.
  public static func write(
    _ kind: Kind, _ body: UnsafeBufferPointer<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    let count = min(body.count, Budget.runFrameBytes, room.count - 3)
    room[0] = kind.rawValue
    put(UInt64(clamping: count), 2, room, 1)
    for index in 0..<count { room[3 + index] = body[index] }
    return 3 + count
  }

  /// The same for a number of four bytes.
  public static func write(_ kind: Kind, _ number: Int32, into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    put(UInt64(kind.rawValue), 1, room, 0)
    put(4, 2, room, 1)
    put(UInt64(UInt32(bitPattern: number)), 4, room, 3)
    return 7
  }

  private static func put(_ number: UInt64, _ count: Int, _ room: UnsafeMutableBufferPointer<UInt8>, _ place: Int) {
    for index in 0..<count { room[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }

  static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ count: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in 0..<count { number |= UInt64(bytes[place + index]) << (8 * index) }
    return number
  }
}

/// Takes frames apart as they arrive.
public struct RunFrameReader: ~Copyable {
  /// One frame.
  public enum Frame {
    /// Its bytes are valid until the next `take`.
    case bytes(RunMessage.Kind, UnsafeBufferPointer<UInt8>)
    case number(RunMessage.Kind, Int32)
  }

  private var buffer = IntakeBuffer(capacity: 3 + Budget.runFrameBytes)
  /// The service has sent what is no frame; nothing more is read.
  public private(set) var isBroken = false

  /// A reader that has nothing yet.
  public init() {}

  /// Forgets everything, for the next run.
  public mutating func reset() {
    buffer.reset()
    isBroken = false
  }

  /// Where the next bytes are to be written; never empty after `next` has returned nil, unless it is broken.
  public mutating func room() -> UnsafeMutableBufferPointer<UInt8> { buffer.room() }

  /// So many bytes were written there.
  public mutating func wrote(_ bytes: Int) { buffer.wrote(bytes) }

  /// The next whole frame.
  public mutating func next() -> Frame? {
    let bytes = buffer.bytes()
    guard !isBroken, bytes.count >= 3 else { return nil }
    let length = Int(truncatingIfNeeded: RunMessage.number(bytes, 1, 2))
    guard let kind = RunMessage.Kind(rawValue: bytes[0]), length <= Budget.runFrameBytes else { return fail() }
    guard bytes.count >= 3 + length else { return nil }
    buffer.use(3 + length)
    switch kind {
    case .exited, .signal:
      guard length == 4 else { return fail() }
      return .number(kind, Int32(bitPattern: UInt32(truncatingIfNeeded: RunMessage.number(bytes, 3, 4))))
    default: return .bytes(kind, UnsafeBufferPointer(rebasing: bytes[3..<(3 + length)]))
    }
  }

  private mutating func fail() -> Frame? {
    isBroken = true
    return nil
  }
}
