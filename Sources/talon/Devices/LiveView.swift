import Codec
import Runtime

/// Shows a report of the running agent, once a second and on a terminal in the same place, until Ctrl-C.
struct LiveView {
  /// The request to the agent.
  let operation: StaticString
  let configuration: Configuration
  /// One report as text, with the one before for rates; `lines` is the room. Each line fits a serial console of 80
  /// columns.
  let draw: (_ report: borrowing JSONView, _ before: borrowing JSONView, _ lines: Int) -> [String]
  /// False when one report is enough.
  var needsTwo = false

  /// Lines of a terminal of unknown size.
  private static let usualLines = 24

  /// `isOnce`: one report, not one a second. `isJSON`: the reports as JSON, one a line.
  func run(isOnce: Bool, isJSON: Bool) throws(Failure) -> ExitCode {
    let page = isJSON || isOnce ? nil : Self.pageLines
    let lines = page ?? Self.terminalLines
    var before: [UInt8]?
    var drawn = 0
    while true {
      guard let answer = try ask() else { return .ok }
      let last = before ?? answer
      let (root, lastRoot) = (JSONView(answer.span), JSONView(last.span))
      guard let report = root.member("result"), let lastReport = lastRoot.member("result"), report.kind == .object
      else { throw Self.refusal(root) }
      if isJSON {
        Console.show(IdentityCommand.string(report.rawText))
        if isOnce { return .ok }
      } else if before != nil || !(isOnce && needsTwo) {
        let text = draw(report, lastReport, (lines ?? .max) - 1)
        if page != nil {
          Console.newPage()
        } else if lines != nil, drawn > 0 {
          Console.up(drawn)
        }
        for line in text { Console.show(line) }
        if isOnce { return .ok }
        if lines == nil { Console.out("") }
        drawn = text.count
      }
      before = answer
      if Pause.second() { return .ok }
    }
  }

  private static func refusal(_ answer: borrowing JSONView) -> Failure {
    answer.text("code") == "INVALID_REQUEST"
      ? Failure(.temporary, "the agent is of another release: restart it")
      : Failure(.temporary, answer.text("message"))
  }

  /// The agent's answer; nil when the person pressed Ctrl-C.
  private func ask() throws(Failure) -> [UInt8]? {
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    do throws(Failure) {
      return try client.ask(operation) { _ in }
    } catch {
      if client.isInterrupted { return nil }
      throw error
    }
  }

  /// Lines of the page that the console of a serial line gives to a command; nil elsewhere.
  private static var pageLines: Int? { Process.environment("TALON_LINES").flatMap { Int($0) } }

  /// Nil when standard output is not a terminal.
  private static var terminalLines: Int? {
    do throws(Errno) {
      let lines = try Syscall.terminalLines(Descriptor(1))
      return lines > 1 ? lines : usualLines
    } catch {
      return nil
    }
  }
}

/// Waits for time to pass, or for Ctrl-C.
final class Pause: TimerHandler, DescriptorHandler {
  private let loop: Loop
  private var isInterrupted = false

  private init(_ loop: Loop) { self.loop = loop }

  /// Waits for a second; true when Ctrl-C ended it.
  static func second() -> Bool { wait(milliseconds: 1000, for: nil) }

  /// Waits until a line can be read from standard input; true when Ctrl-C ended it.
  static func untilInput() -> Bool { wait(milliseconds: nil, for: Descriptor(0)) }

  private static func wait(milliseconds: Int64?, for input: Descriptor?) -> Bool {
    let clock = SystemClock()
    do throws(Errno) {
      let pause = Pause(try Loop(clock: clock))
      let signals = try Signals(loop: pause.loop) { _ in pause.interrupt() }
      defer { signals.close() }
      if let milliseconds { pause.loop.setTimer(TimerID(0), of: pause, at: clock.monotonic + milliseconds) }
      if let input {
        // A file cannot be watched: it is always readable.
        do throws(Errno) { try pause.loop.watch(input, for: .readable, pause) } catch { return false }
      }
      try pause.loop.run()
      return pause.isInterrupted
    } catch {
      return true
    }
  }

  private func interrupt() {
    isInterrupted = true
    loop.stop()
  }

  func timerFired(_ id: TimerID) { loop.stop() }
  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    loop.unwatch(descriptor)
    loop.stop()
  }
}

extension Console {
  /// Begins a new page (form feed).
  static func newPage() { write("\u{0C}") }

  /// Moves a terminal's cursor up, and erases what is below (ECMA-48, CPL and ED).
  static func up(_ lines: Int) { write("\u{1B}[\(lines)F\u{1B}[J") }

  private static func write(_ command: String) {
    command.withBytes { bytes in
      do throws(Errno) { try Syscall.writeAll(Descriptor(1), UnsafeRawBufferPointer(bytes)) } catch {}
    }
  }
}

/// Reports as text.
extension JSONView {
  /// A number as it is written; "-" without one.
  func figure(_ name: StaticString) -> String {
    guard let value = member(name), value.kind == .number else { return "-" }
    return IdentityCommand.string(value.rawText)
  }

  /// The rate of a counter, per second, between two reports; nil when they are the same one, and 0 when it was reset
  /// meanwhile.
  static func rate(_ now: Int64, _ before: Int64, milliseconds: Int64) -> String? {
    guard milliseconds > 0 else { return nil }
    let tenths = max(now - before, 0) * 10_000 / milliseconds
    return tenths >= 1000 ? "\((tenths + 5) / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}

extension String {
  /// Padded with spaces on the left to this length.
  func right(_ columns: Int) -> String { String(repeating: " ", count: max(columns - utf8.count, 0)) + self }
  /// Padded with spaces on the right to this length.
  func left(_ columns: Int) -> String { self + String(repeating: " ", count: max(columns - utf8.count, 0)) }
}
