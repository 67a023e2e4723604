import CLinux

/// Gets the output and the end of a child process.
public protocol ChildProcessDelegate: AnyObject {
  /// It wrote these bytes, which are valid during the call. Returns how many were taken; the others come again after
  /// `resume`.
  func childWrote(_ bytes: Span<UInt8>) -> Int
  /// Its input has room again after `offer` could not write everything.
  func childReadyForInput()
  /// It has ended and all of its output was delivered: its exit code, or 128 plus the number of the signal that ended
  /// it.
  func childEnded(_ code: Int32)
}

/// A child process with one pipe for its output and one for its input. It leads a process group of its own, never
/// blocks the loop, and is killed when the thread that has started it ends, in whatever way.
public final class ChildProcess: DescriptorHandler, TimerHandler {
  /// A page; what a child writes faster waits in its pipe.
  private static let bufferBytes = 4096
  private static let reapTimer = TimerID(0), stopTimer = TimerID(1)
  /// Milliseconds between checks whether a program that has closed its output has ended.
  private static let reapMilliseconds: Int64 = 20
  private static let interruptSignal: Int32 = 2, killSignal: Int32 = 9

  private let loop: Loop
  private let clock: any Clock
  private let buffer = FixedBuffer(capacity: bufferBytes)
  /// Bytes that the delegate has not taken yet.
  private var waiting = 0..<0
  private var pid: Int32 = 0
  private var output: Descriptor?
  private var input: Descriptor?
  private var isWatched = false
  private var isInputWatched = false
  private var isStopping = false
  /// Must live as long as a program runs.
  public unowned(unsafe) var delegate: any ChildProcessDelegate

  @export(interface)
  public init(loop: Loop, clock: any Clock, delegate: any ChildProcessDelegate) {
    self.loop = loop
    self.clock = clock
    self.delegate = delegate
  }

  public var isRunning: Bool { pid != 0 }

  /// Runs a program; `arguments` with its own name first. One at a time.
  public func start(_ path: Path, _ arguments: [String]) throws(Errno) {
    precondition(!isRunning)
    let (childInput, ours) = try Process.pipe()
    do throws(Errno) {
      let (reader, childOutput) = try Process.pipe()
      do throws(Errno) {
        try check(tl_non_blocking(ours.number))
        try check(tl_non_blocking(reader.number))
        pid = try Process.spawn(
          path, arguments, input: childInput, output: childOutput, errors: childOutput, ownGroup: true)
      } catch {
        reader.close()
        childOutput.close()
        throw error
      }
      childOutput.close()
      output = reader
    } catch {
      childInput.close()
      ours.close()
      throw error
    }
    childInput.close()
    input = ours
    (waiting, isStopping) = (0..<0, false)
    watch()
  }

  /// Writes to the program's input. What its pipe has no room for is lost.
  public func write(_ text: UnsafeBufferPointer<UInt8>) {
    guard let input else { return }
    do throws(Errno) { _ = try Syscall.write(input, UnsafeRawBufferPointer(text)) } catch {}
  }

  /// Writes as many of these bytes as the program's pipe has room for, and returns how many. If that is not all,
  /// `childReadyForInput` or `childEnded` follows.
  public func offer(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let input else { return 0 }
    var count = 0
    do throws(Errno) {
      while count < bytes.count {
        count += try Syscall.write(input, UnsafeRawBufferPointer(rebasing: bytes[count...]))
      }
    } catch {
      // EPIPE: it has closed its input and is about to end, which the end of its output reports.
      if error == .wouldBlock { watchInput(input) }
    }
    return count
  }

  private func watchInput(_ input: Descriptor) {
    if isInputWatched { return }
    do throws(Errno) {
      try loop.watch(input, for: .writable, self)
      isInputWatched = true
    } catch {
      stop()
    }
  }

  /// Closes the program's input.
  public func endInput() {
    if let input, isInputWatched { loop.unwatch(input) }
    isInputWatched = false
    input?.close()
    input = nil
  }

  /// Asks the program and those that it runs to stop (SIGINT); the second time, or when that takes too long, it is
  /// killed.
  public func stop() {
    guard isRunning else { return }
    _ = tl_kill(-pid, isStopping ? Self.killSignal : Self.interruptSignal)
    if !isStopping {
      loop.setTimer(Self.stopTimer, of: self, at: clock.monotonic + Budget.consoleStopMilliseconds)
    }
    isStopping = true
    // Its remaining output is read, so that a full pipe does not keep it from ending.
    resume()
  }

