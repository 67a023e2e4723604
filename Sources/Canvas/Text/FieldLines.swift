import Graphics
import Runtime

/// How a field's text stands in its room: one line, or as many as its width needs. Every blank counts, as it was
/// entered.
struct FieldLines {
  let measurer: any TextMeasurer
  let font: Font
  /// Of the room in pixels.
  let width: Int32
  /// A line that is longer than the room goes on in the next.
  let isBroken: Bool

  var lineHeight: Int32 { max(Int32(font.size) * 140 / 100, measurer.metrics(of: font).height) }
  /// From the top of a line to where its letters stand.
  var baseline: Int32 {
    let metrics = measurer.metrics(of: font)
    return (lineHeight - metrics.height) / 2 + metrics.ascent
  }

  /// Goes over the lines, each from its first byte to the one after its last, until `body` gives false.
  func forEach(_ text: Span<UInt8>, _ body: (_ start: Int, _ end: Int) -> Bool) {
    guard isBroken else {
      _ = body(0, text.count)
      return
    }
    var start = 0
    while true {
      var hardEnd = start
      while hardEnd < text.count, text[hardEnd] != 0x0A { hardEnd += 1 }
      while true {
        let end = breakPlace(text, start, hardEnd)
        guard body(start, end) else { return }
        start = end
        if end == hardEnd { break }
      }
      guard hardEnd < text.count else { return }
      start = hardEnd + 1
    }
  }

  /// The last place that fits at which a line may end, or else after the last character that does; one stands in each
  /// line.
  private func breakPlace(_ text: Span<UInt8>, _ start: Int, _ hardEnd: Int) -> Int {
    let line = text.extracting(start..<hardEnd)
    let fit = measurer.fit(line, in: font, width: width * 64)
    if fit >= line.count { return hardEnd }
    // A blank that is cut off at the edge takes no room in the next line.
    if line[fit] == 0x20 { return start + fit + 1 }
    var breaker = LineBreaker()
    var (place, index) = (0, 0)
    while index <= fit {
      if breaker.breaks(before: Characters.scalar(line, index)) { place = index }
      index += Characters.length(line, index)
    }
    if place > 0 { return start + place }
    return start + max(fit, Characters.next(line, 0))
  }

  /// Lines of all of it.
  func count(_ text: Span<UInt8>) -> Int {
    var count = 0
    forEach(text) { _, _ in
      count += 1
      return true
    }
    return count
  }

  /// Where the caret stands: pixels from the upper left corner of the text to the top of its line.
  func place(of caret: Int, _ text: Span<UInt8>) -> Point {
    var (line, found): (Int32, Point) = (-1, Point(0, 0))
    forEach(text) { start, end in
      // At the edge of a line that goes on it stands in the next.
      guard caret >= start else { return false }
      line += 1
      let x = measurer.advance(of: text.extracting(start..<min(caret, end)), in: font)
      let edge = edge(of: text, start, end)
      found = Point(((edge.map { $0 - x } ?? x) + 32) / 64, line * lineHeight)
      return true
    }
    return found
  }

  /// The caret nearest to a place, in pixels from the upper left corner of the text.
  func caret(at point: Point, _ text: Span<UInt8>) -> Int {
    let wanted = max(point.y, 0) / lineHeight
    var (line, found): (Int32, Int) = (0, 0)
    forEach(text) { start, end in
      found = caret(start, end, x: point.x, text)
      line += 1
      return line <= wanted
    }
    return found
  }

  private func caret(_ start: Int, _ end: Int, x: Int32, _ text: Span<UInt8>) -> Int {
    let line = text.extracting(start..<end)
    let x = edge(of: text, start, end).map { $0 / 64 - x } ?? x
    let before = Characters.boundary(line, measurer.fit(line, in: font, width: max(x, 0) * 64))
    guard before < line.count else { return end }
    let after = Characters.next(line, before)
    let left = measurer.advance(of: line.extracting(0..<before), in: font)
    let right = measurer.advance(of: line.extracting(0..<after), in: font)
    let place = start + (x * 64 - left > right - x * 64 ? after : before)
    // After the last character of a line that goes on is the next line.
    return place == end && end < text.count && text[end] != 0x0A ? start + Characters.previous(line, line.count) : place
  }

