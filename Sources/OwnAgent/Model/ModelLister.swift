import Codec
import Completion
import Fetch
import Gateway
import Runtime

/// Asks the servers of the configured models which models they have (`GET /v1/models`), one after the other, and says
/// of each model in a line whether it is there.
public final class ModelLister {
  private let models: [ModelSettings]
  private var fetcher: Fetcher! = nil
  private let list = ModelList()
  /// The lines. Address space until they are written.
  private let text: ReservedBuffer
  private var count = 0
  /// The model whose server is asked, or was asked last; nil: none is.
  private var current: Int?
  /// The server of the current model has said what it has, or there is the fault.
  private var isAnswered = false
  private var fault: ModelFault?
  private let clock: any Clock
  /// All have been asked, from inside `advance`. The text is valid until the next request.
  public var ended: (_ text: UnsafeBufferPointer<UInt8>) -> Void = { _ in }

  /// A lister of these models, those that make vectors too.
  @export(interface)
  public init(_ models: [ModelSettings], transport: any FetchTransport, clock: any Clock) throws(Errno) {
    (self.models, self.clock) = (models, clock)
    text = try ReservedBuffer(capacity: Budget.ownerPieceBytes)
    fetcher = try Fetcher(
      transport, clock: clock, bodyBytes: Budget.modelPieceBytes, requestBytes: Budget.modelSecretBytes)
    fetcher.delegate = self
    fetcher.sink = self
  }

  /// Begins; `ended` follows. False: it has begun already, or there is no model.
  public func start() -> Bool {
    guard current == nil, !models.isEmpty else { return false }
    count = 0
    ask(0)
    return true
  }

  private func ask(_ index: Int) {
    (current, isAnswered, fault) = (index, false, nil)
    let model = models[index]
    model.name.withBytes { list.begin(Span(_unsafeElements: $0)) }
    var request = FetchRequest()
    request.accept = "application/json"
    request.authorization = model.authorization
    request.pin = model.pin
    (request.isPrompt, request.readsFailures) = (true, true)
    request.limit = Budget.modelListBytes
    (request.totalMilliseconds, request.idleMilliseconds) = (Budget.modelListMilliseconds, Budget.modelListMilliseconds)
    fetcher.start(model.address("/models"), request)
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? {
    guard current != nil else { return nil }
    return isAnswered ? clock.monotonic : fetcher.nextDeadline
  }

  /// Lets time pass, and goes on with the next model.
  public func advance(to now: Int64) {
    guard let index = current else { return }
    if !isAnswered { fetcher.advance(to: now) }
    guard isAnswered else { return }
    write(models[index])
    guard index + 1 == models.count else { return ask(index + 1) }
    current = nil
    ended(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count]))
    if current == nil { text.release() }
  }

  // MARK: Lines

  private func write(_ model: ModelSettings) {
    var isThere = false
    if fault == nil {
      do throws(ModelFault) { isThere = try list.finish() } catch { fault = error }
    }
    var writer = ByteWriter(into: UnsafeMutableBufferPointer(rebasing: text.bytes[count...]))
    if count > 0 { writer.text("\n") }
    writer.text(model.name)
    writer.text(" at ")
    writer.text(model.base.host)
    writer.text(": ")
    if let fault {
      fault.write(to: &writer)
    } else if isThere {
      writer.text("it is there")
    } else {
      writeMissing(to: &writer)
    }
    count = min(count + writer.count, text.bytes.count)
  }

  private func writeMissing(to writer: inout ByteWriter) {
    writer.text("it is not among the ")
    writer.decimal(Int64(list.count))
    writer.text(" models of this server")
    if list.first.isEmpty { return }
    var first = list.first
    first.makeLine()
    writer.text(", of which the first is ")
    writer.bytes(first.span)
  }

  private func end(_ fault: ModelFault? = nil) {
    guard current != nil, !isAnswered else { return }
    (isAnswered, self.fault) = (true, fault)
  }
}

extension ModelLister: FetchSink, FetchDelegate {
  public func fetchBegan(_ fetcher: Fetcher) -> Bool { true }

  public func fetchedPiece(_ fetcher: Fetcher) {
    let piece = Span(_unsafeElements: fetcher.body)
    if (200..<300).contains(fetcher.status) {
      if list.take(piece) { return fetcher.pieceTaken() }
      fetcher.cancel()
      return end()
    }
    guard let index = current else { return }
    let fault = models[index].key.withBytes { key in
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
