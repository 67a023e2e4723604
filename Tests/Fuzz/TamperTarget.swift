import Runtime
import Script

/// A page that replaces functions of the language and calls everything with whatever: it ends in time with one answer,
/// and the next page runs. The bytes choose; `checkScript` takes the program itself from them.
func checkTamperedScript(_ bytes: [UInt8]) {
  let maker = PageMaker(dice: Dice(bytes))
  FuzzStage.shared.check(Array(maker.program().utf8))
}

/// Makes a program of the calls that a page has, each in a statement that may fail.
private struct PageMaker {
  let dice: Dice

  func program() -> String {
    var text = Self.opening
    var statements = 0
    while !dice.isSpent, statements < 60 {
      text += "try { \(statement(depth: 0)) } catch { }\n"
      statements += 1
    }
    return text + "'done'"
  }

  private func statement(depth: Int) -> String {
    switch dice.below(20) {
    case 0, 1, 2:
      return "put(\(dice.pick(Self.places)), { __proto__: null, configurable: true, \(dice.pick(Self.replacements)) })"
    case 3:
      return
        "put(Array.prototype, Symbol.iterator, { __proto__: null, configurable: true, value: () => walk([\(dice.pick(Self.calls)), \(value()), \(value())]) })"
    case 4:
      return
        "put(\(dice.pick(Self.prototypes)), \(dice.pick(Self.members)), { __proto__: null, configurable: true, \(dice.pick(Self.replacements)) })"
    case 5, 6, 7: return "c.\(dice.pick(Self.methods))(\(arguments()))"
    case 8: return "c.\(dice.pick(Self.properties)) = \(value()); c.\(dice.pick(Self.properties))"
    case 9:
      let timer = dice.pick(["setTimeout", "setInterval", "requestAnimationFrame", "queueMicrotask"])
      return "\(timer)(\(function(depth)), \(value()), \(value()))"
    case 10:
      let call = dice.pick(["addEventListener", "removeEventListener", "document.addEventListener"])
      return "\(call)(\(dice.pick(["'e'", "'resize'", value()])), \(function(depth)))"
    case 11: return "dispatchEvent(\(dice.pick(["new Event('e')", "new CustomEvent('e', o)", value()])))"
    case 12: return "console.\(dice.pick(["log", "warn", "error", "assert", "table"]))(\(arguments()))"
    case 13: return "\(dice.pick(Self.ways))(\(arguments()))"
    case 14:
      return "const i = new Image(); i.onload = \(function(depth)); "
        + "i.src = \(dice.pick(["'data:;base64,AAAA'", value()])); i.decode()"
    case 15:
      return "canvas.\(dice.pick(["width", "height"])) = \(value()); "
        + "canvas.\(dice.pick(["toDataURL", "getContext", "getBoundingClientRect"]))(\(value()))"
    case 16:
      let gradient = dice.pick(["c.createLinearGradient(0, 0, 1, 1)", "c.createRadialGradient(0, 0, 1, 0, 0, 2)"])
      return "const g = \(gradient); g.addColorStop(\(value()), \(value())); c.fillStyle = g; c.fillStyle = 'red'"
    case 17:
      return
        "Error.prepareStackTrace = (e, sites) => { for (const s of sites) { const f = s.getFunction(); if (f) f(\(arguments())) } }; null.x"
    case 18:
      let start = dice.pick([
        "Object.setPrototypeOf(CustomEvent", "Object.setPrototypeOf(Image", "Object.setPrototypeOf(c",
        "Reflect.construct(CanvasGradient, [1]",
      ])
      return "\(start), \(value()))"
    default: return "(async () => { await \(value()); \(depth < 2 ? statement(depth: depth + 1) : "throw 1") })()"
    }
  }

  private func function(_ depth: Int) -> String {
    depth < 2 ? "() => { try { \(statement(depth: depth + 1)) } catch { } }" : value()
  }

  private func arguments() -> String {
    var text = ""
    for place in 0..<dice.below(10) { text += place == 0 ? value() : ", " + value() }
    return text
  }

  private func value() -> String { dice.pick(Self.values) }

