import Canvas
import Codec
import Gateway
import Node
import Runtime

/// Gets the states of presses.
protocol PressQueueDelegate: AnyObject {
  /// The oldest press that was on its way has arrived. `ofButton`: not of a script or a drawing.
  func pressArrived(ofButton: Bool)
  /// The oldest press that was on its way was given up, or the one that was made last.
  func pressFailed(_ reason: Span<UInt8>, ofButton: Bool, isLast: Bool)
}

/// Presses of buttons that are sent to the gateway, in order, one at a time (canvas reference 2.9). They are not kept
/// on flash: the person looks at the screen, and sees when one did not arrive.
final class PressQueue: RequestDelegate {
  private struct Press {
    var ofButton = false
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
  func post(ofButton: Bool, _ members: (inout JSONWriter) -> Void) {
    guard count < Budget.presses else { return refuse("too many presses wait for the gateway", ofButton) }
    let slot = (first + count) % Budget.presses
    var writer = JSONWriter(into: part(slot))
    writer.beginObject()
    members(&writer)
    writer.endObject()
    guard writer.isComplete else { return refuse("its message to the agent is too long", ofButton) }
    presses[slot].ofButton = ofButton
    presses[slot].count = writer.count
    presses[slot].postedAt = clock.monotonic
    count += 1
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
    delegate?.pressArrived(ofButton: take())
    send()
  }

  func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard tag == self.tag, isInFlight else { return }
    isInFlight = false
    if failure.kind == .refused, failure.code.equals(("INVALID_REQUEST" as StaticString).utf8Bytes) {
      delegate?.pressFailed(failure.message.span, ofButton: take(), isLast: false)
      return send()
    }
    retryAt = clock.monotonic + Budget.pressRetry
  }

  /// Removes the first one; whether it is of a button.
  private func take() -> Bool {
    let ofButton = presses[first].ofButton
    isInFlight = false
    first = (first + 1) % Budget.presses
    count -= 1
    if count == 0 { texts.release() }
    return ofButton
  }

  private func refuse(_ why: StaticString, _ ofButton: Bool) {
    delegate?.pressFailed(why.utf8Bytes, ofButton: ofButton, isLast: true)
  }

  private static let away: StaticString = "the gateway is away"

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
      delegate?.pressFailed(Self.away.utf8Bytes, ofButton: take(), isLast: false)
    }
    if let instant = retryAt, now >= instant { retryAt = nil }
    send()
  }
}

/// What is told of presses that did not fail.
var noReason: Span<UInt8> {
  @_lifetime(immortal)
  get { ("" as StaticString).utf8Bytes }
}
