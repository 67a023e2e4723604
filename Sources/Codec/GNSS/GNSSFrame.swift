/// Classifies the bytes at a position where a sentence or a frame may begin.
///
/// The result depends on nothing but the bytes from there on, so it is the same however the stream is split.
enum GNSSFrame {
  enum Language { case nmea, ubx, rtcm }

  /// A sentence or frame may begin here, but at least this many bytes are missing.
  case unfinished(missing: Int)
  /// Not a start.
  case noise
  /// A start, but not a valid sentence or frame. `length`: where to continue the search, because another may begin
  /// inside.
  case rejected(Language, GNSSCounters.Outcome, length: Int)
  /// Complete and with a good checksum. `body`: the text between `$` and `*`, or class, id, length and payload of UBX.
  case accepted(Language, body: Range<Int>, length: Int)
  /// A sentence without a checksum. `isWhole`: a line end came after it, and not the next sentence.
  case unchecked(body: Range<Int>, isWhole: Bool, length: Int)

  /// The longest sentence, without `$` and line end. The standard allows 79; receivers with more decimals, more
  /// satellites or a station's name exceed that by far.
  static let lineMax = 200
  /// The longest UBX payload that is read: NAV-SAT with 255 satellites.
  static let payloadMax = 8 + 12 * 255
  /// The longest frame of all.
  static let lengthMax = 8 + payloadMax

  private static let dollar = UInt8(ascii: "$")
  private static let ubxStart: UInt8 = 0xB5
  private static let rtcmStart: UInt8 = 0xD3

  /// The next index, from `index` on, at which a sentence or frame may begin; the count of bytes if there is none.
  @inline(__always)
  static func start(in bytes: Span<UInt8>, from index: Int) -> Int {
    var index = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == dollar || byte == ubxStart || byte == rtcmStart { break }
      index &+= 1
    }
    return index
  }

  /// Classifies a start.
  /// - Parameters:
  ///   - bytes: one or more, of which the first is a start.
  ///   - isEnd: true when nothing comes after them.
  init(_ bytes: Span<UInt8>, isEnd: Bool) {
    switch bytes[0] {
    case Self.dollar: self = Self.sentence(bytes, isEnd)
    case Self.ubxStart: self = Self.ubx(bytes, isEnd)
    default: self = Self.rtcm(bytes, isEnd)
    }
  }

  // MARK: NMEA 0183

  /// A sentence is complete after a `*` with two digits that are its checksum, for some receivers send a blank, NUL or
  /// nothing before the next one.
  private static func sentence(_ bytes: Span<UInt8>, _ isEnd: Bool) -> GNSSFrame {
    let limit = min(bytes.count, lineMax + 2)
    var end = 1
    var sum = SentenceSum()
    while end < limit, bytes[end].isInSentence {
      if bytes[end] == UInt8(ascii: "*") {
        sum.add(bytes, upTo: end)
        if end + 2 < min(limit, lineMax + 1), let high = bytes[end + 1].hexValue, let low = bytes[end + 2].hexValue,
          sum.value == high << 4 | low
        {
          return .accepted(.nmea, body: 1..<end, length: end + 3)
        }
      }
      end &+= 1
    }
    if end == lineMax + 2 { return .rejected(.nmea, .overlong, length: end) }
    // The end of a recording also ends its last line.
    if end == limit, !isEnd { return .unfinished(missing: 1) }
    let isWhole = end == limit || bytes[end].isLineEnd
    guard isWhole || bytes[end] == dollar else { return .rejected(.nmea, .broken, length: end) }
    var textEnd = end
    while bytes[textEnd - 1] == UInt8(ascii: " ") { textEnd -= 1 }
    if !sum.hasStar { return .unchecked(body: 1..<textEnd, isWhole: isWhole, length: end) }
    // Some receivers leave out the first digit where it is 0.
    if sum.end == textEnd - 2, let digit = bytes[textEnd - 1].hexValue, digit == sum.value {
      return .accepted(.nmea, body: 1..<sum.end, length: end)
    }
    return .rejected(.nmea, isWhole ? .badChecksum : .broken, length: end)
  }

  // MARK: UBX (u-blox interface description, "UBX frame structure")

  private static func ubx(_ bytes: Span<UInt8>, _ isEnd: Bool) -> GNSSFrame {
    guard bytes.count >= 2 else { return isEnd ? .noise : .unfinished(missing: 1) }
    guard bytes[1] == UBXFrame.secondSync else { return .noise }
    guard bytes.count >= 6 else { return cut(.ubx, missing: 6 - bytes.count, isEnd) }
    let payload = Int(bytes.u16(at: 4))
    guard payload <= payloadMax else { return .rejected(.ubx, .overlong, length: 1) }
    let length = 8 + payload
    guard bytes.count >= length else { return cut(.ubx, missing: length - bytes.count, isEnd) }
    let body = 2..<(6 + payload)
    var sum = UBXChecksum()
    sum.add(bytes.extracting(body))
    guard sum.first == bytes[length - 2], sum.second == bytes[length - 1] else {
      return .rejected(.ubx, .badChecksum, length: 1)
    }
    return .accepted(.ubx, body: body, length: length)
  }

  // MARK: RTCM 3 (RTCM 10403, "Transport layer")

  private static func rtcm(_ bytes: Span<UInt8>, _ isEnd: Bool) -> GNSSFrame {
    guard bytes.count >= 2 else { return isEnd ? .noise : .unfinished(missing: 1) }
    // Six bits are reserved and 0.
    guard bytes[1] < 4 else { return .noise }
    guard bytes.count >= 3 else { return cut(.rtcm, missing: 1, isEnd) }
    let length = Int(bytes[1]) << 8 + Int(bytes[2]) + 6
    guard bytes.count >= length else { return cut(.rtcm, missing: length - bytes.count, isEnd) }
    // Over a whole frame, checksum included, the remainder is 0.
    guard CRC24Q.remainder(of: bytes.extracting(0..<length)) == 0 else {
      return .rejected(.rtcm, .badChecksum, length: 1)
    }
    return .accepted(.rtcm, body: 3..<(length - 3), length: length)
  }

  private static func cut(_ language: Language, missing: Int, _ isEnd: Bool) -> GNSSFrame {
    isEnd ? .rejected(language, .broken, length: 1) : .unfinished(missing: missing)
  }
}

