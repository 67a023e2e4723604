import Codec
import Runtime

/// Assembles the pieces of one message, and checks each as it comes, so that the last one of a long message is no more
/// work than the others. A message in one piece is read in place; one that fits the buffer is assembled there; of a
/// larger one nothing is kept but what `found` has.
struct Inbound: ~Copyable {
  enum Outcome {
    /// More pieces come.
    case incomplete
    /// The whole text, checked JSON, valid until the next piece.
    case whole(UnsafeBufferPointer<UInt8>)
    /// The message was too large to keep.
    case tooLarge
    /// The message was not JSON.
    case garbage
  }

  /// Indices of the paths of `found`.
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

  private var buffer: ReservedBuffer
  private let captured = FixedBuffer(capacity: Inbound.captureBytes)
  private var count = 0
  private var isTooLarge = false
  private var isBroken = false
  /// What the pieces of the message have had so far; nil for a message in one piece.
  private(set) var found: JSONScanner?
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
    isTooLarge = false
    isBroken = false
    found = nil
  }

  /// Receives the next piece.
  mutating func receive(_ bytes: Span<UInt8>, _ chunk: WebSocketChunk) -> Outcome {
    if chunk.isStart {
      reset()
      if chunk.isFinal, bytes.count <= capacity { return check(bytes) }
      found = JSONScanner(
        depthLimit: Budget.jsonDepth, paths: ["type", "event", "payload.id", "id"], buffer: captured.bytes)
    }
    append(bytes)
    scan(bytes, isFinal: chunk.isFinal)
    guard chunk.isFinal else { return .incomplete }
    if isTooLarge { drainedMessages += 1 }
    if isBroken { return .garbage }
    return isTooLarge ? .tooLarge : .whole(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
  }

  /// True when the message, which is whole, is an invoke and has more bytes than the loop reads at once.
  var isLongInvoke: Bool {
    guard count > Budget.openedAtOnce, let found else { return false }
    return found.equals(Place.type, "event") && found.equals(Place.event, "node.invoke.request")
  }

  /// Offers the buffer, which has a whole message of `count` bytes, to `lend`. It returns true when it has kept the
  /// buffer and has put another one of the same capacity in its place.
  mutating func give(_ lend: (_ buffer: inout ReservedBuffer, _ count: Int) -> Bool) -> Bool {
    guard lend(&buffer, count) else { return false }
    count = 0
    return true
  }

  private func check(_ bytes: Span<UInt8>) -> Outcome {
    do throws(JSONError) {
      try JSONValidator.check(bytes, depthLimit: Budget.jsonDepth)
      return bytes.withUnsafeBufferPointer { .whole($0) }
    } catch {
      return .garbage
    }
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    guard !isTooLarge, bytes.count > 0 else { return }
    guard count + bytes.count <= capacity else {
      isTooLarge = true
      return
    }
    bytes.withUnsafeBufferPointer {
      (buffer.bytes.baseAddress! + count).update(from: $0.baseAddress!, count: $0.count)
    }
    count += bytes.count
  }

  private mutating func scan(_ bytes: Span<UInt8>, isFinal: Bool) {
    guard !isBroken else { return }
    do throws(JSONError) {
      try found!.feed(bytes)
      if isFinal { try found!.finish() }
    } catch {
      isBroken = true
    }
  }
}
