/// Checks the coded data of one scan, up to the marker after it.
struct CodedData {
  /// Consecutive zero bytes that show an unfilled buffer: more than is possible in valid data.
  private static let zeroWords = 8
  /// The same in bytes.
  static let zeroBytes = 8 * zeroWords

  private let units: Int
  private let restartInterval: Int
  private let blocksPerUnit: Int
  private let isProgressive: Bool
  /// True when no other scan may follow.
  private let isWhole: Bool
  /// True when nothing in this scan is coded as zero bits alone.
  private let zerosAreFault: Bool
  private var restarts = 0

  /// Reads the header of a scan (B.2.3).
  init(
    _ frame: JPEGFrameHeader, _ bytes: UnsafeBufferPointer<UInt8>, scanHeader: Range<Int>
  ) throws(FrameFault) {
    guard frame.componentCount > 0, scanHeader.count >= 6 else { throw .badHeader }
    let count = Int(bytes[scanHeader.lowerBound + 2])
    guard (1...frame.componentCount).contains(count), scanHeader.count >= 6 + 2 * count else { throw .badHeader }
    var (blocks, hasSizes, last) = (0, false, 0)
    for index in 0..<count {
      let entry = scanHeader.lowerBound + 3 + 2 * index
      var found: Int?
      for other in 0..<frame.componentCount where frame.components[other].name == bytes[entry] { found = other }
      guard let found else { throw .badHeader }
      last = found
      blocks += frame.components[found].across * frame.components[found].down
      // The all-zero code means a coefficient with bits, so a block cannot be all zeros.
      if frame.zeroCodes[Int(bytes[entry + 1] & 3)] & 15 != 0 { hasSizes = true }
    }
    units = frame.units(of: count == 1 ? last : nil)
    blocksPerUnit = count == 1 ? 1 : blocks
    restartInterval = frame.restartInterval
    isProgressive = frame.isProgressive
    isWhole = !frame.isProgressive && count == frame.componentCount
    zerosAreFault = !frame.isProgressive && hasSizes
  }

  /// Checks from `start`; returns the offset of the marker after the data.
  mutating func walk(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(FrameFault) -> Int {
    var index = start
    while let found = try special(in: bytes, from: index) {
      var next = found + 1
      while next < bytes.count, bytes[next] == 0xFF { next += 1 }
      guard next < bytes.count else { throw .cutData }
      let marker = bytes[next]
      // A stuffed zero belongs to the 0xFF directly before it.
      if marker != 0 {
        if !JPEGMarker.restart.contains(marker) {
          try checkEnd(marker, coded: found - start)
          return found
        }
        guard restartInterval > 0, marker & 7 == UInt8(restarts & 7) else { throw .restartOrder }
        restarts += 1
      }
      index = next + 1
    }
    // Zeros after the last coded byte are the more specific fault.
    throw endsInZeros(bytes, from: start) ? .zeros : .cutData
  }

  /// The next 0xFF, eight bytes at a time where there is none.
  private func special(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) throws(FrameFault) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    var (index, zeros) = (start, 0)
    while index &+ 8 <= bytes.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // Some byte is 0xFF exactly when some byte of the complement is zero.
      let inverse = ~word
      if (inverse &- 0x0101_0101_0101_0101) & ~inverse & 0x8080_8080_8080_8080 != 0 { break }
      zeros = word == 0 ? zeros &+ 1 : 0
      if zeros >= Self.zeroWords, zerosAreFault { throw .zeros }
      index &+= 8
    }
    while index < bytes.count {
      if base[index] == 0xFF { return index }
      index &+= 1
    }
    return nil
  }

  private func checkEnd(_ marker: UInt8, coded: Int) throws(FrameFault) {
    if marker == JPEGMarker.startOfImage { throw .merged }
    let isLast = marker == JPEGMarker.endOfImage
    let isHarmless =
      marker == JPEGMarker.lineCount || marker == JPEGMarker.comment
      || JPEGMarker.application.contains(marker)
    let isBetweenScans =
      marker == JPEGMarker.startOfScan || marker == JPEGMarker.huffmanTables
      || marker == JPEGMarker.quantizationTables || marker == JPEGMarker.restartInterval
    guard isLast || isHarmless || (isBetweenScans && !isWhole) else { throw .strayMarker }
    // Some cameras write a restart marker after the last unit too.
    if restartInterval > 0, restarts < (units - 1) / restartInterval { throw .missingData }
    if restartInterval > 0, restarts > (units - 1) / restartInterval + 1 { throw .restartOrder }
    if coded < leastBytes { throw .missingData }
  }

  /// The fewest bytes that can code all units: a block has two codes of a bit or more.
  var leastBytes: Int { isProgressive ? 0 : units * blocksPerUnit / 4 }

  private func endsInZeros(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
    var (index, zeros) = (bytes.count, 0)
    while index > start, bytes[index - 1] == 0 { (index, zeros) = (index - 1, zeros + 1) }
    return zeros >= 16
  }
}
