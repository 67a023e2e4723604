import CFonts
import CFreeType
import Canvas
import Graphics
import Runtime

/// The font faces of the canvas: Inter, DejaVu for characters that it lacks, and faces installed on the board for the
/// others. Measures text and renders glyphs. For one thread at a time, so the loop and the painter have one each.
///
/// Text is set glyph by glyph: bidirectional order and the forms of Arabic letters are honored, ligatures of other
/// scripts and kerning are not.
public final class FontShelf: TextMeasurer, GlyphSource {
  struct Face: @unchecked Sendable {
    let handle: OpaquePointer
    var isBold = false
    var isMonospaced = false
  }

  private let library: OpaquePointer
  var faces = InlineList<16, Face>()
  /// A cache of looked-up characters for each style.
  private let known: UnsafeMutablePointer<KnownCharacter>
  let line: TextLine
  /// The outline of one glyph from FreeType.
  let steps: UnsafeMutablePointer<tl_outline_step>

  /// Opens the built-in faces. Throws when memory is short.
  public init() throws(Errno) {
    guard let library = tl_type_open() else { throw .outOfMemory }
    self.library = library
    known = .allocate(capacity: 3 * Budget.rememberedCharacters)
    known.initialize(repeating: KnownCharacter(), count: 3 * Budget.rememberedCharacters)
    line = TextLine()
    steps = .allocate(capacity: Budget.outlineSteps)
    for face in 0..<Int32(TL_FONT_COUNT) {
      var count: Int64 = 0
      let bytes = tl_font(face, &count)
      guard let handle = tl_face_open(library, bytes, count) else { throw .outOfMemory }
      faces.append(
        Face(
          handle: handle,
          isBold: face == Int32(TL_FONT_SANS_BOLD) || face == Int32(TL_FONT_SYMBOLS_BOLD),
          isMonospaced: face == Int32(TL_FONT_MONO)))
    }
  }

  deinit {
    for index in 0..<faces.count { tl_face_close(faces[index].handle) }
    tl_type_close(library)
    known.deallocate()
    steps.deallocate()
  }

  /// Adds a face that is installed on the board, for characters that the earlier ones lack: TrueType or OpenType,
  /// `index` within a collection. False when it cannot be read, or there is no room (`Budget.fontFaces`).
  public func add(_ path: Path, index: Int = 0) -> Bool {
    guard faces.count < Budget.fontFaces else { return false }
    let opened = withExtendedLifetime(path) { tl_face_open_file(library, path.cString, Int32(index)) }
    guard let handle = opened else { return false }
    forget()
    return faces.append(Face(handle: handle))
  }

  private func forget() {
    for index in 0..<3 * Budget.rememberedCharacters { known[index] = KnownCharacter() }
  }

  // MARK: TextMeasurer

  /// See `TextMeasurer`. The heights are those of the first face of the style; fallback faces do not change them.
  public func metrics(of font: Font) -> FontMetrics {
    var (ascent, descent): (Int32, Int32) = (0, 0)
    tl_face_heights(faces[Style(font).first].handle, &ascent, &descent)
    let size = Int64(max(min(font.size, Budget.fontPixels), 0))
    return FontMetrics(
      ascent: Int32((Int64(ascent) * size + 65535) >> 16), descent: Int32((Int64(descent) * size + 65535) >> 16))
  }

  /// See `TextMeasurer`.
  public func advance(of text: Span<UInt8>, in font: Font) -> Int32 {
    var (start, advance) = (0, Int32(0))
    while start < text.count {
      start = line.read(text, from: start, isVisual: false)
      for index in 0..<line.count { advance &+= width(of: line.characters[index], font) }
    }
    return advance
  }

  /// See `TextMeasurer`.
  public func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int {
    var (start, advance) = (0, Int32(0))
    while start < text.count {
      let next = line.read(text, from: start, isVisual: false)
      for index in 0..<line.count {
        advance &+= self.width(of: line.characters[index], font)
        if advance > width { return line.offsets[index] }
      }
      start = next
    }
    return text.count
  }

  // MARK: GlyphSource

  /// See `GlyphSource`.
  public func layOut(_ text: Span<UInt8>, in font: Font, into glyphs: GlyphLine) {
    glyphs.removeAll()
    _ = line.read(text, from: 0, isVisual: true)
    var x: Int32 = 0
    for index in 0..<line.count {
      let found = find(line.characters[index], Style(font))
      if found.glyph != 0 {
        glyphs.add(
          PlacedGlyph(
            face: found.face, isBold: found.isEmboldened, isSlanted: font.isItalic, glyph: found.glyph, x: x))
      }
      x &+= Self.pixels(found.advance, font)
    }
  }

  /// See `GlyphSource`.
  public func draw(_ glyph: PlacedGlyph, size: Int16, quarter: Int) -> GlyphPicture? {
    var drawn = tl_glyph()
    let size = min(max(size, 1), Budget.fontPixels)
    let result = tl_face_draw(
      faces[Int(glyph.face)].handle, glyph.glyph, Int32(size), Int32(quarter), glyph.isBold ? 1 : 0,
      glyph.isSlanted ? 1 : 0, &drawn)
    guard result == 0, drawn.width >= 0, drawn.height >= 0 else { return nil }
    // A space has no bitmap.
    let rows = drawn.rows ?? UnsafePointer(bitPattern: 1)!
    return GlyphPicture(
      coverage: Coverage(rows: rows, stride: Int(drawn.stride), size: Size(drawn.width, drawn.height)),
      left: drawn.left, top: drawn.top)
  }

  // MARK: Characters

  private func width(of character: UInt32, _ font: Font) -> Int32 {
    Self.pixels(find(character, Style(font)).advance, font)
  }

  /// Converts 1/65536 of the em square to 1/64 pixel.
  private static func pixels(_ share: Int32, _ font: Font) -> Int32 {
    Int32((Int64(share) * Int64(max(min(font.size, Budget.fontPixels), 0)) * 64 + 32768) >> 16)
  }

  private func find(_ character: UInt32, _ style: Style) -> KnownCharacter {
    let place = style.rawValue * Budget.rememberedCharacters + Int(character) % Budget.rememberedCharacters
    if known[place].character == character { return known[place] }
    known[place] = search(character, style)
    return known[place]
  }
}

/// The glyph of a character in a style.
struct KnownCharacter {
  /// No character has this number.
  var character: UInt32 = 0xFFFF_FFFF
  var face: UInt8 = 0
  var isEmboldened = false
  /// 0: nothing is drawn.
  var glyph: UInt32 = 0
  /// In 1/65536 of the em square.
  var advance: Int32 = 0
}

/// Selects the face that is tried first.
enum Style: Int {
  case regular, bold, monospaced

  init(_ font: Font) {
    self = font.isMonospaced ? .monospaced : font.weight == .bold ? .bold : .regular
  }

  /// The face that sets the heights.
  var first: Int {
    switch self {
    case .regular: Int(TL_FONT_SANS)
    case .bold: Int(TL_FONT_SANS_BOLD)
    case .monospaced: Int(TL_FONT_MONO)
    }
  }
}
