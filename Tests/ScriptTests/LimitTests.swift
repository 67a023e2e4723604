import Canvas
import Runtime
import Script
import Testing

/// What hostile and broken programs come to: an error, and the next one runs.
@Suite(.serialized) struct LimitTests {
  private func survives(_ program: String, _ result: (String) -> Bool) throws {
    let stage = try Stage()
    let told = stage.evaluate(program)
    #expect(result(told), "\(told)")
    #expect(stage.evaluate("6 * 7") == "42")
  }

  @Test(
    "Memory ends at 16 MiB, and the next context has all of it",
    arguments: [
      "const a = []; for (;;) a.push(new Array(1000).fill(1))", "let s = 'x'; for (;;) s += s",
      "new Uint8Array(17 * 1024 * 1024)",
      "globalThis.kept = []; for (;;) kept.push({})",
    ])
  func memory(_ program: String) throws {
    let stage = try Stage()
    let told = stage.evaluate(program)
    #expect(told.contains("InternalError: ") || told.contains("RangeError: "), "\(told)")
    #expect(stage.evaluate("1 + 1") == "2")
    stage.scheduler.reset()
    stage.runner.runAll()
    #expect(stage.evaluate("typeof kept") == "undefined")
    #expect(stage.evaluate("new Uint8Array(11 * 1024 * 1024).length") == "11534336")
  }

  @Test(
    "A script that catches the lack of memory for something large goes on; that for something small ends it, and its context"
  )
  func caught() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate("globalThis.kept = 1; try { new Uint8Array(17 * 1024 * 1024) } catch { 'caught' }") == "caught")
    #expect(stage.evaluate("typeof kept") == "number")
    let told = stage.evaluate("const a = []; try { for (;;) a.push(new Uint8Array(65536)) } catch { 'caught' }")
    #expect(told == "!0 InternalError: out of memory", "\(told)")
    #expect(stage.evaluate("typeof kept") == "undefined")
  }

  @Test("A context that is full is thrown away after the evaluation")
  func full() throws {
    let stage = try Stage()
    #expect(stage.evaluate("globalThis.kept = new Uint8Array(13 * 1024 * 1024); 'kept'") == "kept")
    #expect(stage.evaluate("typeof kept") == "undefined")
  }

  @Test("The stack ends", arguments: ["(function f() { f() })()", "let a = []; a = [a]; JSON.parse('['.repeat(1e5))"])
  func stack(_ program: String) throws {
    try survives(program) {
      $0.hasPrefix("!") && ($0.contains("stack") || $0.contains("JSON") || $0.contains("SyntaxError"))
    }
  }

  @Test("A result has at most 256 KiB")
  func result() throws {
    try survives("'x'.repeat(262144)") { $0.utf8.count == Budget.scriptResultBytes }
    try survives("'x'.repeat(262145)") { $0 == "!too large" }
  }

  @Test(
    "Timers, listeners and images are counted",
    arguments: [
      "for (let i = 0; i < 257; i++) setTimeout(() => {}, 1e6)",
      "for (let i = 0; i < 257; i++) requestAnimationFrame(() => {})",
      "for (let i = 0; i < 257; i++) addEventListener('a', () => {})",
    ])
  func counts(_ program: String) throws {
    try survives(program) { $0.contains("RangeError") && $0.contains("more than 256") }
  }

  @Test("Gradients are counted, and come back when they are forgotten")
  func gradients() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate(
        "const g = []; for (let i = 0; i < 300; i++) g.push(__openclaw.ctx.createLinearGradient(0, 0, 1, 1))"
      )
      .contains("at most 256"))
    #expect(stage.evaluate("g.length = 0; 1") == "1")
    #expect(stage.evaluate("2") == "2")
    #expect(stage.evaluate("typeof __openclaw.ctx.createLinearGradient(0, 0, 1, 1)") == "object")
  }

  @Test("The canvas has at most as many pixels as the largest screen")
  func pixels() throws {
    try survives("__openclaw.canvas.width = 8000") { $0.contains("2 million pixels") }
  }

  @Test("The console is cut, and does not fill the log")
  func console() throws {
    let stage = try Stage()
    _ = stage.evaluate("console.warn('first\\nline'); for (let i = 0; i < 1000; i++) console.log('line', i)")
    let lines = stage.lines
    #expect(lines.first == "<4>script: first line")
    #expect(lines.count == Budget.scriptLines + 1)
    #expect(lines.last == "<6>script: 985 more lines of the console were left out")
    for _ in 0..<9 { _ = stage.evaluate("for (let i = 0; i < 10; i++) console.log('again', Math.random())") }
    #expect(stage.lines.count <= Budget.scriptLinesPerMinute + 2)
  }

  @Test(
    "What never ends is ended after its time, and its context with it",
    arguments: [
      "globalThis.kept = 1; for (;;) {}", "globalThis.kept = 1; while (true) { try { for (;;) {} } catch {} }",
      "globalThis.kept = 1; /(a+)+b/.test('a'.repeat(40))",
      "globalThis.kept = 1; [].indexOf.call({length: 2 ** 53 - 1}, 1)",
      "globalThis.kept = 1; 'a'.repeat(4e6).indexOf('a'.repeat(2e6) + 'b')",
      "globalThis.kept = 1; const again = () => { Promise.resolve().then(again) }; again(); new Promise(() => {})",
    ])
  func runaways(_ program: String) throws {
    let stage = try Stage(limit: 200)
    let start = stage.clock.monotonic
    #expect(stage.evaluate(program) == "!timed out")
    let took = stage.clock.monotonic - start
    #expect(took >= 190 && took < 3_000, "\(took) ms")
    #expect(stage.evaluate("typeof kept") == "undefined")
  }

  @Test("A promise that never settles times out, and a late result is ignored")
  func promises() throws {
    let stage = try Stage(limit: 200)
    #expect(stage.evaluate("let keep; new Promise(done => { keep = done })") == "!timed out")
    #expect(stage.evaluate("keep('late'); 'now'") == "now")
  }

  @Test("A timer that never ends takes its context with it, and the page says so")
  func callbacks() throws {
    let stage = try Stage()
    #expect(stage.evaluate("globalThis.kept = 1; setTimeout(() => { for (;;) {} }, 1); 'set'") == "set")
    stage.pass()
    #expect(stage.scheduler.nextDeadline == nil)
    #expect(stage.scheduler.card.kind == .status)
    #expect(stage.evaluate("typeof kept") == "undefined")
    #expect(stage.scheduler.card.kind == nil)
  }

  @Test("An evaluation that is cancelled ends, and the next one runs")
  func cancelling() throws {
    let stage = try Stage()
    stage.canceller = { stage.scheduler.cancel() }
    #expect(stage.evaluate("openclawA2UI.reset(); for (;;) {}") == "!stopped")
    stage.canceller = nil
    #expect(stage.evaluate("1") == "1")
  }
}
