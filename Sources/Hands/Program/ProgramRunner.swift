import Runtime

/// How a run of a program ended.
public struct ProgramEnd: Equatable, Sendable {
  public enum Outcome: Equatable, Sendable {
    /// Its exit status.
    case exited(Int32)
    /// The signal that ended it.
    case signal(Int32)
    /// It was killed at the end of its time, or because nobody waits for it any more.
    case timedOut, cancelled
    /// It did not begin.
    case failed(Errno)
  }

  public var outcome: Outcome
  /// Bytes that are kept of its output and of its errors, and whether there were more.
  public var outputBytes = 0
  public var errorBytes = 0
  public var isOutputCut = false
  public var isErrorCut = false

  /// An end without output.
  public init(_ outcome: Outcome) { self.outcome = outcome }
}

/// Runs programs of the owner.
public protocol ProgramRunner: AnyObject {
  /// Why it runs nothing at all; nil when it does.
  var refusal: StaticString? { get }
  /// Runs the program until its end, or kills it with all that it has begun. Blocks, on a worker.
  /// - Parameter milliseconds: its time
  func run(
    _ path: Path, _ words: ProgramWords, milliseconds: Int64, output: UnsafeMutableBufferPointer<UInt8>,
    errors: UnsafeMutableBufferPointer<UInt8>, cancellation: Cancellation
  ) -> ProgramEnd
}
