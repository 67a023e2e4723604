import Runtime

/// What the values of a component mean.
enum SampleRange: Int {
  /// 0...255 already.
  case full
  /// Y of video: 16 is black, 235 is white (ITU-R BT.601).
  case videoLuma
  /// Cb and Cr of video: 128 is no colour, 16 and 240 are the most.
  case videoChroma
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
