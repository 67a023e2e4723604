/// Why bytes are no recording that is read.
public enum WaveError: UInt8, Error, Sendable {
  /// Does not begin as RIFF with the form WAVE.
  case isNone
  /// Ends before the samples begin, or has no format.
  case isShort
  /// Compressed, or of a size of samples, a number of channels or a rate that is not read.
  case isOther

  /// For people, to stand behind the file's name.
  public var text: StaticString {
    switch self {
    case .isNone: "is no WAV file"
    case .isShort: "is cut off before its first sample"
    case .isOther: "is not plain PCM of 8, 16, 24 or 32 bits or floats, 1 to 8 channels, 4 to 192 kHz"
    }
  }
}

/// A recording in memory: RIFF WAVE ("Multimedia Programming Interface and Data Specifications 1.0", IBM and Microsoft, 1991), plain PCM
/// or floats, also as WAVE_FORMAT_EXTENSIBLE. The bytes belong to somebody else.
public struct WaveView {
  private static let integers = 1, floats = 3, extensible = 0xFFFE

  private let data: UnsafeRawBufferPointer
  private let isFloat: Bool
  private let bytesPerSample: Int
  /// Samples a second of each channel.
  public let rate: Int
  public let channels: Int

  /// Samples of each channel.
  public var count: Int { data.count / (bytesPerSample * channels) }

  /// A view of a file. A data chunk that is cut off, or whose length was never filled in, goes to the end of the file.
  public init(_ bytes: UnsafeRawBufferPointer) throws(WaveError) {
    guard bytes.count >= 12, Self.word(bytes, 0) == 0x4646_4952, Self.word(bytes, 8) == 0x4556_4157 else {
      throw .isNone
    }
    var place = 12
    var format: Int?
    while place + 8 <= bytes.count {
      let (name, length) = (Self.word(bytes, place), Int(Self.word(bytes, place + 4)))
      place += 8
      if name == 0x2074_6D66 {
        guard length >= 16, place + length <= bytes.count else { throw .isShort }
        format = place
      }
      guard name != 0x6174_6164 else {
        guard let format else { throw .isShort }
        try self.init(
          bytes, format: format,
          UnsafeRawBufferPointer(rebasing: bytes[place..<min(bytes.count, place + length)]))
        return
      }
      place += length + length & 1
    }
    throw .isShort
  }

  private init(_ bytes: UnsafeRawBufferPointer, format place: Int, _ data: UnsafeRawBufferPointer)
    throws(WaveError)
  {
    var tag = Self.short(bytes, place)
    // The first two bytes of an extensible format's identifier are the tag that it would have had.
    if tag == Self.extensible, Self.word(bytes, place - 4) >= 26 { tag = Self.short(bytes, place + 24) }
    channels = Self.short(bytes, place + 2)
    rate = Int(Self.word(bytes, place + 4))
    let bits = Self.short(bytes, place + 14)
    guard 1...8 ~= channels, 4000...192_000 ~= rate else { throw .isOther }
    switch (tag, bits) {
    case (Self.integers, 8), (Self.integers, 16), (Self.integers, 24), (Self.integers, 32): isFloat = false
    case (Self.floats, 32): isFloat = true
    default: throw .isOther
    }
    bytesPerSample = bits / 8
    self.data = data
  }

  /// The mean of all channels at a sample, -1 to 1; of floats that are none, 0.
  public subscript(_ index: Int) -> Float {
    var sum: Float = 0
    for channel in 0..<channels { sum += sample((index * channels + channel) * bytesPerSample) }
    return sum / Float(channels)
  }

  private func sample(_ offset: Int) -> Float {
    switch bytesPerSample {
    case 1: return (Float(data[offset]) - 128) / 128
    case 2: return Float(Int16(truncatingIfNeeded: Self.short(data, offset))) / 32_768
    case 3:
      let bits = UInt32(data[offset]) << 8 | UInt32(data[offset + 1]) << 16 | UInt32(data[offset + 2]) << 24
      return Float(Int32(bitPattern: bits)) / 2_147_483_648
    default:
      let bits = Self.word(data, offset)
      guard isFloat else { return Float(Int32(bitPattern: bits)) / 2_147_483_648 }
      let value = Float(bitPattern: bits)
      return value.magnitude <= 1 ? value : value.isFinite ? (value < 0 ? -1 : 1) : 0
    }
  }

  private static func short(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
