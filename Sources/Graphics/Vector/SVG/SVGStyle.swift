import Runtime

/// What an element looks like: most of it is handed down to what is inside.
struct SVGStyle {
  enum Paint {
    case none
    case color(Color)
    /// A gradient, by its node; what is drawn when it is none.
    case server(Int32, fallback: Color?)
  }

  var fill = Paint.color(.black)
  var fillOpacity = 1.0
  var isEvenOdd = false
  var stroke = Paint.none
  var strokeOpacity = 1.0
  var pen = Pen()
  var color = Color.black
  var font = CSSFont()
  /// Where a text stands from its place: 0 after it, 0.5 around it, 1 before it.
  var anchor = 0.0
  /// How far below its place a text's baseline is, in heights of the font.
  var drop = 0.0
  var isVisible = true
  var isClipEvenOdd = false
  var keepsBlanks = false

  // Not handed down.
  var opacity = 1.0
  var isDisplayed = true
  /// The nodes of a clip and a mask; -1: none.
  var clip: Int32 = -1
  var mask: Int32 = -1
  var stopColor = Color.black
  var stopOpacity = 1.0

  init() {
    pen.miterLimit = 4
    pen.drawsDots = true
    font.size = 16
  }

  /// What is handed down.
  var inherited: SVGStyle {
    var result = self
    result.opacity = 1
    result.isDisplayed = true
    result.clip = -1
    result.mask = -1
    result.stopColor = .black
    result.stopOpacity = 1
    return result
  }
}

/// Takes properties, one by one, into a style.
struct SVGStyler {
  let tree: SVGTree
  let rules: SVGRules
  /// What percentages of lengths are of.
  var reference = 100.0

  /// The style of an element inside one of a style: attributes first, then rules, then its own `style`.
  func style(of node: Int, in parent: SVGStyle) -> SVGStyle {
    var style = parent.inherited
    tree.forEach(node) { name, value in apply(name, value, &style) }
    guard tree[node].kind != .characters else { return style }
    rules.forEach(node, tree) { declarations in apply(declarations: declarations, &style) }
    if let own = tree.value(node, "style") { apply(declarations: own, &style) }
    return style
  }

  /// "name: value; name: value".
  func apply(declarations: UnsafeBufferPointer<UInt8>, _ style: inout SVGStyle) {
    CSSDeclarations.forEach(declarations) { name, value in apply(name, value, &style) }
  }

  private func apply(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, _ style: inout SVGStyle) {
    let property = name.span
    let text = value.span
    guard text.count > 0, !text.isText("inherit") else { return }
    func isName(_ word: StaticString) -> Bool { name.span.isText(word) }
    guard property.count > 3 else { return }
    switch property[0] {
    case UInt8(ascii: "f"):
      if isName("fill") {
        paint(text, &style.fill, style.color)
      } else if isName("fill-opacity") {
        share(text, &style.fillOpacity)
      } else if isName("fill-rule") {
        style.isEvenOdd = text.isText("evenodd")
      } else {
        font(property, text, &style)
      }
    case UInt8(ascii: "s"):
      if isName("stroke") {
        paint(text, &style.stroke, style.color)
      } else if isName("stop-color") {
        if let color = CSSColor.parse(text, current: style.color) { style.stopColor = color }
      } else if isName("stop-opacity") {
        share(text, &style.stopOpacity)
      } else {
        stroke(property, text, &style)
      }
    case UInt8(ascii: "o"): if isName("opacity") { share(text, &style.opacity) }
    case UInt8(ascii: "c"):
      if isName("color") {
        if let color = CSSColor.parse(text, current: style.color) { style.color = color }
      } else if isName("clip-path") {
        style.clip = Int32(reference(text) ?? -1)
      } else if isName("clip-rule") {
        style.isClipEvenOdd = text.isText("evenodd")
      }
    case UInt8(ascii: "d"):
      if isName("display") { style.isDisplayed = !text.isText("none") }
      if isName("dominant-baseline") { style.drop = Self.drop(text) }
    case UInt8(ascii: "v"): if isName("visibility") { style.isVisible = text.isText("visible") }
    case UInt8(ascii: "t"):
      if isName("text-anchor") { style.anchor = text.isText("middle") ? 0.5 : text.isText("end") ? 1 : 0 }
    case UInt8(ascii: "m"): if isName("mask") { style.mask = Int32(reference(text) ?? -1) }
    case UInt8(ascii: "x"): if isName("xml:space") { style.keepsBlanks = text.isText("preserve") }
    default: break
    }
  }

  /// A share of the font's size that a baseline lies below the place.
  private static func drop(_ text: Span<UInt8>) -> Double {
    if text.isText("middle") || text.isText("central") { return 0.35 }
    if text.isText("hanging") || text.isText("text-before-edge") || text.isText("text-top") { return 0.8 }
    if text.isText("text-after-edge") || text.isText("ideographic") { return -0.2 }
    return 0
  }

