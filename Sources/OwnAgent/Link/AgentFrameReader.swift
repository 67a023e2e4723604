import Runtime

/// Takes the frames of one side apart as they arrive.
public struct AgentFrameReader: ~Copyable {
  private let buffer = FixedBuffer(capacity: AgentFrame.headBytes + Budget.agentFrameBytes)
  private var count = 0
  /// Bytes at the front that belong to the frame that was taken.
  private var taken = 0
  /// The other side has sent what is no frame; nothing more is read.
  public private(set) var isBroken = false

  /// A reader that has nothing yet.
  public init() {}

  /// Forgets everything, for the next connection.
  public mutating func reset() { (count, taken, isBroken) = (0, 0, false) }

  /// Where the next bytes are to be written; never empty after `next` has returned nil, unless it is broken.
  public mutating func room() -> UnsafeMutableBufferPointer<UInt8> {
    drop()
    return UnsafeMutableBufferPointer(rebasing: buffer.bytes[count...])
  }

  /// So many bytes were written there.
  public mutating func wrote(_ bytes: Int) { count = min(count + max(bytes, 0), buffer.bytes.count) }

  /// The next whole frame. Its body is valid until the reader is used again.
  public mutating func next() -> (kind: AgentFrame.Kind, body: UnsafeBufferPointer<UInt8>)? {
    drop()
    guard !isBroken, count >= AgentFrame.headBytes else { return nil }
    var length = 0
    for index in 0..<4 { length |= Int(buffer.bytes[1 + index]) << (8 * index) }
    guard let kind = AgentFrame.Kind(rawValue: buffer.bytes[0]), (0...Budget.agentFrameBytes).contains(length) else {
      isBroken = true
      return nil
    }
    guard count - AgentFrame.headBytes >= length else { return nil }
    taken = AgentFrame.headBytes + length
    return (kind, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[AgentFrame.headBytes..<taken]))
  }

  private mutating func drop() {
    guard taken > 0 else { return }
    for index in taken..<count { buffer.bytes[index - taken] = buffer.bytes[index] }
    count -= taken
    taken = 0
  }
}
