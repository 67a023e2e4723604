/// R, G and B to Y, Cb and Cr, all of full range (JFIF 1.02, page 3: ITU-R BT.601 with 256 levels).
enum ColorConverter {
  /// 16 bits behind the point.
  private static let shift: Int32 = 16

  /// Replaces the planes of R, G and B by those of Y, Cb and Cr, which lie in the same places.
  static func convert(_ image: PlanarImage) {
    for y in 0..<image.height {
      let offset = y * image.luma.rowBytes
      convertRow(image.luma.base + offset, image.blue.base + offset, image.red.base + offset, image.width)
    }
  }

  private static func convertRow(
    _ first: UnsafeMutablePointer<UInt8>, _ second: UnsafeMutablePointer<UInt8>,
    _ third: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for x in 0..<count {
      let (r, g, b) = (Int32(first[x]), Int32(second[x]), Int32(third[x]))
      // The standard's factors times 65536; each row adds up to 65536 or 0, so white and grays stay exact.
      first[x] = value(19595 &* r &+ 38470 &* g &+ 7471 &* b, 0)
      second[x] = value(32768 &* b &- 11059 &* r &- 21709 &* g, 128)
      third[x] = value(32768 &* r &- 27439 &* g &- 5329 &* b, 128)
    }
  }

  @inline(__always)
  private static func value(_ sum: Int32, _ zero: Int32) -> UInt8 {
    UInt8(clamping: (sum &+ 1 << (shift - 1)) >> shift &+ zero)
  }
}
