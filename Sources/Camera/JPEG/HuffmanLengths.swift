import Runtime

/// Lengths in bits of the codes of the standard Huffman tables (ITU-T T.81 annex K.3), by symbol.
struct HuffmanLengths {
  /// 256 for each table, in the order of the segment: Y's first and further coefficients, then color's.
  private let tables = FixedBuffer(capacity: 4 * 256)

  init() {
    var offset = 4
    for table in 0..<4 {
      var value = offset + 17
      for length in 1...16 {
        for _ in 0..<StandardHuffmanTables.segment[offset + length] {
          tables.bytes[256 * table + Int(StandardHuffmanTables.segment[value])] = UInt8(length)
          value += 1
        }
      }
      offset = value
    }
  }

  /// By the size of the difference between first coefficients.
  func dc(isLuma: Bool) -> UnsafePointer<UInt8> { UnsafePointer(tables.bytes.baseAddress!) + (isLuma ? 0 : 512) }

  /// By the run of zeros, times 16, and the size of the coefficient after it.
  func ac(isLuma: Bool) -> UnsafePointer<UInt8> { UnsafePointer(tables.bytes.baseAddress!) + (isLuma ? 256 : 768) }
}
