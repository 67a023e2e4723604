import Runtime

/// What serves the board's own model: a program with the options of llama-server.
struct ModelProgram {
  let path: String
  let arguments: [String]

  /// That of a configuration; nil: it has no model's file.
  init?(_ wanted: AgentServiceConfiguration) {
    if wanted.model.isEmpty { return nil }
    path = wanted.modelProgram
    arguments = [
      wanted.modelProgram, "--model", wanted.model, "--alias", Self.name(of: wanted.model),
      "--host", "127.0.0.1", "--port", "\(wanted.modelPort)", "--ctx-size", "\(wanted.modelContext)",
      // One conversation, and the templates by which models call tools.
      "--parallel", "1", "--jinja",
    ]
  }

  /// The name by which the program knows the model of a file: without its folders.
  static func name(of path: String) -> String { path.split(separator: "/").last.map { String($0) } ?? path }
}

/// Keeps that program running as a child, which ends with the agent's process, also by force. While it loads the model
/// it refuses requests, and these are repeated or go to another model.
final class ModelProcess: ChildProcessDelegate, TimerHandler {
  private static let timer = TimerID(0)

  private let program: ModelProgram
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private var process: ChildProcess!
  private var pause = RetryPause(Budget.modelProgramRetry)
  private var startedAt: Int64 = 0
  /// The end of what it has written: why it has ended.
  private var last = InlineText<200>()

  init(_ program: ModelProgram, loop: Loop, clock: any Clock, log: Log) {
    (self.program, self.loop, self.clock, self.log) = (program, loop, clock, log)
    process = ChildProcess(loop: loop, clock: clock, delegate: self)
  }

  func start() {
    startedAt = clock.monotonic
    do throws(Errno) { try process.start(Path(program.path), program.arguments) } catch {
      ended { $0.add(error.text) }
    }
  }

  func timerFired(_ id: TimerID) { start() }

  // MARK: The child

  func childWrote(_ bytes: Span<UInt8>) -> Int {
    let end = bytes.extracting(max(bytes.count - 200, 0)..<bytes.count)
    if bytes.count > 20 || last.isEmpty { last = InlineText(cutting: end) }
    return bytes.count
  }

  func childReadyForInput() {}

  func childEnded(_ code: Int32) {
    if clock.monotonic - startedAt >= Budget.modelProgramRetry.upperBound { pause.succeeded() }
    ended { line in
      line.add("it has ended with ")
      line.add(code)
      line.add("; it wrote: ")
      line.add(self.last.span)
    }
  }

  private func ended(_ reason: (inout LogLine) -> Void) {
    log.write(.warning, "agent") { line in
      line.add(program.path.utf8.span)
      line.add(" does not run, and is started again later: ")
      reason(&line)
    }
    pause.failed(at: clock.monotonic)
    if let due = pause.dueAt { loop.setTimer(Self.timer, of: self, at: due) }
  }
}
