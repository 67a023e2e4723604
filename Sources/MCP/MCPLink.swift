import Runtime

// What the program service needs for a child that lives long (`talon-mcp.socket`, `talon-mcp@.service`, `serve-mcp`):
//
// - A socket of its own: `talon-run@.service` ends everything after 660 s, and its `MaxConnections` are for runs. As
//   that one it takes connections of the agent alone (`SocketUser`, `SO_PEERCRED`), one instance for each, at most as
//   many as `Budget.mcpServers`, without `RuntimeMaxSec`; a user of its own, `talon-mcp`, with a folder of its own in
//   memory.
// - A request that names a section and no command (`ServerRequest`). The service reads `[mcp NAME]` of root's own
//   configuration, as `serve-run` reads `[run]`, and runs that command: an agent that was taken over can begin no other
//   program, and give it no other words.
// - After it, plain bytes for the program's standard input from the agent, and frames of `RunMessage` to it. The
//   service waits on four descriptors at once (the socket, and the program's three pipes), and reads from the socket
//   only while what it has read before fits the pipe; so a program that does not read fills the socket, `send` finds no
//   room for a line, and the agent is told that the server is deaf. Output is never cut. Standard error comes as frames
//   of its own: its last line is what `linkLost` tells.
// - The end of the connection ends the program, as for runs: first its standard input is closed, which is how servers
//   are told to end (spec, Lifecycle, Shutdown), and after two seconds the control group is killed.
// - `LimitedProgram.relay` gives programs /dev/null to read; here it is a third pipe. No `RLIMIT_CPU`, which counts
//   over the whole life; `RLIMIT_AS` of Python needs 512 MiB of addresses, while `MemoryMax` of the unit counts pages.

/// A way to one MCP server: a child of the program service, or an address on this board. It carries messages, each a
/// line of JSON; it knows nothing of what they say.
public protocol MCPLink: AnyObject {
  /// Begins the server, or gets ready to ask it. Its delegate, which must live until `close`, hears of it until
  /// `linkLost`, and never before this returns. False when there is no way to begin one.
  func open(_ delegate: any MCPLinkDelegate) -> Bool
  /// Ends the server with everything that it has begun, or forgets the session with it. Nothing is heard of it after.
  /// May be called from within a call of the delegate.
  func close()
  /// Sends a line, which has its line feed; false when the server does not read, so that there is no room for all of
  /// it: then nothing of it is sent. The delegate hears of no answer before this returns.
  func send(_ line: UnsafeBufferPointer<UInt8>) -> Bool
}

/// Gets what a server sends.
public protocol MCPLinkDelegate: AnyObject {
  /// Lines may be sent now.
  func linkOpened()
  /// It has sent these bytes, which are valid during the call: pieces of lines, each of which ends in a line feed.
  func linkReceived(_ bytes: UnsafeBufferPointer<UInt8>)
  /// It has ended, or cannot be begun, for this reason in its own or the service's words, which may be empty. The link
  /// is closed.
  func linkLost(_ words: UnsafeBufferPointer<UInt8>)
}