  private func font(_ name: Span<UInt8>, _ text: Span<UInt8>, _ style: inout SVGStyle) {
    if name.isText("font-size") {
      var reader = TextReader(text)
      guard let number = reader.number() else { return }
      let size = number * (reader.isAtEnd ? 1 : CSSFont.unit(&reader, style.font.size) ?? 1)
      if size >= 0, size.isFinite { style.font.size = size }
    } else if name.isText("font-family") {
      _ = style.font.setFamily(text)
    } else if name.isText("font-weight") {
      var reader = TextReader(text)
      style.font.isBold = reader.number().map { $0 >= 600 } ?? (text.isText("bold") || text.isText("bolder"))
    } else if name.isText("font-style") {
      style.font.isItalic = text.isText("italic") || text.isText("oblique")
    } else if name.isText("font"), let font = CSSFont(text, em: style.font.size) {
      style.font = font
    }
  }

  private func stroke(_ name: Span<UInt8>, _ text: Span<UInt8>, _ style: inout SVGStyle) {
    if name.isText("stroke-width") {
      if let width = length(text, style.font.size), width >= 0 { style.pen.width = width }
    } else if name.isText("stroke-opacity") {
      share(text, &style.strokeOpacity)
    } else if name.isText("stroke-linecap") {
      if let cap = LineCap(text) { style.pen.cap = cap }
    } else if name.isText("stroke-linejoin") {
      style.pen.join = LineJoin(text) ?? .miter
    } else if name.isText("stroke-miterlimit") {
      var reader = TextReader(text)
      if let limit = reader.number(), limit >= 1 { style.pen.miterLimit = limit }
    } else if name.isText("stroke-dashoffset") {
      if let offset = length(text, style.font.size) { style.pen.dashOffset = offset }
    } else if name.isText("stroke-dasharray") {
      dashes(text, &style)
    }
  }

  private func dashes(_ text: Span<UInt8>, _ style: inout SVGStyle) {
    style.pen.dashes.removeAll()
    var reader = TextReader(text)
    while let next = Self.length(&reader, style.font.size, of: reference), style.pen.dashes.count < Budget.dashes / 2 {
      guard next >= 0 else { return style.pen.dashes.removeAll() }
      style.pen.dashes.append(next)
      reader.skipComma()
    }
    let count = style.pen.dashes.count
    if count & 1 == 1 { for index in 0..<count { style.pen.dashes.append(style.pen.dashes[index]) } }
  }

  // MARK: Values

  private func share(_ text: Span<UInt8>, _ result: inout Double) {
    var reader = TextReader(text)
    guard var value = reader.number() else { return }
    if reader.next == UInt8(ascii: "%") { value /= 100 }
    result = min(max(value, 0), 1)
  }

  /// A length in the drawing's units; nil when it is none.
  func length(_ text: Span<UInt8>, _ em: Double) -> Double? { Self.length(text, em, of: reference) }

  static func length(_ text: Span<UInt8>, _ em: Double, of reference: Double) -> Double? {
    var reader = TextReader(text)
    return length(&reader, em, of: reference)
  }

  private static func length(_ reader: inout TextReader, _ em: Double, of reference: Double) -> Double? {
    reader.skipBlanks()
    guard let number = reader.number() else { return nil }
    if reader.next == UInt8(ascii: "%") {
      reader.place += 1
      return number / 100 * reference
    }
    let place = reader.place
    guard let unit = CSSFont.unit(&reader, em) else {
      reader.place = place
      return number
    }
    return number * unit
  }

  private func paint(_ text: Span<UInt8>, _ result: inout SVGStyle.Paint, _ current: Color) {
    if text.isText("none") { return result = .none }
    if text.count > 4, text[0] == UInt8(ascii: "u"), text[3] == UInt8(ascii: "(") {
      var end = 4
      while end < text.count, text[end] != UInt8(ascii: ")") { end += 1 }
      let rest = text.extracting(min(end + 1, text.count)...)
      let fallback = CSSColor.parse(rest, current: current)
      if let node = reference(text) {
        return result = .server(Int32(node), fallback: fallback)
      }
      return result = fallback.map { .color($0) } ?? .none
    }
    if let color = CSSColor.parse(text, current: current) { result = .color(color) }
  }

  /// The node that `url(#id)` names.
  private func reference(_ text: Span<UInt8>) -> Int? {
    var reader = TextReader(text)
    guard reader.take("url(") else { return nil }
    while reader.next == UInt8(ascii: "\"") || reader.next == UInt8(ascii: "'") || reader.next == 0x20 {
      reader.place += 1
    }
    guard reader.take(UInt8(ascii: "#")) else { return nil }
    let start = reader.place
    while !reader.isAtEnd {
      let byte = reader.next
      if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == 0x20 { break }
      reader.place += 1
    }
    return text.extracting(start..<reader.place).withUnsafeBufferPointer { tree.find(id: $0) }
  }
}