extension UInt8 {
  /// A printable ASCII character other than `$`, which only begins a sentence.
  @inline(__always)
  var isInSentence: Bool { self &- 0x20 < 0x5F && self != UInt8(ascii: "$") }

  /// CR or LF, or a NUL or tab that some receivers send before them.
  fileprivate var isLineEnd: Bool { self == 0x0D || self == 0x0A || self == 0 || self == 0x09 }
}

/// The checksum of a sentence up to each of its `*`: all bytes between `$` and there, combined by exclusive or.
private struct SentenceSum {
  private(set) var value: UInt8 = 0
  /// Where the last `*` stands.
  private(set) var end = 1
  private(set) var hasStar = false

  /// Adds the bytes up to a `*` at `star`.
  mutating func add(_ bytes: Span<UInt8>, upTo star: Int) {
    var words: UInt64 = 0
    var index = end
    while index &+ 8 <= star {
      words ^= bytes.word(at: index)
      index &+= 8
    }
    words ^= words >> 32
    words ^= words >> 16
    var sum = UInt8(truncatingIfNeeded: words ^ words >> 8)
    while index < star {
      sum ^= bytes[index]
      index &+= 1
    }
    (value, end, hasStar) = (value ^ sum, star, true)
  }
}

/// The checksum of RTCM 3 (RTCM 10403; the polynomial is Qualcomm's, 0x1864CFB).
enum CRC24Q {
  /// CRC remainders of the four top bits.
  private static let steps: InlineArray<16, UInt32> = [
    0x000000, 0x864CFB, 0x8AD50D, 0x0C99F6, 0x93E6E1, 0x15AA1A, 0x1933EC, 0x9F7F17,
    0xA18139, 0x27CDC2, 0x2B5434, 0xAD18CF, 0x3267D8, 0xB42B23, 0xB8B2D5, 0x3EFE2E,
  ]

  static func remainder(of bytes: Span<UInt8>) -> UInt32 {
    var remainder: UInt32 = 0
    for index in 0..<bytes.count {
      remainder ^= UInt32(bytes[index]) << 16
      remainder = remainder << 4 ^ steps[Int(remainder >> 20 & 15)]
      remainder = remainder << 4 ^ steps[Int(remainder >> 20 & 15)]
      remainder &= 0xFF_FFFF
    }
    return remainder
  }
}
