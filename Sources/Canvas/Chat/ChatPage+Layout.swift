import Codec
import Graphics
import Runtime

// Layout: a title bar, the messages, a notice, the input field, the keyboard.

extension ChatPage {
  // MARK: The frame

  /// What the keyboard on the screen leaves free.
  private var room: Size { Size(size.width, size.height - person.keyboard.frame.height) }

  var margin: Int32 { theme.px(isTight ? 4 : 8) }

  /// True when the keyboard leaves little space: then only the field and the messages are shown.
  private var isTight: Bool { room.height < theme.px(200) }

  /// The centered column of messages and field, no wider than is readable.
  var column: Rect {
    let width = max(min(size.width - 2 * theme.pageMargin, theme.px(760)), 1)
    return Rect((size.width - width) / 2, 0, width, room.height)
  }

  /// The title bar; hidden while the keyboard is up on a small screen.
  var headerRect: Rect {
    return Rect(0, 0, size.width, isTight ? 0 : min(theme.target, max(size.height / 6, theme.px(32))))
  }

  var backRect: Rect { Rect(0, 0, headerRect.height + theme.px(12), headerRect.height) }

  /// One line of the field, with the space above and below it.
  private var lineHeight: Int32 {
    max(Int32(theme.font(.body).size) * 140 / 100, flow.measurer.metrics(of: theme.font(.body)).height)
  }

  private var fieldPadding: Int32 {
    isTight ? theme.px(5) : min(max((theme.px(40) - lineHeight) / 2, theme.px(4)), theme.px(12))
  }

  private var actionSide: Int32 { lineHeight + 2 * fieldPadding }

  /// The field grows with the draft, up to a third of the free height.
  var fieldRect: Rect {
    let column = column
    let width = max(column.width - actionSide - margin, 1)
    let lines = FieldLines(measurer: flow.measurer, font: theme.font(.body), width: max(width - 2 * theme.px(12), 1))
    let most = max(room.height / 3 / max(lineHeight, 1), 1)
    let count = min(Int32(lines.count(draft)), min(most, 6))
    let height = count * lineHeight + 2 * fieldPadding
    return Rect(column.x, room.height - height - margin, width, height)
  }

  /// The text area of the draft.
  var fieldRoom: Rect {
    let field = fieldRect
    return Rect(
      field.x + theme.px(12), field.y + fieldPadding, max(field.width - 2 * theme.px(12), 1),
      field.height - 2 * fieldPadding)
  }

  /// The button that sends, or stops.
  var actionRect: Rect {
    let field = fieldRect
    return Rect(column.maxX - actionSide, field.maxY - actionSide, actionSide, actionSide)
  }

  /// The notice above the field: why no message can be sent.
  var noticeRect: Rect {
    let field = fieldRect
    guard !notice.isEmpty, !isTight else { return Rect(column.x, field.y - margin, column.width, 0) }
    flow.take(notice.span, theme.font(.caption), isMarkdown: false)
    let height = flow.arrange(width: column.width, mostLines: 2) + theme.px(6)
    return Rect(column.x, field.y - margin - height, column.width, height)
  }

  /// The messages.
  var listRect: Rect {
    let top = headerRect.maxY
    return Rect(0, top, size.width, max(noticeRect.y - top, 0))
  }

  /// The button that scrolls to the end, above the messages.
  var toEndRect: Rect {
    let (list, side) = (listRect, theme.px(36))
    return Rect(column.maxX - side - theme.px(4), list.maxY - side - theme.px(6), side, side)
  }

  // MARK: Messages

  /// The parts of a message, relative to its upper left corner.
  struct Parts {
    /// The time above it; empty: none.
    var mark = Rect.empty
    var bubble = Rect.empty
    var note = Rect.empty
    var height: Int32 = 0
  }

  var bubblePadding: Point { Point(theme.px(12), theme.px(7)) }

  func messageHeight(_ index: Int) -> Int32 { parts(index).height }

