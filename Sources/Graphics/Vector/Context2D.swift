import Codec
import Runtime

/// The 2D context of HTML's canvas (WHATWG HTML, "The 2D rendering context"): its state, and drawing into pixels. It
/// belongs to one thread at a time. All memory is taken at the start; each operation does a bounded amount of work.
///
/// Arguments that are no finite numbers, and texts that are no such value, are ignored as the standard says. What goes
/// beyond a bound of `Budget` is not drawn, and `isCut` says so.
public final class Context2D {
  /// Names a gradient: a place in the context's table and how often that place was used before.
  public struct GradientHandle: Equatable, Sendable {
    public var number: UInt32

    public init(_ number: UInt32) { self.number = number }
  }

  /// How wide a text is and how high its font, in the units of the drawing.
  public struct TextSize: Sendable {
    public var width = 0.0
    /// From the alphabetic baseline, both positive.
    public var ascent = 0.0
    public var descent = 0.0
  }

  /// Pixels across and down.
  public var size: Size { composer.size }
  /// Something was beyond a bound and is not drawn, or drawn in part.
  public internal(set) var isCut = false
  /// Something was drawn; whoever has shown it sets it back.
  public var hasChanged = false

  let composer: PixelComposer
  let converter: ScanConverter
  let stroker: Stroker
  let dasher: Dasher
  let path: VectorPath
  /// Rectangles and glyphs, while they are drawn.
  let scratch: VectorPath
  let clips: ClipList
  let gradients: GradientTable
  let layers = LayerStack()
  let limit: WorkLimit
  var gradientPainter = GradientPainter()
  var sampler = PictureSampler()

  let states: UnsafeMutablePointer<State>
  private var depth = 0
  var state: State {
    @inline(__always) get { states[depth] }
    @inline(__always) _modify { yield &states[depth] }
  }

  /// Without it there is no text.
  let text: (any OutlineSource)?
  let line = GlyphLine()
  let outline = GlyphOutline()

  /// A context without pixels; see `attach`. Without `text`, texts are not drawn and have no width. Once the work of
  /// `limit` is over nothing more is drawn. Throws when there is no address space left.
  @export(interface)
  public init(text: (any OutlineSource)?, limit: WorkLimit = WorkLimit()) throws(Errno) {
    self.text = text
    self.limit = limit
    composer = try PixelComposer()
    converter = try ScanConverter(limit)
    stroker = Stroker(converter)
    dasher = Dasher(stroker)
    path = try VectorPath()
    scratch = try VectorPath()
    clips = try ClipList()
    gradients = try GradientTable()
    states = .allocate(capacity: Budget.canvasStates)
    states.initialize(repeating: State(), count: Budget.canvasStates)
  }

  deinit {
    states.deinitialize(count: Budget.canvasStates)
    states.deallocate()
    gradientPainter.free()
  }

  /// Draws into these pixels from here on (premultiplied 0xAARRGGBB, rows without gaps), which stay valid until others
  /// take their place; false when they are too few or too many (`Budget.shownPixels`, `Budget.paintSidePixels`). The
  /// state begins anew, the pixels stay as they are.
  public func attach(_ pixels: UnsafeMutableBufferPointer<UInt32>, _ size: Size) -> Bool {
    let side = Int32(Budget.paintSidePixels)
    guard size.width > 0, size.height > 0, size.width <= side, size.height <= side else { return false }
    let count = Int(size.width) * Int(size.height)
    guard count <= Budget.shownPixels, count <= pixels.count, let first = pixels.baseAddress else { return false }
    composer.attach(first, size)
    forget()
    return true
  }

  /// Begins anew, as when the canvas's width or height is set: transparent pixels, an empty path, the first state.
  public func reset() {
    composer.pixels.update(repeating: 0)
    forget()
    hasChanged = true
  }

  private func forget() {
    while depth > 0 { restore() }
    setFill(.color(.black))
    setStroke(.color(.black))
    states[0] = State()
    clips.truncate(to: 0)
    composer.endClips()
    path.removeAll()
    isCut = false
  }

  // MARK: State

  /// Keeps the state for `restore`. False when there is no room (`Budget.canvasStates`): then a script gets an error.
  @discardableResult
  public func save() -> Bool {
    guard depth + 1 < Budget.canvasStates else { return false }
    states[depth + 1] = states[depth]
    gradients.retain(states[depth].fill)
    gradients.retain(states[depth].stroke)
    depth += 1
    return true
  }

  /// Takes back the state of the last `save`; nothing when there was none.
  public func restore() {
    guard depth > 0 else { return }
    gradients.release(states[depth].fill)
    gradients.release(states[depth].stroke)
    let before = states[depth].clips
    depth -= 1
    guard states[depth].clips != before else { return }
    clips.truncate(to: states[depth].clips)
    applyClips()
  }

  private func applyClips() {
    composer.endClips()
    for index in 0..<clips.count { apply(clip: index) }
  }

  func apply(clip index: Int) {
    let clip = clips[index]
    guard clip.points > 0 else { return composer.clip(clip.bounds) }
    let area = composer.bounds.intersection(clip.bounds)
    converter.begin(area)
    converter.add(clips.path, from: clip.first, count: clip.points)
    composer.clip(converter, area, evenOdd: clip.isEvenOdd)
  }
}
