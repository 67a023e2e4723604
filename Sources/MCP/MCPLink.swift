import Runtime

/// A way to one MCP server: a child of the program service, or an address on this board. It carries messages, each a
/// line of JSON; it knows nothing of what they say.
public protocol MCPLink: AnyObject {
  /// Begins the server, or gets ready to ask it. Its delegate, which must live until `close`, hears of it until
  /// `linkLost`, and never before this returns. False when there is no way to begin one.
  func open(_ delegate: any MCPLinkDelegate) -> Bool
  /// Ends the server with everything that it has begun, or forgets the session with it. Nothing is heard of it after.
  /// May be called from within a call of the delegate.
  func close()
  /// The server and Talon speak this revision from now on, until the link is closed.
  func agreed(on revision: MCPVersion)
  /// Sends a line, which has its line feed; false when the server does not read, so that there is no room for all of
  /// it: then nothing of it is sent. The delegate hears of no answer before this returns.
  func send(_ line: UnsafeBufferPointer<UInt8>) -> Bool
  /// When `advance` is to be called, in milliseconds of `Clock.monotonic`; nil: not for now.
  var nextDeadline: Int64? { get }
  /// Does what is due. The delegate may hear of it.
  func advance(to now: Int64)
}

extension MCPLink {
  /// Nothing: lines are the same in all revisions.
  public func agreed(on revision: MCPVersion) {}
}

/// Gets what a server sends.
public protocol MCPLinkDelegate: AnyObject {
  /// Lines may be sent now.
  func linkOpened()
  /// It has sent these bytes, which are valid during the call: pieces of lines, each of which ends in a line feed.
  func linkReceived(_ bytes: UnsafeBufferPointer<UInt8>)
  /// It has written this line to its standard error, which is valid during the call, and cut to
  /// `Budget.mcpErrorBytes`.
  func linkComplained(_ line: UnsafeBufferPointer<UInt8>)
  /// It has ended, or cannot be begun, for this reason in its own or the service's words, which may be empty. The link
  /// is closed.
  func linkLost(_ words: UnsafeBufferPointer<UInt8>)
}
