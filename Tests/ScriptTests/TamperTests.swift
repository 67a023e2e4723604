import Runtime
import Script
import Testing

/// Pages that replace functions of the language, and then use what a page has: nothing of it behaves differently.
@Suite(.serialized) struct TamperTests {
  /// What came of a page that uses everything: results, the log, the screen.
  private struct Trace: Equatable {
    var results: [String] = []
    var lines: [String] = []
    var pushed: [String] = []
    var card: [String] = []
    var pixels: [UInt32] = []
  }

  /// Uses everything after a program that tampers, in a context of its own.
  private func trace(_ tampering: String) throws -> Trace {
    let stage = try Stage(limit: 1_000)
    var trace = Trace()
    trace.results.append(stage.evaluate(tampering))
    trace.results.append(stage.evaluate(Surface.use))
    let end = stage.clock.monotonic + 2_000
    while stage.evaluate("isOver()") != "true", stage.clock.monotonic < end { stage.pass() }
    trace.results.append(stage.evaluate("outcome()"))
    trace.lines = stage.lines
    trace.pushed = stage.pushed
    for index in 0..<5 {
      trace.card.append(
        String(decoding: stage.scheduler.card.lines[index].span.withUnsafeBufferPointer(Array.init), as: UTF8.self))
    }
    trace.pixels = stage.drawing.map { Array($0.pixels) } ?? []
    // What asks the page itself how it works may fail, but ends.
    _ = stage.evaluate(Surface.ask)
    stage.pass()
    _ = stage.evaluate("await Promise.resolve(1)")
    stage.scheduler.reset()
    stage.runner.runAll()
    #expect(stage.evaluate("6 * 7") == "42", "after \(tampering.suffix(80))")
    return trace
  }

  @Test("A page that uses everything, and tampers with nothing, does all of it")
  func untampered() throws {
    let trace = try trace("'tampered'")
    #expect(
      trace.results == [
        "tampered", "used", "micro 1 event 2 status 1 loaded 1 timer 1 interval 1 frame 1 wrong 0 failed: ",
      ])
    #expect(trace.lines.count == 4, "\(trace.lines)")
    #expect(trace.pushed == [#"[{"a":1}]"#])
    #expect(trace.card[1] == "Kitchen")
    #expect(trace.pixels.contains { $0 != 0 })
  }

  @Test("All of the language replaced at once changes nothing of the page", arguments: Tampering.replacements.indices)
  func everything(_ replacement: Int) throws {
    #expect(try trace(Tampering.program(replacement, "true")) == trace("'tampered'"))
  }

  @Test("Some objects of the language with their members replaced change nothing of the page", arguments: 0..<8)
  func some(_ part: Int) throws {
    let usual = try trace("'tampered'")
    #expect((Int(try Stage().evaluate(Tampering.count)) ?? 0) > 60)
    for replacement in stride(from: part % 4, to: Tampering.replacements.count, by: 4) {
      #expect(
        try trace(Tampering.program(replacement, "index % 8 === \(part)")) == usual,
        "part \(part), replacement \(replacement)")
    }
  }

  @Test(
    "Getters and setters of the prototypes of all objects change nothing of the page",
    arguments: ["Object", "Array", "Function"])
  func prototypes(_ owner: String) throws {
    let usual = try trace("'tampered'")
    for accessor in Tampering.accessors {
      #expect(
        try trace(Tampering.pollution(owner, accessor, places: owner == "Array" ? 0 : 40)) == usual,
        "\(owner): \(accessor)")
    }
  }

  /// The engine's own JSON.stringify sets elements of arrays, and so meets them.
  @Test("Setters for the places of arrays change nothing of what is drawn")
  func places() throws {
    let usual = try trace("'tampered'")
    for accessor in Tampering.accessors {
      let trace = try trace(Tampering.pollution("Array", accessor, places: 40))
      #expect(trace.pixels == usual.pixels && trace.card == usual.card, "\(accessor)")
    }
  }

  @Test("A page does not see the functions of what runs beside it")
  func stacks() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate(
        "Error.prepareStackTrace = (e, sites) => { globalThis.seen = sites; return '' }; Error.stackTraceLimit = { valueOf() { globalThis.asked = 1 } }; console.log({ get a() { throw new Error('x') } }); typeof seen + typeof asked"
      )
        == "undefinedundefined")
    #expect(stage.evaluate("x.y") == "!1 ReferenceError: x is not defined")
  }

  @Test("A program that throws a syntax error of its own runs once")
  func once() throws {
    let stage = try Stage()
    #expect(
      stage.evaluate("globalThis.runs = (globalThis.runs ?? 0) + 1; /* await */ JSON.parse('{')").contains(
        "SyntaxError"))
    #expect(stage.evaluate("runs") == "1")
  }

  @Test("The page is there under the name that it had before")
  func alias() throws {
    #expect(
      try Stage().evaluate("window.__clawdbot === window.__openclaw && __clawdbot.ctx === __openclaw.ctx") == "true")
  }

  @Test("What runs when the screen changes or memory is collected has a time, too")
  func endless() throws {
    let stage = try Stage(limit: 300)
    #expect(stage.evaluate("globalThis.kept = 1; addEventListener('resize', () => { for (;;) {} }); 1") == "1")
    stage.scriptScreen = .init(.init(240, 160), scale: 100)
    #expect(stage.evaluate("kept") == "!timed out")
    #expect(stage.evaluate("typeof kept") == "undefined")
    #expect(
      stage.evaluate(
        "globalThis.kept = new FinalizationRegistry(() => { for (;;) {} }); (() => { const a = {}; a.a = a; kept.register(a, 1) })(); 1"
      ) == "1")
    #expect(stage.evaluate("typeof kept") == "undefined")
  }
}

