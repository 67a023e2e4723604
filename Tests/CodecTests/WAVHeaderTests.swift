import Testing

@testable import Codec

@Suite struct WAVHeaderTests {
  private func chunk(_ name: String, _ bytes: [UInt8], size: Int? = nil) -> [UInt8] {
    Array(name.utf8) + little(size ?? bytes.count, 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
  }

  private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func format(_ tag: Int, channels: Int, rate: Int, bits: Int, frame: Int? = nil, more: [UInt8] = [])
    -> [UInt8]
  {
    let frame = frame ?? channels * bits / 8
    return little(tag, 2) + little(channels, 2) + little(rate, 4) + little(rate * frame, 4) + little(frame, 2)
      + little(bits, 2) + more
  }

  private func file(_ chunks: [UInt8]...) -> [UInt8] {
    Array("RIFF".utf8) + little(0, 4) + Array("WAVE".utf8) + chunks.flatMap { $0 }
  }

  @Test func `A plain file says what it is`() throws {
    let bytes = file(
      chunk("fmt ", format(1, channels: 2, rate: 44_100, bits: 24)), chunk("data", [1, 2, 3, 4, 5, 6, 7]))
    let header = try #require(try WAVHeader.read(bytes.span))
    #expect(
      header
        == WAVHeader(
          coding: .linear, channels: 2, rate: 44_100, bits: 24, sampleBytes: 3, dataOffset: 44, dataBytes: 6))
  }

  @Test func `The extensible form, and chunks before the samples, are read`() throws {
    let more = little(22, 2) + little(32, 2) + little(0, 4) + little(3, 2) + [UInt8](repeating: 0, count: 14)
    let bytes = file(
      chunk("LIST", [1, 2, 3]),
      chunk("fmt ", format(0xFFFE, channels: 1, rate: 16_000, bits: 32, more: more)),
      chunk("data", [0, 0, 0, 0]))
    let header = try #require(try WAVHeader.read(bytes.span))
    #expect(header.coding == .float)
    #expect(header.dataBytes == 4)
  }

  @Test func `A file written to a pipe has no length`() throws {
    for size in [0, 0xFFFF_FFFF] {
      let bytes = file(
        chunk("fmt ", format(1, channels: 1, rate: 8_000, bits: 16)), chunk("data", [], size: size))
      #expect(try #require(try WAVHeader.read(bytes.span)).dataBytes == nil)
    }
  }

  @Test func `A length that a processor of 32 bits cannot count is none`() throws {
    let format = chunk("fmt ", format(1, channels: 1, rate: 8_000, bits: 16))
    for (size, bytes) in [(0x7FFE_FFFE, 0x7FFE_FFFE), (0x7FFF_0000, nil), (0x8000_0000, nil)] as [(Int, Int?)] {
      #expect(try #require(try WAVHeader.read(file(format, chunk("data", [], size: size)).span)).dataBytes == bytes)
    }
    #expect(throws: WAVError.noData) { try WAVHeader.read(self.file(self.chunk("junk", [], size: 0xFFFF_FFFE)).span) }
  }

  @Test func `Of every beginning either more is wanted, or all is known`() throws {
    let bytes = file(chunk("fmt ", format(1, channels: 1, rate: 8_000, bits: 16)), chunk("data", [1, 2]))
    for count in 0..<44 {
      let header = try WAVHeader.read(bytes.span.extracting(first: count))
      #expect(header == nil)
    }
    #expect(try WAVHeader.read(bytes.span.extracting(first: 44)) != nil)
  }

  @Test func `What is wrong is reported`() {
    func error(_ bytes: [UInt8]) -> WAVError? {
      do throws(WAVError) {
        _ = try WAVHeader.read(bytes.span)
        return nil
      } catch {
        return error
      }
    }
    #expect(error(Array("RIFF0000AVI fmt ".utf8)) == .notWAVE)
    #expect(error(file(chunk("data", [1, 2]))) == .noFormat)
    #expect(
      error(file(chunk("fmt ", format(2, channels: 1, rate: 8_000, bits: 4, frame: 1)))) == .unknownCoding(2))
    #expect(error(file(chunk("fmt ", format(1, channels: 0, rate: 8_000, bits: 16, frame: 2)))) == .badFormat)
    #expect(error(file(chunk("fmt ", format(1, channels: 1, rate: 0, bits: 16)))) == .badFormat)
    #expect(error(file(chunk("fmt ", format(1, channels: 2, rate: 8_000, bits: 16, frame: 3)))) == .badFormat)
    #expect(error(file(chunk("fmt ", format(3, channels: 1, rate: 8_000, bits: 16)))) == .badFormat)
    #expect(error(file(chunk("fmt ", [1, 0]))) == .badFormat)
    #expect(error(file(Array(repeating: chunk("junk", []), count: 65).flatMap { $0 })) == .noData)
  }

  @Test func `What is written is read again`() throws {
    let header = WAVHeader(
      coding: .linear, channels: 2, rate: 48_000, bits: 16, sampleBytes: 2, dataOffset: 44, dataBytes: 400)
    var bytes = [UInt8](repeating: 0, count: WAVHeader.writtenBytes)
    let count = bytes.withUnsafeMutableBufferPointer { buffer in
      var writer = ByteWriter(into: buffer)
      header.write(to: &writer)
      return writer.count
    }
    #expect(count == WAVHeader.writtenBytes)
    #expect(try WAVHeader.read(bytes.span) == header)
  }
}