  /// The delegate can take output again.
  public func resume() {
    guard isRunning else { return }
    if !waiting.isEmpty { deliver() }
    if waiting.isEmpty { watch() }
  }

  // MARK: Output

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    if descriptor == input { return inputReady(descriptor) }
    do throws(Errno) {
      let count = try Syscall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer.bytes))
      if count == 0 { return outputEnded() }
      waiting = 0..<count
      deliver()
    } catch {
      if error != .wouldBlock { outputEnded() }
    }
  }

  private func inputReady(_ input: Descriptor) {
    loop.unwatch(input)
    isInputWatched = false
    delegate.childReadyForInput()
  }

  private func deliver() {
    let rest = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[waiting])
    let taken = delegate.childWrote(Span(_unsafeElements: rest))
    waiting = waiting.lowerBound + taken..<waiting.upperBound
    // A pipe whose other end is closed is always ready, so it is not watched while the delegate takes nothing.
    if !waiting.isEmpty { unwatch() }
  }

  private func watch() {
    guard let output, !isWatched else { return }
    do throws(Errno) {
      try loop.watch(output, for: .readable, self)
      isWatched = true
    } catch {
      outputEnded()
    }
  }

  private func unwatch() {
    guard let output, isWatched else { return }
    loop.unwatch(output)
    isWatched = false
  }

  private func outputEnded() {
    unwatch()
    output?.close()
    output = nil
    endInput()
    reap()
  }

  public func timerFired(_ id: TimerID) {
    if id == Self.stopTimer { stop() } else { reap() }
  }

  private func reap() {
    guard let code = Process.ended(pid) else {
      return loop.setTimer(Self.reapTimer, of: self, at: clock.monotonic + Self.reapMilliseconds)
    }
    loop.cancelTimer(Self.stopTimer, of: self)
    pid = 0
    delegate.childEnded(code)
  }
}

extension Process {
  /// Runs a program on a terminal and waits for its end, for a person's shell. Returns its exit code.
  public static func run(_ path: Path, _ arguments: [String], terminal: Descriptor) throws(Errno) -> Int32 {
    let pid = try spawn(path, arguments, input: terminal, output: terminal, errors: terminal, ownGroup: false)
    return Int32(try check(tl_wait(pid, 1)))
  }

  /// Sets an environment variable for child processes.
  public static func setEnvironment(_ name: StaticString, _ value: String) {
    var value = value
    value.append("\0")
    value.withBytes { bytes in
      _ = tl_set_environment(name.path, UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self))
    }
  }

  static func pipe() throws(Errno) -> (reader: Descriptor, writer: Descriptor) {
    var (reader, writer): (Int32, Int32) = (-1, -1)
    try check(tl_pipe(&reader, &writer))
    return (Descriptor(reader), Descriptor(writer))
  }

  /// How a child ended, or nil while it runs.
  static func ended(_ pid: Int32) -> Int32? {
    let result = tl_wait(pid, 0)
    // ECHILD (10): it is gone already.
    return result == -11 ? nil : Int32(truncatingIfNeeded: max(result, 0))
  }

  static func spawn(
    _ path: Path, _ arguments: [String], input: Descriptor, output: Descriptor, errors: Descriptor?, ownGroup: Bool
  ) throws(Errno) -> Int32 {
    let result = withArguments(arguments) { list in
      tl_spawn(path.cString, list, input.number, output.number, errors?.number ?? -1, ownGroup ? 1 : 0)
    }
    withExtendedLifetime(path) {}
    return Int32(try check(result))
  }
}

/// A command line as a C array of strings (`argv`), valid while `body` runs.
func withArguments<Result>(_ words: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result
{
  // All words in one buffer, each null-terminated, and the offsets at which they begin.
  var text: [CChar] = []
  var starts: [Int] = []
  for word in words {
    starts.append(text.count)
    for byte in word.utf8 where byte != 0 { text.append(CChar(bitPattern: byte)) }
    text.append(0)
  }
  return text.withUnsafeMutableBufferPointer { text in
    var list: [UnsafeMutablePointer<CChar>?] = []
    for start in starts { list.append(text.baseAddress! + start) }
    list.append(nil)
    return list.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
