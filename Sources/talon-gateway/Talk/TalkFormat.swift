import Foundation

/// How the samples of a sound are written on the wire (protocol reference, section 9.10). One channel, always.
struct TalkFormat: Equatable, Sendable {
  enum Encoding: String, Sendable {
    /// 16 bits with a sign, the low byte first.
    case pcm16
    /// ITU-T G.711, µ-law.
    case ulaw = "g711_ulaw"
  }

  /// What transcriptions take on released gateways, and what realtime sessions take and give.
  static let telephone = TalkFormat(encoding: .ulaw, rate: 8000)
  static let studio = TalkFormat(encoding: .pcm16, rate: 24_000)
  static let rates = [8000, 16_000, 22_050, 24_000, 44_100, 48_000]

  let encoding: Encoding
  /// Samples a second.
  let rate: Int

  /// `pcm_24000`, `ulaw_8000`.
  var name: String { encoding == .pcm16 ? "pcm_\(rate)" : "ulaw_\(rate)" }

  var mimeType: String { encoding == .pcm16 ? "audio/pcm" : "audio/basic" }
  var fileExtension: String { encoding == .pcm16 ? ".pcm" : ".ulaw" }

  /// Nil when a sample is cut in two.
  func samples(in bytes: [UInt8]) -> [Int16]? {
    if encoding == .ulaw { return bytes.map(ULaw.sample) }
    guard bytes.count % 2 == 0 else { return nil }
    return stride(from: 0, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  func bytes(of samples: [Int16]) -> [UInt8] {
    if encoding == .ulaw { return samples.map(ULaw.code) }
    return samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }
}

extension TalkFormat {
  /// Nil for what this gateway cannot make, compressed sound above all.
  init?(name: String) {
    let parts = name.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, let rate = Int(parts[1]), Self.rates.contains(rate) else { return nil }
    switch parts[0] {
    case "pcm": self.init(encoding: .pcm16, rate: rate)
    case "ulaw" where rate == 8000: self.init(encoding: .ulaw, rate: rate)
    default: return nil
    }
  }
}

/// The code of ITU-T G.711, by its formula: a code of sign, exponent E and mantissa M, all bits inverted, stands for
/// `(2 M + 33) 2^E - 33` in 14 bits.
enum ULaw {
  static func sample(_ code: UInt8) -> Int16 {
    let bits = ~code
    let exponent = Int(bits >> 4 & 0x7)
    let mantissa = Int(bits & 0xF)
    let magnitude = ((2 * mantissa + 33) << exponent) - 33
    // From 14 bits to 16.
    return Int16(bits & 0x80 == 0 ? 4 * magnitude : -4 * magnitude)
  }

  /// The magnitudes of the codes, smallest first: their index is exponent and mantissa.
  private static let magnitudes = (0..<128).map { Int(sample(~UInt8($0))) }

  /// The code whose sample is nearest.
  static func code(_ sample: Int16) -> UInt8 {
    let wanted = abs(Int(sample))
    var (low, high) = (0, magnitudes.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if magnitudes[middle] <= wanted { low = middle } else { high = middle }
    }
    let nearest = wanted - magnitudes[low] <= magnitudes[high] - wanted ? low : high
    return ~(UInt8(nearest) | (sample < 0 ? 0x80 : 0))
  }
}

/// The sound of this gateway's voice.
enum Tone {
  static let hertz = 1000.0
  /// A quarter of full scale.
  static let peak = 8192.0

  /// Whole periods: it begins and ends without a click.
  static func samples(milliseconds: Int, rate: Int) -> [Int16] {
    (0..<(milliseconds * rate / 1000)).map {
      Int16((peak * sin(2 * .pi * hertz * Double($0) / Double(rate))).rounded())
    }
  }

  /// RIFF WAVE of 16 bits and one channel.
  static func wav(_ samples: [Int16], rate: Int) -> Data {
    let format = TalkFormat(encoding: .pcm16, rate: rate)
    let bytes = format.bytes(of: samples)
    var data = Data("RIFF".utf8)
    data.append(little: UInt32(36 + bytes.count))
    data.append(Data("WAVEfmt ".utf8))
    data.append(little: UInt32(16))
    data.append(little: UInt16(1))
    data.append(little: UInt16(1))
    data.append(little: UInt32(rate))
    data.append(little: UInt32(2 * rate))
    data.append(little: UInt16(2))
    data.append(little: UInt16(16))
    data.append(Data("data".utf8))
    data.append(little: UInt32(bytes.count))
    data.append(contentsOf: bytes)
    return data
  }
}

extension Data {
  fileprivate mutating func append(little value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
