import Runtime

/// The range of a component's values.
enum SampleRange: Int {
  /// 0...255.
  case full
  /// Y of video: 16 is black, 235 is white (ITU-R BT.601).
  case videoLuma
  /// Cb and Cr of video: 128 is neutral, 16 and 240 are the limits.
  case videoChroma

  /// Makes a row of samples full range: like `SampleRanges`, in vectorizable arithmetic.
  @inline(never) @_optimize(speed)
  func stretch(_ row: UnsafeMutablePointer<UInt8>, _ count: Int) {
    switch self {
    case .full: return
    // v 255/219 is v + v 36/219, and v 255/224 is v + v 31/224; the constants round all values correctly.
    case .videoLuma: for x in 0..<count { row[x] = Self.stretched(row[x], 1, 3, 10774) }
    case .videoChroma: for x in 0..<count { row[x] = Self.stretched(row[x], 3, 11, 3022) }
    }
  }

  @inline(__always)
  private static func stretched(_ sample: UInt8, _ scale: UInt16, _ round: UInt16, _ factor: UInt32) -> UInt8 {
    let value = UInt16(max(sample, 16)) &- 16
    let more = (UInt32(value &* scale &+ round) &* factor) &>> 16
    return UInt8(truncatingIfNeeded: min(value &+ UInt16(truncatingIfNeeded: more), 255))
  }
}

/// For each range, the full-range value of each sample.
struct SampleRanges {
  private let tables = FixedBuffer(capacity: 3 * 256)

  init() {
    for value in 0..<256 {
      tables.bytes[value] = UInt8(value)
      tables.bytes[256 + value] = Self.stretched(value - 16, to: 255, from: 219)
      tables.bytes[512 + value] = Self.stretched(value - 16, to: 255, from: 224)
    }
  }

  /// 256 values.
  func table(_ range: SampleRange) -> UnsafePointer<UInt8> {
    UnsafePointer(tables.bytes.baseAddress! + range.rawValue * 256)
  }

  private static func stretched(_ value: Int, to full: Int, from video: Int) -> UInt8 {
    UInt8(clamping: (max(value, 0) * full * 2 + video) / (2 * video))
  }
}
