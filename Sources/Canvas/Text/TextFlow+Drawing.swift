import Graphics
import Runtime

extension TextFlow {
  /// Where lines that are shorter than the text stand.
  enum Alignment { case start, center, end }

  /// Draws the lines, each as few runs as it has styles. `origin` is the upper left corner, `width` what was arranged
  /// for; `visible`: what of the screen can be seen, where there may be lines beyond it.
  func draw(
    into list: DisplayList, at origin: Point, width: Int32, _ color: Color, alignment: Alignment = .start,
    visible: Rect? = nil
  ) {
    for index in 0..<lineCount {
      var line = lines[index]
      if let visible {
        // Letters may reach beyond their line.
        let top = origin.y + line.top
        if top + 2 * line.height < visible.y { continue }
        if top - line.height > visible.maxY { return }
      }
      let room = width - line.x - line.width
      switch alignment {
      case .start: break
      case .center: line.x += max(room / 2, 0)
      case .end: line.x += max(room, 0)
      }
      draw(line, into: list, at: origin, color)
    }
  }

  private func draw(_ line: Line, into list: DisplayList, at origin: Point, _ color: Color) {
    let end = Int(line.firstWord + line.wordCount)
    var index = Int(line.firstWord)
    var reach: Int32 = 0
    while index < end {
      let first = words[index]
      if index > line.firstWord, first.gap == .blank { reach += blankAdvance(first.style) }
      let isBullet = index == line.firstWord && index + 1 < end && words[index + 1].indent > first.indent
      var last = index
      while !isBullet, last + 1 < end, words[last + 1].style == first.style, words[last + 1].ink == first.ink {
        last += 1
      }
      let run = UnsafeBufferPointer(bytes.bytes).extracting(
        Int(first.start)..<Int(words[last].start + words[last].count))
      let advance = measurer.advance(of: run.span, in: font(first.style))
      let start = Point(origin.x + line.x + (reach + 32) / 64, origin.y + line.baseline)
      draw(run.span, first.style, into: list, at: start, advance: (advance + 63) / 64, self.color(first.ink) ?? color)
      reach += advance
      if isBullet { reach = max(reach, indentStep * 64 - blankAdvance(words[last + 1].style)) }
      index = last + 1
    }
  }

  private func color(_ ink: UInt8) -> Color? { ink > 0 && Int(ink) <= inks.count ? inks[Int(ink) - 1] : nil }

  private func draw(
    _ run: Span<UInt8>, _ style: TextStyle, into list: DisplayList, at start: Point, advance: Int32, _ color: Color
  ) {
    let font = font(style)
    list.add(.text(list.add(run), font, start: start, advance: advance, color))
    guard style.contains(.underlined) else { return }
    let thickness = max(font.size / 14, 1)
    let y = start.y + Int32(thickness) + 1
    list.add(.line(Point(start.x, y), Point(start.x + advance, y), width: thickness, color))
  }
}