/// Programs that tamper.
enum Tampering {
  /// What stands where a function of the language was, as expressions over what it was and a function that defines.
  static let replacements = [
    "{ value: () => { throw 0 } }", "{ value: undefined }", "{ value: () => NaN }", "{ value: () => 1e300 }",
    "{ value: () => -1e300 }",
    "{ value: () => ({}) }", "{ value: function () { return this } }", "{ value: () => 'text' }",
    "{ get() { throw 0 }, set() { throw 0 } }",
    "{ value: hostile }", "{ value: () => endless }",
    "{ value: function (...given) { return call(original, this, backwards(given)) } }",
  ]

  /// Every object of the language that a page can reach, each once.
  private static let objects = """
    const own = Reflect.ownKeys, look = Object.getOwnPropertyDescriptor, put = Reflect.defineProperty,
      above = Object.getPrototypeOf;
    const call = Reflect.apply, objects = [], seen = new Set();
    const names = own(globalThis).filter(name => typeof name === 'string' && /^[A-Z]/.test(name)
      && !/Canvas|Event|Image|TextMetrics|OpenClaw|Worker|Socket|XML|Path2D/.test(name));
    const walk = value => {
      if (value === null || typeof value !== 'object' && typeof value !== 'function' || value === globalThis
        || seen.has(value)) return;
      seen.add(value);
      if (typeof value !== 'function' || own(value).length > 2) objects.push(value);
      for (const key of own(value)) { const found = look(value, key); walk(found.value) }
      walk(above(value));
    };
    for (const name of names) walk(globalThis[name]);
    for (const made of [[][Symbol.iterator](), new Map().entries(), new Set().values(), ''[Symbol.iterator](),
      ''.matchAll(/a/g),
      (function* () {})(), (async function* () {})(), async () => {}]) walk(above(made));
    """

  /// How many objects there are, and one for the names of all.
  static let count = "(() => { \(objects) return objects.length + 1 })()"

