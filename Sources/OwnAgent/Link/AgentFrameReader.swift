import Runtime

/// Takes the frames of one side apart as they arrive.
public struct AgentFrameReader: ~Copyable {
  private var buffer = IntakeBuffer(capacity: AgentFrame.headBytes + Budget.agentFrameBytes)
  /// The other side has sent what is no frame; nothing more is read.
  public private(set) var isBroken = false

  /// A reader that has nothing yet.
  public init() {}

  /// Forgets everything, for the next connection.
  public mutating func reset() {
    buffer.reset()
    isBroken = false
  }

  /// Where the next bytes are to be written; never empty after `next` has returned nil, unless it is broken.
  public mutating func room() -> UnsafeMutableBufferPointer<UInt8> { buffer.room() }

  /// So many bytes were written there.
  public mutating func wrote(_ bytes: Int) { buffer.wrote(bytes) }

  /// The next whole frame. Its body is valid until the reader is used again.
  public mutating func next() -> (kind: AgentFrame.Kind, body: UnsafeBufferPointer<UInt8>)? {
    let bytes = buffer.bytes()
    guard !isBroken, bytes.count >= AgentFrame.headBytes else { return nil }
    var length = 0
    for index in 0..<4 { length |= Int(bytes[1 + index]) << (8 * index) }
    guard let kind = AgentFrame.Kind(rawValue: bytes[0]), (0...Budget.agentFrameBytes).contains(length) else {
      isBroken = true
      return nil
    }
    let end = AgentFrame.headBytes + length
    guard bytes.count >= end else { return nil }
    buffer.use(end)
    return (kind, UnsafeBufferPointer(rebasing: bytes[AgentFrame.headBytes..<end]))
  }
}
