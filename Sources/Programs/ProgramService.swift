import Runtime

/// How a program has ended.
public enum ProgramVerdict: Equatable, Sendable {
  case exited(Int32)
  /// By this signal, which may be that of a limit.
  case signal(Int32)
  case timedOut
  /// It was not begun; the sentence came with `programRefused`.
  case refused
  /// The service ended before it.
  case lost
}

/// Gets what a program writes, and its end.
public protocol ProgramDelegate: AnyObject {
  /// It wrote these bytes, which are valid during the call.
  func programWrote(_ bytes: UnsafeBufferPointer<UInt8>, isError: Bool)
  /// It wrote more than it may, which is left out.
  func programCut()
  /// The service does not run it; `programEnded` follows.
  func programRefused(_ sentence: UnsafeBufferPointer<UInt8>)
  /// The run is over.
  func programEnded(_ verdict: ProgramVerdict)
}

/// A way to the service that runs programs as a user of their own: one run at a time.
public protocol ProgramLink: AnyObject {
  /// Begins a run of these words, the program's path or name first. Its delegate, which must live until then, hears
  /// of it until `programEnded`, and never before this returns. False when there is no service.
  func begin(_ words: UnsafeBufferPointer<UInt8>, milliseconds: Int64, _ delegate: any ProgramDelegate) -> Bool
  /// Ends the run, with everything that the program has begun; no `programEnded` follows.
  func cancel()
  /// True when the service is there, as far as that can be seen without a run.
  var hasService: Bool { get }
  /// True when this board has the program.
  func isInstalled(_ path: String) -> Bool
}
