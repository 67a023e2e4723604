import Codec
import Graphics
import Runtime

/// Shows a drawing.
public final class DrawingPage: ScreenPage {
  public let drawing = Drawing()
  private let flow: TextFlow
  private let pictures: any PictureShelf
  private let clock: any Clock
  private var size = Size(0, 0)
  private var theme = Theme()
  private var isPulseBright = true
  private var nextFrame: Int64?

  /// An empty page.
  public init(flow: TextFlow, pictures: any PictureShelf, clock: any Clock) {
    self.flow = flow
    self.pictures = pictures
    self.clock = clock
  }

  /// Takes a command; see `Drawing`.
  public func take(_ command: borrowing JSONView) throws(DrawingError) {
    try drawing.take(command, at: clock.monotonic)
    plan(clock.monotonic)
  }

  // MARK: ScreenPage

  public func fit(_ size: Size, _ theme: Theme) { (self.size, self.theme) = (size, theme) }

  public func input(_ event: InputEvent, at instant: Int64) -> Bool { false }

  public var nextDeadline: Int64? { nextFrame }

  public var scrolled: Int32 {
    get { 0 }
    set {}
  }

  public func advance(to now: Int64) -> Bool {
    guard let instant = nextFrame, now >= instant else { return false }
    isPulseBright.toggle()
    plan(now)
    return true
  }

  /// Frames follow while something moves, and slowly while something is highlighted.
  private func plan(_ now: Int64) {
    if drawing.settle(at: now) {
      nextFrame = now + Budget.drawingFrameMilliseconds
      isPulseBright = true
      return
    }
    var hasHighlight = false
    for index in 0..<drawing.count where drawing.elements[index].kind == .highlight { hasHighlight = true }
    nextFrame = hasHighlight ? now + Budget.drawingPulseMilliseconds : nil
  }

  // MARK: Drawing

  public func draw(into list: DisplayList) {
    list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(theme.page)))
    let now = clock.monotonic
    for index in 0..<drawing.count { draw(drawing.elements[index], drawing.elements[index].frame(at: now), into: list) }
  }

  private func draw(_ element: DrawingElement, _ frame: DrawingFrame, into list: DisplayList) {
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
    case .image: drawImage(element, rect, corner, opacity, into: list)
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
      into: list, at: Point(rect.x, rect.y), width: width, faded(element.color ?? theme.text, opacity),
      alignment: alignment)
    if isCut { list.add(.endClip) }
  }

  private func drawImage(
    _ element: DrawingElement, _ rect: Rect, _ corner: Int16, _ opacity: Float, into list: DisplayList
  ) {
    guard !rect.isEmpty else { return }
    guard let picture = pictures.picture(element.text.span, rect.size) else {
      list.add(.fill(rect, radius: corner, .solid(faded(theme.placeholder, opacity))))
      let side = min(theme.iconSize, min(rect.width, rect.height))
      let icon = Rect(rect.x + (rect.width - side) / 2, rect.y + (rect.height - side) / 2, side, side)
      return list.add(.icon(.photo, icon, faded(theme.mutedText, opacity)))
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

  private func faded(_ color: Color, _ opacity: Float) -> Color {
    color.opacity(UInt8(clamping: Float(color.alpha) * opacity + 0.5))
  }

  // MARK: Units

  /// Pixels of one unit, and where the drawing begins.
  private var fitting: (scale: Float, x: Float, y: Float) {
    guard let space = drawing.space else { return (1, 0, 0) }
    let scale = min(Float(size.width) / space.width, Float(size.height) / space.height)
    return (scale, (Float(size.width) - space.width * scale) / 2, (Float(size.height) - space.height * scale) / 2)
  }

  private func pixels(_ length: Float) -> Int32 { Self.rounded(length * fitting.scale) }

  /// Edges are rounded, so that what touches in units touches in pixels.
  private func place(_ frame: DrawingFrame) -> Rect {
    let (scale, x, y) = fitting
    let left = Self.rounded(x + frame.x * scale)
    let top = Self.rounded(y + frame.y * scale)
    return Rect(
      left, top, Self.rounded(x + (frame.x + frame.width) * scale) - left,
      Self.rounded(y + (frame.y + frame.height) * scale) - top)
  }

  private static func rounded(_ value: Float) -> Int32 {
    Int32(clamping: value.bounded(-1_000_000, 1_000_000).rounded())
  }
}
