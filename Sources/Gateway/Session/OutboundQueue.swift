import Codec
import Runtime

/// Owns a blob that is lent to a message, and is told when it is no longer needed.
public protocol BlobDelegate: AnyObject {
  /// The first `count` bytes of the blob were read, and are not read again. Called after every piece, from inside the
  /// link: do not send from here.
  func blobRead(upTo count: Int)
  /// The message was sent, or dropped with its connection.
  func blobReleased()
}

/// A blob that is sent inside a message, lent until `blobReleased`.
public struct OutboundBlob {
  /// How the bytes are encoded in the message.
  public enum Form: Sendable {
    /// As base64 text, produced while it is sent.
    case base64
    /// As they are.
    case verbatim
  }

  public let bytes: UnsafeBufferPointer<UInt8>
  public let form: Form
  /// Called when the bytes are not needed any more.
  public let delegate: (any BlobDelegate)?

  /// A blob; see the properties.
  public init(_ bytes: UnsafeBufferPointer<UInt8>, _ form: Form, delegate: (any BlobDelegate)?) {
    self.bytes = bytes
    self.form = form
    self.delegate = delegate
  }

  /// Bytes that it takes in the message.
  var encodedCount: Int { form == .base64 ? Base64.standard.encodedLength(of: bytes.count) : bytes.count }

  /// Bytes of the blob that are completely in the first `count` bytes of its text.
  func bytes(in count: Int) -> Int { form == .base64 ? min(count / 4 * 3, bytes.count) : count }

  /// Writes its text from `offset` on, as much as fits, and returns how much.
  func copy(from offset: Int, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    if form == .base64 {
      return Base64.standard.encode(Span(_unsafeElements: bytes), from: offset, into: output)
    }
    let count = min(bytes.count - offset, output.count)
    output.baseAddress!.update(from: bytes.baseAddress! + offset, count: count)
    return count
  }
}

/// Outbound messages in order: a fixed number of slots with text, and at most one lent blob for each message, whose
/// base64 is produced while it is sent and never exists as a whole. It begins with its first slot whenever it was
/// empty: else a message a minute would touch the pages of one slot after the other.
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

  let texts: ReservedBuffer
  private let slots: UnsafeMutableBufferPointer<Slot>
  private var head = 0
  private var waiting = 0
  /// Bytes of the front message that have been produced.
  private var produced = 0
  /// Bytes of the largest message of which anything was produced since this was last set.
  var largest = 0

  init() throws(Errno) {
    texts = try ReservedBuffer(capacity: Budget.outboundMessages * Budget.outboundMessageBytes)
    slots = .allocate(capacity: Budget.outboundMessages)
    slots.initialize(repeating: Slot())
  }

  deinit {
    slots.deinitialize()
    slots.deallocate()
  }

  /// Free slots.
  var free: Int { slots.count - waiting }

  /// The result of `add`.
  enum Offer: Equatable {
    case taken
    /// Every slot is in use.
    case full
    /// The text is larger than a slot, or the whole larger than `limit`.
    case tooLarge
  }

  /// Adds a message whose text `build` writes. With a blob, `build` returns how many bytes of text precede it. `limit`
  /// is the gateway's limit for one message, in bytes.
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
    /// The delegate of a blob that is no longer needed. The caller calls it, once the queue may be used again.
    var released: (any BlobDelegate)?
  }

  /// Writes the next piece of the front message, as much as fits; nil when the queue is empty.
  mutating func produce(into output: UnsafeMutableBufferPointer<UInt8>) -> Piece? {
    guard waiting > 0 else { return nil }
    let slot = slots[head]
    largest = max(largest, slot.total)
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

  /// Copies from the part of the message that `produced` is in: text, blob, text.
  private func copy(_ slot: Slot, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let encoded = slot.encoded
    if let blob = slot.blob, produced >= slot.split, produced < slot.split + encoded {
      let offset = produced - slot.split
      let count = blob.copy(from: offset, into: output)
      blob.delegate?.blobRead(upTo: blob.bytes(in: offset + count))
      return count
    }
    let isTail = produced >= slot.split + encoded
    let start = isTail ? produced - encoded : produced
    let end = isTail || encoded == 0 ? slot.count : slot.split
    let count = min(end - start, output.count)
    output.baseAddress!.update(from: text(head).baseAddress! + start, count: count)
    return count
  }

  /// Frees the front slot, and returns the delegate of its blob, which must still be called.
  private mutating func dropFront() -> (any BlobDelegate)? {
    let delegate = slots[head].blob?.delegate
    slots[head] = Slot()
    waiting -= 1
    head = waiting == 0 ? 0 : (head + 1) % slots.count
    produced = 0
    return delegate
  }

  /// Drops all messages and releases their blobs; their delegates must not send from inside that call.
  mutating func clear() {
    while waiting > 0 { dropFront()?.blobReleased() }
  }
}