  private static let opening = """
    const put = Reflect.defineProperty, c = __openclaw.ctx, canvas = __openclaw.canvas, o = { a: 1 };
    const walk = list => {
      let at = 0;
      return { next: () => ({ __proto__: null, value: list[at], done: at++ >= list.length }) } };
    const endless = { next: () => ({ value: 1e300, done: false }), [Symbol.iterator]() { return this } };

    """
  private static let values = [
    "NaN", "Infinity", "-Infinity", "1e300", "-1e300", "2 ** 31", "2 ** 32", "-(2 ** 31) - 1", "2 ** 53", "2 ** 63",
    "-1", "-0", "0", "1", "0.5", "3", "20",
    "5e-324", "undefined", "null", "true", "'red'", "'evenodd'", "'10px x'", "'\\u0000\\ud800'", "'x'.repeat(9999)",
    "'9'.repeat(400)", "[]", "[1, 2]",
    "[1e300, -1]", "{}", "o", "{ x: 1e300, y: NaN }", "{ a: 1, b: 0, c: 0, d: 1, e: 1e300, f: NaN }", "() => 1e300",
    "{ valueOf() { throw 1 } }",
    "{ valueOf: () => NaN }", "{ toString: () => 'x' }", "{ then(a, b) { a(1); b(2) } }", "{ then() { throw 1 } }",
    "{ toJSON() { } }", "Symbol('s')",
    "10n ** 40n", "new Proxy({}, { get: () => 1e300 })", "endless", "new Error('e')", "Promise.reject(1)",
    "new Promise(() => { })", "c", "canvas",
    "new Uint8Array(4)", "{ name: 'n', id: 'i', context: {} }", "[{ surfaceUpdate: {} }]",
  ].map { "(\($0))" }
  private static let places =
    [
      "min", "max", "floor", "round", "trunc",
    ].map { "Math, '\($0)'" } + ["stringify", "parse"].map { "JSON, '\($0)'" }
    + ["apply", "construct", "ownKeys"].map { "Reflect, '\($0)'" }
    + ["defineProperty", "entries", "assign", "setPrototypeOf"].map { "Object, '\($0)'" }
    + ["map", "filter", "sort", "join", "forEach", "flatMap", "push", "concat"].map { "Array.prototype, '\($0)'" }
    + ["get", "set", "delete", "has", "forEach", "values", "entries"].map { "Map.prototype, '\($0)'" }
    + ["add", "delete", "forEach", "values"].map { "Set.prototype, '\($0)'" } + [
      "Map.prototype, Symbol.iterator", "Set.prototype, Symbol.iterator", "String.prototype, Symbol.iterator",
    ]
    + [
      "Object.getPrototypeOf([][Symbol.iterator]()), 'next'", "Object.getPrototypeOf(new Map().keys()), 'next'",
      "Object.getPrototypeOf(new Set().keys()), 'next'",
    ]
    + ["then", "catch", "constructor"].map { "Promise.prototype, '\($0)'" } + [
      "Promise, 'resolve'", "Promise, Symbol.species", "Promise, Symbol.hasInstance", "Error, Symbol.hasInstance",
    ]
    + ["call", "apply", "bind"].map { "Function.prototype, '\($0)'" }
    + ["replace", "concat", "trim", "slice", "charCodeAt"].map { "String.prototype, '\($0)'" }
    + [
      "RegExp.prototype, 'exec'", "RegExp.prototype, Symbol.replace", "WeakRef.prototype, 'deref'",
      "FinalizationRegistry.prototype, 'register'", "Error.prototype, 'name'",
      "Error.prototype, 'message'", "Error, 'stackTraceLimit'", "Object.prototype, 'toString'",
      "Object.prototype, 'valueOf'",
    ]
    + [
      "Math", "Number", "String", "Promise", "Error", "TypeError", "Map", "Object", "Array", "Symbol", "WeakRef",
      "JSON", "globalThis", "Reflect", "Event",
    ].map { "globalThis, '\($0)'" }
  private static let replacements = [
    "value: () => NaN", "value: () => 1e300", "value: () => -1e300", "value: () => Infinity",
    "value: () => { throw 0 }", "value: undefined",
    "value: () => ({})", "value: () => 'text'", "value: function () { return this }", "value: () => endless",
    "value: 1e300", "get() { throw 0 }",
    "get() { return 1e300 }, set(v) { }", "value: new Proxy(function () { }, { get: () => 1e300 })",
    "value: async () => 1", "value: () => walk([NaN, -1e300, 'set'])",
  ]
  private static let prototypes = [
    "Object.prototype", "Array.prototype", "Function.prototype", "String.prototype", "Number.prototype",
  ]
  private static let members = [
    "'get'", "'set'", "'value'", "'writable'", "'due'", "'every'", "'callback'", "'values'", "'then'", "'toJSON'",
    "'a'", "'m11'", "'detail'", "'x'", "'id'", "'name'", "'message'",
    "'length'", "'handleEvent'", "'userAction'", "'type'", "'next'", "'done'", "'return'", "0", "1", "2", "3", "4", "5",
    "6", "Symbol.iterator", "Symbol.toPrimitive",
  ]
  private static let methods = [
    "save", "restore", "translate", "rotate", "scale", "transform", "setTransform", "resetTransform", "getTransform",
    "beginPath", "closePath", "moveTo",
    "lineTo", "quadraticCurveTo", "bezierCurveTo", "arc", "arcTo", "ellipse", "rect", "roundRect", "fill", "stroke",
    "clip", "isPointInPath", "clearRect",
    "fillRect", "strokeRect", "drawImage", "fillText", "strokeText", "measureText", "setLineDash", "getLineDash",
    "createLinearGradient",
    "createRadialGradient", "createPattern",
  ]
  private static let properties = [
    "fillStyle", "strokeStyle", "lineWidth", "miterLimit", "globalAlpha", "lineDashOffset", "imageSmoothingEnabled",
    "lineCap", "lineJoin",
    "globalCompositeOperation", "textAlign", "textBaseline", "font", "shadowBlur", "filter", "canvas",
  ]
  /// Names of calls, as texts, and what is none.
  private static let calls = [
    "'set'", "'get'", "'schedule'", "'dropImage'", "'dropGradient'", "'size'", "NaN", "-1e300",
  ]
  private static let ways = [
    "__openclaw.setStatus", "__openclaw.setDebugStatusEnabled", "__openclaw.renderHome", "openclawA2UI.applyMessages",
    "openclawA2UI.reset",
    "openclawA2UI.getSurfaces", "OpenClaw.sendUserAction", "performance.now", "clearTimeout", "cancelAnimationFrame",
    "fetch", "document.querySelector",
  ]
}
