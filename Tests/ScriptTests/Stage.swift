import Canvas
import Codec
import Graphics
import Runtime
import Script

/// Runs the one job of a scheduler when it is told to.
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

/// What a host keeps. Not the stage itself, which would then never go away, nor would its process: a child that has
/// ended and that nobody waits for hides the ends of others from tests that expect an exit.
final class StageWorld: LoopCaller, PictureReader {
  /// Four pixels of one color, whatever the bytes are.
  func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
    do {
      let picture = try DecodedPicture(Size(2, 2), original: Size(2, 2))
      for index in 0..<4 { picture.pixels[index] = 0xFF12_3456 }
      return picture
    } catch {
      return nil
    }
  }

  func call(_ call: LoopCall) -> Bool {
    call.answer()
    return true
  }
}

/// A scheduler whose scripts run when they are told to, and what came of them.
final class Stage: ScriptDelegate {
  let clock = SystemClock()
  let runner = HeldRunner()
  let log = Log(level: .debug, output: nil)
  private(set) var scheduler: ScriptScheduler! = nil
  private(set) var host: ScriptHost! = nil
  let world = StageWorld()
  var scriptScreen = ScriptScreen(Size(480, 320), scale: 100)
  var isScriptVisible = true
  /// Every drawing is taken at once, as a page that is seen does.
  var takesDrawings = true
  private(set) var drawings = 0
  private(set) var drawing: PixelBuffer?
  /// Runs when a script resets the surfaces.
  var canceller: (() -> Void)?
  private(set) var end: ScriptScheduler.End?
  private(set) var pushed: [String] = []
  /// Requests so far.
  private(set) var asked = 0
  /// The longest time that was to pass before a turn, in milliseconds.
  private(set) var longestPause: Int64 = 0
  private var program: [UInt8] = []

  /// - Parameter program: scripts run in processes that are this one; nil: here.
  init(limit: Int64 = Budget.scriptMilliseconds, program: ConfinedProgram? = nil) throws {
    if let program {
      host = try ScriptProcess(caller: world, program: program, limit: limit)
    } else {
      host = try ScriptEngine(caller: world, outlines: nil, pictures: world, limit: limit)
    }
    scheduler = ScriptScheduler(host, runner: runner, clock: clock, log: log)
    scheduler.delegate = self
  }

  /// The result of a program; an error's text begins with "!" and its line.
  func evaluate(_ program: String) -> String {
    self.program = Array(program.utf8) + [0]
    end = nil
    return self.program.withUnsafeBufferPointer { bytes in
      scheduler.evaluate(bytes.extracting(0..<bytes.count - 1))
      runner.runAll()
      while end == nil, !scheduler.isIdle { pass() }
      return told
    }
  }

  /// Waits for what is due next.
  func pass() {
    guard let deadline = scheduler.nextDeadline else { return }
    longestPause = max(longestPause, deadline - clock.monotonic)
    while clock.monotonic < deadline {}
    scheduler.advance(to: clock.monotonic)
    runner.runAll()
  }

  /// What stands in the log.
  var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  private var told: String {
    defer { scheduler.releaseText() }
    let text = String(decoding: scheduler.text, as: UTF8.self)
    switch end {
    case .outcome(.result): return text
    case .outcome(.failure(let line)): return "!\(line) \(text)"
    case .outcome(.tooLarge): return "!too large"
    case .timedOut: return "!timed out"
    case .stopped: return "!stopped"
    case .full: return "!full"
    case .noMemory: return "!no memory"
    case .lost(let reason): return "!\(reason)"
    case nil: return "!nothing"
    }
  }

  // MARK: ScriptDelegate

  func scriptHasDrawn(isEvaluation: Bool) {
    drawings += 1
    if takesDrawings, let new = scheduler.takeDrawing() { drawing = new }
  }

  func evaluationEnded(_ end: ScriptScheduler.End) { self.end = end }

  func answer(_ request: ScriptRequest) {
    asked += 1
    switch request.kind {
    case .push:
      pushed.append(String(decoding: request.text, as: UTF8.self))
      request.succeed { writer in
        writer.beginObject()
        writer.key("ok")
        writer.bool(true)
        writer.endObject()
      }
    case .reset:
      pushed.removeAll()
      canceller?()
    case .surfaces: request.succeed { $0.raw(Array(#"{"surfaces":["main"]}"#.utf8).span) }
    case .action: request.fail { $0.text("actions of scripts are off") }
    }
  }
}
