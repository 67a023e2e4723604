import Canvas
import Codec
import Gateway
import Node
import Runtime

/// Gets the states of presses.
protocol PressQueueDelegate: AnyObject {
  /// `name`: of the press's action, or the reason when it failed.
  func pressStatusChanged(_ status: PressStatus, _ name: Span<UInt8>)
}

/// Presses of buttons that are sent to the gateway, in order, one at a time (canvas reference 2.9). They are not kept
/// on flash: the person looks at the screen, and sees when one did not arrive.
final class PressQueue: RequestDelegate {
  private struct Press {
    var name = InlineText<96>()
    var count = 0
    var postedAt: Int64 = 0
  }

  private let clock: any Clock
  private let texts: ReservedBuffer
  private var presses = InlineArray<4, Press>(repeating: Press())
  /// The first waiting press, and their count: a ring.
  private var first = 0
  private(set) var count = 0
  private var channel: (any RequestChannel)?
  private var tag = 0
  private var isInFlight = false
  private var retryAt: Int64?
  /// Lives as long as the queue.
  unowned(unsafe) var delegate: (any PressQueueDelegate)?

  init(clock: any Clock) throws(Errno) {
    precondition(Budget.presses == 4)
    self.clock = clock
    texts = try ReservedBuffer(capacity: Budget.presses * Budget.pressBytes)
  }

  /// Adds a press: `members` writes the members of the event `agent.request`.
  func post(_ name: Span<UInt8>, _ members: (inout JSONWriter) -> Void) {
    guard count < Budget.presses else { return fail("too many presses wait for the gateway") }
    let slot = (first + count) % Budget.presses
    var writer = JSONWriter(into: part(slot))
    writer.beginObject()
    members(&writer)
    writer.endObject()
    guard writer.isComplete else { return fail("its message to the agent is too long") }
    presses[slot].name = InlineText(cutting: name)
    presses[slot].count = writer.count
    presses[slot].postedAt = clock.monotonic
    count += 1
    delegate?.pressStatusChanged(.sending, name)
    send()
  }

  private func part(_ slot: Int) -> UnsafeMutableBufferPointer<UInt8> {
    texts.bytes.extracting(slot * Budget.pressBytes..<(slot + 1) * Budget.pressBytes)
  }

  // MARK: The gateway

  /// After `hello-ok`.
  func online(_ channel: any RequestChannel) {
    self.channel = channel
    (isInFlight, retryAt) = (false, nil)
    send()
  }

  /// The connection is lost. The press that was being sent is sent again over the next one, under the same key.
  func offline() {
    channel = nil
    (isInFlight, retryAt) = (false, nil)
  }

  private func send() {
    guard let channel, count > 0, !isInFlight, retryAt == nil else { return }
    tag &+= 1
    isInFlight = true
    let name: StaticString = "agent.request"
    let payload = UnsafeBufferPointer(part(first)).extracting(0..<presses[first].count)
    if NodeEvent.send(name.bytes, payload, over: channel, delegate: self, tag: tag) { return }
    isInFlight = false
    retryAt = clock.monotonic + Budget.pressRetry
  }

  func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag, isInFlight else { return }
    let name = take()
    delegate?.pressStatusChanged(.working, name.span)
    send()
  }

  func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard tag == self.tag, isInFlight else { return }
    isInFlight = false
    if failure.kind == .refused, failure.code.equals(("INVALID_REQUEST" as StaticString).utf8Bytes) {
      _ = take()
      delegate?.pressStatusChanged(.failed, failure.message.span)
      return send()
    }
    retryAt = clock.monotonic + Budget.pressRetry
  }

  /// Removes the first one.
  private func take() -> InlineText<96> {
    let name = presses[first].name
    isInFlight = false
    first = (first + 1) % Budget.presses
    count -= 1
    if count == 0 { texts.release() }
    return name
  }

  private func fail(_ why: StaticString) { delegate?.pressStatusChanged(.failed, why.utf8Bytes) }

  // MARK: Time

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    guard count > 0 else { return nil }
    let expiry = presses[first].postedAt + Budget.pressAge
    return retryAt.map { min($0, expiry) } ?? expiry
  }

  /// Drops presses that are too old, and sends again.
  func advance(to now: Int64) {
    while count > 0, now >= presses[first].postedAt + Budget.pressAge {
      tag &+= 1
      _ = take()
      fail("the gateway is away")
    }
    if let instant = retryAt, now >= instant { retryAt = nil }
    send()
  }
}
