import Canvas
import Graphics
import Runtime
import Script

/// Whatever program is evaluated, and whatever it leaves running: it ends in time, in its memory, with one answer, and
/// the next one runs.
func checkScript(_ bytes: [UInt8]) { FuzzStage.shared.check(bytes.filter { $0 != 0 }) }

/// A room for programs, on this thread. Kept: it is much to make.
final class FuzzStage: ScriptDelegate, LoopCaller, PictureReader, JobRunner {
  nonisolated(unsafe) static let shared = FuzzStage()

  private(set) var room: ScriptScheduler! = nil
  private let clock = SystemClock()
  private var job: Job?
  private var end: ScriptScheduler.End?
  private(set) var result = ""
  let scriptScreen = ScriptScreen(Size(64, 48), scale: 100)
  let isScriptVisible = true

  private init() {
    let log = Log(level: .error, output: nil)
    guard let engine = try? ScriptEngine(caller: self, outlines: nil, pictures: self, limit: 300) else {
      fatalError("no address space")
    }
    room = ScriptScheduler(engine, runner: self, clock: clock, log: log)
    room.delegate = self
  }

  /// Plays a program, what it leaves running, and the programs that follow it.
  func check(_ program: [UInt8]) {
    evaluate(program)
    turns(3)
    // A program may change what the next one finds, but not that it has an answer.
    evaluate(Array("'still ' + 'here'".utf8))
    room.reset()
    runAll()
    evaluate(Array("1 + 1".utf8))
    expect(result == "2", "a fresh context does not calculate")
    room.reset()
    runAll()
  }

  func evaluate(_ program: [UInt8]) {
    end = nil
    (program + [0]).withUnsafeBufferPointer { bytes in
      room.evaluate(bytes.extracting(0..<program.count))
      runAll()
      while end == nil {
        guard let deadline = room.nextDeadline else { return expect(false, "an evaluation without an end") }
        while clock.monotonic < deadline {}
        room.advance(to: clock.monotonic)
        runAll()
      }
    }
    result = String(decoding: room.text, as: UTF8.self)
    expect(room.text.count <= Budget.scriptResultBytes, "\(room.text.count) bytes")
    room.releaseText()
  }

  /// What was left running, a few times.
  func turns(_ count: Int) {
    for _ in 0..<count {
      guard let deadline = room.nextDeadline else { return }
      room.advance(to: max(deadline, clock.monotonic))
      runAll()
    }
  }

  func submit(_ job: Job) -> Bool {
    guard !job.isPending else { return false }
    self.job = job
    job.isPending = true
    return true
  }

  func runAll() {
    while let next = job {
      job = nil
      next.run()
      next.isPending = false
      next.finish()
    }
  }

  // MARK: The page

  func scriptHasDrawn(isEvaluation: Bool) { _ = room.takeDrawing() }
  func evaluationEnded(_ end: ScriptScheduler.End) { self.end = end }
  func answer(_ request: ScriptRequest) {
    switch request.kind {
    case .push, .surfaces: request.succeed { $0.raw(Array(#"{"ok":true,"surfaces":[]}"#.utf8).span) }
    case .reset: return
    case .action: request.fail { $0.text("off") }
    }
  }
  func call(_ call: LoopCall) -> Bool {
    call.answer()
    return true
  }
  func read(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedPicture? {
    try? DecodedPicture(Size(2, 2), original: Size(2, 2))
  }
}
