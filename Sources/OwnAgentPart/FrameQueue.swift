import Codec
import OwnAgent
import Runtime

/// Frames for the agent's process that wait to be sent: a ring of bytes.
struct FrameQueue: ~Copyable {
  /// Pages beyond this many bytes are given back when it is empty: all that is small fits.
  private static let kept = 16 * 1024

  private let ring: ReservedBuffer
  private let frame = FixedBuffer(capacity: AgentFrame.headBytes + Budget.agentFrameBytes)
  private var head = 0
  private(set) var count = 0
  /// The furthest byte that was used since it was last empty.
  private var peak = 0

  init() throws(Errno) { ring = try ReservedBuffer(capacity: Budget.agentQueueBytes) }

  var isEmpty: Bool { count == 0 }

  /// Adds a frame; false, and nothing changes, when it does not fit.
  mutating func append(_ kind: AgentFrame.Kind, _ body: (inout ByteWriter) -> Void) -> Bool {
    let length = AgentFrame.write(kind, into: frame.bytes, body)
    let size = ring.bytes.count
    guard length <= size - count else { return false }
    let start = (head + count) % size
    let first = min(length, size - start)
    for index in 0..<first { ring.bytes[start + index] = frame.bytes[index] }
    for index in first..<length { ring.bytes[index - first] = frame.bytes[index] }
    peak = max(peak, first < length ? size : start + length)
    count += length
    return true
  }

  /// The bytes that are to be sent next, as many as stand together.
  var front: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(ring.bytes)[head..<min(head + count, ring.bytes.count)])
  }

  /// So many bytes of `front` were sent.
  mutating func sent(_ bytes: Int) {
    let bytes = min(max(bytes, 0), count)
    head = (head + bytes) % ring.bytes.count
    count -= bytes
    if count == 0 { clear() }
  }

  /// Forgets everything.
  mutating func clear() {
    if peak > Self.kept { ring.release(keeping: Self.kept) }
    (head, count, peak) = (0, 0, 0)
  }
}
