import Codec
import Gateway
import Runtime

/// Progress of long commands (gateway reference 9.4).
extension Router: RequestDelegate {
  /// Timeout in milliseconds of a progress message.
  private static let timeout: Int64 = 15_000

  /// Online: `channel` takes progress messages if the gateway advertises `node.invoke.progress`.
  public func online(_ channel: any RequestChannel, acceptsProgress: Bool) {
    progressChannel = acceptsProgress ? channel : nil
  }

  /// Sends progress to the callers, in chunks of at most `Budget.progressBytes`, cut between characters. Does nothing
  /// when the gateway takes no progress, or `token` was already answered; chunks for which the connection has no room
  /// are dropped.
  public func progress(_ token: InvokeToken, _ text: Span<UInt8>) {
    var start = 0
    while start < text.count {
      var end = min(start + Budget.progressBytes, text.count)
      while end < text.count, end > start + 1, text[end] & 0xC0 == 0x80 { end -= 1 }
      guard sendProgress(token, text.extracting(start..<end)) else { return }
      start = end
    }
  }

  /// Tells the caller that a command still runs which has sent progress: an empty chunk (newer-gateways 2).
  public func beat(_ token: InvokeToken) { _ = sendProgress(token, Span()) }

  private func sendProgress(_ token: InvokeToken, _ chunk: Span<UInt8>) -> Bool {
    guard let slot = running[token], slot.action == nil else { return false }
    if slot.caller == .tool {
      toolProgressed?(slot.id.span, chunk)
      return true
    }
    guard let progressChannel, slot.caller == .gateway else { return false }
    // A closure must not capture a span; the bytes do not move meanwhile.
    let isSent = chunk.withUnsafeBufferPointer { bytes in
      progressChannel.request("node.invoke.progress", delegate: self, tag: 0, timeout: Self.timeout) { writer in
        writer.key("invokeId")
        writer.string(slot.id.span)
        writer.key("nodeId")
        writer.string(self.nodeID.span)
        writer.key("seq")
        writer.int(slot.progress)
        writer.key("chunk")
        writer.string(Span(_unsafeElements: bytes))
      }
    }
    // Only sent chunks are numbered: the gateway waits for missing numbers.
    if isSent { running.countProgress(token) }
    return isSent
  }

  public func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {}

  /// Progress is optional: a gateway that refuses it gets none over this connection.
  public func requestFailed(_ tag: Int, _ failure: RequestFailure) {
    if failure.kind == .refused { progressChannel = nil }
  }
}
