import Programs
import Runtime

/// What the owner allows gateways to run, and the ways to the service that runs it.
public struct RunBoard {
  /// The programs; never empty.
  public var list: ProgramList
  /// Milliseconds that a program may run, where the gateway does not ask for less.
  public var milliseconds: Int64
  /// Bytes of output and errors together that are kept.
  public var outputBytes: Int
  /// One for each run at a time; at most `Budget.runsAtOnce` are used.
  public var links: [any ProgramLink]

  /// Programs of the board; see the properties.
  public init(
    list: ProgramList, milliseconds: Int64 = Budget.runMilliseconds, outputBytes: Int = Budget.runOutputBytes,
    links: [any ProgramLink]
  ) {
    self.list = list
    self.milliseconds = milliseconds
    self.outputBytes = outputBytes
    self.links = links
  }
}