  /// Lays a message out; its text is in the flow afterwards when it has no note.
  func parts(_ index: Int) -> Parts {
    let message = log[index]
    var parts = Parts()
    var y: Int32 = 0
    if hasMark(index) {
      let height = Int32(theme.font(.caption).size) * 140 / 100
      parts.mark = Rect(0, theme.px(4), column.width, height)
      y = height + theme.px(10)
    }
    let padding = bubblePadding
    // Replies are usually longer than questions, and get more width.
    let most = column.width * (message.role == .person ? 82 : 94) / 100 - 2 * padding.x
    var inside = Size(theme.px(30), lineHeight)
    if !log.isBlank(index) {
      inside.height = take(index, width: max(most, 1))
      inside.width = 1
      for line in 0..<flow.lineCount { inside.width = max(inside.width, flow.line(line).x + flow.line(line).width) }
      inside.width = min(inside.width + 1, most)
    }
    let width = inside.width + 2 * padding.x
    let x = message.role == .person ? column.width - width : 0
    parts.bubble = Rect(x, y, width, inside.height + 2 * padding.y)
    y += parts.bubble.height
    let noteHeight = takeNote(index)
    if noteHeight > 0 {
      parts.note = Rect(0, y + theme.px(3), column.width, noteHeight)
      y += noteHeight + theme.px(3)
    }
    parts.height = y + margin
    return parts
  }

  /// Lays out the text of a message; returns its height.
  func take(_ index: Int, width: Int32) -> Int32 {
    let log = log
    flow.take(log.text(index), theme.font(.body), isMarkdown: log[index].role == .agent)
    return flow.arrange(width: width)
  }

  /// Lays out the note below a message; returns its height, 0 when there is none.
  func takeNote(_ index: Int) -> Int32 {
    let message = log[index]
    var text = InlineText<384>()
    text.fill { buffer in
      var line = LogLine(buffer)
      switch message.state {
      case .done, .streaming: break
      case .sending: line.add("Sending\u{2026}")
      case .stopped: line.add("Stopped")
      case .failed:
        if message.note.isEmpty { line.add("Failed") } else { line.add(message.note.span) }
        if message.role == .person { line.add(" \u{2013} touch to send again") }
      }
      return line.count
    }
    guard !text.isEmpty else { return 0 }
    flow.take(text.span, theme.font(.caption), isMarkdown: false)
    return flow.arrange(width: column.width, mostLines: 4)
  }

  /// The time is shown above a message that comes after a pause.
  private func hasMark(_ index: Int) -> Bool {
    guard log[index].time > 0 else { return false }
    guard index > 0, log[index - 1].time > 0 else { return true }
    return log[index].time - log[index - 1].time >= Budget.chatPauseMilliseconds
  }

  /// Hours and minutes in local time, after the date when it is not today.
  func mark(_ index: Int) -> InlineText<32> {
    let time = local(log[index].time)
    let isToday = time / 86_400_000 == local(person.wall()) / 86_400_000
    let value = DateTimeValue(unixMilliseconds: time).value(hasDate: !isToday, hasTime: true)
    var text = InlineText<32>()
    text.fill { buffer in
      let span = value.span
      for place in 0..<span.count { buffer[place] = span[place] == UInt8(ascii: "T") ? 0x20 : span[place] }
      return span.count
    }
    return text
  }

  // MARK: Hits

  /// The target at a place; nil: none.
  func target(at place: Point) -> Target? {
    if backRect.contains(place) { return .back }
    if actionRect.inset(by: -theme.px(4)).contains(place) { return .action }
    if fieldRect.contains(place) { return .field }
    guard listRect.contains(place) else { return nil }
    if !isAtEnd, toEndRect.contains(place) { return .toEnd }
    var top = listRect.y + margin - scrolling.offset
    for index in 0..<log.count {
      let bottom = top + log.height(index)
      if place.y >= top, place.y < bottom { return canRetry(index) ? .retry(index) : nil }
      top = bottom
    }
    return nil
  }
}
