/// Programs of a page: drawing with extreme numbers, and intrinsics that were tampered with before the page's own code
/// uses them.
enum ScriptGrammar {
  private static let calls: [(name: String, counts: [Int])] = [
    ("moveTo", [2]), ("lineTo", [2]), ("rect", [4]), ("arc", [5, 6]), ("ellipse", [7, 8]), ("arcTo", [5]),
    ("bezierCurveTo", [6]),
    ("quadraticCurveTo", [4]), ("roundRect", [5]), ("strokeRect", [4]), ("fillRect", [4]), ("clearRect", [4]),
    ("scale", [2]),
    ("translate", [2]), ("rotate", [1]), ("transform", [6]), ("setTransform", [6, 0]), ("isPointInPath", [2]),
    ("isPointInStroke", [2]),
    ("createLinearGradient", [4]), ("createRadialGradient", [6]), ("createConicGradient", [3]), ("getImageData", [4]),
    ("beginPath", [0]), ("closePath", [0]), ("fill", [0]), ("stroke", [0]), ("clip", [0]), ("save", [0]),
    ("restore", [0]),
    ("resetTransform", [0]), ("reset", [0]),
  ]
  private static let settings = [
    "lineWidth", "miterLimit", "globalAlpha", "lineDashOffset", "shadowBlur", "shadowOffsetX", "shadowOffsetY",
    "letterSpacing",
  ]
  private static let intrinsics = [
    "Object", "Array", "Function", "String", "Number", "Boolean", "Symbol", "Error", "TypeError", "Promise", "Map",
    "Set", "WeakMap", "Math",
    "JSON", "Date", "RegExp", "Proxy", "Reflect", "ArrayBuffer", "Uint8Array", "Uint8ClampedArray", "Float64Array",
    "DataView", "BigInt", "globalThis",
  ]
  private static let members = [
    "prototype.then", "prototype.toString", "prototype.valueOf", "prototype.push", "prototype.map", "prototype.join",
    "prototype.length",
    "prototype.get", "prototype.set", "prototype.has", "prototype.delete", "prototype.call", "prototype.apply",
    "prototype.bind", "prototype.name",
    "prototype.message", "prototype.stack", "prototype.exec", "prototype[0]", "prototype['']", "prototype.value",
    "prototype.constructor",
    "prototype[Symbol.iterator]", "prototype[Symbol.toPrimitive]", "prototype[Symbol.toStringTag]", "prototype.next",
    "prototype.done",
    "prototype.slice", "prototype.forEach", "prototype.toJSON", "prototype.x", "prototype.width", "entries", "keys",
    "freeze", "defineProperty",
    "parse", "stringify", "resolve", "reject", "from", "isArray", "max", "min", "floor", "species", "prototype", "name",
    "apply", "construct",
  ]
  private static let values = [
    "null", "undefined", "1", "-1", "NaN", "1e308", "''", "'x'.repeat(70000)", "{}", "[]", "() => { throw 1 }",
    "() => null", "() => ({})",
    "function () { return this }", "() => 1e308", "class A extends Array {}", "new Proxy({}, {get: () => { throw 2 }})",
    "new Proxy(function () {}, {})", "Symbol('s')", "1n", "new Array(70000)", "{get then() { throw 3 }}",
    "{valueOf: () => ({}), toString: null}",
    "{length: 4294967295}", "{length: -1}", "globalThis", "new Uint8Array(9)", "(a, b) => a(b)", "function f() { f() }",
    "async () => { throw 4 }",
    "{[Symbol.toPrimitive]: () => { throw 5 }}", "Object.create(null)", "new Date(NaN)", "/(a+)+$/", "document",
    "__openclaw.ctx",
  ]
  private static let page = [
    "setTimeout", "setInterval", "requestAnimationFrame", "queueMicrotask", "clearTimeout", "cancelAnimationFrame",
    "addEventListener",
    "dispatchEvent", "removeEventListener", "structuredClone", "btoa", "atob", "console.log", "console.error",
    "openclawA2UI.applyMessages",
    "openclawA2UI.getSurfaces", "OpenClaw.sendUserAction", "__openclaw.setStatus", "__openclaw.setDebugStatusEnabled",
    "__openclaw.renderHome",
    "ctx.fillText", "ctx.strokeText", "ctx.measureText", "ctx.setLineDash", "ctx.drawImage", "ctx.putImageData",
    "ctx.createPattern",
    "ctx.fill", "ctx.clip", "new Image", "new CustomEvent", "new Event", "new OffscreenCanvas", "new ImageData",
    "new Path2D", "canvas.toDataURL",
    "canvas.getContext", "performance.now", "alert", "fetch", "openclawA2UI.reset",
  ]

