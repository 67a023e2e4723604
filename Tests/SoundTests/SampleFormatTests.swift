import Testing

@testable import Sound

@Suite struct SampleFormatTests {
  static let linear: [SampleFormat] = {
    var all: [SampleFormat] = []
    for isBigEndian in [false, true] {
      for kind in [SampleFormat.Kind.signed, .unsigned] {
        for (bits, bytes) in [(8, 1), (16, 2), (18, 3), (20, 3), (20, 4), (24, 3), (24, 4), (32, 4)] {
          all.append(SampleFormat(kind, bits: bits, bytes: bytes, isBigEndian: isBigEndian))
        }
      }
      all.append(SampleFormat(.float, bits: 32, bytes: 4, isBigEndian: isBigEndian))
      all.append(SampleFormat(.float, bits: 64, bytes: 8, isBigEndian: isBigEndian))
    }
    return all
  }()

  private func bytes(_ value: Float, _ format: SampleFormat) -> [UInt8] { frames([[value]], format) }
  private func read(_ bytes: [UInt8], _ format: SampleFormat) -> Float {
    bytes.withUnsafeBytes { format.read($0.baseAddress!) }
  }

  @Test(arguments: linear) func `What is written is read again, to half a step`(format: SampleFormat) {
    let step = format.kind == .float ? 1e-7 : 1 / Float(1 << (min(format.bits, 24) - 1))
    for value in [Float(0), 0.5, -0.5, 0.123456, -0.98765, -1] {
      #expect(abs(read(bytes(value, format), format) - value) <= step)
    }
    #expect(read(bytes(1, format), format) >= 1 - step)
    #expect(read(bytes(5, format), format) <= 1)
    #expect(read(bytes(-5, format), format) == -1)
  }

  @Test func `Samples stand in memory as ALSA says`() {
    #expect(bytes(-1, .s16) == [0x00, 0x80])
    #expect(bytes(0.5, SampleFormat(.signed, bits: 24, bytes: 3)) == [0x00, 0x00, 0x40])
    #expect(bytes(0.5, SampleFormat(.signed, bits: 24, bytes: 3, isBigEndian: true)) == [0x40, 0x00, 0x00])
    #expect(bytes(0, SampleFormat(.unsigned, bits: 16, bytes: 2)) == [0x00, 0x80])
    #expect(bytes(0, SampleFormat(.unsigned, bits: 8, bytes: 1)) == [0x80])
    #expect(bytes(-0.5, SampleFormat(.signed, bits: 32, bytes: 4)) == [0, 0, 0, 0xC0])
  }

  @Test func `What stands above 24 bits in 4 bytes does not count`() {
    let format = SampleFormat(.signed, bits: 24, bytes: 4)
    #expect(read([0, 0, 0x40, 0xAA], format) == 0.5)
    #expect(read([0, 0, 0xC0, 0x00], format) == -0.5)
  }

  @Test func `What is no number is silence`() {
    let format = SampleFormat(.float, bits: 32, bytes: 4)
    #expect(read([0, 0, 0xC0, 0x7F], format) == 0)
    #expect(read([0, 0, 0x80, 0x7F], format) == 0)
  }

  @Test func `Formats have the names of aplay`() {
    func name(_ format: SampleFormat) -> String {
      var text = ""
      format.write { part in part.withUTF8Buffer { text += String(decoding: $0, as: UTF8.self) } }
      return text
    }
    #expect(name(.s16) == "S16_LE")
    #expect(name(SampleFormat(.signed, bits: 24, bytes: 3)) == "S24_3LE")
    #expect(name(SampleFormat(.signed, bits: 24, bytes: 4, isBigEndian: true)) == "S24_BE")
    #expect(name(SampleFormat(.unsigned, bits: 8, bytes: 1)) == "U8")
    #expect(name(SampleFormat(.float, bits: 32, bytes: 4)) == "FLOAT_LE")
    #expect(name(SampleFormat(.float, bits: 64, bytes: 8)) == "FLOAT64_LE")
    #expect(name(SampleFormat(.muLaw, bits: 8, bytes: 1)) == "MU_LAW")
  }
}
