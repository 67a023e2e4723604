import Runtime

/// One glyph on a line.
public struct PlacedGlyph: Sendable {
  /// Index of the face in its source.
  public var face: UInt8
  /// Made bolder or slanted by calculation, for its face is not.
  public var isBold: Bool
  public var isSlanted: Bool
  public var glyph: UInt32
  /// From the start of the line to the pen, in 1/64 pixel.
  public var x: Int32
  /// From the baseline up to the glyph's own, in 1/64 pixel: marks stand above their letter.
  public var y: Int32

  /// A glyph; see the properties.
  public init(face: UInt8, isBold: Bool, isSlanted: Bool, glyph: UInt32, x: Int32, y: Int32 = 0) {
    self.face = face
    self.isBold = isBold
    self.isSlanted = isSlanted
    self.glyph = glyph
    self.x = x
    self.y = y
  }
}

/// The glyphs of one line of text, in the order in which they are seen. Of a fixed size, and used again for each line.
public final class GlyphLine {
  private let glyphs: UnsafeMutableBufferPointer<PlacedGlyph>
  public private(set) var count = 0

  /// Takes the memory for a line.
  @export(interface)
  public init() { glyphs = .allocate(capacity: Budget.lineGlyphs) }

  deinit { glyphs.deallocate() }

  /// The glyph at an index below `count`.
  public subscript(index: Int) -> PlacedGlyph { glyphs[index] }

  /// Adds a glyph at the end; a line that is full stays as it is.
  public func add(_ glyph: PlacedGlyph) {
    guard count < Budget.lineGlyphs else { return }
    glyphs[count] = glyph
    count += 1
  }

  /// Makes the line empty.
  public func removeAll() { count = 0 }
}

/// How much of each pixel a shape covers, 0...255, row by row.
public struct Coverage {
  public var rows: UnsafePointer<UInt8>
  /// From one row to the next.
  public var stride: Int
  public var size: Size

  /// Coverage; see the properties.
  public init(rows: UnsafePointer<UInt8>, stride: Int, size: Size) {
    self.rows = rows
    self.stride = stride
    self.size = size
  }
}

/// The picture of a glyph, and where it lies from the pen: `left` to the right, `top` up from the baseline.
public struct GlyphPicture {
  public var coverage: Coverage
  public var left: Int32
  public var top: Int32

  /// A picture; see the properties.
  public init(coverage: Coverage, left: Int32, top: Int32) {
    self.coverage = coverage
    self.left = left
    self.top = top
  }
}

/// Where the painter's glyphs come from. Used by one thread at a time.
public protocol GlyphSource: AnyObject {
  /// Puts the glyphs of a line of UTF-8 text into `line`, which is emptied first.
  func layOut(_ text: Span<UInt8>, in font: Font, into line: GlyphLine)
  /// Draws a glyph, `quarter` quarter pixels to the right of the pen. Valid until the next call. Nil when it cannot be
  /// drawn.
  func draw(_ glyph: PlacedGlyph, size: Int16, quarter: Int) -> GlyphPicture?
}
