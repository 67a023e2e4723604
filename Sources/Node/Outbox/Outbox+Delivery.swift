import Codec
import Gateway
import Runtime

/// Delivery of events, in order, one at a time.
extension Outbox {
  /// Milliseconds before a connection without room is tried again.
  private static let roomPause: Int64 = 1_000

  /// Waiting events.
  public var count: Int { queue.count }

  /// True while the gateway is connected.
  public var isOnline: Bool { channel != nil }

  /// After `hello-ok`.
  public func online(_ channel: any RequestChannel) {
    self.channel = channel
    inFlight = nil
    retryAt = nil
    pause = Self.deliveryPauses.lowerBound
    deliver()
  }

  /// Keeps an event from being sent, and those after it, until `release`: whoever has posted it first writes to flash
  /// that it was posted. One at a time.
  public func hold(_ sequence: UInt64) { heldSequence = sequence }

  /// What was held may be sent.
  public func release() {
    heldSequence = nil
    deliver()
  }

  /// The number of the last event of this name whose payload `matches`; nil without one.
  public func last(_ event: StaticString, where matches: (borrowing JSONView) -> Bool) -> UInt64? {
    var index = queue.count - 1
    while index >= 0 {
      let payload = queue.payload(index)
      if queue.name(index).elementsEqual(event.bytes), matches(JSONView(Span(_unsafeElements: payload))) {
        return queue[index].sequence
      }
      index -= 1
    }
    return nil
  }

  /// Sends the first event, unless one is already sent or must wait.
  func deliver() {
    guard let channel, inFlight == nil, retryAt == nil, queue.count > 0, queue[0].sequence != heldSequence else {
      return
    }
    tag &+= 1
    inFlight = queue[0].sequence
    if NodeEvent.send(queue.name(0), queue.payload(0), over: channel, delegate: self, tag: tag) { return }
    inFlight = nil
    retryAt = clock.monotonic + Self.roomPause
  }

  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag, let sequence = inFlight else { return }
    inFlight = nil
    pause = Self.deliveryPauses.lowerBound
    counters.delivered += 1
    isDropLogged = false
    if let index = queue.index(of: sequence) { remove(index) }
    deliver()
  }

  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    guard tag == self.tag, let sequence = inFlight else { return }
    inFlight = nil
    if failure.kind == .refused, failure.code.equals(("INVALID_REQUEST" as StaticString).utf8Bytes) {
      if let index = queue.index(of: sequence) { drop(index, .refused) }
      return deliver()
    }
    // Busy, timed out, or disconnected: the event is sent again until its age limit.
    retryAt = clock.monotonic + pause
    pause = min(2 * pause, Self.deliveryPauses.upperBound)
  }
}
