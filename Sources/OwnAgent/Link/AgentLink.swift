/// The connection between the node and the agent's process: bytes of frames in both directions, in their order. It
/// keeps nothing that it cannot send.
public protocol AgentLink: AnyObject {
  /// Connects; the delegate lives until `close`, or until it was told of a loss. False when nobody is there.
  func open(_ delegate: any AgentLinkDelegate) -> Bool
  /// Sends as many of these bytes as there is room for, and returns how many; when not all, the delegate is told once
  /// there is room again. 0 without a connection.
  func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int
  /// Ends the connection; the delegate is told nothing more.
  func close()
}

/// Gets what arrives on an `AgentLink`.
public protocol AgentLinkDelegate: AnyObject {
  /// Where the next bytes are to be written; never empty.
  func agentLinkRoom() -> UnsafeMutableBufferPointer<UInt8>
  /// So many bytes were written there. The delegate may close the link.
  func agentLinkReceived(_ count: Int)
  /// There is room to send more.
  func agentLinkIsWritable()
  /// The other side has ended the connection, or it failed. The link is closed.
  func agentLinkLost()
}
