import Codec
import Runtime

/// The encoding of sound that a board can play without a decoder.
public struct SoundForm: Equatable, Sendable {
  /// The encoding of a sample.
  public enum Code: Sendable {
    /// 16 bits, little-endian, with sign.
    case pcm16
    /// G.711 µ-law.
    case ulaw
  }

  public var code: Code
  /// Samples a second.
  public var rate: Int

  /// An encoding.
  public init(_ code: Code, rate: Int) {
    self.code = code
    self.rate = rate
  }

  /// Reads the name of an output format such as `pcm_24000` (node-commands 7.3).
  public static func named(_ name: Span<UInt8>) throws(SoundFormError) -> SoundForm {
    var kind = InlineText<32>()
    guard !name.isEmpty else { throw .unnamed }
    guard kind.set(name) else { throw .unknown(InlineText(cutting: name)) }
    if name.begins(with: "pcm_"), let rate = name.extracting(4...).number {
      return try SoundForm(.pcm16, rate: checked(rate))
    }
    if name.begins(with: "ulaw_"), let rate = name.extracting(5...).number {
      return try SoundForm(.ulaw, rate: checked(rate))
    }
    if name.begins(with: "mp3") || name.begins(with: "opus") || name.begins(with: "aac") || name.begins(with: "flac") {
      throw .compressed(kind)
    }
    throw .unknown(kind)
  }

  /// Reads a MIME type such as `audio/pcm;rate=24000`. Nil when it does not describe the samples (`audio/wav`, whose
  /// header does, or no type).
  public static func typed(_ type: Span<UInt8>, asked: Int) throws(SoundFormError) -> SoundForm? {
    if type.isEmpty || type.begins(with: "audio/wav") || type.begins(with: "audio/x-wav")
      || type.begins(with: "audio/wave")
      || type.begins(with: "application/octet-stream")
    {
      return nil
    }
    if type.begins(with: "audio/pcm") || type.begins(with: "audio/x-pcm") || type.begins(with: "audio/raw") {
      return try SoundForm(.pcm16, rate: checked(type.parameter("rate=") ?? asked))
    }
    // RFC 4856 defines big-endian samples, but providers send little-endian ones with this parameter.
    if type.begins(with: "audio/l16"), type.contains("codec=pcm") {
      return try SoundForm(.pcm16, rate: checked(type.parameter("rate=") ?? asked))
    }
    if type.begins(with: "audio/basic") || type.begins(with: "audio/pcmu") { return SoundForm(.ulaw, rate: 8_000) }
    throw .compressed(InlineText(cutting: type))
  }

  /// Checks a sample rate.
  public static func checked(_ rate: Int) throws(SoundFormError) -> Int {
    guard Budget.speechRates.contains(rate) else { throw .rate(rate) }
    return rate
  }
}

/// Why a sound cannot be played. The board has no decoder for compressed sound, and requests PCM.
public enum SoundFormError: WireError, Equatable {
  /// Its encoding is unknown.
  case unnamed
  /// It needs a decoder.
  case compressed(InlineText<32>)
  case unknown(InlineText<32>)
  /// Samples a second, out of range.
  case rate(Int)
  /// A WAV file with unsupported channels or bits.
  case wave(channels: Int, bits: Int)
  /// A WAV file that is not PCM, or is truncated.
  case brokenWave
  /// It is empty.
  case empty
  /// Invalid base64 at this character.
  case base64(offset: UInt64)
  /// More than `Budget.speechBytes`.
  case tooLarge

  public var wire: (code: StaticString, text: StaticString) {
    switch self {
    case .unnamed: ("UNAVAILABLE", "the gateway does not say what kind of sound it sent")
    case .compressed, .unknown:
      ("UNAVAILABLE", "this board plays PCM of 16 bits and has no decoder for what the gateway sent: ")
    case .rate: ("UNAVAILABLE", "speech has 8000 to 48000 samples a second, not ")
    case .wave: ("UNAVAILABLE", "of WAV files this board plays one or two channels of 8 or 16 bits, not ")
    case .brokenWave: ("UNAVAILABLE", "the gateway's WAV file is no PCM, or is cut off")
    case .empty: ("UNAVAILABLE", "the gateway sent no sound")
    case .base64: ("UNAVAILABLE", "the gateway's sound is not valid base64, at character ")
    case .tooLarge: ("UNAVAILABLE", "the gateway's sound of one sentence is longer than this board keeps")
    }
  }

  /// Writes the value.
  public func writeDetail(to writer: inout ByteWriter) {
    switch self {
    case .compressed(let name): Self.write(name, to: &writer)
    case .unknown(let name): Self.write(name, to: &writer)
    case .rate(let rate): writer.decimal(Int64(rate))
    case .wave(let channels, let bits):
      writer.decimal(Int64(channels))
      writer.text(" of ")
      writer.decimal(Int64(bits))
    case .base64(let offset): writer.decimal(offset)
    case .unnamed, .brokenWave, .empty, .tooLarge: break
    }
  }

  private static func write(_ name: InlineText<32>, to writer: inout ByteWriter) { writer.bytes(name.span) }
}

extension Span where Element == UInt8 {
  /// True when it begins with `text`, ignoring case.
  func begins(with text: StaticString, at start: Int = 0) -> Bool {
    guard count >= start + text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount {
      var byte = self[start + index]
      if byte >= UInt8(ascii: "A"), byte <= UInt8(ascii: "Z") { byte |= 0x20 }
      if byte != text.utf8Start[index] { return false }
    }
    return true
  }

  func contains(_ text: StaticString) -> Bool { place(of: text) != nil }

  private func place(of text: StaticString) -> Int? {
    for start in 0..<Swift.max(count - text.utf8CodeUnitCount + 1, 0) where begins(with: text, at: start) {
      return start
    }
    return nil
  }

  /// The text as a number of up to six digits.
  var number: Int? {
    guard count > 0, count <= 6 else { return nil }
    var value = 0
    for index in 0..<count {
      guard self[index] >= UInt8(ascii: "0"), self[index] <= UInt8(ascii: "9") else { return nil }
      value = 10 * value + Int(self[index] & 15)
    }
    return value
  }

  /// The numeric parameter of a MIME type.
  func parameter(_ name: StaticString) -> Int? {
    guard let place = place(of: name) else { return nil }
    let start = place + name.utf8CodeUnitCount
    var end = start
    while end < count, self[end] >= UInt8(ascii: "0"), self[end] <= UInt8(ascii: "9") { end += 1 }
    return extracting(start..<end).number
  }
}
