import Programs
import Runtime

/// Carries bytes between the agent and the program of an MCP server, until either ends: what the agent sends goes to
/// the program's standard input, and what the program writes comes back in frames. Nothing is lost and nothing is cut:
/// a program that does not read fills its pipe and then the agent's socket, and one whose output the agent does not
/// read has to wait.
final class ServerRelay: DescriptorHandler, TimerHandler {
  private static let farewell = TimerID(0), reaping = TimerID(1)
  /// Milliseconds between looks whether a program that has closed its output has ended.
  private static let lookMilliseconds: Int64 = 50

  private let socket: Descriptor
  private let loop: Loop
  private let clock: SystemClock
  private let frame = FixedBuffer(capacity: 3 + Budget.runFrameBytes)
  private let piece = FixedBuffer(capacity: Budget.runFrameBytes)
  /// What the program has not read yet: `sent` bytes of the first `used` have gone.
  private let input = FixedBuffer(capacity: Budget.mcpInputBytes)
  private var (sent, used) = (0, 0)
  private var program: LimitedProgram.Running?
  /// The agent is there; what it sends is read.
  private var (hasAgent, isReading) = (true, true)
  /// The program's input is open, and watched for room; its errors are open.
  private var (hasInput, isWatchingRoom, hasErrors) = (true, false, true)
  private var signals: Signals?

  /// A relay for a connection.
  init(_ socket: Descriptor, loop: Loop, clock: SystemClock) throws(Errno) {
    self.socket = socket
    self.loop = loop
    self.clock = clock
    signals = try Signals(loop: loop) { [unowned(unsafe) self] signal in if signal == .stop { self.loop.stop() } }
  }

  /// Serves until the program and the connection have ended.
  func run(_ program: LimitedProgram.Running) throws(Errno) {
    self.program = program
    defer {
      _ = LimitedProgram.end(program)
      signals?.close()
    }
    try loop.watch(program.output, for: .readable, self)
    try loop.watch(program.errors, for: .readable, self)
    send(.begun, UnsafeBufferPointer(start: nil, count: 0))
    if hasAgent { try loop.watch(socket, for: .readable, self) }
    try loop.run()
  }

  // MARK: Watching

  /// Reads from the agent, or waits for the program to read. The loop tells of the agent's end in either case.
  private func setReading(_ isReading: Bool) throws(Errno) {
    guard let program, hasAgent, hasInput, isReading != self.isReading else { return }
    self.isReading = isReading
    try loop.change(socket, to: isReading ? .readable : [])
    if isReading { loop.unwatch(program.input) } else { try loop.watch(program.input, for: .writable, self) }
    isWatchingRoom = !isReading
  }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    guard let program else { return }
    do throws(Errno) {
      if descriptor == socket {
        if readiness.contains(.readable) { try receive() } else { loseAgent() }
      } else if descriptor == program.input {
        try flush()
      } else {
        try relay(descriptor, isError: descriptor == program.errors)
      }
    } catch {
      loop.stop()
    }
  }

  // MARK: To the program

  /// Reads from the agent, only while what was read before has gone.
  private func receive() throws(Errno) {
    let count: Int
    do throws(Errno) { count = try Syscall.receiveStream(socket, into: input.bytes) } catch {
      if error != .wouldBlock { loseAgent() }
      return
    }
    guard count > 0 else { return loseAgent() }
    if !hasInput { return }
    (sent, used) = (0, count)
    try flush()
  }

  private func flush() throws(Errno) {
    guard let program, hasInput else { return }
    while sent < used {
      let rest = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(input.bytes)[sent..<used])
      do throws(Errno) { sent += try Syscall.write(program.input, UnsafeRawBufferPointer(rest)) } catch {
        if error == .wouldBlock { return try setReading(false) }
        // The program has closed its input: what is sent to it goes nowhere.
        sent = used
      }
    }
    try setReading(true)
  }

  // MARK: From the program

  private func relay(_ pipe: Descriptor, isError: Bool) throws(Errno) {
    var count = 0
    do throws(Errno) { count = try Syscall.read(pipe, into: UnsafeMutableRawBufferPointer(piece.bytes)) } catch {
      if error == .wouldBlock { return }
      throw error
    }
    if count > 0 {
      let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece.bytes)[..<count])
      return send(isError ? .errors : .output, bytes)
    }
    loop.unwatch(pipe)
    if isError { hasErrors = false }
    // One that says nothing any more is no server: it ends, or is ended.
    if !isError { leave() }
  }

  /// Waits for an agent that reads slowly, and the program with it.
  private func send(_ kind: RunMessage.Kind, _ body: UnsafeBufferPointer<UInt8>) {
    let length = RunMessage.write(kind, body, into: frame.bytes)
    var done = 0
    while done < length, hasAgent {
      do throws(Errno) {
        done += try Syscall.send(socket, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(frame.bytes)[done..<length]))
      } catch {
        guard error == .wouldBlock else { return loseAgent() }
        Syscall.pause(milliseconds: 5)
      }
    }
  }

  // MARK: The end

  private func loseAgent() {
    guard hasAgent else { return }
    loop.unwatch(socket)
    hasAgent = false
    leave()
  }

  /// The agent has gone, or the program's output has ended: its input ends, which tells it to end, and what does not is
  /// killed after a while. What it writes to its errors until then is still told.
  private func leave() {
    guard let program, hasInput else { return }
    if isWatchingRoom { loop.unwatch(program.input) }
    (hasInput, isWatchingRoom) = (false, false)
    program.input.close()
    loop.setTimer(Self.farewell, of: self, at: clock.monotonic + Budget.mcpFarewellMilliseconds)
    timerFired(Self.reaping)
  }

  func timerFired(_ id: TimerID) {
    guard let program else { return }
    if id == Self.farewell || !hasErrors && LimitedProgram.hasEnded(program) { return loop.stop() }
    loop.setTimer(Self.reaping, of: self, at: clock.monotonic + Self.lookMilliseconds)
  }
}
