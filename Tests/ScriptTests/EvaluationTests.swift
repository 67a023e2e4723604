import Testing

@Suite struct EvaluationTests {
  @Test(
    "The language is that of today",
    arguments: [
      ("(() => 1)()", "1"), ("const {a, b: [c]} = {a: 1, b: [2]}; a + c", "3"), ("let x = 1; { let x = 2 } x", "1"),
      ("`a${1 + 1}`", "a2"), ("let s = 0; for (const v of [1, 2]) s += v; s", "3"),
      ("class A { #p = 4; get q() { return this.#p } } new A().q", "4"), ("Math.max(...[1, 5, 2])", "5"),
      ("((a, b = 2) => a + b)(1)", "3"), ("null?.x", ""), ("null ?? 7", "7"), ("(async () => await 8)()", "8"),
      ("Promise.resolve(9)", "9"), ("new Map([[1, 'm']]).get(1)", "m"), ("Object.entries({a: 1})", #"[["a",1]]"#),
      ("[1, 2].includes(2)", "true"), ("[...(function* () { yield 1; yield 2 })()]", "[1,2]"),
      ("new Uint8Array([300])[0]", "44"), (#"/(?<y>\d{4})/u.exec("in 2026").groups.y"#, "2026"),
      ("/a/y.test('ba')", "false"),
      ("2n ** 64n", "18446744073709551616"), ("({get v() { return 5 }}).v", "5"),
      ("new Proxy({}, {get: (_, name) => name}).hello", "hello"),
    ])
  func language(_ program: String, _ result: String) throws {
    #expect(try Stage().evaluate(program) == result)
  }

  @Test(
    "A result is a text, or JSON",
    arguments: [
      ("null", ""), ("undefined", ""), ("", ""), ("'text'", "text"), ("true", "true"), ("42", "42"),
      ("({ok: true})", #"{"ok":true}"#),
      ("() => 1", ""), ("await 5", "5"), ("const v = await Promise.resolve(3); v * 2", "6"),
      ("new Promise(done => setTimeout(() => done('late'), 20))", "late"),
    ])
  func results(_ program: String, _ result: String) throws {
    #expect(try Stage().evaluate(program) == result)
  }

  @Test(
    "An error names its line",
    arguments: [
      ("x.y", "!1 ReferenceError: x is not defined"),
      ("let a = 1;\na.b.c", "!2 TypeError: cannot read property 'c' of undefined"),
      ("1 +", "!1 SyntaxError: unexpected token in expression: ''"), ("throw {a: 1}", #"!0 Uncaught {"a":1}"#),
      ("Promise.reject(new Error('no'))", "!1 Error: no"),
      ("const o = {}; o.o = o; o", "!0 TypeError: circular reference"),
    ])
  func errors(_ program: String, _ result: String) throws {
    #expect(try Stage().evaluate(program) == result)
  }

  @Test(
    "What a browser has beyond this is refused with what there is instead",
    arguments: [
      "fetch('https://example.org')", "new XMLHttpRequest()", "new WebSocket('ws://a')", "new Worker('a.js')",
      "import('fs')",
      "document.createElement('p')", "document.body.innerHTML = 'x'", "alert(1)", "new Path2D()",
    ])
  func absent(_ program: String) throws {
    let told = try Stage().evaluate(program)
    #expect(told.hasPrefix("!") && told.contains("available"), "\(told)")
  }

  @Test("The page is what scripts expect")
  func page() throws {
    let stage = try Stage()
    #expect(stage.evaluate("window === globalThis && self === window") == "true")
    #expect(stage.evaluate("[innerWidth, innerHeight, devicePixelRatio]") == "[480,320,1]")
    #expect(stage.evaluate("document.title = 'here'; document.title + location.href") == "hereabout:blank")
    #expect(
      stage.evaluate("[document.querySelector('p'), document.getElementById('a'), typeof std, typeof os]")
        == #"[null,null,"undefined","undefined"]"#)
    #expect(
      stage.evaluate(
        "[canvas = __openclaw.canvas, __openclaw.canvas.width, __openclaw.canvas.getContext('2d') === __openclaw.ctx].slice(1)"
      )
        == "[480,true]")
    #expect(stage.evaluate("performance.now() >= 0 && performance.now() < 60000") == "true")
  }

  @Test("A context lives on from one evaluation to the next, and is fresh after a reset")
  func contexts() throws {
    let stage = try Stage()
    #expect(stage.evaluate("globalThis.kept = 1; let also = 2; void 0") == "")
    #expect(stage.evaluate("kept + also") == "3")
    stage.scheduler.reset()
    stage.runner.runAll()
    #expect(stage.evaluate("typeof kept") == "undefined")
  }

  @Test("Units of scripts are CSS's pixels")
  func scale() throws {
    let stage = try Stage()
    stage.scriptScreen = .init(.init(1366, 768), scale: 125)
    #expect(stage.evaluate("[innerWidth, devicePixelRatio, __openclaw.canvas.width]") == "[1092,1.25,1366]")
  }

  @Test("Surfaces are pushed, and asked for, while the script waits")
  func surfaces() throws {
    let stage = try Stage()
    #expect(stage.evaluate("openclawA2UI.applyMessages([{a: 'ü'}])") == #"{"ok":true}"#)
    #expect(stage.pushed == [#"[{"a":"ü"}]"#])
    #expect(stage.evaluate("openclawA2UI.getSurfaces()") == #"["main"]"#)
    #expect(stage.evaluate("openclawA2UI.reset()") == #"{"ok":true}"#)
    #expect(stage.pushed.isEmpty)
  }

  @Test("An action that is refused says so, and its status is reported")
  func actions() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate(
        "addEventListener('openclaw:a2ui-action-status', e => globalThis.told = e.detail); OpenClaw.sendUserAction({name: 'a', id: 'i'})"
      )
      .hasPrefix("!1 Error: actions of scripts are off"))
    #expect(stage.evaluate("told") == #"{"id":"i","ok":false,"error":"actions of scripts are off"}"#)
  }
}
