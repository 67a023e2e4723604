import Canvas
import Codec
import Runtime
import Script

/// Runs the one job of a room when it is told to.
final class HeldRunner: JobRunner {
  private var job: Job?

  func submit(_ job: Job) -> Bool {
    guard !job.isPending else { return false }
    self.job = job
    job.isPending = true
    return true
  }

  /// Runs what waits, and what follows from it.
  func runAll() {
    while let next = job {
      job = nil
      next.run()
      next.isPending = false
      next.finish()
    }
  }
}

/// A room whose scripts run when they are told to, and what came of them.
final class Stage: ScriptOwner, LoopCaller {
  let clock = SystemClock()
  let runner = HeldRunner()
  let log = Log(level: .debug, output: nil)
  private(set) var room: ScriptRoom! = nil
  var scriptScreen = ScriptScreen(Size(480, 320), scale: 100)
  var isScriptSeen = true
  private(set) var drawings = 0
  private(set) var end: ScriptRoom.End?
  private(set) var pushed: [String] = []
  private var program: [UInt8] = []

  init() throws {
    room = try ScriptRoom(runner: runner, caller: self, outlines: nil, pictures: nil, clock: clock, log: log)
    room.owner = self
  }

  /// The result of a program; an error's text begins with "!" and its line.
  func evaluate(_ program: String) -> String {
    self.program = Array(program.utf8) + [0]
    end = nil
    return self.program.withUnsafeBufferPointer { bytes in
      room.evaluate(bytes.extracting(0..<bytes.count - 1))
      runner.runAll()
      while end == nil { pass() }
      return told
    }
  }

  /// Waits for what is due next.
  func pass() {
    guard let deadline = room.nextDeadline else { return }
    while clock.monotonic < deadline {}
    room.advance(to: clock.monotonic)
    runner.runAll()
  }

  private var told: String {
    defer { room.releaseText() }
    let text = String(decoding: room.text, as: UTF8.self)
    switch end {
    case .outcome(.result): return text
    case .outcome(.failure(let line)): return "!\(line) \(text)"
    case .outcome(.tooLarge): return "!too large"
    case .timedOut: return "!timed out"
    case .stopped: return "!stopped"
    case .full: return "!full"
    case .noMemory: return "!no memory"
    case nil: return "!nothing"
    }
  }

  // MARK: ScriptOwner

  func scriptHasDrawn(isEvaluation: Bool) {
    drawings += 1
    _ = room.takeDrawing()
  }

  func evaluationEnded(_ end: ScriptRoom.End) { self.end = end }

  func answer(_ request: ScriptRequest) {
    switch request.kind {
    case .push:
      pushed.append(String(decoding: request.text, as: UTF8.self))
      request.succeed { writer in
        writer.beginObject()
        writer.key("ok")
        writer.bool(true)
        writer.endObject()
      }
    case .reset: pushed.removeAll()
    case .surfaces: request.succeed { $0.raw(Array(#"{"surfaces":["main"]}"#.utf8).span) }
    case .action: request.fail { $0.text("actions of scripts are off") }
    }
  }

  func call(_ call: LoopCall) -> Bool {
    call.answer()
    return true
  }
}
