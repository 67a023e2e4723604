import Codec
import Runtime

/// Why a call of a server's tool has no result. Each is a sentence that an agent can act on.
public struct MCPFailure: WireError {
  /// What went wrong.
  public enum Kind: Equatable, Sendable, CaseIterable {
    /// The server failed, and is begun again after `wait`.
    case resting
    /// The server failed while the call was under way: whether it was done is not known.
    case lost
    /// A person holds the board.
    case held
    /// It has no such tool any more.
    case gone
    /// Too many calls are under way.
    case busy
    /// The arguments are too long, or no object.
    case longArguments, noObject
    /// It does not read what it is sent.
    case deaf
    /// There was no sign of the call in time.
    case timedOut
    /// It refuses the call, in its own words.
    case refused
    /// Its answer is too long; is no result.
    case longResult, noResult
  }

  public let kind: Kind
  /// Why the server failed.
  public var trouble = MCPSession.Trouble.none
  /// Milliseconds until it is begun again.
  public var wait: Int64 = 0
  /// Words of the server, on one line.
  public var words = InlineText<160>()

  /// A failure without words.
  public init(_ kind: Kind) { self.kind = kind }

  public var wire: (code: StaticString, text: StaticString) {
    switch kind {
    case .resting: ("MCP_SERVER_UNAVAILABLE", "the server of this tool ")
    case .lost: ("MCP_SERVER_UNAVAILABLE", "the server of this tool ")
    case .held: ("MCP_SERVER_UNAVAILABLE", "a person at the board has stopped it")
    case .gone: ("MCP_TOOL_UNAVAILABLE", "the server does not have this tool any more")
    case .busy: ("MCP_SERVER_UNAVAILABLE", "the server is busy with other calls: try again in some seconds")
    case .longArguments: ("MCP_TOOL_ERROR", "the arguments are too long")
    case .noObject: ("MCP_TOOL_ERROR", "the arguments must be an object")
    case .deaf: ("MCP_SERVER_UNAVAILABLE", "the server does not read what it is sent: try again in some seconds")
    case .timedOut: ("MCP_TOOL_TIMEOUT", "the server did not answer in time; it was told to stop")
    case .refused: ("MCP_TOOL_ERROR", "the server refused the call")
    case .longResult: ("MCP_TOOL_ERROR", "the result is longer than this board takes: ask for less")
    case .noResult: ("MCP_TOOL_ERROR", "the server answered with something that is no result")
    }
  }

  public func writeDetail(to writer: inout ByteWriter) {
    switch kind {
    case .resting:
      writer.text(trouble.sentence)
      writer.text(": it is started again in ")
      writer.decimal(max(wait + 999, 1_000) / 1_000)
      writer.text(" s, and may be called then")
    case .lost:
      writer.text(trouble.sentence)
      writer.text(" during the call: whether the call was carried out is not known")
    case .refused:
      guard !words.isEmpty else { return }
      writer.text(": ")
      words.span.withUnsafeBufferPointer { bytes in
        _ = QuotedText.write(bytes, most: Budget.mcpQuotedBytes) { writer.byte($0) }
      }
    case .longResult:
      writer.text(" (at most ")
      writer.decimal(Int64(Budget.mcpLineBytes))
      writer.text(" bytes)")
    default: return
    }
  }
}
