import Codec
import Gateway
import Runtime

/// Out of the box, in order, one at a time.
extension Outbox {
  /// Milliseconds before a link without room is tried again.
  private static let roomPause: Int64 = 1_000

  /// Events that wait.
  public var count: Int { queue.count }

  /// There is a gateway to deliver to.
  var isOnline: Bool { channel != nil }

  /// After `hello-ok`.
  public func online(_ channel: any RequestChannel) {
    self.channel = channel
    inFlight = nil
    retryAt = nil
    pause = Self.deliveryPauses.lowerBound
    deliver()
  }

  /// The connection is gone. What was on its way stays, and is sent again over the next one.
  public func offline() {
    channel = nil
    inFlight = nil
    retryAt = nil
  }

  /// Sends the first event, unless one is on its way or must wait.
  func deliver() {
    guard let channel, inFlight == nil, retryAt == nil, queue.count > 0 else { return }
    tag &+= 1
    inFlight = queue[0].sequence
    if NodeEvent.send(queue.name(0), queue.payload(0), over: channel, owner: self, tag: tag) { return }
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
    // Unavailable, too slow, or gone: it may yet be taken, and its age limit ends the patience.
    retryAt = clock.monotonic + pause
    pause = min(2 * pause, Self.deliveryPauses.upperBound)
  }
}
