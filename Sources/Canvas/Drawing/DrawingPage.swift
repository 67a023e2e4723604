import Codec
import Graphics
import Runtime

/// Gets what a person does on a drawing.
public protocol DrawingDelegate: AnyObject {
  /// A gesture on an interactive element, as an action of a press (canvas reference 2.9): `action` is JSON.
  func touched(_ action: UnsafeBufferPointer<UInt8>)
  /// A person wants a sketch sent: `action` is JSON, `png` the picture. Both are valid until this returns.
  func sketched(_ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>)
}

/// Gives the picture of a video that is shown now.
public protocol VideoSource: AnyObject {
  /// Nil while there is none. Only while a page is drawn.
  var frame: Picture? { get }
}

/// Shows a drawing.
public final class DrawingPage: ScreenPage {
  public let drawing = Drawing()
  let flow: TextFlow
  let pictures: any PictureShelf
  private let clock: any Clock
  private(set) var size = Size(0, 0)
  private(set) var theme = Theme()
  private(set) var isPulseBright = true
  private var nextFrame: Int64?
  let sketch: Sketch
  var touch = DrawingTouch(scale: 1)
  /// Where a sketch becomes a picture; taken while one is sent.
  let pixels: ReservedBuffer
  let action = FixedBuffer(capacity: Budget.drawingActionBytes)
  /// Must live as long as the page.
  public unowned(unsafe) var delegate: (any DrawingDelegate)?
  public unowned(unsafe) var video: (any VideoSource)?

  /// An empty page; throws when the address space is full.
  @export(interface)
  public init(flow: TextFlow, pictures: any PictureShelf, clock: any Clock) throws(Errno) {
    self.flow = flow
    self.pictures = pictures
    self.clock = clock
    sketch = try Sketch()
    pixels = try ReservedBuffer(capacity: 2 * Budget.sketchPictureBytes)
  }

  /// Takes a command; see `Drawing`.
  @export(interface)
  public func take(_ command: borrowing JSONView) throws(DrawingError) {
    try drawing.take(command, at: clock.monotonic)
    if drawing.first(.sketch) == nil { sketch.clear() }
    plan(clock.monotonic)
  }

  /// The address of the video on it, and its size in pixels; nil without one.
  public var videoAddress: (text: InlineText<512>, size: Size)? {
    guard let index = drawing.first(.video) else { return nil }
    let element = drawing.elements[index]
    return (element.text, place(element.frame).size)
  }

  // MARK: ScreenPage

  public func fit(_ size: Size, _ theme: Theme) {
    (self.size, self.theme) = (size, theme)
    touch = DrawingTouch(scale: Float(theme.scale) / 100)
  }

  public func reacts(at place: Point) -> Bool { touchable(at: place, clock.monotonic) != nil }

  @export(interface)
  public func input(_ event: InputEvent, at instant: Int64) -> Bool {
    guard case .pointer(let what, let id, let place) = event else { return false }
    return take(what, id: id, place, at: instant)
  }

  public var nextDeadline: Int64? { earliest(nextFrame, touch.nextDeadline) }

  public var scrolled: Int32 {
    get { 0 }
    set {}
  }

  public func advance(to now: Int64) -> Bool {
    advanceTouch(to: now)
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

  @export(interface)
  public func draw(into list: DisplayList) {
    list.add(.fill(Rect(0, 0, size.width, size.height), radius: 0, .solid(theme.page)))
    let now = clock.monotonic
    for index in 0..<drawing.count { draw(drawing.elements[index], drawing.elements[index].frame(at: now), into: list) }
  }

  // MARK: Units

  /// Pixels of one unit, and where the drawing begins.
  private var fitting: (scale: Float, x: Float, y: Float) {
    guard let space = drawing.space else { return (1, 0, 0) }
    let scale = min(Float(size.width) / space.width, Float(size.height) / space.height)
    return (scale, (Float(size.width) - space.width * scale) / 2, (Float(size.height) - space.height * scale) / 2)
  }

  func pixels(_ length: Float) -> Int32 { Self.rounded(length * fitting.scale) }

  /// Edges are rounded, so that what touches in units touches in pixels.
  func place(_ frame: DrawingFrame) -> Rect {
    let (scale, x, y) = fitting
    let left = Self.rounded(x + frame.x * scale)
    let top = Self.rounded(y + frame.y * scale)
    return Rect(
      left, top, Self.rounded(x + (frame.x + frame.width) * scale) - left,
      Self.rounded(y + (frame.y + frame.height) * scale) - top)
  }

  /// The place of a pixel in units of the drawing.
  func units(_ place: Point) -> (x: Float, y: Float) {
    let (scale, x, y) = fitting
    return ((Float(place.x) - x) / scale, (Float(place.y) - y) / scale)
  }

  /// Units of so many pixels.
  func units(_ pixels: Int32) -> Float { Float(pixels) / fitting.scale }

  private static func rounded(_ value: Float) -> Int32 {
    Int32(clamping: value.bounded(-1_000_000, 1_000_000).rounded())
  }
}
