/// Which tools the owner lets the agent have.
public enum ToolChoice: Equatable, Sendable {
  /// None: the gateway hears nothing of tools.
  case none
  /// Those that neither see nor hear nor move anything, and do not say where the board is.
  case safe
  /// All that this board has.
  case all
  /// The named ones.
  case named([String])
}

/// The configuration of tools (`[tools]`).
public struct ToolSettings: Sendable {
  public var choice = ToolChoice.none
  /// What the owner says of this board, for the descriptions of its tools; empty without.
  public var about = ""

  /// The owner has chosen; otherwise it is the default, and an approval that is missing is no fault.
  public var isAskedFor = true

  /// No tools.
  public init() {}
}
