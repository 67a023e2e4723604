import Codec
import Runtime

/// Reads the answer to one request as its bytes arrive: server-sent events, or one JSON text where the server does not
/// stream, which the first byte tells. One reader serves all requests, one after the other.
///
/// Servers differ in what they send beside the text, and where; what is not known is ignored. After a fault nothing
/// more is read.
public final class CompletionReader {
  private enum Form { case unknown, stream, plain }

  /// The event that is being read, or the whole answer of a server that does not stream.
  private let memory = FixedBuffer(capacity: Budget.modelEventBytes)
  /// A piece of text without its escapes.
  let scratch = FixedBuffer(capacity: Budget.modelEventBytes)
  private let visible = FixedBuffer(capacity: Budget.modelTextBytes)
  private var events: EventStreamReader
  private var filter = ThoughtFilter()
  private var form = Form.unknown
  private var plainCount = 0
  private var received = 0
  private var visibleCount = 0
  /// Bytes of text with its thoughts, also of those that came beside it.
  var saidBytes = 0
  private var hasAnswer = false
  /// A part of a message has come.
  var hasChoice = false
  /// Nothing more is taken.
  private var isOver = false
  private var isFinished = false
  private var fault: ModelFault?
  private var key = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  var reason = FinishReason.unsaid
  /// The end of the stream was announced: `[DONE]`.
  var isDone = false
  /// Calls of tools, when `finish` has returned `calls`; else there are none.
  public let calls = CallList()
  /// Tokens that the server has counted; nil when it has not.
  public internal(set) var usage: TokenCount?
  /// Gets the text; must live as long as it is set.
  public unowned(unsafe) var delegate: (any CompletionDelegate)?

  /// A reader; takes 290 KiB, for all answers to come.
  @export(interface)
  public init() { events = EventStreamReader(into: memory.bytes) }

