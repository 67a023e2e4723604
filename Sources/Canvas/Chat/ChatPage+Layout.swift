import Codec
import Graphics
import Locales
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
    let left = hasCamera ? actionSide + margin : 0
    let width = max(column.width - left - actionSide - margin, 1)
    let lines = FieldLines(
      measurer: flow.measurer, font: theme.font(.body), width: max(width - 2 * theme.px(12), 1), isBroken: true)
    let most = max(room.height / 3 / max(lineHeight, 1), 1)
    let count = min(Int32(lines.count(draft)), min(most, 6))
    let height = count * lineHeight + 2 * fieldPadding
    return Rect(column.x + left, room.height - height - margin, width, height)
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

  /// The button that takes a photo, at the left of the field; empty without a camera.
  var cameraRect: Rect {
    guard hasCamera else { return .empty }
    return Rect(column.x, fieldRect.maxY - actionSide, actionSide, actionSide)
  }

  /// The title, which opens the list of conversations.
  var titleRect: Rect {
    let back = backRect
    return canChoose ? Rect(back.maxX, 0, max(size.width - 2 * back.width, 0), back.height) : .empty
  }

  /// That list.
  var chooserFrame: Rect { chooser.frame(listRect, column, theme) }

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
    if hasMark(index, in: log) {
      let height = Int32(theme.font(.caption).size) * 140 / 100
      parts.mark = Rect(0, theme.px(4), column.width, height)
      y = height + theme.px(10)
    }
    if message.role == .step {
      parts.bubble = Rect(0, y, column.width, stepHeight(index))
      parts.height = y + parts.bubble.height + margin / 2
      return parts
    }
    let padding = bubblePadding
    // Replies are usually longer than questions, and get more width.
    let most = column.width * (message.role == .person ? 82 : 94) / 100 - 2 * padding.x
    var inside = Size(theme.px(30), lineHeight)
    if message.picture != 0 {
      inside = pictureSize(index, most)
    } else if !log.isBlank(index) {
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

  /// The height of a tool or a thought: a line, and what a touch has unfolded.
  private func stepHeight(_ index: Int) -> Int32 {
    let line = takeStepLine(index)
    return log[index].isOpen && !log.isBlank(index) ? line + theme.px(2) + takeStepDetail(index) : line
  }

  /// Lays out its line; returns its height.
  func takeStepLine(_ index: Int) -> Int32 {
    let message = log[index]
    var text = InlineText<264>()
    text.fill { buffer in
      var line = LogLine(buffer)
      line.add("\u{B7} ")
      line.add(message.note.span)
      return line.count
    }
    flow.take(text.span, theme.font(.caption), isMarkdown: false)
    return flow.arrange(width: column.width, mostLines: 1)
  }

  /// Lays out what is unfolded; returns its height.
  func takeStepDetail(_ index: Int) -> Int32 {
    let log = log
    flow.take(log.text(index), theme.font(.caption), isMarkdown: false)
    return flow.arrange(width: max(column.width - theme.px(12), 1), mostLines: Budget.chatStepLines)
  }

  func canUnfold(_ index: Int) -> Bool { log[index].role == .step && !log.isBlank(index) }

  /// The size of a picture: its own, as far as that fits; until it is known, that of a placeholder.
  private func pictureSize(_ index: Int, _ most: Int32) -> Size {
    let width = min(most, theme.px(320))
    let height = min(theme.px(220), max(listRect.height * 2 / 3, theme.px(40)))
    guard let natural = shelf?.size(pictures.address(log[index].picture).span), natural.width > 0, natural.height > 0
    else { return Size(min(theme.px(120), width), min(theme.px(60), height)) }
    let (wide, high) = (Int64(natural.width), Int64(natural.height))
    let scaled = min(Int64(width), Int64(height) * wide / high, wide * Int64(theme.scale) / 100)
    return Size(Int32(max(scaled, 1)), Int32(max(scaled * high / wide, 1)))
  }

  /// Lays out the note below a message; returns its height, 0 when there is none.
  func takeNote(_ index: Int) -> Int32 {
    let message = log[index]
    var text = InlineText<384>()
    text.fill { buffer in
      var line = LogLine(buffer)
      switch message.state {
      case .done, .streaming: break
      case .sending: line.add(message.note.isEmpty ? "Sending\u{2026}" : "Taking a photo, and sending\u{2026}")
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
  func hasMark(_ index: Int, in log: ChatLog) -> Bool {
    guard log[index].time > 0 else { return false }
    guard index > 0, log[index - 1].time > 0 else { return true }
    return log[index].time - log[index - 1].time >= Budget.chatPauseMilliseconds
  }

  /// Hours and minutes in local time, after the date when it is not today.
  func mark(_ index: Int) -> InlineText<192> {
    let time = local(log[index].time)
    let isToday = time / 86_400_000 == local(person.wall()) / 86_400_000
    var text = InlineText<192>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      let wall = LocalTime(wallMilliseconds: time)
      if !isToday {
        locale.write(wall, as: .short, into: &writer)
        writer.text(" ")
      }
      locale.write(wall, as: .time, into: &writer)
      return min(writer.count, buffer.count)
    }
    return text
  }

  // MARK: Hits

  /// The target at a place; nil: none.
  func target(at place: Point) -> Target? {
    if chooser.isOpen { return chooser.row(at: place, chooserFrame, theme).map { .choice($0) } ?? .away }
    if backRect.contains(place) { return .back }
    if titleRect.contains(place) { return .title }
    if cameraRect.inset(by: -theme.px(4)).contains(place) { return .camera }
    if actionRect.inset(by: -theme.px(4)).contains(place) { return .action }
    if fieldRect.contains(place) { return .field }
    guard listRect.contains(place) else { return nil }
    if !isAtEnd, toEndRect.contains(place) { return .toEnd }
    var top = listRect.y + margin - scrolling.offset
    for index in 0..<log.count {
      let bottom = top + log.height(index)
      if place.y >= top, place.y < bottom {
        return canRetry(index) ? .retry(index) : canUnfold(index) ? .fold(index) : nil
      }
      top = bottom
    }
    return nil
  }
}
