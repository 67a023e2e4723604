import A2UI
import Codec
import Node
import Runtime

/// A push that is too long for a turn of the loop: a worker checks and applies it, one at a time. The documents are the
/// worker's while it is pending.
final class LongPush: Job {
  private let store: SurfaceStore
  private let runner: any JobRunner
  /// A copy of the messages: the parameters of an invoke are gone when it has begun.
  private let memory: ReservedBuffer
  private var count = 0
  /// Who is answered; nil: nobody any more.
  private var token: InvokeToken?
  /// Who sent it.
  private(set) var author = PageAuthor()
  /// Why it was refused; nil: it was applied.
  private(set) var refusal: PushError?
  private let ended: () -> Void

  init(_ store: SurfaceStore, runner: any JobRunner, ended: @escaping () -> Void) throws(Errno) {
    self.store = store
    self.runner = runner
    self.ended = ended
    memory = try ReservedBuffer(capacity: Budget.canvasParameterBytes)
  }

  /// Begins a push: `messages` are checked JSON. False when there is no room for it, or a photo or another slow job
  /// would keep it waiting, and the gateway with it.
  func begin(_ messages: Span<UInt8>, _ token: InvokeToken, _ author: PageAuthor) -> Bool {
    guard !isPending, runner.hasIdleWorker, messages.count <= memory.bytes.count else { return false }
    messages.withUnsafeBufferPointer { bytes in
      memory.bytes.baseAddress!.update(from: bytes.baseAddress!, count: bytes.count)
    }
    (count, refusal) = (messages.count, nil)
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
    do throws(PushError) {
      _ = try store.push(messages: UnsafeBufferPointer(memory.bytes).extracting(0..<count).span)
    } catch {
      refusal = error
    }
    memory.release()
  }

  override func finish() { ended() }
}
