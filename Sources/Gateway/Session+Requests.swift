import Codec
import Runtime

/// Requests of ours whose answers somebody waits for.
extension Session: RequestChannel {

  public func request(
    _ method: StaticString, owner: any RequestOwner, tag: Int, timeout: Int64, _ build: (inout JSONWriter) -> Void
  ) -> Bool {
    // A place is kept for every reply that is due: answers go before questions.
    guard phase == .online, hasRoom else { return false }
    guard let number = requests.add(owner, tag, deadline: clock.monotonic + timeout) else { return false }
    let isSent = link.send(limit: hello.maxPayload) { writer in
      Self.write(RequestID.text(RequestID.request, number), method, &writer) {
        build(&$0)
        return 0
      }
    }
    if !isSent { _ = requests.take(number) }
    return isSent
  }

  /// Writes a request frame around `params`, an object that the closure writes; what that answers.
  static func write(
    _ id: InlineText<24>, _ method: StaticString, _ writer: inout JSONWriter, _ params: (inout JSONWriter) -> Int
  ) -> Int {
    writer.beginObject()
    writer.key("type")
    writer.string("req")
    writer.key("id")
    writer.string(id.span)
    writer.key("method")
    writer.string(method)
    writer.key("params")
    writer.beginObject()
    let split = params(&writer)
    writer.endObject()
    writer.endObject()
    return split
  }

  /// Tells those whose time is up.
  func expireRequests(_ now: Int64) {
    while let waiter = requests.takeDue(now) { waiter.owner.requestFailed(waiter.tag, RequestFailure(.timedOut)) }
  }

  /// Tells everybody that no answer will come.
  func failRequests() {
    while let waiter = requests.takeAny() { waiter.owner.requestFailed(waiter.tag, RequestFailure(.lost)) }
  }
}
