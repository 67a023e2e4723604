import Runtime
import Testing

@Suite struct TimerTests {
  @Test("Timers run in order after the evaluation, and stop when they are cleared")
  func timers() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate(
        "globalThis.told = ''; setTimeout(t => told += t, 30, 'b'); setTimeout(() => told += 'a', 1); const t = setTimeout(() => told += 'c'); clearTimeout(t); 0"
      ) == "0")
    stage.pass()
    stage.pass()
    #expect(stage.scheduler.nextDeadline == nil)
    #expect(stage.evaluate("told") == "ab")
  }

  @Test("Turns are 30 a second at most")
  func rate() throws {
    let stage = try Stage()
    _ = stage.evaluate("globalThis.count = 0; setInterval(() => count++, 0)")
    let start = stage.clock.monotonic
    for _ in 0..<5 { stage.pass() }
    #expect(stage.clock.monotonic - start >= 4 * Budget.scriptTurnMilliseconds)
    let count = Int64(stage.evaluate("count")) ?? 0
    #expect(count >= 5 && count <= 2 + (stage.clock.monotonic - start) / Budget.scriptTurnMilliseconds)
  }

  @Test("Frames follow each other while they are seen, and stand still while they are not")
  func frames() throws {
    let stage = try Stage()
    _ = stage.evaluate(
      "globalThis.count = 0; const step = t => { count++; __openclaw.ctx.fillRect(count, 0, 1, 1); requestAnimationFrame(step) }; step(0)"
    )
    let drawings = stage.drawings
    for _ in 0..<3 { stage.pass() }
    #expect(stage.drawings == drawings + 3)
    #expect(stage.evaluate("count") == "\(stage.drawings)")
    stage.isScriptVisible = false
    #expect(stage.scheduler.nextDeadline == nil)
    stage.isScriptVisible = true
    #expect(stage.scheduler.nextDeadline != nil)
  }

  @Test("The next turn waits until the drawing of the last one was taken")
  func backpressure() throws {
    let stage = try Stage()
    _ = stage.evaluate(
      "const step = () => { __openclaw.ctx.fillRect(0, 0, 9, 9); requestAnimationFrame(step) }; step()")
    stage.takesDrawings = false
    stage.pass()
    #expect(stage.scheduler.nextDeadline == nil)
    #expect(stage.scheduler.takeDrawing() != nil)
    #expect(stage.scheduler.nextDeadline != nil)
  }

  @Test("An error in a timer is told to the log, by its line")
  func errors() throws {
    let stage = try Stage()
    _ = stage.evaluate(
      "setTimeout(() => {\n  nobody() }, 1); setTimeout(async () => { throw new Error('later') }, 2); 0")
    stage.pass()
    stage.pass()
    let lines = stage.lines
    #expect(lines.contains("<4>script: ReferenceError: nobody is not defined (line 2)"))
    #expect(lines.contains("<4>script: Error: later (line 2)"))
  }

  @Test("While an evaluation waits, timers are as short as a browser's")
  func waiting() throws {
    let stage = try Stage()
    stage.isScriptVisible = false
    #expect(
      stage.evaluate("for (let i = 0; i < 10; i++) await new Promise(done => setTimeout(done, 0)); 'done'") == "done")
    #expect(stage.longestPause <= Budget.scriptWaitMilliseconds)
  }
}