  /// Begins with a new answer. `key` is left out of what servers say in errors, and must live until the end;
  /// `startsInThought`: see `ThoughtFilter`.
  public func begin(
    hiding key: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0), startsInThought: Bool = false
  ) {
    events = EventStreamReader(into: memory.bytes)
    filter = ThoughtFilter(startsInThought: startsInThought)
    (form, plainCount, received, visibleCount, saidBytes) = (.unknown, 0, 0, 0, 0)
    (hasAnswer, hasChoice, isOver, isFinished, isDone, reason) = (false, false, false, false, false, .unsaid)
    (fault, usage, self.key) = (nil, nil, key)
    calls.removeAll()
  }

  /// What the model has said so far, without its thoughts. Valid until the next answer begins.
  public var text: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(visible.bytes)[..<visibleCount])
  }

  /// Tokens as the server has counted them, or an estimate, for which the request had so many bytes of text. Whole when
  /// `finish` was called.
  public func tokens(promptBytes: Int) -> TokenCount {
    usage ?? .estimate(promptBytes: promptBytes, completionBytes: saidBytes)
  }

  /// True when a thought was left out of the text.
  public var hasThoughts: Bool { filter.hasHidden }

  /// Takes the next bytes of the body.
  /// - Returns: false when nothing more is needed: the stream has announced its end, or there is a fault. `finish`
  ///   tells which.
  @discardableResult
  public func take(_ bytes: Span<UInt8>) -> Bool {
    if isOver { return false }
    received = received.adding(clamping: bytes.count)
    guard received <= Budget.modelStreamBytes else {
      fail(.endless, "more than the 8 MiB that are taken")
      return false
    }
    let start = form == .unknown ? sniff(bytes) : 0
    let rest = bytes.extracting(start..<bytes.count)
    if form == .stream { readEvents(rest) }
    if form == .plain { keep(rest) }
    return fault == nil && !isDone
  }

  /// No more bytes come: says how the answer has ended.
  public func finish() throws(ModelFault) -> CompletionOutcome {
    if !isFinished { conclude() }
    if let fault { throw fault }
    if reason == .length { return .cutAtLimit }
    return calls.isEmpty ? .answered : .calls
  }

  // MARK: Bytes

  /// Skips white space and a byte order mark, and learns from the byte after it what the body is.
  private func sniff(_ bytes: Span<UInt8>) -> Int {
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: index += 1
      case UInt8(ascii: "{"):
        form = .plain
        return index
      case UInt8(ascii: "<"):
        fail(.malformed, "neither events nor JSON came, but a page")
        return bytes.count
      default:
        form = .stream
        return index
      }
    }
    return index
  }

  private func keep(_ bytes: Span<UInt8>) {
    guard bytes.count <= memory.bytes.count - plainCount else {
      return fail(.tooLarge, "the answer has more than the 65536 bytes that are taken at once")
    }
    for index in 0..<bytes.count { memory.bytes[plainCount + index] = bytes[index] }
    plainCount += bytes.count
  }

  private func readEvents(_ bytes: Span<UInt8>) {
    var index = 0
    while fault == nil {
      do throws(EventStreamError) {
        guard try events.next(bytes, at: &index) else { return }
      } catch {
        return fail(error)
      }
      readEvent()
    }
  }

  private func fail(_ error: EventStreamError) {
    var writer = ByteWriter(into: scratch.bytes)
    error.write(to: &writer)
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch.bytes)[..<writer.count])
    fail(ModelFault(.tooLarge, message: Span(_unsafeElements: text), hiding: Span(_unsafeElements: key)))
  }

  /// The data of an event stand at the start of the memory.
  private func readEvent() { read(events.length) }

  private func read(_ count: Int) {
    let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[..<count])
    let data = Span(_unsafeElements: bytes)
    let text = data.trimmed
    // Some servers keep the connection open with events of nothing.
    if text.isEmpty { return }
    hasAnswer = true
    if form == .stream, text.matches("[DONE]") { return isDone = true }
    read(text)
  }

  // MARK: End

  private func conclude() {
    if fault == nil { end() }
    (isOver, isFinished) = (true, true)
    saidBytes += calls.textBytes
    // Calls that may be half are nobody's.
    if fault != nil || reason == .length { calls.removeAll() } else { calls.finish() }
  }

  private func end() {
    if form == .stream, events.finish() { readLast() }
    if form == .plain { read(plainCount) }
    if fault == nil { showRest() }
    if fault == nil { judge() }
  }

  /// An event without the empty line after it: what is no JSON was cut.
  private func readLast() {
    readEvent()
    if fault?.kind == .malformed { fault = nil }
  }

  private func judge() {
    guard hasAnswer else { return fail(.cut, "it ends before it has begun") }
    if reason == .unsaid, !isPlain, !isDone { return fail(.cut, "the stream ends in the middle") }
    guard hasChoice else { return fail(.malformed, "there is no message in it") }
    switch reason {
    case .filtered: fail(.refused, "its filter withholds the answer")
    case .error: fail(.serverError, "the model has ended with an error")
    case .calls where isSilent: fail(.malformed, "calls of tools were announced, and none came")
    default: return
    }
  }

  // MARK: What `read` finds

  var isSilent: Bool { visibleCount == 0 && calls.isEmpty }

  var isPlain: Bool { form == .plain }

  /// More of the text, before thoughts are left out.
  func say(_ text: Span<UInt8>) {
    saidBytes += text.count
    var writer = ByteWriter(into: room)
    filter.take(text, into: &writer)
    show(writer.count, writer.isComplete)
  }

  private func showRest() {
    var writer = ByteWriter(into: room)
    filter.finish(into: &writer)
    show(writer.count, writer.isComplete)
  }

  private var room: UnsafeMutableBufferPointer<UInt8> {
    UnsafeMutableBufferPointer(rebasing: visible.bytes[visibleCount...])
  }

  /// So many bytes were written after the visible text.
  private func show(_ count: Int, _ fits: Bool) {
    guard fits else { return fail(.endless, "more than the 32 KiB of text that are taken") }
    guard count > 0 else { return }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<count])
    visibleCount += count
    delegate?.completionSaid(text)
  }

  func fail(_ kind: ModelFault.Kind, _ message: StaticString) {
    fail(ModelFault(kind, message: message.utf8Bytes, hiding: Span(_unsafeElements: key)))
  }

  /// The server says what went wrong.
  func fail(_ error: borrowing JSONView) { fail(ModelFault(error: error, hiding: Span(_unsafeElements: key))) }

  private func fail(_ fault: ModelFault) {
    if self.fault != nil { return }
    (self.fault, isOver) = (fault, true)
  }
}