  /// First and last byte of the line in which the caret stands.
  func line(of caret: Int, _ text: Span<UInt8>) -> (start: Int, end: Int) {
    var found = (start: 0, end: text.count)
    forEach(text) { start, end in
      guard caret >= start else { return false }
      found = (start, end)
      return true
    }
    return found
  }

  // MARK: Direction

  /// Whether the line around a byte, up to those that were ended by hand, runs from right to left: as its first letter.
  private func isBackwards(_ text: Span<UInt8>, _ place: Int) -> Bool {
    var (start, end) = (place, place)
    while start > 0, text[start - 1] != 0x0A { start -= 1 }
    while end < text.count, text[end] != 0x0A { end += 1 }
    return measurer.direction(of: text.extracting(start..<end)) == .rightToLeft
  }

  /// Where a line that runs from right to left begins, in 1/64 pixel from the left: at the right side of the room, with
  /// a caret's width left, or beyond it when it is longer. nil: the line runs from left to right.
  private func edge(of text: Span<UInt8>, _ start: Int, _ end: Int) -> Int32? {
    guard isBackwards(text, start) else { return nil }
    let room = max(width - max(Int32(font.size) / 7, 1), 1) * 64
    return isBroken ? room : max(room, measurer.advance(of: text.extracting(start..<end), in: font))
  }

  // MARK: Moving

  /// Where a key takes the caret; nil when it takes it nowhere: there is no line above or below, or it is no such key.
  func caret(_ key: Key, from caret: Int, _ text: Span<UInt8>) -> Int? {
    switch key {
    case .left, .right:
      let isOnwards = (key == .right) != isBackwards(text, caret)
      return isOnwards ? Characters.next(text, caret) : Characters.previous(text, caret)
    case .home: return line(of: caret, text).start
    case .end:
      let line = line(of: caret, text)
      let isBroken = line.end < text.count && text[line.end] != 0x0A
      return isBroken ? Characters.previous(text, line.end) : line.end
    case .up, .down:
      // To the line above or below, at about the same place.
      let place = place(of: caret, text)
      let y = place.y + (key == .down ? lineHeight : -lineHeight)
      guard y >= 0, y < Int32(count(text)) * lineHeight else { return nil }
      return self.caret(at: Point(place.x, y), text)
    default: return nil
    }
  }

  // MARK: Drawing

  /// Draws as many lines, and as much of each, as can be seen in `room`, with the upper left corner of the text at
  /// `origin`.
  func draw(_ text: Span<UInt8>, at origin: Point, in room: Rect, _ ink: Color, into list: DisplayList) {
    let height = lineHeight
    var y = origin.y
    forEach(text) { start, end in
      defer { y += height }
      guard y + height > room.y else { return true }
      let line = text.extracting(start..<end)
      if let edge = edge(of: text, start, end) {
        let advance = measurer.advance(of: line, in: font)
        let start = Point(origin.x + (edge - advance + 32) / 64, y + baseline)
        list.add(.text(list.add(line, .rightToLeft), font, start: start, advance: (advance + 63) / 64, ink))
        return y + height < room.maxY
      }
      let hidden = max(room.x - origin.x, 0)
      let first = hidden == 0 ? 0 : measurer.fit(line, in: font, width: hidden * 64)
      let rest = line.extracting(first..<line.count)
      let length = measurer.fit(rest, in: font, width: (room.width + Int32(font.size) * 2) * 64)
      guard length > 0 else { return y + height < room.maxY }
      let before = measurer.advance(of: line.extracting(0..<first), in: font)
      let run = rest.extracting(0..<length)
      let advance = measurer.advance(of: run, in: font)
      list.add(
        .text(
          list.add(run), font, start: Point(origin.x + (before + 32) / 64, y + baseline), advance: (advance + 63) / 64,
          ink))
      return y + height < room.maxY
    }
  }
}
