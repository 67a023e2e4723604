import Codec
import Graphics
import Runtime

// Drawing.

extension ChatPage {
  @export(interface)
  public func draw(into list: DisplayList) {
    list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(theme.page)))
    let room = listRect
    list.add(.clip(room, radius: 0))
    log.isEmpty ? drawHint(room, into: list) : drawMessages(room, into: list)
    list.add(.endClip)
    scrolling.drawBar(into: list, room, content: height + 2 * margin, theme)
    if !isAtEnd { drawToEnd(into: list) }
    drawHeader(into: list)
    drawNotice(into: list)
    drawField(into: list)
    drawAction(into: list)
    drawCamera(into: list)
    if chooser.isOpen { chooser.draw(into: list, chooserFrame, theme, flow, showsRing: person.showsRing) }
    person.keyboard.draw(into: list, flow)
  }

  private func ring(_ target: Target, _ rect: Rect, radius: Int16, into list: DisplayList) {
    guard person.showsRing, focus == target else { return }
    list.add(.border(rect, radius: radius, width: Int16(theme.px(2)), theme.accent))
  }

  /// The pressed target.
  private func mark(_ target: Target, _ rect: Rect, radius: Int16, into list: DisplayList) {
    guard pressed == target else { return }
    list.add(.fill(rect, radius: radius, .solid(theme.text.opacity(30))))
  }

  // MARK: Around the messages

  private func drawHeader(into list: DisplayList) {
    let header = headerRect
    guard !header.isEmpty else { return }
    list.add(
      .fill(
        Rect(0, header.maxY - Int32(theme.hairline), size.width, Int32(theme.hairline)), radius: 0,
        .solid(theme.divider)))
    let back = backRect
    let side = min(theme.iconSize, header.height)
    mark(.back, back, radius: 0, into: list)
    list.add(
      .icon(.arrowBack, Rect((back.width - side) / 2, (header.height - side) / 2, side, side), theme.mutedText))
    ring(.back, back.inset(by: theme.px(2)), radius: theme.fieldRadius, into: list)
    flow.take(title.span, theme.font(.h4), isMarkdown: false)
    let width = max(size.width - 2 * back.width, 1)
    let height = flow.arrange(width: width, mostLines: 1)
    let used = min(flow.widths().max, width)
    flow.draw(
      into: list, at: Point(back.maxX, (header.height - height) / 2), width: width, theme.text, alignment: .center)
    guard canChoose else { return }
    let title = titleRect
    mark(.title, title, radius: 0, into: list)
    let arrow = min(theme.px(18), header.height)
    let x = min(back.maxX + (width + used) / 2 + theme.px(2), title.maxX - arrow)
    list.add(.icon(.expandMore, Rect(x, (header.height - arrow) / 2, arrow, arrow), theme.mutedText))
    ring(.title, title.inset(by: theme.px(2)), radius: theme.fieldRadius, into: list)
  }

  private func drawCamera(into list: DisplayList) {
    let rect = cameraRect
    guard !rect.isEmpty else { return }
    let radius = Int16(rect.height / 2)
    list.add(.fill(rect, radius: radius, .solid(theme.secondaryButton)))
    mark(.camera, rect, radius: radius, into: list)
    list.add(.icon(.camera, rect.inset(by: rect.height * 7 / 24), theme.text))
    ring(.camera, rect.inset(by: -theme.px(2)), radius: radius, into: list)
  }

  private func drawNotice(into list: DisplayList) {
    let rect = noticeRect
    guard rect.height > 0 else { return }
    // `noticeRect` has arranged it.
    flow.draw(
      into: list, at: Point(rect.x, rect.y + theme.px(3)), width: rect.width, theme.mutedText, alignment: .center)
  }

  private func drawHint(_ room: Rect, into list: DisplayList) {
    guard notice.isEmpty else { return }
    let hint: StaticString = "Nothing has been said yet."
    flow.take(hint.utf8Bytes, theme.font(.body), isMarkdown: false)
    let height = flow.arrange(width: column.width)
    flow.draw(
      into: list, at: Point(column.x, room.y + (room.height - height) / 2), width: column.width, theme.mutedText,
      alignment: .center)
  }

  private func drawToEnd(into list: DisplayList) {
    let rect = toEndRect
    let radius = Int16(rect.width / 2)
    list.add(.shadow(rect, radius: radius, blur: Int16(theme.px(10)), down: Int16(theme.px(3)), theme.shadow))
    list.add(.fill(rect, radius: radius, .solid(theme.secondaryButton)))
    mark(.toEnd, rect, radius: radius, into: list)
    list.add(.icon(.expandMore, rect.inset(by: rect.width / 5), theme.text))
    ring(.toEnd, rect, radius: radius, into: list)
  }

  private func drawField(into list: DisplayList) {
    let (field, room) = (fieldRect, fieldRoom)
    let isFocused = focus == .field
    let radius = Int16(min(actionRect.height / 2, field.height / 2))
    list.add(.fill(field, radius: radius, .solid(theme.field)))
    let color = isFocused && person.showsRing ? theme.accent : theme.fieldBorder
    let width = isFocused && person.showsRing ? Int16(theme.px(2)) : theme.hairline
    list.add(.border(field, radius: radius, width: width, color))
    let (lines, text) = (lines, draft)
    let origin = Point(room.x, room.y - person.fieldScroll.y)
    list.add(.clip(room, radius: 0))
    if text.isEmpty {
      let hint: StaticString = "Message"
      lines.draw(hint.utf8Bytes, at: origin, in: room, theme.mutedText, into: list)
    } else {
      lines.draw(text, at: origin, in: room, theme.text, into: list)
    }
    list.add(.endClip)
    guard isFocused, person.isCaretOn else { return }
    let caret = lines.place(of: person.edit.caret, text)
    list.add(
      .fill(
        Rect(origin.x + caret.x, origin.y + caret.y, theme.px(2), lines.lineHeight), radius: 0, .solid(theme.accent)))
  }

  private func drawAction(into list: DisplayList) {
    let rect = actionRect
    let radius = Int16(rect.height / 2)
    let isIdle = !isReplying && draft.isEmpty
    list.add(.fill(rect, radius: radius, isIdle || isReplying ? .solid(theme.secondaryButton) : .solid(theme.accent)))
    mark(.action, rect, radius: radius, into: list)
    if isReplying {
      let side = rect.height * 3 / 10
      let square = Rect(rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2, side, side)
      list.add(.fill(square, radius: Int16(theme.px(2)), .solid(theme.text)))
    } else {
      let ink = isIdle ? theme.mutedText : theme.onAccent
      list.add(.icon(.send, rect.inset(by: rect.height * 7 / 24), ink))
    }
    ring(.action, rect.inset(by: -theme.px(2)), radius: radius, into: list)
  }

  // MARK: Messages

  private func drawMessages(_ room: Rect, into list: DisplayList) {
    var top = room.y + margin - scrolling.offset
    for index in 0..<log.count {
      let bottom = top + log.height(index)
      if log.isMeasured(index), bottom > room.y, top < room.maxY {
        drawMessage(index, Point(column.x, top), room, into: list)
      }
      top = bottom
    }
  }

  private func drawMessage(_ index: Int, _ origin: Point, _ room: Rect, into list: DisplayList) {
    let (message, parts) = (log[index], parts(index))
    if !parts.mark.isEmpty {
      let mark = mark(index)
      flow.take(mark.span, theme.font(.caption), isMarkdown: false)
      flow.arrange(width: parts.mark.width)
      flow.draw(
        into: list, at: Point(origin.x, origin.y + parts.mark.y), width: parts.mark.width, theme.mutedText,
        alignment: .center)
    }
    let bubble = parts.bubble.offset(origin.x, origin.y)
    if message.role == .step { return drawStep(index, bubble, into: list) }
    drawBubble(message, bubble, into: list)
    self.mark(.retry(index), bubble, radius: theme.cardRadius, into: list)
    let inside = Rect(
      bubble.x + bubblePadding.x, bubble.y + bubblePadding.y, bubble.width - 2 * bubblePadding.x,
      bubble.height - 2 * bubblePadding.y)
    if message.picture != 0 {
      drawPicture(index, inside, into: list)
    } else if log.isBlank(index) {
      drawDots(inside, into: list)
    } else {
      // The width that it was laid out for may exceed the bubble's.
      let most = column.width * (message.role == .person ? 82 : 94) / 100 - 2 * bubblePadding.x
      _ = take(index, width: max(most, 1))
      flow.draw(
        into: list, at: Point(inside.x, inside.y), width: inside.width,
        message.state == .failed ? theme.mutedText : theme.text)
    }
    ring(.retry(index), bubble, radius: theme.cardRadius, into: list)
    guard parts.note.height > 0 else { return }
    _ = takeNote(index)
    flow.draw(
      into: list, at: Point(origin.x, origin.y + parts.note.y), width: parts.note.width,
      message.state == .failed ? theme.error : theme.mutedText, alignment: message.role == .person ? .end : .start)
  }

  /// A tool or a thought: a line, and what is unfolded below it.
  private func drawStep(_ index: Int, _ rect: Rect, into list: DisplayList) {
    mark(.fold(index), rect, radius: theme.fieldRadius, into: list)
    let line = takeStepLine(index)
    flow.draw(
      into: list, at: Point(rect.x, rect.y), width: rect.width,
      log[index].state == .failed ? theme.error : theme.mutedText)
    if log[index].isOpen, !log.isBlank(index) {
      _ = takeStepDetail(index)
      let x = rect.x + theme.px(12)
      flow.draw(
        into: list, at: Point(x, rect.y + line + theme.px(2)), width: max(rect.maxX - x, 1), theme.mutedText)
    }
    ring(.fold(index), rect, radius: theme.fieldRadius, into: list)
  }

  /// A picture, or what stands in its place until it is there.
  private func drawPicture(_ index: Int, _ rect: Rect, into list: DisplayList) {
    let address = pictures.address(log[index].picture)
    if !address.isEmpty, let picture = shelf?.picture(address.span, rect.size) {
      let source = Rect(0, 0, picture.size.width, picture.size.height)
      return list.add(.picture(picture.handle, source: source, rect, radius: theme.pictureRadius, opacity: 255))
    }
    list.add(.fill(rect, radius: theme.pictureRadius, .solid(theme.placeholder)))
    let side = min(theme.iconSize, rect.height)
    list.add(
      .icon(
        .photo, Rect(rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2, side, side), theme.mutedText))
  }

  private func drawBubble(_ message: ChatMessage, _ rect: Rect, into list: DisplayList) {
    let radius = theme.cardRadius
    guard message.role == .person else {
      list.add(.fill(rect, radius: radius, theme.card))
      list.add(.border(rect, radius: radius, width: theme.hairline, theme.cardBorder))
      return
    }
    if message.state == .failed {
      list.add(.border(rect, radius: radius, width: theme.hairline, theme.error))
    } else {
      list.add(.fill(rect, radius: radius, .solid(theme.accent.opacity(message.state == .sending ? 26 : 52))))
    }
  }

  /// Three dots, one of them highlighted: the agent is working.
  private func drawDots(_ room: Rect, into list: DisplayList) {
    let side = theme.px(6)
    for dot in 0..<3 {
      let rect = Rect(room.x + Int32(dot) * side * 2, room.y + (room.height - side) / 2, side, side)
      list.add(.fill(rect, radius: Int16(side / 2), .solid(theme.mutedText.opacity(dot == dots ? 255 : 110))))
    }
  }
}
