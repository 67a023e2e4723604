/// The layout of a JPEG picture (ITU-T T.81 annex B), from its markers and coded data without decoding: enough to
/// detect a damaged frame with its fault, and to know its size.
///
/// Accepts what cameras send: no Huffman tables, application segments of any kind, fill bytes before markers, and
/// anything after the end of the image. One pass, no allocation.
public struct JPEGLayout: Equatable {
  /// Pixels across and down, each at least 1.
  public private(set) var width = 0, height = 0
  /// Bytes including the end-of-image marker; a camera may pad after it.
  public private(set) var length = 0
  /// Offset of the first scan's marker, where tables may be inserted.
  private(set) var scanOffset = 0
  /// True when there are Huffman tables before the first scan. Motion JPEG omits them.
  private(set) var hasHuffmanTables = false
  /// False when there is a fault that only decoders skip: it is a picture when one finds all of its blocks.
  private(set) var isWhole = true

  /// Checks `bytes`; throws the first fault.
  /// - Parameter tolerated: a fault that does not count, when a decoder can survive it: a missing end, markers out of
  ///   order, bytes between segments. The picture may have no other.
  public init(checking bytes: UnsafeBufferPointer<UInt8>, tolerating tolerated: FrameFault? = nil) throws(FrameFault) {
    let skipsOthers = tolerated == .noMarker
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == JPEGMarker.startOfImage else { throw .noStart }
    var frame = JPEGFrameHeader()
    var index = 2
    while true {
      let begin = index
      if skipsOthers, index < bytes.count, bytes[index] != 0xFF { isWhole = false }
      let marker = try Self.marker(in: bytes, at: &index, skipsOthers: skipsOthers)
      if marker == JPEGMarker.endOfImage {
        guard scanOffset > 0 else { throw .badHeader }
        length = index
        return
      }
      if marker == JPEGMarker.startOfImage { throw scanOffset > 0 ? .merged : .badHeader }
      if marker < 0x02 || JPEGMarker.restart.contains(marker) { throw .noMarker }
      let segment = try Self.segment(in: bytes, at: index)
      index = segment.upperBound
      switch marker {
      case JPEGMarker.huffmanTables:
        hasHuffmanTables = hasHuffmanTables || scanOffset == 0
        try frame.readHuffmanTables(bytes, segment)
      case JPEGMarker.extensions, JPEGMarker.arithmetic: throw .unsupported
      case JPEGMarker.frame:
        try frame.read(marker, bytes, segment)
        (width, height) = (frame.width, frame.height)
      case JPEGMarker.restartInterval:
        guard segment.count >= 4 else { throw .badHeader }
        frame.restartInterval = Int(bytes[segment.lowerBound + 2]) << 8 | Int(bytes[segment.lowerBound + 3])
      case JPEGMarker.startOfScan:
        if scanOffset == 0 { scanOffset = begin }
        var data = try CodedData(frame, bytes, scanHeader: segment)
        do throws(FrameFault) {
          index = try data.walk(bytes, from: segment.upperBound)
        } catch {
          guard let tolerated, error.isSameWay(as: tolerated),
            let end = Self.end(of: bytes, from: segment.upperBound, error),
            end - segment.upperBound >= data.leastBytes
          else { throw error }
          length = end
          isWhole = false
          return
        }
      default: break
      }
    }
  }

  /// The same with a plain error.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(JPEGError) {
    do throws(FrameFault) {
      try self.init(checking: bytes)
    } catch {
      throw error == .unsupported ? .unsupported : .broken
    }
  }

  /// Throws `.wrongSize` when the picture does not have the size that was set; 0 x 0: any. A camera may round rows up
  /// to a multiple of 16.
  public func checkSize(_ agreedWidth: Int, _ agreedHeight: Int) throws(FrameFault) {
    if agreedWidth == 0, agreedHeight == 0 { return }
    let isHeight = height == agreedHeight || height == (agreedHeight + 15) / 16 * 16
    guard width == agreedWidth, isHeight else { throw .wrongSize }
  }

  /// The end of coded data with this fault; nil when a decoder would not survive it.
  private static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ fault: FrameFault) -> Int? {
    var end = start
    switch fault {
    case .cutData, .zeros, .merged:
      // Up to the next picture, or the padding.
      var zeros = 0
      while end < bytes.count, zeros < CodedData.zeroBytes {
        if bytes[end] == 0xFF, end + 1 < bytes.count, bytes[end + 1] == JPEGMarker.startOfImage { break }
        zeros = fault == .zeros && bytes[end] == 0 ? zeros + 1 : 0
        end += 1
      }
      // The first zero may be data.
      while end > start + 1, bytes[end - 1] == 0, bytes[end - 2] == 0 { end -= 1 }
      return end
    case .strayMarker, .restartOrder:
      end = bytes.count
      while end > start + 1, bytes[end - 2] != 0xFF || bytes[end - 1] != JPEGMarker.endOfImage { end -= 1 }
      return end > start + 1 ? end : nil
    default: return nil
    }
  }

  /// Reads the marker at `index` and advances it; any number of 0xFF may precede it (B.1.1.2).
  /// - Parameter skipsOthers: true to skip other bytes before it, as decoders do after a segment of a wrong length.
  private static func marker(
    in bytes: UnsafeBufferPointer<UInt8>, at index: inout Int, skipsOthers: Bool
  ) throws(FrameFault) -> UInt8 {
    while skipsOthers, index + 1 < bytes.count, bytes[index] != 0xFF || bytes[index + 1] == 0 { index += 1 }
    guard index < bytes.count else { throw .cutHeader }
    guard bytes[index] == 0xFF else { throw .noMarker }
    while index < bytes.count, bytes[index] == 0xFF { index += 1 }
    guard index < bytes.count else { throw .cutHeader }
    index += 1
    return bytes[index - 1]
  }

  /// A segment without its marker, beginning with its length.
  private static func segment(
    in bytes: UnsafeBufferPointer<UInt8>, at index: Int
  ) throws(FrameFault) -> Range<Int> {
    guard index + 2 <= bytes.count else { throw .cutHeader }
    let length = Int(bytes[index]) << 8 | Int(bytes[index + 1])
    guard length >= 2 else { throw .noMarker }
    guard index + length <= bytes.count else { throw .cutHeader }
    return index..<index + length
  }
}

extension JPEGLayout {
  /// Copies the picture, and adds an end marker, which does no harm after another one; nil when it does not fit.
  func copyEnded(
    _ bytes: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>? {
    guard length + 2 <= target.count, let from = bytes.baseAddress, let to = target.baseAddress else { return nil }
    to.update(from: from, count: length)
    (to[length], to[length + 1]) = (0xFF, JPEGMarker.endOfImage)
    return UnsafeBufferPointer(start: to, count: length + 2)
  }

  /// Copies the picture, inserting the standard Huffman tables when it has none; returns the bytes, or nil when they
  /// exceed `limit`.
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
