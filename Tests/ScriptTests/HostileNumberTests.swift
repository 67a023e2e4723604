import CQuickJS
import Canvas
import Graphics
import Runtime
import Testing

@testable import Script

/// Numbers of scripts are whatever a script makes them.
@Suite(.serialized) struct HostileNumberTests {
  static let numbers: [Double] = [
    .nan, .infinity, -.infinity, 1e300, -1e300, 9.3e18, -9.3e18, 4_294_967_296, 2_147_483_648, -2_147_483_649, -1, -0.0,
    0, 0.5, 1, 2, 12, 31, 256,
    1e-300, .leastNonzeroMagnitude,
  ]

  /// The engine's answer to a call that no glue has made.
  private func call(_ engine: ScriptEngine, _ what: Int, _ numbers: [Double], _ text: String) -> Int32 {
    var answers = [Double](repeating: 0, count: TL_SCRIPT_ANSWERS)
    var given = numbers + [Double](repeating: .nan, count: TL_SCRIPT_NUMBERS - numbers.count)
    var words = Array(text.utf8)
    let count = Int64(words.count)
    return words.withUnsafeMutableBufferPointer { text in
      given.withUnsafeMutableBufferPointer { given in
        answers.withUnsafeMutableBufferPointer { answers in
          var call = tl_script_call(
            what: Int32(what), given: Int32(numbers.count), numbers: given.baseAddress, text: text.baseAddress,
            text2: text.baseAddress, length: count,
            length2: count)
          var raw = tl_script_answer(kind: 0, count: 0, numbers: answers.baseAddress, text: nil, length: 0)
          return withUnsafeMutablePointer(to: &raw) { raw in
            var answer = ScriptAnswer(raw)
            engine.answer(ScriptCall(&call), &answer)
            return raw.pointee.kind
          }
        }
      }
    }
  }

  @Test("Every call of the page has an answer, whatever its numbers are", arguments: ["red", "\u{0}\u{FFFD}\n"])
  func calls(_ text: String) throws {
    let stage = try Stage()
    let engine = try ScriptEngine(caller: stage.world, outlines: nil, pictures: stage.world, limit: 100)
    #expect(call(engine, TL_SCRIPT_SIZE, [64, 48], "") == Int32(TL_SCRIPT_NOTHING))
    for what in 0..<TL_SCRIPT_CALL_COUNT where what != TL_SCRIPT_NOW {
      for (index, number) in Self.numbers.enumerated() {
        // What is drawn stays small: it is the numbers of one call that matter.
        _ = call(engine, TL_SCRIPT_BEGIN_PATH, [], "")
        let other = Self.numbers[(index + 7) % Self.numbers.count],
          third = Self.numbers[(index + 13) % Self.numbers.count]
        for numbers in [
          [number], [number, other], [other, number, third], (0..<33).map { $0 % 3 == 0 ? number : other },
          (0..<9).map { Self.numbers[(index + $0) % 20] },
        ] {
          let kind = call(engine, what, numbers, text)
          #expect(kind >= Int32(TL_SCRIPT_ERROR) && kind <= Int32(TL_SCRIPT_LIST), "call \(what) of \(numbers)")
        }
      }
    }
    #expect(call(engine, TL_SCRIPT_SIZE, [.nan, 48], "") == Int32(TL_SCRIPT_ERROR))
    #expect(call(engine, TL_SCRIPT_SIZE, [48, .infinity], "") == Int32(TL_SCRIPT_ERROR))
    #expect(call(engine, TL_SCRIPT_SIZE, [-.infinity, -1e300], "") == Int32(TL_SCRIPT_NOTHING))
    #expect(engine.pixels?.size == Size(1, 1))
  }

  @Test(
    "A timer is due at a time that there is",
    arguments: [
      (Double.nan, Int64?.none), (.infinity, nil), (-.infinity, 0), (-1e300, 0), (1e300, 1_000_000_000_000_000),
      (1.5, 2),
    ])
  func timers(_ due: Double, _ expected: Int64?) throws {
    let stage = try Stage()
    let engine = try ScriptEngine(caller: stage.world, outlines: nil, pictures: nil, limit: 100)
    _ = call(engine, TL_SCRIPT_SCHEDULE, [due, 0], "")
    #expect(engine.nextTimer == expected)
  }

  @Test(
    "An action that is no JSON of an object asks nobody",
    arguments: ["", "undefined", "5", "[]", "{", "{\"name\":\"\u{1}\"}"])
  func actions(_ text: String) throws {
    let stage = try Stage()
    let engine = try ScriptEngine(caller: stage.world, outlines: nil, pictures: nil, limit: 100)
    engine.request.delegate = stage
    #expect(call(engine, TL_SCRIPT_ACTION, [], text) == Int32(TL_SCRIPT_ERROR))
    #expect(stage.asked == 0)
  }

  @Test("Everything that a page has may be called with anything")
  func anything() throws {
    let stage = try Stage()
    let told = stage.evaluate(
      """
      const values = [NaN, Infinity, -Infinity, 1e300, -1e300, 2 ** 31, 2 ** 32, 2 ** 53, -1, 0.5, -0, 5e-324,
        undefined, null, true, 'x', '1e400', {}, [],
        () => 1e300, { valueOf() { throw 1 } }, { valueOf: () => NaN }, { toString: () => ({}) }, Symbol('s'),
        10n ** 400n, new Proxy({}, { get: () => 1e300 }),
        { [Symbol.iterator]: () => ({ next: () => ({ value: 1e300, done: false }) }) }, { x: 1e300, y: -1e300 },
        [1e300, NaN, {}], '9'.repeat(400)];
      const {ctx: c, canvas} = __openclaw, gradient = c.createLinearGradient(0, 0, 1, 1), picture = new Image();
      picture.src = 'data:;base64,AAAA';
      let calls = 0, at = 0;
      const next = () => values[at++ % values.length];
      const given = count => Array.from({ length: count }, next);
      const call = (object, name) => {
        for (let count = 0; count <= 9; count++) for (let turn = 0; turn < 4; turn++) {
          calls++; try { object[name](...given(count)) } catch { } at += 7 }
      };
      for (const name of Reflect.ownKeys(CanvasRenderingContext2D.prototype)) {
        if (typeof name !== 'string' || name === 'constructor') continue;
        const found = Object.getOwnPropertyDescriptor(CanvasRenderingContext2D.prototype, name);
        if (typeof found.value === 'function') call(c, name);
        else for (const value of values) { calls++; try { c[name] = value } catch { } try { c[name] } catch { } }
      }
      for (const value of values) {
        for (const name of ['width', 'height']) try { canvas[name] = value } catch { }
        try { c.drawImage(picture, value, ...given(1)) } catch { }
        try { c.drawImage(picture, 0, 0, value, 1, ...given(4)) } catch { }
        try { gradient.addColorStop(value, 'red') } catch { }
        try { clearTimeout(setTimeout(() => { }, value)); clearInterval(value); cancelAnimationFrame(value) } catch { }
        try {
          document.title = value; __openclaw.setStatus(value, value);
          __openclaw.renderHome({ title: value, footer: value }) } catch { }
        try { dispatchEvent(value) } catch { }
        try { addEventListener(value, value); removeEventListener(value, value) } catch { }
      }
      calls
      """)
    #expect((Int(told) ?? 0) > 1_000, "\(told)")
    #expect(stage.evaluate("6 * 7") == "42")
  }
}
