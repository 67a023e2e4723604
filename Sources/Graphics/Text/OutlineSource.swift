import Runtime

/// The outline of one glyph as lines and curves. Of a fixed size, and used again for each glyph.
public final class GlyphOutline {
  public enum Step: Sendable {
    case move(Float, Float)
    case line(Float, Float)
    /// One control point, then the end.
    case quadratic(Float, Float, Float, Float)
    /// Two control points, then the end.
    case cubic(Float, Float, Float, Float, Float, Float)
  }

  private let steps: UnsafeMutableBufferPointer<Step>
  public private(set) var count = 0

  /// Takes the memory for a glyph.
  @export(interface)
  public init() {
    steps = .allocate(capacity: Budget.outlineSteps)
    steps.initialize(repeating: .move(0, 0))
  }

  deinit { steps.deallocate() }

  /// The step at an index below `count`.
  public subscript(index: Int) -> Step { steps[index] }

  /// Adds a step: shares of the em square, x to the right, y down from the baseline. False when there is no room.
  public func add(_ step: Step) -> Bool {
    guard count < Budget.outlineSteps else { return false }
    steps[count] = step
    count += 1
    return true
  }

  /// Makes the outline empty.
  public func removeAll() { count = 0 }
}

/// Text as outlines, for drawings that are turned and scaled. Used by one thread at a time.
public protocol OutlineSource: AnyObject {
  /// Puts the glyphs of a line of UTF-8 text into `line`, which is emptied first.
  func layOut(_ text: Span<UInt8>, in font: Font, into line: GlyphLine)
  /// How far a line of UTF-8 text reaches, in 1/64 pixel.
  func advance(of text: Span<UInt8>, in font: Font) -> Int32
  /// The heights of a font.
  func metrics(of font: Font) -> FontMetrics
  /// Puts the outline of a glyph into `outline`, which is emptied first. False when it has none.
  func outline(_ glyph: PlacedGlyph, into outline: GlyphOutline) -> Bool
}
