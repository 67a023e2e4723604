import Graphics
import Runtime

// The face of home, for a room in which nobody looks at it closely: a clock, and what the agent has said last. It moves
// a little every minute, so that nothing is burnt into a panel.

extension HomeView {
  func drawFace(into list: DisplayList) {
    let foot = drawFoot(into: list, saysWhy: false)
    let shift = drift
    drawHead(into: list, shift)
    let margin = theme.px(20)
    let top = theme.px(40)
    let room = Rect(margin + shift.x, top + shift.y, size.width - 2 * margin, max(foot - top - theme.px(12), 1))
    let words = facts.message.isEmpty ? 0 : drawMessage(into: nil, room)
    let gap = words > 0 ? theme.px(20) : 0
    let clock = drawClock(into: nil, room, most: room.height - words - gap)
    let start = room.y + max((room.height - clock - gap - words) / 2, 0)
    _ = drawClock(into: list, Rect(room.x, start, room.width, clock), most: room.height - words - gap)
    if words > 0 {
      _ = drawMessage(into: list, Rect(room.x, start + clock + gap, room.width, words))
    }
  }

  /// Where everything is moved to in this minute: to and fro in steps that the eye does not notice.
  private var drift: Point {
    func swing(_ minute: Int64, _ period: Int64) -> Int32 {
      let place = (minute % period + period) % period
      return Int32(place < period / 2 ? place : period - place) - Int32(period / 4)
    }
    return Point(theme.px(2) * swing(facts.minute, 16), theme.px(2) * swing(facts.minute, 12))
  }

  // MARK: Clock

  /// The time and the date, or the board's name while nobody knows the time; how high they are. Draws nothing without a
  /// list.
  private func drawClock(into list: DisplayList?, _ room: Rect, most: Int32) -> Int32 {
    var font = Font(size: clockSize(most))
    takeClock(font)
    // A name, and the time of some languages, is longer than five characters.
    let width = max(flow.widths().max, 1)
    if width > room.width {
      font.size = max(Int16(clamping: Int64(font.size) * Int64(room.width) / Int64(width)), theme.font(.h2).size)
      takeClock(font)
    }
    var height = flow.arrange(width: room.width, mostLines: 1)
    if let list {
      flow.draw(into: list, at: Point(room.x, room.y), width: room.width, theme.text, alignment: .center)
    }
    guard !facts.date.isEmpty else { return height }
    flow.take(facts.date.span, Font(size: theme.font(.h3).size), isMarkdown: false)
    let date = flow.arrange(width: room.width, mostLines: 2)
    if let list {
      let place = Point(room.x, room.y + height)
      flow.draw(into: list, at: place, width: room.width, theme.mutedText, alignment: .center)
    }
    height += date
    return height
  }

  private func takeClock(_ font: Font) {
    facts.time.isEmpty
      ? flow.take(facts.name.span, font, isMarkdown: false) : flow.take(facts.time.span, font, isMarkdown: false)
  }

  /// As large as can be read across a room, and leaves room for the date.
  private func clockSize(_ most: Int32) -> Int16 {
    let date = facts.date.isEmpty ? 0 : Int32(theme.font(.h3).size) * 2
    let size = min((most - date) * 5 / 7, size.height * 2 / 5, size.width / 4, Int32(Budget.fontPixels))
    return Int16(clamping: max(size, Int32(theme.font(.h2).size)))
  }

  // MARK: Message

  /// Who said something, and what, on two lines at most; how high that is. Draws nothing without a list.
  private func drawMessage(into list: DisplayList?, _ room: Rect) -> Int32 {
    let width = min(room.width, theme.measure)
    let x = room.x + (room.width - width) / 2
    var height: Int32 = 0
    if !facts.agent.isEmpty {
      flow.take(facts.agent.span, theme.font(.caption), isMarkdown: false)
      height = flow.arrange(width: width, mostLines: 1)
      if let list {
        flow.draw(into: list, at: Point(x, room.y), width: width, theme.mutedText, alignment: .center)
      }
    }
    flow.take(facts.message.span, Font(size: theme.font(.h4).size), isMarkdown: false)
    let words = flow.arrange(width: width, mostLines: 2)
    if let list {
      flow.draw(into: list, at: Point(x, room.y + height), width: width, theme.text, alignment: .center)
    }
    return height + words
  }

  // MARK: Connection

  /// The sign of the connection, and the board's name beside it.
  private func drawHead(into list: DisplayList, _ shift: Point) {
    let side = theme.px(18)
    let sign = Rect(theme.px(16) + shift.x, theme.px(14) + shift.y, side, side)
    drawSign(sign, into: list)
    let x = sign.maxX + theme.px(8)
    let width = max(size.width - x - theme.px(96), 1)
    let font = theme.font(.caption)
    // Without a clock the name stands in its place.
    facts.time.isEmpty
      ? flow.take(facts.state.span, font, isMarkdown: false) : flow.take(facts.name.span, font, isMarkdown: false)
    let height = flow.arrange(width: width, mostLines: 1)
    flow.draw(into: list, at: Point(x, sign.y + (side - height) / 2), width: width, theme.mutedText)
  }

  /// Waves above a point; crossed out while there is no connection.
  private func drawSign(_ sign: Rect, into list: DisplayList) {
    let isUp = facts.link == .up
    let color = isUp ? theme.mutedText : theme.error
    let (width, middle) = (Int16(theme.px(2)), Point(sign.x + sign.width / 2, sign.y + sign.height * 5 / 6))
    let radii: InlineArray<2, Int32> = [sign.width * 2 / 3, sign.width / 3]
    for index in 0..<radii.count {
      let radius = radii[index]
      let ring = Rect(middle.x - radius, middle.y - radius, 2 * radius, 2 * radius)
      list.add(.arc(ring, start: 315, sweep: 90, width: width, color))
    }
    let point = theme.px(2)
    let dot = Rect(middle.x - point, middle.y - point, 2 * point, 2 * point)
    list.add(.fill(dot, radius: Int16(point), .solid(color)))
    guard !isUp else { return }
    list.add(.line(Point(sign.x, sign.y), Point(sign.maxX, sign.maxY), width: width, color))
  }
}
