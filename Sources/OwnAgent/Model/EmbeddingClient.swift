import Codec
import Completion
import Fetch
import Runtime

/// Gets the vectors that a server makes of texts.
public protocol EmbeddingDelegate: AnyObject {
  // One of these for each request that is not cancelled, from inside `advance`, where the next may be begun.
  /// One vector of length 1 for each text, in their order, of `dimensions` numbers. Valid until the next request.
  func embedded(_ vectors: UnsafeBufferPointer<Float>, dimensions: Int)
  /// There are none.
  func embeddingFailed(_ fault: ModelFault)
}

/// Asks one server for vectors of texts, one request at a time.
public final class EmbeddingClient {
  let model: ModelSettings
  private let request: ModelRequest
  private let reader = EmbeddingReader()
  /// The body of a request, and the vectors of its answer. Address space until they are used.
  private let body: ReservedBuffer
  private let vectors: ReservedBuffer
  private let clock: any Clock
  private var askedAt: Int64 = 0
  private var requestBytes = 0
  /// Lives as long as the client.
  public unowned(unsafe) var delegate: (any EmbeddingDelegate)?
  /// A request has been answered: what it took is counted.
  public var used: (TokenCount, ModelPrice, _ milliseconds: Int64) -> Void = { _, _, _ in }

  /// A client for this model, whose server has `/v1/embeddings`.
  @export(interface)
  public init(_ model: ModelSettings, transport: any FetchTransport, clock: any Clock) throws(Errno) {
    (self.model, self.clock) = (model, clock)
    body = try ReservedBuffer(capacity: Budget.embeddingRequestBytes)
    vectors = try ReservedBuffer(capacity: Budget.embeddingTexts * Budget.embeddingDimensions * 4)
    request = try ModelRequest(transport, clock)
    request.take = { [unowned(unsafe) self] piece in self.reader.take(Span(_unsafeElements: piece)) }
  }

  /// True while vectors are awaited.
  public var isBusy: Bool { request.isBusy }

  /// Asks for the vectors of texts, within so many milliseconds: `text` is called with each number from 0 until it
  /// gives none. A request that is open is dropped. Returns how many texts were taken, each cut at
  /// `Budget.embeddingTextBytes`; 0: none was, and nothing follows.
  public func ask(milliseconds: Int64, _ text: (Int) -> UnsafeBufferPointer<UInt8>?) -> Int {
    cancel()
    var request = EmbeddingRequest(model: model.name, into: body.bytes)
    while let text = text(request.count) {
      let words = Span(_unsafeElements: text)
      guard request.add(words.extracting(0..<words.characters(in: Budget.embeddingTextBytes))) else { break }
    }
    let count = request.count
    guard let bytes = request.finish() else { return 0 }
    reader.begin(count: count, into: floats)
    start(bytes, milliseconds)
    return count
  }

  private var floats: UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(
      start: vectors.bytes.baseAddress.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self) },
      count: vectors.bytes.count / 4)
  }

  private func start(_ bytes: Int, _ milliseconds: Int64) {
    (askedAt, requestBytes) = (clock.monotonic, bytes)
    var post = FetchRequest()
    post.method = .post
    post.accept = "application/json"
    post.body = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(body.bytes)[..<bytes])
    post.limit = Budget.embeddingBytes
    (post.totalMilliseconds, post.idleMilliseconds) = (milliseconds, milliseconds)
    request.start(model, "/embeddings", post)
  }

  /// The vectors are not wanted any more; nothing follows.
  public func cancel() {
    request.cancel()
    release()
  }

  private func release() {
    body.release()
    vectors.release()
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? { request.nextDeadline }

  /// Lets time pass, and tells what has ended.
  public func advance(to now: Int64) {
    guard request.advance(to: now) else { return }
    var (dimensions, fault) = (0, request.fault)
    if fault == nil {
      do throws(ModelFault) { dimensions = try reader.finish() } catch { fault = error }
    }
    if let fault {
      release()
      delegate?.embeddingFailed(fault)
      return
    }
    used(.estimate(promptBytes: requestBytes, completionBytes: 0), model.price, max(now - askedAt, 0))
    delegate?.embedded(UnsafeBufferPointer(floats), dimensions: dimensions)
    if !isBusy { release() }
  }
}
