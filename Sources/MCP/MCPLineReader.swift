import Codec
import Runtime

/// Reads lines of JSON as their bytes arrive, in pieces of any size, and checks them on the way, so that a long line
/// costs a little at each piece. One line at a time is held; of a line that is too long its beginning.
struct MCPLineReader: ~Copyable {
  /// What has ended.
  enum Item: Equatable {
    /// A line of JSON, which is in `bytes` until the next call.
    case line
    /// A line of nothing, which means nothing, and is no free way to keep a reader busy.
    case blank
    /// A line that is not JSON: a server that writes its log where its messages belong.
    case broken
    /// A line that is too long; its beginning is in `bytes`, unchecked.
    case tooLong
    /// More than any line, and no end.
    case endless
  }

  private let memory: ReservedBuffer
  private var validator = JSONValidator(depthLimit: Budget.mcpDepth)
  private var count = 0
  /// Bytes of the line that are not held.
  private(set) var skipped = 0
  private var isBroken = false
  private var isHandedOut = false

  init() throws(Errno) { memory = try ReservedBuffer(capacity: Budget.mcpLineBytes) }

  /// What is held of the line.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[..<count])
  }

  /// Forgets everything, for the next server.
  mutating func reset() {
    if count > Budget.mcpLineKept { memory.release(keeping: Budget.mcpLineKept) }
    (count, skipped) = (0, 0)
    (isBroken, isHandedOut) = (false, false)
    validator = JSONValidator(depthLimit: Budget.mcpDepth)
  }

  /// Reads bytes from `index` on, which moves after them, up to the end of a line; nil when all were read.
  mutating func next(_ bytes: UnsafeBufferPointer<UInt8>, at index: inout Int) -> Item? {
    if isHandedOut { reset() }
    guard index < bytes.count else { return nil }
    var end = index
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    let isWhole = end < bytes.count
    hold(UnsafeBufferPointer(rebasing: bytes[index..<end]))
    index = isWhole ? end + 1 : end
    if !isWhole, skipped <= Budget.mcpSkippedBytes { return nil }
    isHandedOut = true
    guard isWhole else { return .endless }
    return isBlank ? .blank : ended()
  }

  private mutating func hold(_ piece: UnsafeBufferPointer<UInt8>) {
    let fitting = min(piece.count, memory.bytes.count - count)
    if fitting > 0, let from = piece.baseAddress, let to = memory.bytes.baseAddress {
      (to + count).update(from: from, count: fitting)
    }
    count += fitting
    skipped += piece.count - fitting
    if isBroken || skipped > 0 { return }
    do throws(JSONError) { try validator.feed(Span(_unsafeElements: piece)) } catch { isBroken = true }
  }

  /// An empty line, or one of a carriage return: some servers end each line with two bytes.
  private var isBlank: Bool { skipped == 0 && (count == 0 || count == 1 && memory.bytes[0] == 0x0D) }

  private mutating func ended() -> Item {
    if skipped > 0 { return .tooLong }
    if isBroken { return .broken }
    do throws(JSONError) { try validator.finish() } catch { return .broken }
    return .line
  }
}
