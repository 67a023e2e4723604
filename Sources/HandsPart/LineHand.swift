import Codec
import Hands
import Node
import Runtime

/// A hand at a serial line: a worker makes one exchange at a time, for one call.
class LineHand: Hand {
  private let exchange: Job
  private let line: any SerialLine
  /// The call that waits for the exchange; nil when nobody does.
  private var token: InvokeToken?
  private var exchanges: UInt64 = 0

  /// A hand whose subclass runs `exchange` over `line`.
  init(
    _ settings: HandSettings, _ surroundings: HandSurroundings, index: Int, exchange: Job, line: any SerialLine
  ) {
    self.exchange = exchange
    self.line = line
    super.init(settings, surroundings, index: index)
  }

  // MARK: For subclasses

  /// What is wrong with the device, for people; nil for nothing.
  var troubleText: StaticString? { nil }

  /// Nobody waits for the exchange any longer.
  func callCancelled() {}

  /// False, with an answer to this call, while another one is under way.
  final func isFree(for token: InvokeToken) -> Bool {
    guard exchange.isPending else { return true }
    fail(token) { $0.text("it answers another call: try again in some seconds") }
    return false
  }

  /// Begins the exchange for this call; false, with an answer, where the board has too much to do.
  final func submit(for token: InvokeToken) -> Bool {
    guard surroundings.readings.submit(exchange) else {
      fail(token) { $0.text("the board is busy: try again in some seconds") }
      return false
    }
    self.token = token
    return true
  }

  /// The exchange has ended: the call that it was for, which is to be answered; nil when that was cancelled.
  final func takeToken() -> InvokeToken? {
    exchanges += 1
    defer { token = nil }
    return token
  }

  // MARK: Hand

  override func stop() { token = nil }

  override var isStopped: Bool {
    guard !exchange.isPending else { return false }
    line.close()
    return true
  }

  override func cancel(_ token: InvokeToken) {
    guard self.token == token else { return }
    self.token = nil
    callCancelled()
  }

  override var hasFault: Bool { troubleText != nil }

  override func writeStatus(to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(troubleText == nil ? "ok" : "broken")
    if let troubleText {
      writer.key("trouble")
      writer.string(troubleText)
    }
    writer.key("exchanges")
    writer.uint(exchanges)
  }
}
