import Board
import Codec
import Runtime

/// `talon talk`: push to talk and talk mode of the running agent.
enum TalkCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath)
    let folder = configuration.runtimeDirectory
    if options.has("--follow") { return try follow(folder) }
    if let mode = options.value("--mode") { return try set(mode, folder) }
    guard options.has("--once") else { return try HeldTalk(folder: folder).run() }
    Console.out("listening: say it, and be silent")
    return try printResult(ask("once", folder))
  }

  private static func ask(_ action: String, _ folder: String) throws(Failure) -> [UInt8] {
    try BoardCommands.check(
      ConsoleClient(folder: folder).ask("talk") { writer in
        writer.key("action")
        writer.string(action)
      })
  }

  /// Prints the result of a capture.
  static func printResult(_ line: [UInt8]) throws(Failure) -> ExitCode {
    let root = JSONView(line.span)
    guard let result = root.member("result") else {
      throw Failure(.temporary, "the agent's answer has no status; see talon log")
    }
    let text = result.text("transcript")
    if !text.isEmpty { Console.show("understood: \(text)") }
    switch result.text("status") {
    case "queued": return .ok
    case "offline":
      Console.out("the gateway is away: it goes there when it is back within five minutes")
      return .ok
    case "cancelled": throw Failure(.temporary, "it was dropped")
    case "busy": throw Failure(.temporary, "another capture is under way")
    case "empty": throw Failure(.temporary, "nothing was understood")
    case "idle": throw Failure(.temporary, "the capture had already ended")
    default: throw Failure(.temporary, "it could not be sent; see talon log")
    }
  }

  private static func set(_ mode: String, _ folder: String) throws(Failure) -> ExitCode {
    guard mode == "on" || mode == "off" || mode == "status" else {
      throw Failure(.usage, "--mode is on, off or status")
    }
    let line = try ask(mode, folder)
    let root = JSONView(line.span)
    guard let result = root.member("result") else {
      throw Failure(.temporary, "the agent's answer has no result; see talon log")
    }
    let isOn = result.member("talkMode")?.bool ?? false
    Console.show("talk mode   \(isOn ? "on" : "off"), \(result.text("mode"))")
    Console.show("now         \(result.text("phase"))")
    if result.member("pieces") != nil, mode == "status" {
      Console.show(
        "sent        \(result.number("pieces")) pieces; "
          + "\(result.number("unsentMilliseconds")) ms were too old to be sent")
      Console.show(
        "heard       \(result.number("heardSamples")) samples; \(result.number("missingSamples")) were missing, "
          + "\(result.number("droppedSamples")) too many; \(result.number("interruptions")) interruptions")
    }
    if mode == "on", !isOn { throw Failure(.unavailable, "talk mode does not stay on; talon log says why") }
    return .ok
  }

  private static func follow(_ folder: String) throws(Failure) -> ExitCode {
    let client = try ConsoleClient(folder: folder)
    do throws(Failure) {
      let answer = try client.ask("talk", as: .lines) { writer in
        writer.key("action")
        writer.string("follow")
      } show: { line in
        Console.show("\(line.text("who")): \(line.text("text"))")
      }
      try BoardCommands.check(answer)
      return .ok
    } catch {
      if client.isInterrupted { return .ok }
      throw error
    }
  }
}

/// A capture from `talon talk` to Enter, on one connection: when it ends in any way, the agent drops the capture.
private final class HeldTalk: ControlConnectionDelegate, DescriptorHandler, TimerHandler {
  private static let start: Int64 = 1, stop: Int64 = 2
  /// Milliseconds for opening the microphone, and for recognizing and sending.
  private static let timeout: Int64 = 90_000

  private let clock = SystemClock()
  private let loop: Loop
  private var connection: ControlConnection?
  private var hasInput = false
  private var answer: [UInt8]?
  private var failure: Failure?

  init(folder: String) throws(Failure) {
    do throws(Errno) {
      loop = try Loop(clock: clock)
      connection = try ConsoleClient.connect(loop, folder: folder, self)
    } catch {
      throw Failure(.unavailable, ConsoleClient.words(for: error))
    }
  }

  func run() throws(Failure) -> ExitCode {
    do throws(Errno) {
      let relay = HeldRelay()
      let signals = try Signals(loop: loop) { _ in relay.talk?.end(Failure(.temporary, "dropped")) }
      defer { signals.close() }
      relay.talk = self
      ask("start", Self.start)
      try loop.run()
      relay.talk = nil
    } catch {
      throw Failure(.system, "waiting for the agent failed: \(String(error.text))")
    }
    connection?.close()
    if let failure { throw failure }
    guard let answer else { throw Failure(.temporary, "the agent ended the connection") }
    return try TalkCommand.printResult(answer)
  }

  private func ask(_ action: String, _ id: Int64) {
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + Self.timeout)
    let isAsked = connection?.ask("talk", id: id) { writer in
      writer.key("action")
      writer.string(action)
    }
    if isAsked != true { end(Failure(.temporary, "the agent accepts no request now; try again")) }
  }

  fileprivate func end(_ failure: Failure?) {
    self.failure = failure
    loop.stop()
  }

  func timerFired(_ id: TimerID) { end(Failure(.temporary, "the agent does not answer")) }
  func controlEnded() { end(nil) }

  func controlLineReceived(_ root: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>) {
    let line = Array(text)
    do throws(Failure) {
      try BoardCommands.check(line)
    } catch {
      return end(error)
    }
    guard root.number("id") == Self.stop else { return listen() }
    answer = line
    end(nil)
  }

  /// The microphone is open.
  private func listen() {
    loop.cancelTimer(TimerID(0), of: self)
    Console.out("listening: Enter sends, Ctrl-C drops it")
    do throws(Errno) {
      try loop.watch(Descriptor(0), for: .readable, self)
      hasInput = true
    } catch {
      end(Failure(.usage, "talon talk waits for Enter on a terminal or a pipe; --once ends by silence"))
    }
  }

  /// Any line, or the end of the input, ends it.
  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    let buffer = FixedBuffer(capacity: 256)
    var count = 0
    do throws(Errno) {
      count = try Syscall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer.bytes))
    } catch {
      if error == .wouldBlock { return }
    }
    guard hasInput, count == 0 || buffer.bytes[..<count].contains(UInt8(ascii: "\n")) else { return }
    hasInput = false
    loop.unwatch(descriptor)
    ask("stop", Self.stop)
  }
}

/// Breaks the reference cycle between the signals and the capture.
private final class HeldRelay {
  var talk: HeldTalk?
}
