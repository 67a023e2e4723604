import Runtime

/// Reads lines of standard input, and hears Ctrl-C meanwhile: while commands wait for the agent, signals are events of
/// their loops, and stay blocked afterwards.
final class ChatPrompt: DescriptorHandler {
  private let input = Descriptor(0)
  private let loop: Loop
  private let buffer = FixedBuffer(capacity: Budget.chatMessageBytes + 2)
  private var count = 0
  private var hasEnded = false
  private var isInterrupted = false
  /// True when a person types: then a prompt is shown.
  let isShown: Bool

  init() throws(Failure) {
    do throws(Errno) {
      loop = try Loop(clock: SystemClock())
      isShown = Self.isTerminal(Descriptor(0))
    } catch {
      throw Failure(.system, "standard input cannot be read: \(String(error.text))")
    }
  }

  private static func isTerminal(_ input: Descriptor) -> Bool {
    do throws(Errno) {
      _ = try Syscall.terminalSize(input)
      return true
    } catch {
      return false
    }
  }

  /// The next line, trimmed; nil at the end, and after Ctrl-C.
  func next() throws(Failure) -> String? {
    if isShown { show("> ") }
    while true {
      if let line = take() { return line }
      if hasEnded || isInterrupted { return nil }
      if count == buffer.bytes.count {
        count = 0
        throw Failure(.usage, "a message has at most \(Budget.chatMessageBytes) bytes")
      }
      do throws(Errno) { try wait() } catch {
        throw Failure(.system, "standard input cannot be read: \(String(error.text))")
      }
    }
  }

  private func show(_ text: StaticString) {
    do throws(Errno) { try Syscall.writeAll(Descriptor(2), UnsafeRawBufferPointer(text.bytes)) } catch {}
  }

  /// A line out of the buffer.
  private func take() -> String? {
    let bytes = buffer.bytes
    for index in 0..<count where bytes[index] == UInt8(ascii: "\n") { return cut(at: index, skipping: 1) }
    return hasEnded && count > 0 ? cut(at: count, skipping: 0) : nil
  }

  private func cut(at end: Int, skipping: Int) -> String {
    let bytes = buffer.bytes
    let line = ConfigurationKey.trimmed(Array(bytes[..<end])[...])
    let rest = end + skipping
    for index in rest..<max(count, rest) { bytes[index - rest] = bytes[index] }
    count = max(count - rest, 0)
    return line
  }

  /// Waits for input, or Ctrl-C. A file is always there: the kernel watches none (`epoll_ctl(2)`, EPERM).
  private func wait() throws(Errno) {
    let relay = PromptRelay()
    relay.prompt = self
    let signals = try Signals(loop: loop) { _ in relay.prompt?.interrupted() }
    defer {
      relay.prompt = nil
      signals.close()
    }
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

/// Breaks the reference cycle between the signals and the prompt.
private final class PromptRelay {
  var prompt: ChatPrompt?
}
