import Codec
import Runtime

/// Decodes the text of one run from its `chat` events, in both forms that gateways send (gateway reference 9.9):
/// snapshots of the whole text (protocol 3), and additions and replacements (protocol 4). It returns what is new, and
/// keeps only the length and a checksum of the text, so that a run may have any length.
struct ChatDecoder {
  /// The kind of an event.
  enum Step: Equatable {
    /// Seen before, or not for display.
    case nothing
    /// The run continues.
    case progress
    /// The run has ended, normally or because a person stopped it.
    case final, aborted
    /// The run has ended with an error.
    case failed
  }

  /// New text.
  struct Piece {
    /// Its bytes, in the buffer to which the event was read.
    var range = 0..<0
    /// It replaces all earlier text, which has changed.
    var isReplacement = false
    /// There was more text than the buffer holds.
    var isCut = false

    var isEmpty: Bool { range.isEmpty && !isReplacement }
  }

  private var lastSequence: Int64?
  private var shown = TextDigest()
  /// An addition was lost, and no whole text has come since.
  private(set) var hasGap = false
  private var isNext = false
  /// A snapshot did not fit: whether later text continues it is unknown.
  private var isCut = false

  /// Reads an event's payload through `buffer`, and writes its new text to `piece`.
  mutating func read(
    _ payload: borrowing JSONView, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ piece: inout Piece
  ) -> Step {
    guard let state = payload.member("state") else { return .nothing }
    if let member = payload.member("seq"), let sequence = member.int64 {
      if let lastSequence, sequence <= lastSequence { return .nothing }
      isNext = sequence <= (lastSequence ?? 0) + 1
      lastSequence = sequence
    } else {
      isNext = true
    }
    if state.equals("delta") {
      readDelta(payload, buffer, &piece)
      return .progress
    }
    let isFinal = state.equals("final")
    let isAborted = state.equals("aborted")
    guard isFinal || isAborted || state.equals("error") else { return .nothing }
    // The text of an aborted or failed run may be only a remark about it: only what continues the text is shown.
    if let message = payload.member("message") { readSnapshot(message, buffer, &piece, mayReplace: isFinal) }
    return isFinal ? .final : isAborted ? .aborted : .failed
  }

  /// Reads the whole text so far from a message; false when it has none.
  @discardableResult
  mutating func readSnapshot(
    _ message: borrowing JSONView, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ piece: inout Piece,
    mayReplace: Bool = true
  ) -> Bool {
    var text = MessageText(into: buffer)
    text.read(message)
    if text.count == 0 { return false }
    takeWhole(text, buffer, &piece, mayReplace)
    return true
  }

  private mutating func readDelta(
    _ payload: borrowing JSONView, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ piece: inout Piece
  ) {
    if let message = payload.member("message"), readSnapshot(message, buffer, &piece) { return }
    guard let delta = payload.member("deltaText") else { return }
    var text = MessageText(into: buffer)
    text.add(delta)
    if let replace = payload.member("replace"), replace.bool == true {
      return takeWhole(text, buffer, &piece, true)
    }
    if isCut { return }
    // Sequence numbers may also count events that are not sent, so a missing number is not an error.
    if !isNext { hasGap = true }
    piece.range = 0..<text.count
    note(text, &piece)
    shown.add(buffer, piece.range)
  }

  /// `text` is the whole text so far: finds what of it is new.
  private mutating func takeWhole(
    _ text: MessageText, _ buffer: UnsafeMutableBufferPointer<UInt8>, _ piece: inout Piece, _ mayReplace: Bool
  ) {
    hasGap = false
    var start = TextDigest()
    let isContinued = shown.count <= text.count
    if isContinued { start.add(buffer, 0..<shown.count) }
    if isContinued, start == shown {
      piece.range = shown.count..<text.count
    } else if text.isCut, shown.count >= text.count {
      // More was shown than fits here, so whether it has changed is unknown.
      return
    } else if mayReplace {
      piece.range = 0..<text.count
      piece.isReplacement = shown.count > 0
      shown = TextDigest()
    } else {
      return
    }
    note(text, &piece)
    shown.add(buffer, piece.range)
  }

  private mutating func note(_ text: MessageText, _ piece: inout Piece) {
    if !text.isCut { return isCut = false }
    piece.isCut = !isCut
    isCut = true
  }
}

/// Length and checksum of a text, by which a text is recognized as the beginning of another without being kept.
struct TextDigest: Equatable {
  private(set) var count = 0
  private var hash = FNV1a()

  mutating func add(_ buffer: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>) {
    hash.add(UnsafeBufferPointer(rebasing: buffer[range]))
    count += range.count
  }
}
