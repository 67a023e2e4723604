import Runtime

/// `kind = program`.
public struct ProgramSettings: Sendable {
  /// Nil until the configuration names it.
  public var template: ProgramTemplate?
  /// Milliseconds that it may run.
  public var timeout = Budget.programMilliseconds
  /// The user that it runs as, where Talon is root; empty: Talon's own.
  public var user = ""

  /// No program.
  public init() {}
}
