import Codec
import Runtime

/// Assembles the pieces of one message. A message in one piece is read in place; one that fits the buffer is assembled
/// there; a larger one is drained: checked and searched as it passes, and not kept.
struct Inbound: ~Copyable {
  enum Outcome {
    /// More pieces come.
    case incomplete
    /// The whole text, valid until the next piece.
    case whole(UnsafeBufferPointer<UInt8>)
    /// The message was too large to keep. What was found in it is in `drained`.
    case tooLarge
    /// The message was too large to keep, and not JSON.
    case garbage
  }

  /// Indices of the paths of `drained`.
  enum Place {
    /// Places in the table of members that are looked up.
    static let type = 0
    static let event = 1
    static let invokeID = 2
    static let id = 3
  }

  /// Room for the four strings, each as long as the longest invoke id.
  private static let captureBytes = 4 * 4 * Budget.invokeIdBytes
  /// Touched pages beyond this many bytes are given back after each message.
  private static let keptBytes = 16 * 1024

  private let buffer: ReservedBuffer
  private let captured = FixedBuffer(capacity: Inbound.captureBytes)
  private var count = 0
  private(set) var drained: JSONScanner?
  private var isBroken = false
  /// Messages that were too large to keep, since start.
  private(set) var drainedMessages: UInt64 = 0

  /// Keeps messages of up to `capacity` bytes.
  init(capacity: Int) throws(Errno) { buffer = try ReservedBuffer(capacity: capacity) }

  /// Bytes of the largest message that is kept.
  var capacity: Int { buffer.bytes.count }

  /// Drops an unfinished message.
  mutating func reset() {
    if count > Self.keptBytes { buffer.release(keeping: Self.keptBytes) }
    count = 0
    drained = nil
    isBroken = false
  }

  /// Takes the next piece.
  mutating func take(_ bytes: Span<UInt8>, _ chunk: WebSocketChunk) -> Outcome {
    if chunk.isStart { reset() }
    if chunk.isStart, chunk.isFinal, bytes.count <= buffer.bytes.count {
      return bytes.withUnsafeBufferPointer { .whole($0) }
    }
    if drained == nil, count + bytes.count <= buffer.bytes.count {
      append(bytes)
      guard chunk.isFinal else { return .incomplete }
      return .whole(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
    }
    return drain(bytes, isFinal: chunk.isFinal)
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    bytes.withUnsafeBufferPointer {
      (buffer.bytes.baseAddress! + count).update(from: $0.baseAddress!, count: $0.count)
    }
    count += bytes.count
  }

  private mutating func drain(_ bytes: Span<UInt8>, isFinal: Bool) -> Outcome {
    do throws(JSONError) {
      if drained == nil {
        drained = JSONScanner(
          depthLimit: Budget.jsonDepth, paths: ["type", "event", "payload.id", "id"], buffer: captured.bytes)
        let begun = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
        try drained!.feed(Span(_unsafeElements: begun))
      }
      if !isBroken { try drained!.feed(bytes) }
      guard isFinal else { return .incomplete }
      if !isBroken { try drained!.finish() }
    } catch {
      isBroken = true
    }
    guard isFinal else { return .incomplete }
    drainedMessages += 1
    return isBroken ? .garbage : .tooLarge
  }
}
