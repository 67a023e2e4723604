import Codec
import Gateway
import Runtime

/// Delivery of events, one at a time, those of one name in order.
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
    roomAt = nil
    for index in 0..<queue.count { queue.sendAgain(index) }
    deliver()
  }

  /// Keeps an event from being sent, and those of its name after it, until `release`: whoever has posted it first
  /// writes to flash that it was posted. One at a time.
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

  /// Sends the first event that may be sent, unless one is already.
  func deliver() {
    guard let channel, inFlight == nil, roomAt == nil, let index = sendable else { return }
    tag &+= 1
    inFlight = queue[index].sequence
    if NodeEvent.send(queue.name(index), queue.payload(index), over: channel, delegate: self, tag: tag) { return }
    inFlight = nil
    roomAt = clock.monotonic + Self.roomPause
  }

  /// The first event that is not held, whose time has come, and that no other of its name stands before.
  private var sendable: Int? {
    let now = clock.monotonic
    for index in 0..<queue.count where queue[index].sequence != heldSequence && (queue[index].retryAt ?? now) <= now {
      if !queue.isBehind(index) { return index }
    }
    return nil
  }

  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == self.tag, let sequence = inFlight else { return }
    inFlight = nil
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
    // Busy, timed out, or disconnected: the event is sent again until its age limit, and others meanwhile.
    guard let index = queue.index(of: sequence) else { return deliver() }
    let isNews = queue[index].retryAt == nil
    queue[index].retryAt = clock.monotonic + queue[index].pause
    queue[index].pause = min(2 * queue[index].pause, Self.deliveryPauses.upperBound)
    if failure.kind == .refused {
      log.write(isNews ? .notice : .debug, "outbox") { line in
        line.add("the gateway does not accept ")
        line.add(self.queue.name(index))
        line.add(" now: ")
        line.add(code: failure.code.span)
        line.add(". Other events do not wait for it")
      }
    }
    deliver()
  }
}
