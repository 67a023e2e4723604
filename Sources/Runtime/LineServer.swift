/// Talks in lines with the clients of this machine. A client is a small number, which is used again once it is gone.
public protocol LineServer: AnyObject {
  /// Sends one line: `write` puts it, without its newline, into the buffer, and answers its length, or nil when it does
  /// not fit. False when nothing was sent: the client is gone, or reads so slowly that it was dropped just now, or the
  /// line is larger than `Budget.controlOutputBytes`.
  func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool

  /// Ends a client's connection after what was sent to it. No `lineClientGone` follows.
  func hangUp(_ client: Int)
}

/// Told what the clients of a `LineServer` say.
public protocol LineServerDelegate: AnyObject {
  /// A line without its newline, gone when this returns.
  func lineReceived(_ line: Span<UInt8>, from client: Int)
  /// A line was longer than `Budget.controlLineBytes`; the connection ends behind this call.
  func lineTooLong(from client: Int)
  /// The client is gone.
  func lineClientGone(_ client: Int)
  /// Something is still to be said to the client: it may be silent until then.
  func isAwaited(by client: Int) -> Bool
}
