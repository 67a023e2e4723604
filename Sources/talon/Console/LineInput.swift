import Runtime

/// Lines that a person types, and Ctrl-C meanwhile: while commands wait for the agent, signals are events of their
/// loops, and stay blocked afterwards.
final class LineInput: DescriptorHandler, TimerHandler {
  /// What came, or why nothing more comes.
  enum Line: Equatable {
    /// A line without the space around it.
    case text(String)
    /// A line with more bytes than are read; nothing of it is kept.
    case tooLong
    case ended, interrupted
  }

  private let input: Descriptor
  private let clock = SystemClock()
  private let loop: Loop
  private let buffer: FixedBuffer
  private var count = 0
  /// What is in the buffer belongs to a line that was too long.
  private var isDropping = false
  private var hasEnded = false
  private var isInterrupted = false
  /// True when a person types: then a prompt is shown.
  let isTerminal: Bool

  /// Lines of standard input.
  /// - Parameter bytes: the longest line.
  init(most bytes: Int, of input: Descriptor = Descriptor(0)) throws(Failure) {
    self.input = input
    // One more for each byte of the line's end.
    buffer = FixedBuffer(capacity: bytes + 2)
    isTerminal = Self.isTerminal(input)
    do throws(Errno) {
      loop = try Loop(clock: clock)
    } catch {
      throw Failure(.system, "standard input cannot be read: \(String(error.text))")
    }
  }

  /// True when a person types there.
  static func isTerminal(_ input: Descriptor = Descriptor(0)) -> Bool {
    do throws(Errno) {
      _ = try Syscall.terminalSize(input)
      return true
    } catch {
      return false
    }
  }

  /// The next line; waits for it.
  func next() throws(Failure) -> Line {
    if isTerminal { show("> ") }
    while true {
      if let line = cut() { return line }
      if isInterrupted { return .interrupted }
      if hasEnded { return .ended }
      try wait(readsInput: true, until: nil)
    }
  }

  /// Waits so long, or only looks for Ctrl-C for 0; false after that.
  func pause(milliseconds: Int64) throws(Failure) -> Bool {
    // A timer that is due already would stop the loop before it looks at any descriptor.
    if !isInterrupted { try wait(readsInput: false, until: clock.monotonic + max(milliseconds, 1)) }
    return !isInterrupted
  }

  private func show(_ text: StaticString) {
    do throws(Errno) { try Syscall.writeAll(Descriptor(2), UnsafeRawBufferPointer(text.bytes)) } catch {}
  }

  // MARK: Buffer

  /// A line out of the buffer; nil while none has ended.
  private func cut() -> Line? {
    let bytes = buffer.bytes
    for index in 0..<count where bytes[index] == UInt8(ascii: "\n") { return cut(at: index, skipping: 1) }
    if count == bytes.count { (isDropping, count) = (true, 0) }
    return hasEnded && (count > 0 || isDropping) ? cut(at: count, skipping: 0) : nil
  }

  private func cut(at end: Int, skipping: Int) -> Line {
    let bytes = buffer.bytes
    let line: Line = isDropping ? .tooLong : .text(ConfigurationKey.trimmed(Array(bytes[..<end])[...]))
    let rest = end + skipping
    for index in rest..<max(count, rest) { bytes[index - rest] = bytes[index] }
    count = max(count - rest, 0)
    isDropping = false
    return line
  }

  // MARK: Waiting

  private func wait(readsInput: Bool, until deadline: Int64?) throws(Failure) {
    do throws(Errno) {
      let relay = LineRelay()
      relay.input = self
      let signals = try Signals(loop: loop) { _ in relay.input?.interrupted() }
      defer {
        relay.input = nil
        signals.close()
      }
      if let deadline { loop.setTimer(TimerID(0), of: self, at: deadline) }
      defer { loop.cancelTimer(TimerID(0), of: self) }
      if readsInput { try waitForInput() } else { try loop.run() }
    } catch {
      throw Failure(.system, "standard input cannot be read: \(String(error.text))")
    }
  }

  /// Waits for input, or Ctrl-C. A file is always there: the kernel watches none (`epoll_ctl(2)`, EPERM).
  private func waitForInput() throws(Errno) {
    do throws(Errno) {
      try loop.watch(input, for: .readable, self)
    } catch {
      guard error == .notPermitted else { throw error }
      return try read()
    }
    defer { loop.unwatch(input) }
    try loop.run()
  }

  fileprivate func interrupted() {
    isInterrupted = true
    loop.stop()
  }

  func timerFired(_ id: TimerID) { loop.stop() }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    do throws(Errno) { try read() } catch { hasEnded = true }
    loop.stop()
  }

  private func read() throws(Errno) {
    let free = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer.bytes[count...]))
    let read = try Syscall.read(input, into: free)
    if read == 0 { hasEnded = true }
    count += read
  }
}

/// Breaks the reference cycle between the signals and the input.
private final class LineRelay {
  var input: LineInput?
}
