extension Budget {

  // MARK: The owner's MCP servers

  /// Sections `[mcp NAME]`: a Python server alone takes some 40 MB while it runs, and a board has 512.
  public static let mcpServers = 4
  /// Its name in bytes: it stands before the name of each of its tools.
  public static let mcpServerNameBytes = 12
  /// Tools of each server: with those of the board they stay far below the 128 that a gateway keeps
  /// (newer-gateways 1.1) and the 64 that a publication can tell apart in its answers, where servers have few.
  public static let mcpTools = 32
  /// Pages of a list of tools: one tool on each at worst, and a last one that is empty.
  public static let mcpPages = mcpTools + 1
  /// Bytes of a tool's name as an agent reads it, with the server's before it: gateways take 64, and 12 of the board's
  /// own name and a `_` come before both.
  public static let mcpToolNameBytes = 48
  /// Bytes of a server's name of a tool: what the specification of 2025-11-25 lets a name have.
  public static let mcpRemoteNameBytes = 128
  /// Bytes of a tool's description that are passed on: gateways cut at 1024, and the board's own words come with it.
  public static let mcpDescriptionBytes = 600
  /// A schema in bytes, and its nesting: what models read well, and so much that all tools together fit a message.
  public static let mcpSchemaBytes = 8 * 1024
  public static let mcpSchemaDepth = 16
  /// Names, descriptions and schemas of all tools of one server. Address space until it is used, twice for each server:
  /// a new list is read while the old one is in use.
  public static let mcpListBytes = 128 * 1024
  /// Bytes of the place of the next page of a list, as the server writes it.
  public static let mcpCursorBytes = 512
  /// One line of a server: a picture of 700 KB as base64, with room for its words. Address space until it is used, and
  /// given back after a long line.
  public static let mcpLineBytes = 1024 * 1024
  /// Of its memory, what is kept between two lines.
  public static let mcpLineKept = 64 * 1024
  /// Bytes of one line that are read to its end without being held; a server that sends more without a line end is
  /// ended.
  public static let mcpSkippedBytes = 16 * 1024 * 1024
  /// Nesting of what a server sends, as of what a gateway sends.
  public static let mcpDepth = 64
  /// Calls of one server at once: as many as the agents of a gateway may have (`toolCalls`).
  public static let mcpCalls = 4
  /// A call as it is sent, its arguments among it, in bytes. Address space until it is used.
  public static let mcpRequestBytes = 64 * 1024
  /// Text of a result in bytes: some 16,000 tokens. What is more is counted, and left out.
  public static let mcpTextBytes = 64 * 1024
  /// Pictures of a result, as base64, in bytes: a photo of 1600 pixels.
  public static let mcpPictureBytes = 960 * 1024
  /// Facts (structuredContent) of a result in bytes, and their nesting, which a gateway limits, too.
  public static let mcpFactsBytes = 64 * 1024
  public static let mcpFactsDepth = 16
  /// Blocks of a result.
  public static let mcpBlocks = 32
  /// Results that are sent at once, as many as tools may be called at once, and one as it is sent, in bytes: its text,
  /// in which each byte may be escaped, its pictures, its facts, and sentences. Address space while nothing is sent.
  public static let mcpResults = toolCalls
  public static let mcpResultBytes = 2 * mcpTextBytes + mcpPictureBytes + mcpFactsBytes + 64 * 1024
  /// Words of a server within a sentence of ours, in bytes.
  public static let mcpQuotedBytes = 160
  /// Lines in a second that nobody waits for: notifications, requests and answers to nothing, and blank ones. More are
  /// counted, and not read; with so many as the second number, in which each KiB counts as one more line, the server is
  /// ended.
  public static let mcpLinesPerSecond = 200
  public static let mcpFloodPerSecond = 5_000
  /// Milliseconds for a server to begin and to greet, for a Python server reads its packages from an SD card first; and
  /// for each page of its tools.
  public static let mcpStartMilliseconds: Int64 = 60_000
  public static let mcpStepMilliseconds: Int64 = 30_000
  /// Milliseconds for the answer to a ping, which is sent after a call that got none.
  public static let mcpPingMilliseconds: Int64 = 10_000
  /// Milliseconds of a call without a sign of it, unless the owner says otherwise, and what may be configured, in
  /// seconds: a gateway ends a call after 120 s (newer-gateways 1.2).
  public static let mcpCallMilliseconds: Int64 = 60_000
  public static let mcpCallSeconds: ClosedRange<Int64> = 1...110
  /// Milliseconds between two signs of progress that are passed on for one call.
  public static let mcpProgressMilliseconds: Int64 = 1_000
  /// Milliseconds without a call after which a server is ended, and what may be configured, in minutes.
  public static let mcpIdleMilliseconds: Int64 = 600_000
  public static let mcpIdleMinutes: ClosedRange<Int64> = 1...1_440
  /// Milliseconds before a server that failed is begun again: at first, and at most.
  public static let mcpPauses: ClosedRange<Int64> = 1_000...300_000
  /// Milliseconds after which a server that runs counts as well, and its next failure as its first.
  public static let mcpWellMilliseconds: Int64 = 60_000
  /// Milliseconds from the news that the tools have changed to the question for them, in which more such news may come;
  /// and least milliseconds between two such questions.
  public static let mcpSettleMilliseconds: Int64 = 1_000
  public static let mcpListSpacing: Int64 = 10_000
  /// Lines that wait in the agent until a server reads them, in bytes: all calls at once, and a short line. Address
  /// space until it is used. One that reads less is deaf.
  public static let mcpWaitingBytes = mcpCalls * mcpRequestBytes + mcpCursorBytes + 512
  /// Connections to a server at an address: one for each call, and one for everything else, one line after the other.
  public static let mcpLanes = mcpCalls + 1
  /// Bytes of short lines that wait for the one before them: a greeting, a question and some signs.
  public static let mcpShortBytes = 8 * 1024
  /// Bytes of an answer that are read at once, for each connection. Address space until it is used.
  public static let mcpPieceBytes = 16 * 1024
  /// Milliseconds for one request to an address: as long as a gateway may wait for a call. And milliseconds of silence
  /// of the server, which the client notices itself before.
  public static let mcpRequestMilliseconds: Int64 = 600_000
  public static let mcpSilenceMilliseconds: Int64 = 130_000
  /// Bytes of calls that the service holds until the program reads them: what a pipe holds (pipe(7)).
  public static let mcpInputBytes = 64 * 1024
  /// Processes and threads of the servers' user, whichever server they belong to: an interpreter of JavaScript alone
  /// has some ten threads. And files that each may have open.
  public static let mcpProcesses = 128
  public static let mcpOpenFiles = 256
  /// Milliseconds between the end of a program's input, which tells it to end (MCP, Lifecycle), and its being killed.
  public static let mcpFarewellMilliseconds: Int64 = 2_000
  /// What a server writes to its standard error: bytes of a line that are kept, and lines in a minute that get into the
  /// log. Some write a line for each call.
  public static let mcpErrorBytes = 160
  public static let mcpErrorLinesPerMinute = 10
  /// Words of a server's command, and all of them in bytes, each with a zero byte after it.
  public static let mcpWords = 32
  public static let mcpCommandBytes = 2_048
  /// Bytes of a server's address.
  public static let mcpURLBytes = 256
}
