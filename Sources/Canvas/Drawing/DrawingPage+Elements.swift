import Codec
import Graphics
import Runtime

// The elements of a drawing on the screen.

extension DrawingPage {
  func draw(_ element: DrawingElement, _ frame: DrawingFrame, into list: DisplayList) {
    let opacity = frame.opacity
    guard opacity > 0 else { return }
    var rect = place(frame)
    if element.kind == .shape, element.shape == .line { return drawLine(element, rect, opacity, into: list) }
    var radius = pixels(element.radius)
    if element.kind == .shape, element.shape == .circle {
      let side = min(rect.width, rect.height)
      rect = Rect(rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2, side, side)
      radius = side / 2
    }
    let corner = Int16(clamping: min(radius, min(rect.width, rect.height) / 2))
    // A shape that names one color is of that color.
    let isPlain = element.kind == .shape && element.background.alpha == 0
    let background = isPlain ? element.color ?? .clear : element.background
    if background.alpha > 0 { list.add(.fill(rect, radius: corner, .solid(faded(background, opacity)))) }
    switch element.kind {
    case .shape: break
    case .text: drawText(element, rect, opacity, into: list)
    case .image:
      drawPicture(
        pictures.picture(element.text.span, rect.size), .photo, element, rect, corner, opacity, into: list)
    case .video: drawPicture(video?.frame, .play, element, rect, corner, opacity, into: list)
    case .interactive: break
    case .sketch: drawSketch(element, rect, opacity, into: list)
    case .highlight:
      let color = faded(element.color ?? theme.accent, isPulseBright ? opacity : opacity * 0.35)
      return list.add(.border(rect, radius: corner, width: Int16(clamping: max(pixels(element.borderWidth), 2)), color))
    }
    guard element.border.alpha > 0, element.borderWidth > 0 else { return }
    let width = Int16(clamping: max(pixels(element.borderWidth), 1))
    list.add(.border(rect, radius: corner, width: width, faded(element.border, opacity)))
  }

  /// From the upper left corner of its bounds to the lower right one.
  private func drawLine(_ element: DrawingElement, _ rect: Rect, _ opacity: Float, into list: DisplayList) {
    let width = Int16(clamping: max(pixels(max(element.borderWidth, 1)), 1))
    let color = faded(element.color ?? theme.text, opacity)
    list.add(.line(Point(rect.x, rect.y), Point(rect.maxX, rect.maxY), width: width, color))
  }

  /// What does not fit below is cut off.
  private func drawText(_ element: DrawingElement, _ rect: Rect, _ opacity: Float, into list: DisplayList) {
    let font = Font(
      size: Int16(clamping: max(pixels(element.fontSize), 4)), weight: element.isBold ? .bold : .regular,
      isItalic: element.isItalic, isMonospaced: element.isMonospaced)
    let width = rect.width > 0 ? rect.width : max(size.width - rect.x, 1)
    flow.take(element.text.span, font, isMarkdown: false)
    let height = flow.arrange(width: width)
    let isCut = rect.height > 0 && height > rect.height
    if isCut { list.add(.clip(rect, radius: 0)) }
    let alignment: TextFlow.Alignment =
      element.alignment == .center ? .center : element.alignment == .end ? .end : .start
    flow.draw(
      into: list, at: Point(rect.x, rect.y), width: width, faded(textColor(element), opacity),
      alignment: alignment)
    if isCut { list.add(.endClip) }
  }

  /// A tone of its color that can be read on its own background.
  private func textColor(_ element: DrawingElement) -> Color {
    guard element.background.alpha > 127 else { return element.color ?? theme.text }
    let ground = element.background.over(theme.page)
    guard let color = element.color else { return Theme.text(on: ground) }
    var grounds = Grounds()
    grounds.add(ground)
    return color.over(ground).legible(on: grounds, contrast: Palette.textContrast)
  }

  /// `icon` stands where the picture is not there yet.
  private func drawPicture(
    _ picture: Picture?, _ icon: Icon, _ element: DrawingElement, _ rect: Rect, _ corner: Int16, _ opacity: Float,
    into list: DisplayList
  ) {
    guard !rect.isEmpty else { return }
    guard let picture else {
      list.add(.fill(rect, radius: corner, .solid(faded(theme.placeholder, opacity))))
      let side = min(theme.iconSize, min(rect.width, rect.height))
      let middle = Rect(rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2, side, side)
      return list.add(.icon(icon, middle, faded(theme.mutedText, opacity)))
    }
    let whole = Rect(0, 0, picture.size.width, picture.size.height)
    let (wide, high) = (Int64(picture.size.width) * Int64(rect.height), Int64(picture.size.height) * Int64(rect.width))
    let share = UInt8(clamping: opacity * 255 + 0.5)
    switch element.fit {
    case .fill: list.add(.picture(picture.handle, source: whole, rect, radius: corner, opacity: share))
    case .contain:
      let width = wide > high ? rect.width : Int32(wide / Int64(max(picture.size.height, 1)))
      let height = wide > high ? Int32(high / Int64(max(picture.size.width, 1))) : rect.height
      let inside = Rect(rect.x + (rect.width - width) / 2, rect.y + (rect.height - height) / 2, width, height)
      list.add(.picture(picture.handle, source: whole, inside, radius: corner, opacity: share))
    case .cover:
      let width = wide > high ? Int32(high / Int64(max(rect.height, 1))) : whole.width
      let height = wide > high ? whole.height : Int32(wide / Int64(max(rect.width, 1)))
      let part = Rect((whole.width - width) / 2, (whole.height - height) / 2, width, height)
      list.add(.picture(picture.handle, source: part, rect, radius: corner, opacity: share))
    }
  }

  /// The lines of a person, and below them the buttons that take them away and send them.
  private func drawSketch(_ element: DrawingElement, _ rect: Rect, _ opacity: Float, into list: DisplayList) {
    let width = Int16(clamping: penWidth(element))
    let color = faded(element.color ?? theme.text, opacity)
    list.add(.clip(rect, radius: 0))
    sketch.forEachPiece(in: rect.size) { from, to in
      let (start, end) = (Point(rect.x + from.x, rect.y + from.y), Point(rect.x + to.x, rect.y + to.y))
      if from != to { return list.add(.line(start, end, width: width, color)) }
      let half = Int32(width) / 2
      let dot = Rect(start.x - half, start.y - half, Int32(width), Int32(width))
      list.add(.fill(dot, radius: width / 2, .solid(color)))
    }
    list.add(.endClip)
    guard !sketch.isEmpty else { return }
    drawButton(.delete, sketchButtons(rect).clear, theme.card, theme.text, opacity, into: list)
    drawButton(.send, sketchButtons(rect).send, .solid(theme.accent), theme.page, opacity, into: list)
  }

  private func drawButton(
    _ icon: Icon, _ rect: Rect, _ paint: Fill, _ color: Color, _ opacity: Float, into list: DisplayList
  ) {
    list.add(.fill(rect, radius: Int16(clamping: rect.width / 2), paint))
    list.add(.icon(icon, rect.inset(by: rect.width / 4), faded(color, opacity)))
  }

  func faded(_ color: Color, _ opacity: Float) -> Color {
    color.opacity(UInt8(clamping: Float(color.alpha) * opacity + 0.5))
  }
}
