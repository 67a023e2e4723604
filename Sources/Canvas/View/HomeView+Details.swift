import Codec
import Graphics
import Runtime

// The technical side of home: the board's name, its connection, what a person has to do, and what the board did.

extension HomeView {
  /// The texts in the middle, one below the other; a code beside them, or below them on a screen that stands upright;
  /// the time in the upper left corner.
  func drawDetails(into list: DisplayList) {
    let screen = Rect(0, 0, size.width, size.height)
    var inside = screen.inset(by: theme.px(16))
    inside.height = max(drawFoot(into: list, saysWhy: true) - theme.px(8) - inside.y, 1)
    var square = codeSquare(inside)
    // Of a code and a command in full, a small screen has the command.
    if let place = square, place.x > inside.x, !fitsCommand(place.x - inside.x - theme.px(12)) { square = nil }
    var texts = inside
    if let square {
      if square.x > inside.x || square.y == inside.y {
        texts.width = max(square.x - inside.x - theme.px(12), 1)
      }
      if !code.draw(into: list, square) { texts = inside }
    }
    let isBelow = square.map { $0.y > inside.y } ?? false
    drawTexts(into: list, texts, height: isBelow ? (square?.y ?? 0) - texts.y - theme.px(8) : texts.height)
    drawTime(into: list)
  }

  /// Where the code stands: at the right of a wide screen, at the foot of a tall one.
  private func codeSquare(_ inside: Rect) -> Rect? {
    guard code.side > 0 else { return nil }
    if inside.width > inside.height {
      let side = min(inside.height, inside.width * 2 / 5)
      return Rect(inside.x + inside.width - side, inside.y, side, inside.height)
    }
    let side = min(inside.width, inside.height * 2 / 5)
    return Rect(inside.x, inside.y + inside.height - side, inside.width, side)
  }

  private func drawTexts(into list: DisplayList, _ room: Rect, height roomHeight: Int32) {
    let width = max(min(room.width, theme.px(560)), 1)
    var height: Int32 = 0
    forEachPart(width) { text, font, _, gap in
      flow.take(text, font, isMarkdown: false)
      height += flow.arrange(width: width) + gap
    }
    var y = room.y + max((roomHeight - height) / 2, 0)
    let x = room.x + (room.width - width) / 2
    forEachPart(width) { text, font, color, gap in
      y += gap
      flow.take(text, font, isMarkdown: false)
      let height = flow.arrange(width: width)
      flow.draw(into: list, at: Point(x, y), width: width, color, alignment: .center)
      y += height
    }
  }

  private func drawTime(into list: DisplayList) {
    guard !facts.time.isEmpty else { return }
    flow.take(facts.time.span, theme.font(.h4), isMarkdown: false)
    flow.arrange(width: size.width)
    flow.draw(into: list, at: Point(theme.px(12), theme.px(8)), width: size.width, theme.mutedText)
  }

  /// The texts, and how they look in this width.
  private func forEachPart(_ width: Int32, _ body: (Span<UInt8>, Font, Color, _ gap: Int32) -> Void) {
    if !facts.name.isEmpty { body(facts.name.span, theme.font(.h1), theme.text, 0) }
    if !facts.state.isEmpty { body(facts.state.span, theme.font(.h4), theme.accentText, theme.px(10)) }
    if !facts.sentence.isEmpty { body(facts.sentence.span, theme.font(.body), theme.mutedText, theme.px(6)) }
    guard !facts.command.isEmpty else { return forEachUse(body) }
    let place: StaticString =
      facts.page.isEmpty
      ? "On the gateway's machine run:" : "With a phone: the code. Or on the gateway's machine run:"
    body(place.utf8Bytes, theme.font(.caption), theme.mutedText, theme.px(16))
    forEachCommandLine(width, body)
  }

  /// The command in one line; where that is too long, its last word on a line of its own, as small as it needs to be:
  /// that is an id, which nobody copies rightly who sees it broken.
  private func forEachCommandLine(_ width: Int32, _ body: (Span<UInt8>, Font, Color, _ gap: Int32) -> Void) {
    var font = commandFont
    let command = facts.command.span
    let start = idStart
    if start == 0 || lineWidth(command, font) <= width { return body(command, font, theme.text, theme.px(4)) }
    let words = command.extracting(0..<(start - 1))
    let id = command.extracting(start..<command.count)
    let longest = max(lineWidth(words, font), lineWidth(id, font), 1)
    if longest > width {
      font.size = max(Int16(clamping: Int64(font.size) * Int64(width) / Int64(longest)), smallestSize)
    }
    body(words, font, theme.text, theme.px(4))
    body(id, font, theme.text, 0)
  }

  private var commandFont: Font {
    var font = theme.font(.body)
    font.isMonospaced = true
    return font
  }

  /// Pixels of letters that are still read: two thirds of a caption's.
  private var smallestSize: Int16 { theme.font(.caption).size * 2 / 3 }

  /// Where the last word of the command begins.
  private var idStart: Int {
    var start = facts.command.count
    while start > 0, facts.command.span[start - 1] != UInt8(ascii: " ") { start -= 1 }
    return start
  }

  /// True when no word of the command is broken in this width.
  private func fitsCommand(_ width: Int32) -> Bool {
    var font = commandFont
    font.size = smallestSize
    return lineWidth(facts.command.span.extracting(idStart..<facts.command.count), font) <= width
  }

  /// How wide a text is on one line.
  private func lineWidth(_ text: Span<UInt8>, _ font: Font) -> Int32 {
    flow.take(text, font, isMarkdown: false)
    return flow.widths().max
  }

  private func forEachUse(_ body: (Span<UInt8>, Font, Color, _ gap: Int32) -> Void) {
    for index in 0..<facts.uses.count {
      let line = facts.uses[index]
      body(line.span, theme.font(.caption), theme.mutedText, theme.px(index == 0 ? 18 : 4))
    }
  }
}
