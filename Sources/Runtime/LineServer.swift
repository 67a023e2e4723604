/// A server for line-based clients on this board. A client is a small number, which is reused after it has
/// disconnected.
public protocol LineServer: AnyObject {
  /// Sends one line: `write` puts it, without its newline, into the buffer, and answers its length, or nil when it does
  /// not fit. False when nothing was sent: the client has disconnected, or was disconnected now because it reads too
  /// slowly, or the line is larger than `Budget.controlOutputBytes`.
  func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool

  /// Disconnects a client after everything was sent. No `lineClientDisconnected` follows.
  func hangUp(_ client: Int)
}

/// Gets the lines of the clients of a `LineServer`.
public protocol LineServerDelegate: AnyObject {
  /// A line without its newline, valid during the call.
  func lineReceived(_ line: Span<UInt8>, from client: Int)
  /// A line was longer than `Budget.controlLineBytes`; the client is disconnected after this call.
  func lineTooLong(from client: Int)
  /// The client has disconnected.
  func lineClientDisconnected(_ client: Int)
  /// True while the client waits for an answer: it is not disconnected for being idle.
  func isAwaited(by client: Int) -> Bool
}
