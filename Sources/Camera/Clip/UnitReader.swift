/// The kinds of NAL units that matter here (ITU-T H.264 table 7-1).
enum UnitKind {
  static let slice: UInt8 = 1, keySlice: UInt8 = 5, enhancement: UInt8 = 6
  static let sequenceParameters: UInt8 = 7, pictureParameters: UInt8 = 8
  /// Slices in parts, of the extended profile.
  static let partitions: ClosedRange<UInt8> = 2...4
}

/// Finds the units of a byte stream (ITU-T H.264 annex B), in order, and refuses invalid streams.
struct UnitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// After the start code of the next unit.
  private var index: Int?

  /// `bytes` begin with a start code, perhaps with zeros before it.
  init(_ bytes: UnsafeBufferPointer<UInt8>) throws(ClipError) {
    self.bytes = bytes
    var zeros = 0
    while zeros < bytes.count, bytes[zeros] == 0 { zeros += 1 }
    if zeros == bytes.count { return }
    guard zeros >= 2, bytes[zeros] == 1 else { throw .brokenUnit }
    index = zeros + 1
  }

  /// The next unit with its header byte, without the zeros after it; nil at the end.
  mutating func next() throws(ClipError) -> UnsafeBufferPointer<UInt8>? {
    guard let start = index else { return nil }
    let end = try end(from: start)
    // A header, and at least one byte (7.3.1: the stop bit is never zero); the forbidden bit is clear.
    guard end - start >= 2, bytes[start] & 0x80 == 0 else { throw .brokenUnit }
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  /// The end of the unit that begins at `start`. Two zeros inside are followed by at least 3 (7.4.1), and 3 is an
  /// emulation prevention byte.
  private mutating func end(from start: Int) throws(ClipError) -> Int {
    var place = start
    while place &+ 2 < bytes.count {
      let third = bytes[place &+ 2]
      // Skips three bytes at a time where no pair of zeros is possible.
      if third > 3 {
        place &+= 3
        continue
      }
      guard bytes[place] == 0, bytes[place &+ 1] == 0 else {
        place &+= 1
        continue
      }
      switch third {
      case 3 where place + 3 == bytes.count || bytes[place + 3] <= 3: place += 2
      case 0, 1: return try startCode(after: place)
      default: throw .brokenUnit
      }
    }
    index = nil
    var end = bytes.count
    while end > start, bytes[end - 1] == 0 { end -= 1 }
    return end
  }

  /// After `end` there are zeros, up to a start code or the end of the bytes.
  private mutating func startCode(after end: Int) throws(ClipError) -> Int {
    var place = end
    while place < bytes.count, bytes[place] == 0 { place += 1 }
    if place == bytes.count {
      index = nil
    } else {
      guard bytes[place] == 1 else { throw .brokenUnit }
      index = place + 1
    }
    return end
  }
}
