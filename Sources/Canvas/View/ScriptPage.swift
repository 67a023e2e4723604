import Graphics
import Runtime

/// Source of the drawing on a page.
public protocol DrawingSource: AnyObject {
  /// The premultiplied pixels, when they have changed since the last call and no script is drawing; valid until the
  /// caller returns.
  func takeDrawing() -> PixelBuffer?
  /// The text over them.
  var card: ScriptCard { get }
}

/// The drawing of a script, as large as the screen, with the script's text over it.
public final class ScriptPage: ScreenPage {
  private let flow: TextFlow
  private let painter: any Painter
  /// Outlives the page.
  public unowned(unsafe) var source: (any DrawingSource)?
  private var picture: PictureHandle?
  private var pictureSize = Size(0, 0)
  private var size = Size(0, 0)
  private var theme = Theme()

  /// An empty page.
  @export(interface)
  public init(measurer: any TextMeasurer, painter: any Painter) {
    flow = TextFlow(measurer: measurer)
    self.painter = painter
  }

  public func fit(_ size: Size, _ theme: Theme) { (self.size, self.theme) = (size, theme) }

  public var scrolled: Int32 {
    get { 0 }
    set {}
  }

  public func draw(into list: DisplayList) {
    let screen = Rect(0, 0, size.width, size.height)
    list.add(.fill(screen, radius: 0, .solid(theme.page)))
    takePicture()
    if let picture {
      let source = Rect(0, 0, pictureSize.width, pictureSize.height)
      list.add(.picture(picture, source: source, screen, radius: 0, opacity: 255))
    }
    guard let source else { return }
    switch source.card.kind {
    case .status: drawStatus(into: list)
    case .home: drawHome(into: list)
    case nil: return
    }
  }

  /// Gives the picture back. Only where `draw` may be called.
  public func dropPicture() {
    if let picture { painter.drop(picture) }
    picture = nil
  }

  private func takePicture() {
    guard let pixels = source?.takeDrawing() else { return }
    dropPicture()
    picture = painter.keep(UnsafeBufferPointer(pixels.pixels), pixels.size)
    pictureSize = pixels.size
  }

  /// In the middle of the upper edge, as on OpenClaw's own page.
  private func drawStatus(into list: DisplayList) {
    let width = min(size.width - 2 * theme.px(12), theme.px(360))
    let inner = width - 2 * theme.px(12)
    let title = height(0, .body, inner), subtitle = height(1, .caption, inner)
    let place = Rect((size.width - width) / 2, theme.px(12), width, title + subtitle + 2 * theme.px(10))
    list.add(.fill(place, radius: Int16(theme.px(10)), theme.card))
    drawLine(0, .body, theme.text, Point(place.x + theme.px(12), place.y + theme.px(10)), inner, into: list)
    drawLine(
      1, .caption, theme.mutedText, Point(place.x + theme.px(12), place.y + theme.px(10) + title), inner, into: list)
  }

  private func drawHome(into list: DisplayList) {
    let width = max(min(size.width - 2 * theme.px(20), theme.px(560)), 1)
    let sizes: InlineArray<5, Theme.TypeSize> = [.caption, .h1, .body, .h4, .caption]
    let colors: InlineArray<5, Color> = [theme.accent, theme.text, theme.mutedText, theme.text, theme.mutedText]
    var total: Int32 = 0
    for index in 0..<5 { total += height(index, sizes[index], width) + theme.px(6) }
    var y = max((size.height - total) / 2, theme.px(8))
    for index in 0..<5 {
      drawLine(index, sizes[index], colors[index], Point((size.width - width) / 2, y), width, into: list)
      y += height(index, sizes[index], width) + theme.px(6)
    }
  }

  private func height(_ line: Int, _ size: Theme.TypeSize, _ width: Int32) -> Int32 {
    guard let card = source?.card, !card.lines[line].isEmpty else { return 0 }
    flow.take(card.lines[line].span, theme.font(size), isMarkdown: false)
    return flow.arrange(width: width)
  }

  private func drawLine(
    _ line: Int, _ size: Theme.TypeSize, _ color: Color, _ place: Point, _ width: Int32, into list: DisplayList
  ) {
    guard height(line, size, width) > 0 else { return }
    flow.draw(into: list, at: place, width: width, color, alignment: .center)
  }

  public func reacts(at place: Point) -> Bool { false }

  public func input(_ event: InputEvent, at instant: Int64) -> Bool { false }
  public var nextDeadline: Int64? { nil }
  public func advance(to now: Int64) -> Bool { false }
}
