import Codec
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
      let isCut = progress.isCut && index == lineCount - 1
      if let visible {
        // Letters may reach beyond their line.
        let top = origin.y + line.top
        if top + 2 * line.height < visible.y { continue }
        if top - line.height > visible.maxY { return }
      }
      if isCut {
        drawCut(line, width: width, into: list, at: origin, color)
        continue
      }
      let room = max(width - line.x - line.width, 0)
      switch (alignment, line.direction) {
      case (.start, _), (.end, .rightToLeft): break
      case (.center, _): line.x += room / 2
      case (.end, .leftToRight): line.x += room
      }
      let edge = line.direction == .leftToRight ? line.x : width - line.x
      draw(line, into: list, at: Point(origin.x + edge, origin.y), color)
    }
  }

  /// `origin`: where the line begins, at its left or right, and the top of the text.
  private func draw(_ line: Line, into list: DisplayList, at origin: Point, _ color: Color) {
    let end = Int(line.firstWord + line.wordCount)
    var index = Int(line.firstWord)
    var pen = Pen(place: Point(origin.x, origin.y + line.baseline), direction: line.direction)
    while index < end {
      let first = words[index]
      if index > line.firstWord, first.gap == .blank { pen.reach += blankAdvance(first.style) }
      let isBullet = index == line.firstWord && index + 1 < end && words[index + 1].indent > first.indent
      var last = index
      while !isBullet, last + 1 < end, words[last + 1].style == first.style, words[last + 1].ink == first.ink {
        last += 1
      }
      let run = UnsafeBufferPointer(bytes.bytes).extracting(
        Int(first.start)..<Int(words[last].start + words[last].count))
      let advance = measurer.advance(of: run.span, in: font(first.style))
      draw(run.span, first.style, into: list, at: pen, advance: advance, self.color(first.ink) ?? color)
      pen.reach += advance
      if isBullet { pen.reach = max(pen.reach, indentStep * 64 - blankAdvance(words[last + 1].style)) }
      index = last + 1
    }
  }

  /// The last line of a text of which there is more: as much as fits, and an ellipsis.
  private func drawCut(_ line: Line, width: Int32, into list: DisplayList, at origin: Point, _ color: Color) {
    let room = (width - line.x) * 64
    let edge = line.direction == .leftToRight ? line.x : width - line.x
    var pen = Pen(place: Point(origin.x + edge, origin.y + line.baseline), direction: line.direction)
    var index = Int(line.firstWord)
    var style = words[index].style
    var ink = color
    while index < wordCount, index == line.firstWord || words[index].gap.rawValue < TextWord.Gap.line.rawValue {
      let first = words[index]
      (style, ink) = (first.style, self.color(first.ink) ?? color)
      if index > line.firstWord, first.gap == .blank { pen.reach += blankAdvance(style) }
      let left = room - pen.reach - measurer.advance(of: Self.ellipsis.utf8Bytes, in: font(style))
      let last = end(ofRun: index, width: left)
      let run = UnsafeBufferPointer(bytes.bytes).extracting(
        Int(first.start)..<Int(words[last].start + words[last].count))
      let advance = measurer.advance(of: run.span, in: font(style))
      if advance <= left {
        draw(run.span, style, into: list, at: pen, advance: advance, ink)
        pen.reach += advance
        index = last + 1
        continue
      }
      var count = left > 0 ? measurer.fit(run.span, in: font(style), width: left) : 0
      while count > 0, run[count - 1] == 0x20 { count -= 1 }
      let part = run.extracting(0..<count)
      let fitting = measurer.advance(of: part.span, in: font(style))
      if count > 0 { draw(part.span, style, into: list, at: pen, advance: fitting, ink) }
      pen.reach += fitting
      break
    }
    let advance = measurer.advance(of: Self.ellipsis.utf8Bytes, in: font(style))
    draw(Self.ellipsis.utf8Bytes, style, into: list, at: pen, advance: advance, ink)
  }

  private static let ellipsis: StaticString = "\u{2026}"

  /// Where the next run of a line stands.
  private struct Pen {
    /// Where the line begins.
    let place: Point
    let direction: TextDirection
    /// How far the line reaches already, in 1/64 pixel.
    var reach: Int32 = 0

    /// The left end of a run.
    func start(_ advance: Int32) -> Point {
      let x = direction == .leftToRight ? (reach + 32) / 64 : -((reach + advance + 32) / 64)
      return Point(place.x + x, place.y)
    }
  }

  /// The last word that looks as this one does, on the same line, of those that may fit.
  private func end(ofRun index: Int, width: Int32) -> Int {
    var (last, reach) = (index, words[index].advance)
    while last + 1 < wordCount, reach <= width, words[last + 1].style == words[index].style,
      words[last + 1].ink == words[index].ink, words[last + 1].gap.rawValue < TextWord.Gap.line.rawValue
    {
      last += 1
      reach += words[last].advance
    }
    return last
  }

  private func color(_ ink: UInt8) -> Color? { ink > 0 && Int(ink) <= inks.count ? inks[Int(ink) - 1] : nil }

  /// A run by itself would run as its first letter does, and not as its paragraph.
  private func draw(
    _ run: Span<UInt8>, _ style: TextStyle, into list: DisplayList, at pen: Pen, advance: Int32, _ color: Color
  ) {
    let (font, start) = (font(style), pen.start(advance))
    let advance = (advance + 63) / 64
    let isAlone = pen.direction == .leftToRight && measurer.direction(of: run) != .rightToLeft
    let text = isAlone ? list.add(run) : list.add(run, pen.direction)
    list.add(.text(text, font, start: start, advance: advance, color))
    guard style.contains(.underlined) else { return }
    let thickness = max(font.size / 14, 1)
    let y = start.y + Int32(thickness) + 1
    list.add(.line(Point(start.x, y), Point(start.x + advance, y), width: thickness, color))
  }
}