  /// Replaces the members of those objects whose `index` fulfils a condition.
  static func program(_ replacement: Int, _ condition: String) -> String {
    """
    (() => { \(objects)
      const endless = { next: () => ({ done: false, value: 1e300 }), [Symbol.iterator]() { return this } };
      const trap = () => { throw 0 };
      const hostile = new Proxy(function () {}, { get: trap, has: trap, apply: trap, construct: trap,
        getPrototypeOf: trap, ownKeys: trap });
      const backwards = given => {
        const turned = [], last = given.length - 1;
        for (let at = 0; at <= last; at++) put(turned, at, { value: given[last - at], enumerable: true });
        return turned };
      const todo = [];
      for (let index = 0; index <= objects.length; index++) {
        if (!(\(condition))) continue;
        const object = index < objects.length ? objects[index] : globalThis;
        for (const key of index < objects.length ? own(object) : names) {
          const original = look(object, key).value;
          todo.push([object, key, { __proto__: null, configurable: true, ...\(replacements[replacement]) }]);
        }
      }
      const total = todo.length;
      const each = Array.from({ length: total }, (_, at) => todo[at]);
      for (let at = 0; at < total; at++) {
        const one = each[at];
        // An array's length takes no other value than one.
        try { put(one[0], one[1], one[2]) } catch { }
      }
    })(); 'tampered'
    """
  }

  static let accessors = [
    "get() { throw 0 }, set(value) { throw 0 }", "get() { return 1e300 }, set(value) { }", "value: NaN",
    "get() { return () => ({}) }",
  ]

  /// Gives a prototype accessors for all names that what runs beside a page reads of its own objects, and for so many
  /// indices.
  static func pollution(_ owner: String, _ descriptor: String, places: Int) -> String {
    """
    (() => {
      const put = Reflect.defineProperty, prototype = \(owner).prototype,
        names = ['get', 'set', 'value', 'writable', 'enumerable',
        'configurable', 'due', 'every', 'callback', 'values', 'message', 'line', 'next', 'done', 'return', 'id',
        'width', 'height', 'radius', 'x', 'y',
        'index', 'row', 'then', 'stack'];
      for (let at = 0; at < \(places); at++) names.push(String(at));
      const all = names.map(name => [name, { __proto__: null, configurable: true, \(descriptor) }]);
      for (let at = 0; at < all.length; at++) try { put(prototype, all[at][0], all[at][1]) } catch { }
    })(); 'tampered'
    """
  }
}