  /// A program as a JSON string.
  static func writeQuoted(into maker: Maker) { maker.quote(maker.apart { write(into: maker) }) }

  /// A program.
  static func write(into maker: Maker) {
    let dice = maker.dice
    maker.add("const ctx = __openclaw.ctx, canvas = __openclaw.canvas;\n")
    for _ in 0..<(1 + dice.below(10)) {
      let isSafe = dice.chance(2, in: 3)
      if isSafe { maker.add("try { ") }
      statement(maker)
      if isSafe { maker.add(" } catch (e) {}") }
      maker.add("\n")
    }
    if dice.chance(1, in: 2) {
      maker.add(
        dice.pick(["1", "'done'", "({})", "ctx.lineWidth", "Promise.resolve(1)", "undefined", "new Promise(() => {})"]))
    }
  }

  private static func statement(_ maker: Maker) {
    let dice = maker.dice
    switch dice.below(16) {
    case 0...4: call(maker)
    case 5, 6: set(maker)
    case 7, 8, 9: tamper(maker)
    case 10, 11: use(maker)
    case 12:
      maker.add(dice.pick(["canvas.width", "canvas.height"]) + " = ")
      number(maker)
      maker.add(";")
    case 13:
      maker.add(
        dice.pick([
          "ctx.font", "ctx.fillStyle", "ctx.strokeStyle", "ctx.globalCompositeOperation", "ctx.lineCap", "ctx.lineJoin",
          "ctx.textAlign",
        ]) + " = ")
      maker.value(
        .either([
          .color, .text, .word(["1e30px serif", "12px mono", "0px a", "xor", "copy", "round", "bevel", "center"]),
          .raw("null"),
        ]))
      maker.add(";")
    case 14:
      maker.add("for (let i = 0; i < 9; i++) { ")
      call(maker)
      maker.add(" }")
    default:
      maker.add("setTimeout(() => { ")
      call(maker)
      maker.add(" }, ")
      number(maker)
      maker.add(");")
    }
  }

  private static func number(_ maker: Maker) {
    if maker.dice.chance(1, in: 12) { return maker.add(maker.dice.pick(values)) }
    if maker.mood == .calm ? false : maker.dice.chance(1, in: 3) { return maker.oddNumber() }
    maker.add(String(maker.dice.below(300) - 100))
    if maker.dice.chance(1, in: 4) { maker.add(".5") }
  }

  private static func call(_ maker: Maker) {
    let (name, counts) = maker.dice.pick(calls)
    maker.add("ctx." + name + "(")
    var count = maker.dice.pick(counts)
    if maker.mood == .wild, maker.dice.chance(1, in: 10) { count = maker.dice.below(9) }
    for index in 0..<count {
      if index > 0 { maker.add(", ") }
      number(maker)
    }
    maker.add(");")
  }

  private static func set(_ maker: Maker) {
    maker.add("ctx." + maker.dice.pick(settings) + " = ")
    number(maker)
    maker.add(";")
  }

  /// An intrinsic becomes something else.
  private static func tamper(_ maker: Maker) {
    let dice = maker.dice
    let place = dice.pick(intrinsics) + "." + dice.pick(members)
    switch dice.below(4) {
    case 0:
      let cut = place.lastIndex(of: ".") ?? place.startIndex
      let name = place[cut...].dropFirst().prefix { $0 != "[" }
      let body = dice.pick(["throw 1", "return this", "return 1e308"])
      maker.add("Object.defineProperty(\(place[..<cut]), '\(name)', ")
      maker.add("{get() { \(body) }, set(v) { throw 6 }, configurable: true});")
    case 1: maker.add("delete \(place);")
    default:
      maker.add(place + " = ")
      maker.add(dice.pick(values))
      maker.add(";")
    }
  }

  /// Something of the page is called with anything.
  private static func use(_ maker: Maker) {
    maker.add(maker.dice.pick(page) + "(")
    for index in 0..<maker.dice.below(4) {
      if index > 0 { maker.add(", ") }
      maker.add(maker.dice.pick(values))
    }
    maker.add(");")
  }
}
