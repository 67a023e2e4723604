/// Where things stand in a JPEG picture (ITU-T T.81 annex B), found by walking over its markers without
/// decoding: enough to refuse a torn frame and to know its size.
struct JPEGLayout: Equatable {
  /// Pixels across and down, each at least 1.
  private(set) var width = 0, height = 0
  /// Bytes up to and with the end-of-image marker; a camera may pad behind it.
  private(set) var length = 0
  /// Offset of the first scan's marker: where tables may be inserted.
  private(set) var scanOffset = 0
  /// True when Huffman tables stand before the first scan. Motion JPEG leaves them out.
  private(set) var hasHuffmanTables = false

  private enum Marker {
    static let startOfImage: UInt8 = 0xD8, endOfImage: UInt8 = 0xD9, startOfScan: UInt8 = 0xDA
    static let huffmanTables: UInt8 = 0xC4, extensions: UInt8 = 0xC8, arithmetic: UInt8 = 0xCC
    static let restart: ClosedRange<UInt8> = 0xD0...0xD7
    /// Start of frame: baseline, extended and progressive, Huffman coded. The others (0xC3, 0xC5...0xCF)
    /// are lossless, hierarchical or arithmetic, and nobody shows them.
    static let readableFrame: ClosedRange<UInt8> = 0xC0...0xC2
    static let frame: ClosedRange<UInt8> = 0xC0...0xCF
  }

  /// Walks over `bytes`; throws `.broken` when the picture is torn or is none, `.unsupported` for kinds of
  /// JPEG beyond 8-bit Huffman coding with one or three components.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(JPEGError) {
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == Marker.startOfImage else { throw .broken }
    var index = 2
    while true {
      let marker = try Self.marker(in: bytes, at: &index)
      if marker == Marker.endOfImage {
        guard scanOffset > 0 else { throw .broken }
        length = index
        return
      }
      let end = try Self.segmentEnd(in: bytes, at: index)
      switch marker {
      case Marker.huffmanTables: hasHuffmanTables = hasHuffmanTables || scanOffset == 0
      case Marker.extensions, Marker.arithmetic: throw .unsupported
      case Marker.frame: try readFrame(marker, bytes, index..<end)
      case Marker.startOfScan:
        guard width > 0 else { throw .broken }
        if scanOffset == 0 { scanOffset = index - 2 }
      case 0x00, 0x01, Marker.startOfImage, Marker.restart: throw .broken
      default: break
      }
      index = marker == Marker.startOfScan ? Self.scanEnd(in: bytes, from: end) : end
    }
  }

  private mutating func readFrame(
    _ marker: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, _ segment: Range<Int>
  ) throws(JPEGError) {
    guard Marker.readableFrame.contains(marker) else { throw .unsupported }
    guard width == 0, segment.count >= 8 else { throw .broken }
    let field = segment.lowerBound + 2
    guard bytes[field] == 8, bytes[field + 5] == 1 || bytes[field + 5] == 3 else { throw .unsupported }
    height = Int(bytes[field + 1]) << 8 | Int(bytes[field + 2])
    width = Int(bytes[field + 3]) << 8 | Int(bytes[field + 4])
    guard width > 0, height > 0 else { throw .broken }
  }

  /// The marker at `index`, which moves behind it; any number of 0xFF may stand before (B.1.1.2).
  private static func marker(
    in bytes: UnsafeBufferPointer<UInt8>, at index: inout Int
  ) throws(JPEGError) -> UInt8 {
    guard index < bytes.count, bytes[index] == 0xFF else { throw .broken }
    while index < bytes.count, bytes[index] == 0xFF { index += 1 }
    guard index < bytes.count else { throw .broken }
    index += 1
    return bytes[index - 1]
  }

  private static func segmentEnd(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) throws(JPEGError) -> Int
  {
    guard index + 2 <= bytes.count else { throw .broken }
    let end = index + (Int(bytes[index]) << 8 | Int(bytes[index + 1]))
    guard end >= index + 2, end <= bytes.count else { throw .broken }
    return end
  }

  /// Where coded data ends: at a marker that is neither a stuffed zero nor a restart.
  private static func scanEnd(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index &+ 1 < bytes.count {
      let next = bytes[index &+ 1]
      if bytes[index] == 0xFF, next != 0, !Marker.restart.contains(next) { return index }
      index &+= 1
    }
    return bytes.count
  }
}

extension JPEGLayout {
  /// Copies the picture these are the places of, with the standard Huffman tables put in when it has none:
  /// the bytes then, or nil when they would be more than `limit`.
  func copy(
    _ bytes: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>, limit: Int
  ) -> Int? {
    let added = hasHuffmanTables ? 0 : StandardHuffmanTables.length
    guard length + added <= min(limit, target.count), let from = bytes.baseAddress,
      let to = target.baseAddress
    else { return nil }
    to.update(from: from, count: scanOffset)
    for index in 0..<added { to[scanOffset + index] = StandardHuffmanTables.segment[index] }
    (to + scanOffset + added).update(from: from + scanOffset, count: length - scanOffset)
    return length + added
  }
}
