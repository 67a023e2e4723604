import Codec
import Graphics
import Runtime

/// What elements and their attributes say about how things look.
extension HTMLReader {
  func apply(_ tag: HTMLTag, _ context: inout Context) {
    switch tag {
    case .h1, .h2, .h3, .h4, .h5, .h6:
      context.block.isBold = true
      context.block.size = tag.size
    case .strong: context.style.insert(.bold)
    case .em: context.style.insert(.italic)
    case .code: context.style.insert(.code)
    case .a, .u: context.style.insert(.underlined)
    case .th: context.block.isBold = true
    case .pre:
      context.style.insert(.code)
      context.isPre = true
      context.block.isCode = true
    case .list, .orderedList:
      context.isOrdered = tag == .orderedList
      context.next = 1
      context.block.indent = min(context.block.indent + 1, 8)
      context.block.number = 0
    case .blockquote:
      context.block.quotes = min(context.block.quotes + 1, 4)
    case .center: context.block.align = .center
    case .hidden, .script, .style, .svg, .frame: context.isHidden = true
    default: break
    }
  }

  mutating func apply(_ attributes: Range<Int>, _ tag: HTMLTag, _ context: inout Context) {
    var list = MarkupAttributes(reader.bytes, attributes)
    if tag == .a { context.ink = 0 }
    while let (name, value) = list.next() {
      let text = reader.bytes.extracting(value)
      if reader.isWord(name, "style") {
        CSSDeclarations.forEach(text) { name, value in apply(name.span, value.span, &context) }
      } else if reader.isWord(name, "align") {
        align(text.span, &context)
      } else if reader.isWord(name, "hidden") {
        context.isHidden = true
      } else if reader.isWord(name, "bgcolor"), let color = CSSColor.parse(text.span) {
        context.block.background = color
      } else if reader.isWord(name, "color"), let color = CSSColor.parse(text.span) {
        context.ink = document.ink(color)
      } else if reader.isWord(name, "start"), tag == .orderedList {
        var reader = TextReader(text.span)
        if let number = reader.number(), abs(number) < 1e6 { context.next = Int32(clamping: number) }
      }
    }
  }

  private func apply(_ name: Span<UInt8>, _ value: Span<UInt8>, _ context: inout Context) {
    if name.isText("color") {
      if let color = CSSColor.parse(value), color.alpha > 0 { context.ink = document.ink(color) }
    } else if name.isText("background-color") || name.isText("background") {
      if let color = CSSColor.parse(value), color.alpha > 0, context.tag.isBlock { context.block.background = color }
    } else if name.isText("text-align") {
      align(value, &context)
    } else if name.isText("font-size") {
      var reader = TextReader(value)
      guard let number = reader.number(), number > 0, number < 1000 else { return }
      let size = Double(context.block.size)
      let percent = CSSFont.unit(&reader, size * 0.16).map { number * $0 / 0.16 } ?? size
      context.block.size = Int32(clamping: percent.bounded(60, 400))
    } else if name.isText("font-weight") {
      if value.isText("bold") || value.isText("600") || value.isText("700") { context.style.insert(.bold) }
    } else if name.isText("font-style") {
      if value.isText("italic") { context.style.insert(.italic) }
    } else if name.isText("display") || name.isText("visibility") {
      if value.isText("none") || value.isText("hidden") { context.isHidden = true }
    }
  }

  private func align(_ value: Span<UInt8>, _ context: inout Context) {
    if value.isText("center") { context.block.align = .center }
    if value.isText("right") || value.isText("end") { context.block.align = .end }
    if value.isText("left") || value.isText("start") { context.block.align = .start }
  }

  /// A script that is data, and runs nothing.
  func isData(_ attributes: Range<Int>) -> Bool {
    var list = MarkupAttributes(reader.bytes, attributes)
    while let (name, value) = list.next() {
      guard reader.isWord(name, "type") else { continue }
      return reader.isWord(value, "application/ld+json") || reader.isWord(value, "application/json")
    }
    return false
  }
}
