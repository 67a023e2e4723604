import CFonts
import CFreeType
import CHarfBuzz
import Canvas
import Graphics
import Runtime

/// The font faces of the canvas: Inter, DejaVu and Noto Sans for characters that it lacks, and font files of the board
/// for the others. Measures text and renders glyphs. For one thread at a time, so the loop and the painter have one
/// each.
///
/// A line is put into bidirectional order (FriBidi), divided into words, and each word shaped (HarfBuzz), which gives
/// it ligatures, kerning and marks at their places. Words are shaped in no size, and kept (`ShapedWords`).
public final class FontShelf: TextMeasurer, GlyphSource {
  /// The number that stands for no face: the glyph is a box with its code point.
  static let missing: UInt8 = 254
  /// Faces that are built in.
  static let builtIn = UInt8(TL_FONT_COUNT)

  private let library: OpaquePointer
  let shaper: OpaquePointer
  let faces: UnsafeMutablePointer<FontFace>
  private(set) var faceCount = 0
  /// Faces that are asked for every character; the others are of font files that were opened for one.
  private(set) var ownCount = 0
  let packs: FontPacks?
  let blocks = PackBlocks()
  /// A cache of looked-up characters for each style.
  private let known: UnsafeMutablePointer<KnownCharacter>
  let line = TextLine()
  let scratch = WordScratch()
  let shapedWords = ShapedWords()
  private let missingGlyph = MissingGlyph()
  /// The outline of one glyph from FreeType.
  let steps: UnsafeMutablePointer<tl_outline_step>

  /// Opens the built-in faces; what they lack is looked up in `packs`. Throws when memory is short.
  @export(interface)
  public init(packs: FontPacks? = nil) throws(Errno) {
    guard let library = tl_type_open(), let shaper = tl_shaper_open(Int32(Budget.wordCharacters)) else {
      throw .outOfMemory
    }
    self.library = library
    self.shaper = shaper
    self.packs = packs
    known = .allocate(capacity: 3 * Budget.rememberedCharacters)
    known.initialize(repeating: KnownCharacter(), count: 3 * Budget.rememberedCharacters)
    steps = .allocate(capacity: Budget.outlineSteps)
    faces = .allocate(capacity: Budget.fontFaces)
    for face in 0..<Int32(TL_FONT_COUNT) {
      var count: Int64 = 0
      guard let bytes = tl_font(face, &count), let handle = tl_face_open(library, bytes, count, 0) else {
        throw .outOfMemory
      }
      _ = keep(
        FontFace(
          handle: handle, bytes: bytes, count: count, index: 0,
          isBold: face == Int32(TL_FONT_SANS_BOLD) || face == Int32(TL_FONT_ARABIC_BOLD)
            || face == Int32(TL_FONT_HEBREW_BOLD),
          isMonospaced: face == Int32(TL_FONT_MONO)))
    }
    ownCount = faceCount
  }

  deinit {
    for index in 0..<faceCount { faces[index].close() }
    tl_type_close(library)
    tl_shaper_close(shaper)
    known.deallocate()
    steps.deallocate()
    faces.deallocate()
  }

  /// Adds a face that is installed on the board, for characters that the earlier ones lack: TrueType or OpenType,
  /// `index` within a collection. False when it cannot be read, there is no room (`Budget.fontFaces`), or a text has
  /// asked for a pack already.
  public func add(_ path: Path, index: Int = 0) -> Bool {
    guard faceCount < Budget.fontFaces, ownCount == faceCount, let face = openFile(path, index: Int32(clamping: index))
    else { return false }
    _ = keep(face)
    ownCount = faceCount
    for index in 0..<3 * Budget.rememberedCharacters { known[index] = KnownCharacter() }
    shapedWords.removeAll()
    return true
  }

