import A2UI
import Codec
import Node
import Runtime

/// Where the messages of a push are.
enum PushSource {
  /// The JSON text is the messages.
  case whole
  /// In the member `messages` of an object, or in its `jsonl`.
  case messages
  /// In the member `jsonl` of an object.
  case lines

  /// The messages in a checked text: an array, or lines in a string.
  @_lifetime(copy text)
  func messages(in text: JSONView) throws(CanvasError) -> JSONView {
    if self == .whole { return text }
    if self == .lines { return try Self.check(text.member("jsonl"), "jsonl required") }
    if let messages = text.member("messages") { return try Self.check(messages, "messages[] required") }
    return try Self.check(text.member("jsonl"), "messages[] required")
  }

  @_lifetime(copy messages)
  private static func check(_ messages: JSONView?, _ complaint: StaticString) throws(CanvasError) -> JSONView {
    guard let messages, messages.kind == .array || messages.kind == .string else { throw .missing(complaint) }
    return messages
  }
}

/// A push that is too long for a turn of the loop: a worker checks and applies it, one at a time. The documents are the
/// worker's while it is pending.
final class LongPush: Job {
  /// Why it was refused.
  enum Refusal {
    case parameters(CanvasError)
    case messages(PushError)
  }

  private let store: SurfaceStore
  private let runner: any JobRunner
  /// A copy of the messages: the parameters of an invoke are gone when it has begun.
  private let memory: ReservedBuffer
  private var count = 0
  private var source = PushSource.whole
  /// Who is answered; nil: nobody any more.
  private var token: InvokeToken?
  /// Who sent it.
  private(set) var author = PageAuthor()
  /// Why it was refused; nil: it was applied.
  private(set) var refusal: Refusal?
  private let ended: () -> Void

  init(_ store: SurfaceStore, runner: any JobRunner, ended: @escaping () -> Void) throws(Errno) {
    self.store = store
    self.runner = runner
    self.ended = ended
    memory = try ReservedBuffer(capacity: Budget.canvasParameterBytes)
  }

  /// Begins a push: `text` is checked JSON, and `source` tells where its messages are. False when there is no room for
  /// it, or a photo or another slow job would keep it waiting, and the gateway with it.
  func begin(_ text: Span<UInt8>, _ source: PushSource, _ token: InvokeToken, _ author: PageAuthor) -> Bool {
    guard !isPending, runner.hasIdleWorker, text.count <= memory.bytes.count else { return false }
    text.withUnsafeBufferPointer { bytes in
      memory.bytes.baseAddress!.update(from: bytes.baseAddress!, count: bytes.count)
    }
    (count, self.source, refusal) = (text.count, source, nil)
    guard runner.submit(self) else {
      memory.release()
      return false
    }
    (self.token, self.author) = (token, author)
    return true
  }

  /// Nobody waits for the answer any more. What was begun is done all the same, as if it had been done at once.
  func forget(_ token: InvokeToken) {
    if self.token == token { self.token = nil }
  }

  /// Who is answered, once.
  func takeToken() -> InvokeToken? {
    defer { token = nil }
    return token
  }

  override func run() {
    refusal = apply(UnsafeBufferPointer(memory.bytes).extracting(0..<count).span)
    memory.release()
  }

  private func apply(_ text: Span<UInt8>) -> Refusal? {
    let messages: JSONView
    do throws(CanvasError) {
      messages = try source.messages(in: JSONView(text))
    } catch {
      return .parameters(error)
    }
    do throws(PushError) {
      _ = try store.push(messages: messages.rawText)
      return nil
    } catch {
      return .messages(error)
    }
  }

  override func finish() { ended() }
}