/// Programs that use what a page has.
enum Surface {
  /// Everything whose outcome is the page's own, without a call of the language: syntax only.
  static let use = """
    var failed = '';
    const told = { __proto__: null, micro: 0, event: 0, status: 0, loaded: 0, timer: 0, interval: 0, frame: 0,
      wrong: 0 };
    const tell = (isRight, name) => { told[isRight ? name : 'wrong']++ };
    const isOver = () => { for (const name in told) if (told[name] === 0 && name !== 'wrong') return false;
      return true };
    const outcome = () => { let text = ''; for (const name in told) text += name + ' ' + told[name] + ' ';
      return text + 'failed: ' + failed };
    const step = (name, body) => { try { body() } catch (error) { failed = failed + name + ' ' } };
    const c = __openclaw.ctx, canvas = __openclaw.canvas;
    step('size', () => { canvas.width = 200; canvas.height = 100;
      if (canvas.width !== 200 || innerWidth !== 480) throw 0 });
    step('timers', () => {
      setTimeout((a, b) => { tell(a === 1 && b === 2, 'timer') }, 1, 1, 2);
      const id = setInterval(() => { tell(true, 'interval'); clearInterval(id) }, 2);
      clearTimeout(setTimeout(() => { tell(false) }, 1));
    });
    step('frames', () => {
      requestAnimationFrame(now => { tell(now > 0 && now <= performance.now(), 'frame') });
      cancelAnimationFrame(requestAnimationFrame(() => { tell(false) }));
    });
    step('micro', () => { queueMicrotask(() => { tell(true, 'micro') }) });
    step('events', () => {
      const heard = event => { tell(event.type === 'e' && event.detail === 5, 'event') };
      addEventListener('e', heard);
      addEventListener('e', { handleEvent: heard });
      document.addEventListener('f', heard);
      document.removeEventListener('f', heard);
      queueMicrotask(() => { dispatchEvent(new CustomEvent('e', { detail: 5, cancelable: true })) });
      dispatchEvent(new Event('f', { cancelable: false }));
      addEventListener('openclaw:a2ui-action-status', event => { tell(event.detail.ok === false, 'status') });
    });
    step('console', () => {
      console.log('text', 1, true, null, { b: 2 });
      console.warn('warned');
      console.error('complained');
      console.assert(false, 'asserted');
      console.assert(true, 'nothing');
    });
    step('paths', () => {
      c.save(); c.beginPath(); c.moveTo(1, 1); c.lineTo(20, 1); c.quadraticCurveTo(20, 20, 1, 20);
      c.bezierCurveTo(1, 2, 3, 4, 5, 6);
      c.arc(10, 10, 5, 0, 3); c.arc(10, 10, 5, 0, 3, true); c.arcTo(1, 2, 3, 4, 5);
      c.ellipse(5, 5, 3, 4, 0, 0, 6, false); c.rect(0, 0, 8, 8);
      c.roundRect(0, 0, 20, 20); c.roundRect(1, 1, 20, 20, 5); c.closePath(); c.fillStyle = 'red'; c.fill();
      c.fill('evenodd'); c.stroke();
      if (!c.isPointInPath(4, 4) || c.isPointInPath(90, 90, 'evenodd')) throw 0;
      c.clip(); c.restore(); c.clearRect(0, 0, 4, 4); c.fillRect(30, 30, 10, 10); c.strokeRect(50, 50, 10, 10);
    });
    step('transforms', () => {
      c.save(); c.translate(1, 2); c.rotate(1); c.scale(2, 2); c.transform(1, 0, 0, 1, 0, 0);
      c.setTransform(1, 0, 0, 1, 7, 8);
      const m = c.getTransform(); if (m.a !== 1 || m.e !== 7 || m.m42 !== 8) throw 0;
      c.setTransform({ a: 1, b: 0, c: 0, d: 1, e: 3, f: 4 }); if (c.getTransform().f !== 4) throw 0;
      c.setTransform(); if (c.getTransform().f !== 0) throw 0;
      c.resetTransform(); c.restore();
    });
    step('styles', () => {
      c.lineWidth = 3; c.miterLimit = 4; c.globalAlpha = 0.5; c.lineDashOffset = 1; c.imageSmoothingEnabled = false;
      c.lineCap = 'round';
      c.lineJoin = 'bevel'; c.globalCompositeOperation = 'source-over'; c.textAlign = 'center'; c.textBaseline = 'top';
      c.font = '20px sans-serif';
      if (c.lineWidth !== 3 || c.globalAlpha !== 0.5 || c.lineCap !== 'round' || c.imageSmoothingEnabled
        || c.fillStyle !== '#000000') throw 0;
      c.strokeStyle = 'blue'; if (c.strokeStyle !== '#0000ff' || c.shadowBlur !== 0) throw 0;
      c.getLineDash();
    });
    step('gradients', () => {
      const g = c.createLinearGradient(0, 0, 100, 0), r = c.createRadialGradient(0, 0, 1, 0, 0, 9);
      g.addColorStop(0, 'lime'); g.addColorStop(1, 'blue'); r.addColorStop(0, 'red');
      c.fillStyle = g; if (c.fillStyle !== g) throw 0;
      c.strokeStyle = r; if (c.strokeStyle !== r) throw 0;
      c.fillRect(60, 0, 100, 20); c.strokeRect(60, 40, 40, 40);
    });
    step('text', () => {
      c.fillText('words', 10, 90); c.strokeText('words', 10, 90, 50);
      const m = c.measureText('words');
      if (m.width !== m.actualBoundingBoxRight || m.actualBoundingBoxLeft !== 0) throw 0;
    });
    const picture = new Image();
    step('images', () => {
      picture.onload = () => {
        c.drawImage(picture, 0, 60); c.drawImage(picture, 0, 60, 9, 9); c.drawImage(picture, 0, 0, 1, 1, 9, 70, 5, 5);
        tell(picture.width === 2 && picture.naturalHeight === 2 && picture.complete, 'loaded');
      };
      queueMicrotask(() => { picture.src = 'data:image/png;base64,AAAA' });
    });
    step('words', () => {
      __openclaw.setDebugStatusEnabled(true); __openclaw.setStatus('Title', 'below'); __openclaw.setStatus(null, null);
      __openclaw.renderHome({ eyebrow: 'a  b', title: 'Kitchen', subtitle: 5, activeAgentBadge: 'X',
        activeAgentName: 'Y', gatewayLabel: '', footer: null });
    });
    step('surfaces', () => {
      openclawA2UI.reset();
      if (!openclawA2UI.applyMessages([{ a: 1 }]).ok || openclawA2UI.getSurfaces().length !== 1) throw 0;
    });
    step('document', () => {
      document.title = 'here';
      if (document.title !== 'here' || location.href !== 'about:blank'
        || document.querySelector('p') !== null) throw 0;
      if (canvas.getBoundingClientRect().right !== 480 || canvas.getContext('2d') !== c
        || navigator.userAgent !== 'Talon') throw 0;
    });
    for (const name in { __proto__: null, fetch: 0, alert: 0 })
      step('absent', () => { try { window[name]() } catch { return } throw 0 });
    queueMicrotask(() => {
      try { OpenClaw.sendUserAction({ name: 'n', id: 'i', userAction: null }) } catch { return } tell(false) });
    'used'
    """

