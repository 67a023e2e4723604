import Codec
import Sound
import Testing

@Suite struct WAVViewTests {
  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func file(
    tag: Int = 1, channels: Int = 1, rate: Int = 16_000, bits: Int = 16, extra: [UInt8] = [],
    dataLength: Int? = nil, _ data: [UInt8]
  ) -> [UInt8] {
    let size = bits / 8 * channels
    let format =
      little(tag, 2) + little(channels, 2) + little(rate, 4) + little(rate * size, 4) + little(size, 2)
      + little(bits, 2) + extra
    return Array("RIFF".utf8) + little(0, 4) + Array("WAVE".utf8) + Array("LIST".utf8) + little(3, 4) + [
      1, 2, 3, 0,
    ] + Array("fmt ".utf8)
      + little(format.count, 4) + format + Array("data".utf8) + little(dataLength ?? data.count, 4) + data
  }

  private func samples(_ bytes: [UInt8]) throws -> [Float] {
    try bytes.withUnsafeBytes { buffer in
      let view = try WAVView(buffer)
      return (0..<view.count).map { view[$0] }
    }
  }

  private func error(_ bytes: [UInt8]) -> WAVError? {
    do {
      _ = try samples(bytes)
      return nil
    } catch {
      return error as? WAVError
    }
  }

  @Test func `every size of samples is read to the same scale`() throws {
    #expect(try samples(file(bits: 8, [128, 0, 192])) == [0, -1, 0.5])
    #expect(try samples(file(little(-32_768, 2) + little(16_384, 2))) == [-1, 0.5])
    #expect(try samples(file(bits: 24, little(-4_194_304, 3))) == [-0.5])
    #expect(try samples(file(bits: 32, little(1_073_741_824, 4))) == [0.5])
    let floats = [Float(0.25), 7, .nan].flatMap { little(Int($0.bitPattern), 4) }
    #expect(try samples(file(tag: 3, bits: 32, floats)) == [0.25, 1, 0])
  }

  @Test func `channels become their mean`() throws {
    #expect(
      try samples(
        file(channels: 2, little(16_384, 2) + little(-16_384, 2) + little(16_384, 2) + little(16_384, 2)))
        == [0, 0.5])
  }

  @Test func `an extensible format is what its identifier says`() throws {
    let extra = little(22, 2) + little(16, 2) + little(0, 4) + little(1, 2) + [UInt8](repeating: 0, count: 14)
    #expect(try samples(file(tag: 0xFFFE, extra: extra, little(16_384, 2))) == [0.5])
  }

  @Test func `a length that was never filled in goes to the end`() throws {
    #expect(try samples(file(dataLength: 0xFFFF_FFFF, little(16_384, 2) + [1])) == [0.5])
  }

  @Test func `what is none, cut off or compressed says so`() {
    #expect(error([]) == .cutOff)
    #expect(error(Array("RIFF....AVI LIST".utf8)) == .notWAVE)
    let whole = file([0, 0])
    #expect(error(Array(whole[..<40])) == .cutOff)
    #expect(error(file(tag: 2, [0, 0])) == .unknownCoding(2))
    #expect(error(file(channels: 9, [0, 0])) == .outOfRange)
    #expect(error(file(rate: 1000, [0, 0])) == .outOfRange)
    #expect(error(file(bits: 12, [0, 0])) == .badFormat)
  }
}
