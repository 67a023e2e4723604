/// The header of a WAV file ("Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft 1991;
/// the extensible form of Windows 2000).
public struct WAVHeader: Equatable, Sendable {
  /// How a sample is coded (`wFormatTag`).
  public enum Coding: UInt16, Sendable {
    case linear = 1
    case float = 3
    case aLaw = 6
    case muLaw = 7
  }

  public var coding: Coding
  public var channels: Int
  /// Samples a second of each channel.
  public var rate: UInt32
  /// Bits of a sample that count, and bytes that it takes. Those of 8 bits are unsigned, all wider ones signed.
  public var bits, sampleBytes: Int
  /// Where the samples begin.
  public var dataOffset: Int
  /// Bytes of samples; nil when the writer did not know (a pipe).
  public var dataBytes: Int?

  /// A header; see the properties.
  public init(
    coding: Coding, channels: Int, rate: UInt32, bits: Int, sampleBytes: Int, dataOffset: Int, dataBytes: Int?
  ) {
    self.coding = coding
    self.channels = channels
    self.rate = rate
    self.bits = bits
    self.sampleBytes = sampleBytes
    self.dataOffset = dataOffset
    self.dataBytes = dataBytes
  }

  /// Bytes of one sample of all channels.
  public var frameBytes: Int { channels * sampleBytes }

  /// Bytes of a header that `write` makes.
  public static let writtenBytes = 44

  /// Chunks before the samples that are skipped at most; titles and cues are a few.
  private static let maximumChunks = 64
  /// Bytes of such a chunk at most: a cover picture is the largest.
  private static let maximumChunkBytes: UInt32 = 1 << 24
  /// From here on the length counts as unknown: writers to a pipe put 0 or the largest number there. Fits a 32-bit
  /// `Int`.
  private static let maximumDataBytes: UInt32 = 0x7FFF_0000

  // MARK: Reading

  /// Reads the beginning of a file; nil: more of it is needed.
  public static func read(_ bytes: Span<UInt8>) throws(WAVError) -> WAVHeader? {
    guard bytes.begins("RIFF", at: 0), bytes.begins("WAVE", at: 8) else { throw .notWAVE }
    guard bytes.count >= 12 else { return nil }
    var offset = 12
    var found: WAVHeader?
    for _ in 0..<maximumChunks {
      guard offset + 8 <= bytes.count else { return nil }
      let length = bytes.little32(offset + 4)
      if bytes.equals("data", at: offset) {
        guard var header = found else { throw .noFormat }
        header.dataOffset = offset + 8
        header.dataBytes =
          length == 0 || length >= maximumDataBytes ? nil : Int(length) / header.frameBytes * header.frameBytes
        return header
      }
      guard length <= maximumChunkBytes else { throw .noData }
      let size = Int(length)
      if bytes.equals("fmt ", at: offset) {
        guard size >= 16 else { throw .badFormat }
        guard offset + 8 + min(size, 40) <= bytes.count else { return nil }
        found = try format(bytes.extracting((offset + 8)..<(offset + 8 + min(size, 40))))
      }
      // Chunks are of an even size.
      offset += 8 + size + size % 2
    }
    throw .noData
  }

  private static func format(_ bytes: Span<UInt8>) throws(WAVError) -> WAVHeader {
    var tag = bytes.little16(0)
    let (channels, rate) = (Int(bytes.little16(2)), bytes.little32(4))
    let (frameBytes, width) = (Int(bytes.little16(12)), Int(bytes.little16(14)))
    var bits = width
    if tag == 0xFFFE {
      guard bytes.count >= 40 else { throw .badFormat }
      bits = Int(bytes.little16(18))
      tag = bytes.little16(24)
    }
    guard let coding = Coding(rawValue: tag) else { throw .unknownCoding(tag) }
    guard channels > 0, rate > 0, frameBytes > 0, frameBytes % channels == 0 else { throw .badFormat }
    let sampleBytes = frameBytes / channels
    if bits == 0 { bits = width }
    guard isPossible(coding, bits, sampleBytes) else { throw .badFormat }
    return WAVHeader(
      coding: coding, channels: channels, rate: rate, bits: bits, sampleBytes: sampleBytes, dataOffset: 0,
      dataBytes: nil)
  }

  private static func isPossible(_ coding: Coding, _ bits: Int, _ bytes: Int) -> Bool {
    switch coding {
    // Samples with fewer bits than their bytes are left-aligned, with zeros below.
    case .linear: return (1...4).contains(bytes) && bits > 8 * (bytes - 1) && bits <= 8 * bytes
    case .float: return bits == 8 * bytes && (bytes == 4 || bytes == 8)
    case .aLaw, .muLaw: return bits == 8 && bytes == 1
    }
  }

  // MARK: Writing

  /// Writes a header of 44 bytes for a file with this many bytes of samples; nil: unknown.
  public func write(to writer: inout ByteWriter) {
    let data = dataBytes.map { UInt32(clamping: $0) } ?? .max
    writer.text("RIFF")
    writer.little32(data == .max ? .max : data &+ 36)
    writer.text("WAVEfmt ")
    writer.little32(16)
    writer.little16(coding.rawValue)
    writer.little16(UInt16(clamping: channels))
    writer.little32(rate)
    writer.little32(rate &* UInt32(clamping: frameBytes))
    writer.little16(UInt16(clamping: frameBytes))
    writer.little16(UInt16(clamping: 8 * sampleBytes))
    writer.text("data")
    writer.little32(data)
  }
}

/// Why a file cannot be read as sound.
public enum WAVError: Error, Equatable {
  case notWAVE, noFormat, badFormat, noData, cutOff
  /// Too many channels, or a rate outside of the range for recordings of speech.
  case outOfRange
  /// The samples' coding is unknown: its format tag.
  case unknownCoding(UInt16)

  /// What is wrong, for a person.
  public var text: StaticString {
    switch self {
    case .notWAVE: "it is not a WAV file (no RIFF and WAVE at its beginning)"
    case .noFormat: "its data chunk comes before its fmt chunk"
    case .badFormat: "its fmt chunk contradicts itself"
    case .noData: "it has no samples"
    case .cutOff: "it ends before its samples"
    case .outOfRange: "it has more than 8 channels, or a rate outside 4 to 192 kHz"
    case .unknownCoding: "its samples are compressed"
    }
  }
}

extension Span<UInt8> {
  /// As far as there are bytes.
  fileprivate func begins(_ word: StaticString, at offset: Int) -> Bool {
    for index in 0..<4 where offset + index < count && self[offset + index] != word.utf8Start[index] { return false }
    return true
  }

  fileprivate func equals(_ word: StaticString, at offset: Int) -> Bool {
    for index in 0..<4 where self[offset + index] != word.utf8Start[index] { return false }
    return true
  }

  fileprivate func little16(_ offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }

  fileprivate func little32(_ offset: Int) -> UInt32 {
    UInt32(little16(offset)) | UInt32(little16(offset + 2)) << 16
  }
}

extension ByteWriter {
  fileprivate mutating func little16(_ value: UInt16) {
    byte(UInt8(truncatingIfNeeded: value))
    byte(UInt8(truncatingIfNeeded: value >> 8))
  }

  fileprivate mutating func little32(_ value: UInt32) {
    little16(UInt16(truncatingIfNeeded: value))
    little16(UInt16(truncatingIfNeeded: value >> 16))
  }
}