  /// A face of a file, which is mapped; nil when it cannot be read.
  func openFile(_ path: Path, index: Int32) -> FontFace? {
    do throws(Errno) {
      let file = try Syscall.mapFile(path)
      let bytes = UnsafePointer(file.baseAddress!.assumingMemoryBound(to: UInt8.self))
      guard let handle = tl_face_open(library, bytes, Int64(file.count), index) else {
        Syscall.unmap(file)
        return nil
      }
      return FontFace(handle: handle, bytes: bytes, count: Int64(file.count), index: index, isFile: true)
    } catch {
      return nil
    }
  }

  /// Keeps a face, for which there is room; its number.
  func keep(_ face: FontFace) -> Int {
    (faces + faceCount).initialize(to: face)
    faceCount += 1
    return faceCount - 1
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
    let style = Style(font)
    var (start, advance) = (0, Int64(0))
    while start < text.count {
      start = line.read(text, from: start)
      for index in 0..<line.wordCount { advance += Int64(shaped(line.words[index], style).advance) }
    }
    return Self.pixels(advance, font)
  }

  /// See `TextMeasurer`.
  public func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int {
    let (style, room) = (Style(font), Self.share(width, font))
    var (start, advance) = (0, Int64(0))
    while start < text.count {
      let next = line.read(text, from: start)
      for index in 0..<line.wordCount {
        let word = line.words[index]
        let wordAdvance = Int64(shaped(word, style).advance)
        if advance + wordAdvance > room {
          let count = fit(word, style, room: room - advance)
          let place = Int(word.start) + count
          return place < line.count ? line.offsets[place] : next
        }
        advance += wordAdvance
      }
      start = next
    }
    return text.count
  }

  /// See `TextMeasurer`.
  public func direction(of text: Span<UInt8>) -> TextDirection? { TextLine.direction(of: text) }

  // MARK: GlyphSource

  /// See `GlyphSource`.
  public func layOut(_ text: Span<UInt8>, in font: Font, into glyphs: GlyphLine) {
    glyphs.removeAll()
    _ = line.read(text, from: 0)
    line.orderVisually()
    let style = Style(font)
    var pen: Int64 = 0
    for index in 0..<line.wordCount {
      let word = shaped(line.words[index], style)
      for place in 0..<Int(word.count) {
        let glyph = shapedWords.glyph(place, of: word)
        glyphs.add(
          PlacedGlyph(
            face: glyph.face, isBold: glyph.isBold, isSlanted: font.isItalic, glyph: glyph.glyph,
            x: Self.pixels(pen + Int64(glyph.x), font), y: Self.pixels(Int64(glyph.y), font)))
        pen += Int64(glyph.advance)
      }
    }
  }

  /// See `GlyphSource`.
  public func draw(_ glyph: PlacedGlyph, size: Int16, quarter: Int) -> GlyphPicture? {
    let size = min(max(size, 1), Budget.fontPixels)
    if glyph.face == Self.missing { return missingGlyph.draw(glyph.glyph, size: Int32(size)) }
    var drawn = tl_glyph()
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

  /// Converts 1/65536 of the em square to 1/64 pixel.
  private static func pixels(_ share: Int64, _ font: Font) -> Int32 {
    Int32(clamping: (share * Int64(max(min(font.size, Budget.fontPixels), 0)) * 64 + 32768) >> 16)
  }

  /// The largest share of the em square that is no more than a width in 1/64 pixel.
  private static func share(_ width: Int32, _ font: Font) -> Int64 {
    let size = Int64(min(font.size, Budget.fontPixels)) * 64
    guard size > 0 else { return width < 0 ? -1 : .max / 2 }
    // The inverse of `pixels`, which rounds.
    return ((Int64(width) << 16) + 32767).quotientAndRemainder(dividingBy: size).quotient
  }

  func find(_ character: UInt32, _ style: Style) -> KnownCharacter {
    let place = style.rawValue * Budget.rememberedCharacters + Int(character) % Budget.rememberedCharacters
    if known[place].character == character { return known[place] }
    known[place] = search(character, style)
    return known[place]
  }
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
