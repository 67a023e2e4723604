import Codec
import Runtime

/// Requests whose responses are awaited.
extension Session: RequestChannel {

  @export(interface)
  public func request(
    _ method: StaticString, delegate: any RequestDelegate, tag: Int, timeout: Int64, _ build: (inout JSONWriter) -> Void
  ) -> Bool {
    // A slot is kept for every reply that is due: answers have priority over requests.
    guard phase == .online, hasRoom else { return false }
    guard let number = requests.add(delegate, tag, method, deadline: clock.monotonic + timeout) else { return false }
    let isSent = link.send(limit: messageLimit) { writer in
      Self.write(RequestID.text(RequestID.request, number), method, &writer) {
        build(&$0)
        return 0
      }
    }
    if !isSent { _ = requests.take(number) }
    return isSent
  }

  /// As `request`, with a blob: `build` returns after how many written bytes it is inserted. Its delegate keeps its
  /// bytes unchanged until `blobReleased`, which is not called when this returns false.
  @export(interface)
  public func request(
    _ method: StaticString, delegate: any RequestDelegate, tag: Int, timeout: Int64, blob: OutboundBlob,
    _ build: (inout JSONWriter) -> Int
  ) -> Bool {
    guard phase == .online, hasRoom else { return false }
    guard let number = requests.add(delegate, tag, method, deadline: clock.monotonic + timeout) else { return false }
    let isSent = link.send(limit: messageLimit, blob: blob) { writer in
      Self.write(RequestID.text(RequestID.request, number), method, &writer) { build(&$0) }
    }
    if !isSent { _ = requests.take(number) }
    return isSent
  }

  /// Writes a request frame around `params`, an object that the closure writes, and returns the closure's result.
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

  /// Fails the requests whose timeout is over.
  func expireRequests(_ now: Int64) {
    while let waiter = requests.takeDue(now) { waiter.delegate.requestFailed(waiter.tag, RequestFailure(.timedOut)) }
  }

  /// Fails all requests.
  func failRequests() {
    while let waiter = requests.takeAny() { waiter.delegate.requestFailed(waiter.tag, RequestFailure(.lost)) }
  }
}
