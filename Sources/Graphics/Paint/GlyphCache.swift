import Runtime

/// Pictures of glyphs and icons that were drawn before. When it is full it is emptied: what a screen shows comes back
/// within a frame.
final class GlyphCache {
  /// What a picture is of; see `init`.
  struct Key: Equatable {
    var high: UInt32
    var low: UInt32

    /// A glyph at a size, `quarter` quarter pixels to the right.
    init(_ glyph: PlacedGlyph, size: Int16, quarter: Int) {
      let style: UInt32 = (glyph.isBold ? 1 : 0) | (glyph.isSlanted ? 2 : 0) | UInt32(quarter) << 2
      high = UInt32(glyph.face) << 24 | style << 16 | UInt32(UInt16(bitPattern: size))
      low = glyph.glyph
    }

    /// An icon at a size. No face has the number 255.
    init(_ icon: Icon, side: Int) {
      high = 255 << 24 | UInt32(side)
      low = UInt32(icon.rawValue)
    }

    var hash: Int { Int(truncatingIfNeeded: (high &* 0x9E37_79B1 ^ low &* 0x85EB_CA6B) >> 7) }
  }

  private struct Entry {
    var key: Key
    var offset: Int32
    var left, top: Int16
    var width, height: Int16
  }

  /// Twice the entries, so that a search ends soon; -1 is an empty place.
  private static let slots = 2 * Budget.cachedGlyphs
  private let table: UnsafeMutableBufferPointer<Int16>
  private let entries: UnsafeMutableBufferPointer<Entry>
  private let bytes: FixedBuffer
  private(set) var count = 0
  private(set) var used = 0

  init() {
    table = .allocate(capacity: Self.slots)
    table.initialize(repeating: -1)
    entries = .allocate(capacity: Budget.cachedGlyphs)
    bytes = FixedBuffer(capacity: Budget.cachedGlyphBytes)
  }

  deinit {
    table.deallocate()
    entries.deallocate()
  }

  /// A picture that is kept.
  func find(_ key: Key) -> GlyphPicture? {
    var slot = key.hash & (Self.slots - 1)
    while table[slot] >= 0 {
      let index = Int(table[slot])
      if entries[index].key == key { return picture(entries[index]) }
      slot = (slot + 1) & (Self.slots - 1)
    }
    return nil
  }

  /// Keeps a picture and answers the copy, or the picture itself when it is too large to be kept.
  func keep(_ key: Key, _ picture: GlyphPicture) -> GlyphPicture {
    let (width, height) = (Int(picture.coverage.size.width), Int(picture.coverage.size.height))
    guard width * height <= Budget.cachedGlyphBytes / 8 else { return picture }
    if count == Budget.cachedGlyphs || used + width * height > Budget.cachedGlyphBytes { removeAll() }
    let target = bytes.bytes.baseAddress! + used
    for y in 0..<height {
      (target + y * width).update(from: picture.coverage.rows + y * picture.coverage.stride, count: width)
    }
    entries[count] = Entry(
      key: key, offset: Int32(used), left: Int16(truncatingIfNeeded: picture.left),
      top: Int16(truncatingIfNeeded: picture.top), width: Int16(width), height: Int16(height))
    var slot = key.hash & (Self.slots - 1)
    while table[slot] >= 0 { slot = (slot + 1) & (Self.slots - 1) }
    table[slot] = Int16(count)
    count += 1
    used += width * height
    return self.picture(entries[count - 1])
  }

  private func picture(_ entry: Entry) -> GlyphPicture {
    let coverage = Coverage(
      rows: UnsafePointer(bytes.bytes.baseAddress! + Int(entry.offset)), stride: Int(entry.width),
      size: Size(Int32(entry.width), Int32(entry.height)))
    return GlyphPicture(coverage: coverage, left: Int32(entry.left), top: Int32(entry.top))
  }

  private func removeAll() {
    table.update(repeating: -1)
    count = 0
    used = 0
  }
}
