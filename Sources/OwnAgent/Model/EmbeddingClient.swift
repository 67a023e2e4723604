import Codec
import Completion
import Fetch
import Gateway
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
  private enum Phase: Equatable { case idle, asking, ended }

  let model: ModelSettings
  private var fetcher: Fetcher! = nil
  private let reader = EmbeddingReader()
  /// The body of a request, and the vectors of its answer. Address space until they are used.
  private let body: ReservedBuffer
  private let vectors: ReservedBuffer
  private let clock: any Clock
  private var phase = Phase.idle
  private var fault: ModelFault?
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
    fetcher = try Fetcher(
      transport, clock: clock, bodyBytes: Budget.modelPieceBytes, requestBytes: Budget.modelSecretBytes)
    fetcher.delegate = self
    fetcher.sink = self
  }

  /// True while vectors are awaited.
  public var isBusy: Bool { phase != .idle }

  /// Asks for the vectors of texts, within so many milliseconds: `add` is called with each number from 0 until it gives
  /// no text. Returns how many texts were taken, the first of them cut at `Budget.embeddingTextBytes`; 0: none was, and
  /// nothing follows. A request that is open is dropped.
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
    (phase, fault, askedAt, requestBytes) = (.asking, nil, clock.monotonic, bytes)
    var request = FetchRequest()
    request.method = .post
    request.accept = "application/json"
    request.authorization = model.authorization
    request.body = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(body.bytes)[..<bytes])
    request.pin = model.pin
    (request.isPrompt, request.readsFailures) = (true, true)
    request.limit = Budget.embeddingBytes
    (request.totalMilliseconds, request.idleMilliseconds) = (milliseconds, milliseconds)
    fetcher.start(model.address("/embeddings"), request)
  }

  /// The vectors are not wanted any more; nothing follows.
  public func cancel() {
    fetcher.cancel()
    (phase, fault) = (.idle, nil)
    release()
  }

  private func release() {
    body.release()
    vectors.release()
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? {
    switch phase {
    case .idle: nil
    case .asking: fetcher.nextDeadline
    case .ended: clock.monotonic
    }
  }

  /// Lets time pass, and tells what has ended.
  public func advance(to now: Int64) {
    if phase == .asking { fetcher.advance(to: now) }
    if phase == .ended { conclude(at: now) }
  }

  private func conclude(at now: Int64) {
    phase = .idle
    var dimensions = 0
    if fault == nil {
      do throws(ModelFault) { dimensions = try reader.finish() } catch { fault = error }
    }
    if let fault {
      self.fault = nil
      release()
      delegate?.embeddingFailed(fault)
      return
    }
    used(.estimate(promptBytes: requestBytes, completionBytes: 0), model.price, max(now - askedAt, 0))
    delegate?.embedded(UnsafeBufferPointer(floats), dimensions: dimensions)
    if phase == .idle { release() }
  }

  private func end(_ fault: ModelFault? = nil) {
    guard phase == .asking else { return }
    (phase, self.fault) = (.ended, fault)
  }
}

extension EmbeddingClient: FetchSink, FetchDelegate {
  public func fetchBegan(_ fetcher: Fetcher) -> Bool { true }

  public func fetchedPiece(_ fetcher: Fetcher) {
    let piece = Span(_unsafeElements: fetcher.body)
    if (200..<300).contains(fetcher.status) {
      if reader.take(piece) { return fetcher.pieceTaken() }
      fetcher.cancel()
      return end()
    }
    let fault = model.key.withBytes { key in
      ModelFault(status: fetcher.status, body: piece, retryAfterMilliseconds: nil, hiding: Span(_unsafeElements: key))
    }
    fetcher.cancel()
    end(fault)
  }

  public func fetched(_ fetcher: Fetcher) {
    fetcher.release()
    end()
  }

  public func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) { end(ModelFault(failure)) }

  /// No model's server is the gateway.
  public func isGateway(_ certificate: PeerCertificate) -> Bool { false }
}
