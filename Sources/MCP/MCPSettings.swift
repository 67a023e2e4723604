import Runtime

/// One section `[mcp NAME]` of the configuration.
public struct MCPSettings: Equatable, Sendable {
  /// a to z, 0 to 9 and `_`, a letter first, at most `Budget.mcpServerNameBytes`; unique.
  public let name: String
  /// The program and its words; empty where `url` is set.
  public var command: [String] = []
  /// The program may open sockets, and so use the network.
  public var hasNetwork = false
  /// An address on this board, http or https; empty where `command` is set.
  public var url = ""
  /// What the owner tells the agent of it.
  public var about = ""
  /// The tools to publish, by the server's own names for them; empty: all.
  public var tools: [String] = []
  /// Those of which the owner says that they change and tell nothing that matters. What a server says of itself
  /// (`readOnlyHint`) does not count: it would be the judge of its own rights.
  public var safe: [String] = []
  /// Milliseconds of a call without a sign of it.
  public var timeout = Budget.mcpCallMilliseconds
  /// Milliseconds without a call after which the server is ended.
  public var idle = Budget.mcpIdleMilliseconds
  /// The line of the file where its section begins, for complaints.
  public let fileLine: Int

  /// The settings of a section that begins.
  public init(name: String, fileLine: Int = 0) {
    self.name = name
    self.fileLine = fileLine
  }
}
