/// The discrete cosine transform of a block of 8 x 8 samples (ITU-T T.81 A.3.3).
enum BlockTransform {
  /// Halves of the cosines of 1, 2 ... 7 sixteenths of a half turn; that of 4 is also the weight of a constant.
  private static let (c1, c2, c3): (Float, Float, Float) = (0.490_392_64, 0.461_939_77, 0.415_734_81)
  private static let (c4, c5, c6): (Float, Float, Float) = (0.353_553_39, 0.277_785_12, 0.191_341_72)
  private static let c7: Float = 0.097_545_16

  /// Replaces 64 samples, row after row, by their coefficients, column after column.
  static func transform(_ block: UnsafeMutablePointer<Float>) {
    pass(block)
    transpose(block)
    pass(block)
  }

  /// The transform down each of the eight columns.
  private static func pass(_ block: UnsafeMutablePointer<Float>) {
    let rows = UnsafeMutableRawPointer(block).assumingMemoryBound(to: SIMD8<Float>.self)
    let (s0, s1, s2, s3) = (rows[0] + rows[7], rows[1] + rows[6], rows[2] + rows[5], rows[3] + rows[4])
    let (d0, d1, d2, d3) = (rows[0] - rows[7], rows[1] - rows[6], rows[2] - rows[5], rows[3] - rows[4])
    let (outer, inner) = (s0 - s3, s1 - s2)
    rows[0] = (s0 + s1 + s2 + s3) * c4
    rows[4] = (s0 - s1 - s2 + s3) * c4
    rows[2] = outer * c2 + inner * c6
    rows[6] = outer * c6 - inner * c2
    rows[1] = (d0 * c1 + d1 * c3) + (d2 * c5 + d3 * c7)
    rows[3] = (d0 * c3 - d1 * c7) - (d2 * c1 + d3 * c5)
    rows[5] = (d0 * c5 - d1 * c1) + (d2 * c7 + d3 * c3)
    rows[7] = (d0 * c7 - d1 * c5) + (d2 * c3 - d3 * c1)
  }

  private static func transpose(_ block: UnsafeMutablePointer<Float>) {
    for y in 0..<7 {
      for x in (y + 1)..<8 {
        let above = block[8 * y + x]
        block[8 * y + x] = block[8 * x + y]
        block[8 * x + y] = above
      }
    }
  }
}
