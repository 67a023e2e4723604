/// R, G and B to Y, Cb and Cr, all of full range (JFIF 1.02, page 3: ITU-R BT.601 with 256 levels).
enum ColorConverter {
  /// 16 bits after the decimal point.
  private static let shift: Int32 = 16

  /// A row of each of R, G and B.
  struct Rows {
    let red, green, blue: UnsafeMutablePointer<UInt8>
  }

  /// Replaces the planes of R, G and B in place by Y, Cb and Cr.
  static func convert(_ image: PlanarImage) {
    for y in 0..<image.height {
      let offset = y * image.luma.rowBytes
      convertRow(image.luma.base + offset, image.blue.base + offset, image.red.base + offset, image.width)
    }
  }

  /// Y of `count` pixels.
  static func luma(_ rows: Rows, into target: UnsafeMutablePointer<UInt8>, _ count: Int) {
    let (red, green, blue) = (rows.red, rows.green, rows.blue)
    for x in 0..<count { target[x] = luma(Int32(red[x]), Int32(green[x]), Int32(blue[x]), shift) }
  }

  /// Cb and Cr of `count` squares of four pixels in two rows.
  static func chroma(
    _ upper: Rows, _ lower: Rows, blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>,
    _ count: Int
  ) {
    for x in 0..<count {
      let r = sum(upper.red, lower.red, 2 &* x)
      let g = sum(upper.green, lower.green, 2 &* x)
      let b = sum(upper.blue, lower.blue, 2 &* x)
      blue[x] = blueDifference(r, g, b, shift &+ 2)
      red[x] = redDifference(r, g, b, shift &+ 2)
    }
  }

  /// Y, Cb and Cr of `count` squares of four pixels, 0xXXRRGGBB, which lie in two rows.
  static func convert(
    _ upper: UnsafePointer<UInt32>, _ lower: UnsafePointer<UInt32>,
    luma above: UnsafeMutablePointer<UInt8>, _ below: UnsafeMutablePointer<UInt8>,
    blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for x in 0..<2 &* count {
      above[x] = luma(upper[x])
      below[x] = luma(lower[x])
    }
    for x in 0..<count {
      let (first, second) = (upper[2 &* x], upper[2 &* x &+ 1])
      let (third, fourth) = (lower[2 &* x], lower[2 &* x &+ 1])
      // A sum of four has 10 bits, so red and blue are summed in one word.
      let outer = (first & 0xFF00FF) &+ (second & 0xFF00FF) &+ (third & 0xFF00FF) &+ (fourth & 0xFF00FF)
      let inner = (first >> 8 & 0xFF) &+ (second >> 8 & 0xFF) &+ (third >> 8 & 0xFF) &+ (fourth >> 8 & 0xFF)
      let (r, g, b) = (Int32(outer >> 16), Int32(inner), Int32(outer & 0x3FF))
      blue[x] = blueDifference(r, g, b, shift &+ 2)
      red[x] = redDifference(r, g, b, shift &+ 2)
    }
  }

  @inline(__always)
  private static func luma(_ pixel: UInt32) -> UInt8 {
    luma(Int32(pixel >> 16 & 0xFF), Int32(pixel >> 8 & 0xFF), Int32(pixel & 0xFF), shift)
  }

  private static func convertRow(
    _ first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>,
    _ third: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for x in 0..<count {
      let (r, g, b) = (Int32(first[x]), Int32(second[x]), Int32(third[x]))
      first[x] = luma(r, g, b, shift)
      second[x] = blueDifference(r, g, b, shift)
      third[x] = redDifference(r, g, b, shift)
    }
  }

  // The standard's factors times 65536; each row adds up to 65536 or 0, so white and grays stay exact.

  @inline(__always)
  private static func luma(_ r: Int32, _ g: Int32, _ b: Int32, _ shift: Int32) -> UInt8 {
    value(19595 &* r &+ 38470 &* g &+ 7471 &* b, 0, shift)
  }

  @inline(__always)
  private static func blueDifference(_ r: Int32, _ g: Int32, _ b: Int32, _ shift: Int32) -> UInt8 {
    value(32768 &* b &- 11059 &* r &- 21709 &* g, 128, shift)
  }

  @inline(__always)
  private static func redDifference(_ r: Int32, _ g: Int32, _ b: Int32, _ shift: Int32) -> UInt8 {
    value(32768 &* r &- 27439 &* g &- 5329 &* b, 128, shift)
  }

  @inline(__always)
  private static func value(_ sum: Int32, _ zero: Int32, _ shift: Int32) -> UInt8 {
    UInt8(clamping: (sum &+ 1 &<< (shift &- 1)) &>> shift &+ zero)
  }

  @inline(__always)
  private static func sum(
    _ upper: UnsafeMutablePointer<UInt8>, _ lower: UnsafeMutablePointer<UInt8>, _ x: Int
  ) -> Int32 {
    Int32(upper[x]) &+ Int32(upper[x &+ 1]) &+ Int32(lower[x]) &+ Int32(lower[x &+ 1])
  }
}
