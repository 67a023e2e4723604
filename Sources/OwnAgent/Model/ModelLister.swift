import Codec
import Completion
import Fetch
import Runtime

/// Asks the servers of the configured models which models they have (`GET /v1/models`), one after the other, and says
/// of each model in a line whether it is there.
public final class ModelLister {
  private let models: [ModelSettings]
  private let request: ModelRequest
  private let list = ModelList()
  /// The lines. Address space until they are written.
  private let text: ReservedBuffer
  private var count = 0
  /// The model whose server is asked; nil: none is.
  private var current: Int?
  /// All have been asked, from inside `advance`. The text is valid until the next request.
  public var ended: (_ text: UnsafeBufferPointer<UInt8>) -> Void = { _ in }

  /// A lister of these models, those that make vectors too.
  @export(interface)
  public init(_ models: [ModelSettings], transport: any FetchTransport, clock: any Clock) throws(Errno) {
    self.models = models
    text = try ReservedBuffer(capacity: Budget.ownerPieceBytes)
    request = try ModelRequest(transport, clock)
    request.take = { [unowned(unsafe) self] piece in self.list.take(Span(_unsafeElements: piece)) }
  }

  /// Begins; `ended` follows. False: it has begun already, or there is no model.
  public func start() -> Bool {
    guard current == nil, !models.isEmpty else { return false }
    count = 0
    ask(0)
    return true
  }

  /// The list is not wanted any more; nothing follows.
  public func cancel() {
    request.cancel()
    current = nil
    text.release()
  }

  private func ask(_ index: Int) {
    current = index
    models[index].name.withBytes { list.begin(Span(_unsafeElements: $0)) }
    var get = FetchRequest()
    get.accept = "application/json"
    get.limit = Budget.modelListBytes
    (get.totalMilliseconds, get.idleMilliseconds) = (Budget.modelListMilliseconds, Budget.modelListMilliseconds)
    request.start(models[index], "/models", get)
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? { request.nextDeadline }

  /// Lets time pass, and goes on with the next model.
  public func advance(to now: Int64) {
    guard let index = current, request.advance(to: now) else { return }
    write(models[index])
    guard index + 1 == models.count else { return ask(index + 1) }
    current = nil
    ended(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count]))
    if current == nil { text.release() }
  }

  // MARK: Lines

  private func write(_ model: ModelSettings) {
    var (isThere, fault) = (false, request.fault)
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
}
