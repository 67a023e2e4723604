import Codec
import Completion
import Fetch
import Gateway
import Runtime

/// One request at a time to a model's server: the pieces of its answer, then its end or the reason why there is none.
final class ModelRequest: FetchSink, FetchDelegate {
  private enum Phase { case idle, asking, ended }

  private var fetcher: Fetcher! = nil
  private var model: ModelSettings?
  private let clock: any Clock
  private var phase = Phase.idle
  /// Why there is no answer; nil: it has ended as it should.
  private(set) var fault: ModelFault?
  /// Takes a piece of an answer that is none of a failure; false when no more is needed.
  var take: (UnsafeBufferPointer<UInt8>) -> Bool = { _ in false }

  init(_ transport: any FetchTransport, _ clock: any Clock) throws(Errno) {
    self.clock = clock
    fetcher = try Fetcher(
      transport, clock: clock, bodyBytes: Budget.modelPieceBytes, requestBytes: Budget.modelSecretBytes)
    fetcher.delegate = self
    fetcher.sink = self
  }

  /// An answer is awaited.
  var isAsking: Bool { phase == .asking }
  /// A request has begun, and `advance` has not told its end.
  var isBusy: Bool { phase != .idle }

  /// Asks a model's server for a part of the API, such as `/models`; its key and pin go with the request. `request` has
  /// the rest, and its body must not change until the end.
  func start(_ model: ModelSettings, _ part: String, _ request: FetchRequest) {
    (self.model, phase, fault) = (model, .asking, nil)
    var request = request
    request.authorization = model.authorization
    request.pin = model.pin
    (request.isPrompt, request.readsFailures) = (true, true)
    fetcher.start(model.address(part), request)
  }

  /// The answer is not wanted any more.
  func cancel() {
    fetcher.cancel()
    (phase, fault) = (.idle, nil)
  }

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    switch phase {
    case .idle: nil
    case .asking: fetcher.nextDeadline
    case .ended: clock.monotonic
    }
  }

  /// Lets time pass. True when the request has ended, once for each that is not cancelled: `fault` says how.
  func advance(to now: Int64) -> Bool {
    if phase == .asking { fetcher.advance(to: now) }
    guard phase == .ended else { return false }
    phase = .idle
    return true
  }

  private func end(_ fault: ModelFault? = nil) {
    guard phase == .asking else { return }
    (phase, self.fault) = (.ended, fault)
  }

  // MARK: The answer

  func fetchBegan(_ fetcher: Fetcher) -> Bool { true }

  func fetchedPiece(_ fetcher: Fetcher) {
    if (200..<300).contains(fetcher.status) {
      if take(fetcher.body) { return fetcher.pieceTaken() }
      fetcher.cancel()
      return end()
    }
    // The first piece of what a server says of a failure tells what is wrong.
    let wait = fetcher.retryAfterSeconds.map { Int64($0).multiplied(clamping: 1000) }
    let fault = (model?.key ?? "").withBytes { key in
      ModelFault(
        status: fetcher.status, body: Span(_unsafeElements: fetcher.body), retryAfterMilliseconds: wait,
        hiding: Span(_unsafeElements: key))
    }
    fetcher.cancel()
    end(fault)
  }

  func fetched(_ fetcher: Fetcher) {
    fetcher.release()
    end()
  }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) { end(ModelFault(failure)) }

  /// No model's server is the gateway.
  func isGateway(_ certificate: PeerCertificate) -> Bool { false }
}
