import Codec
import Runtime

/// Told when the blob that it lent to a message is no longer needed.
public protocol BlobOwner: AnyObject {
  /// The first `count` bytes of the blob were read, and are not read again. Told after every piece, from inside the
  /// link: send nothing from here.
  func blobRead(upTo count: Int)
  /// The message was sent, or dropped with its connection.
  func blobReleased()
}

/// A blob that goes out inside a message, borrowed until its owner is told.
public struct OutboundBlob {
  /// How the bytes stand in the message.
  public enum Form: Sendable {
    /// As base64 text, produced while it is sent.
    case base64
    /// As they are.
    case verbatim
  }

  let bytes: UnsafeBufferPointer<UInt8>
  let form: Form
  let owner: (any BlobOwner)?

  /// A blob; see the properties.
  public init(_ bytes: UnsafeBufferPointer<UInt8>, _ form: Form, owner: (any BlobOwner)?) {
    self.bytes = bytes
    self.form = form
    self.owner = owner
  }

  /// Bytes that it takes in the message.
  var encodedCount: Int { form == .base64 ? Base64.standard.encodedLength(of: bytes.count) : bytes.count }

  /// Bytes of it of which all is in the first `count` of its text.
  func bytes(in count: Int) -> Int { form == .base64 ? min(count / 4 * 3, bytes.count) : count }

  /// Writes its text from `offset` on, as much as fits; how much that was.
  func copy(from offset: Int, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if form == .base64 {
      return Base64.standard.encode(Span(_unsafeElements: bytes), from: offset, into: output)
    }
    let count = min(bytes.count - offset, output.count)
    output.baseAddress!.update(from: bytes.baseAddress! + offset, count: count)
    return count
  }
}

/// Messages on their way out, in order: a fixed number of slots with the text of each, and at most one borrowed
/// blob per message whose base64 is produced while it is sent and never exists as a whole.
struct OutboundQueue: ~Copyable {
  private struct Slot {
    /// Bytes of text before the blob and altogether.
    var split = 0
    var count = 0
    var blob: OutboundBlob?
    var isText = true

    /// Bytes of the blob in the message, and of the whole message.
    var encoded: Int { blob?.encodedCount ?? 0 }
    var total: Int { count + encoded }
  }

  private let texts: ReservedBuffer
  private let slots: UnsafeMutableBufferPointer<Slot>
  private var head = 0
  private var waiting = 0
  /// Bytes of the front message that have been produced.
  private var produced = 0

  init() throws(Errno) {
    texts = try ReservedBuffer(capacity: Budget.outboundMessages * Budget.outboundMessageBytes)
    slots = .allocate(capacity: Budget.outboundMessages)
    slots.initialize(repeating: Slot())
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  /// Messages that still fit.
  var free: Int { slots.count - waiting }

  /// What became of a message offered to the queue.
  enum Offer: Equatable {
    case taken
    /// Every slot is in use.
    case full
    /// The text is larger than a slot, or the whole larger than `limit`.
    case tooLarge
  }

  /// Adds a message whose text `build` writes. With a blob, `build` answers how many bytes of text stand
  /// before it. `limit` is the gateway's bound for one message, in bytes.
  mutating func add(
    limit: Int, blob: OutboundBlob? = nil, isText: Bool = true, build: (inout JSONWriter) -> Int
  ) -> Offer {
    guard free > 0 else { return .full }
    let index = (head + waiting) % slots.count
    var writer = JSONWriter(into: text(index))
    let split = build(&writer)
    guard writer.isComplete else { return .tooLarge }
    let slot = Slot(split: split, count: writer.count, blob: blob, isText: isText)
    guard slot.total <= limit else { return .tooLarge }
    slots[index] = slot
    waiting += 1
    return .taken
  }

  private func text(_ index: Int) -> UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(
      rebasing: texts.bytes[
        (index * Budget.outboundMessageBytes)..<((index + 1) * Budget.outboundMessageBytes)])
  }

  /// What `produce` wrote.
  struct Piece {
    var count: Int
    var isStart: Bool
    var isFinal: Bool
    var isText: Bool
    /// Whose blob is no longer needed. Told by the caller, once the queue may be used again.
    var released: (any BlobOwner)?
  }

  /// Writes the next piece of the front message, as much as fits; nil when nothing waits.
  mutating func produce(into output: UnsafeMutableBufferPointer<UInt8>) -> Piece? {
    guard waiting > 0 else { return nil }
    let slot = slots[head]
    var piece = Piece(count: 0, isStart: produced == 0, isFinal: false, isText: slot.isText)
    while piece.count < output.count, produced < slot.total {
      let room = UnsafeMutableBufferPointer(rebasing: output[piece.count...])
      let count = copy(slot, into: room)
      piece.count += count
      produced += count
    }
    piece.isFinal = produced == slot.total
    if piece.isFinal { piece.released = dropFront() }
    return piece
  }

  /// Copies from the part of the message in which `produced` stands: text, blob, text.
  private func copy(_ slot: Slot, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let encoded = slot.encoded
    if let blob = slot.blob, produced >= slot.split, produced < slot.split + encoded {
      let offset = produced - slot.split
      let count = blob.copy(from: offset, into: output)
      blob.owner?.blobRead(upTo: blob.bytes(in: offset + count))
      return count
    }
    let isTail = produced >= slot.split + encoded
    let start = isTail ? produced - encoded : produced
    let end = isTail || encoded == 0 ? slot.count : slot.split
    let count = min(end - start, output.count)
    output.baseAddress!.update(from: text(head).baseAddress! + start, count: count)
    return count
  }

  /// Frees the front slot; the owner of its blob, who is still to be told.
  private mutating func dropFront() -> (any BlobOwner)? {
    let owner = slots[head].blob?.owner
    slots[head] = Slot()
    head = (head + 1) % slots.count
    waiting -= 1
    produced = 0
    return owner
  }

  /// Forgets everything that waits; blobs go back to their owners, who must not send from inside that call.
  mutating func clear() {
    while waiting > 0 { dropFront()?.blobReleased() }
  }
}