  /// What asks objects of the page's how they work.
  static let ask = """
    const each = bodies => { for (let at = 0; at < bodies.length; at++) { try { bodies[at]() } catch { } } };
    each([() => c.setLineDash([1, 2, 3]), () => c.setLineDash(5), () => c.roundRect(0, 0, 9, 9, [1, 2]),
      () => c.roundRect(0, 0, 9, 9, [{ x: 1, y: 2 }]),
      () => c.roundRect(0, 0, 9, 9, new Set()), () => c.setTransform({}), () => c.setTransform([]),
      () => addEventListener('e', {}), () => dispatchEvent({}),
      () => dispatchEvent(null), () => console.log([1], {}, new Error('x'), Symbol('s'), 5n, () => 1),
      () => console.table(new Proxy({}, {})),
      () => setTimeout(() => { throw new Error('x') }, 1),
      () => setTimeout(async () => { throw new TypeError('x') }, 1),
      () => openclawA2UI.applyMessages({}), () => openclawA2UI.applyMessages(undefined),
      () => OpenClaw.sendUserAction({}), () => OpenClaw.sendUserAction('{'),
      () => OpenClaw.sendUserAction({ name: 'n', toJSON() { return 5 } }),
      () => OpenClaw.sendUserAction({ name: 'n', toJSON() { } }), () => __openclaw.renderHome({}),
      () => new CanvasGradient(), () => new CustomEvent(),
      () => new (class extends Image { })().decode(), () => Object.setPrototypeOf(CustomEvent, null),
      () => new CustomEvent('a', {}), () => picture.decode(),
      () => Promise.reject(1), () => Promise.resolve().then(() => { throw 1 }), () => setTimeout(() => { }, {}),
      () => setInterval(() => { }, -Infinity),
      () => requestAnimationFrame(() => Promise.reject(new Error('y'))), () => document.body,
      () => (location.href = 'x'), () => structuredClone({})]);
    """
}
