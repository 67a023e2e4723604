import Testing

@testable import Codec

/// A frame of UBX.
func ubx(_ group: UInt8, _ identity: UInt8, _ payload: [UInt8]) -> [UInt8] {
  writtenBytes { buffer in
    var writer = ByteWriter(into: buffer)
    UBXFrame.write(UBXMessageID(group, identity), payload.span, to: &writer)
    return writer.count
  }
}

/// The lowest bytes of a number, the lowest first.
func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

@Suite("The line of a position receiver")
struct GNSSReaderTests {
  /// RTCM 3.1, "Example of message 1005"; a byte of it is the preamble again.
  static let message1005: [UInt8] = [
    0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD, 0x62, 0xAC, 0x09,
    0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
  ]
  private static let rmc = line("GPRMC,083559.00,A,4717.11437,N,00833.91522,E,0.004,77.52,091202,,,A").bytes
  private static let status = ubx(0x01, 0x03, little(417_000, 4) + [3, 1, 0, 0] + little(0, 8))
  private static let acknowledged = ubx(0x05, 0x01, [0x06, 0x8A])
  /// Everything at once, with false starts before and within.
  static let line1: [UInt8] =
    [0xFF, 0xB5] + rmc + status + message1005 + [0xB5, 0x62, 0x01] + rmc + [0xD3, 0x00, 0x20, 0x41]
    + acknowledged + rmc + message1005 + Array("$GPRMC,0835".utf8) + status + [0x24, 0xB5, 0x62] + rmc
    + NavSat.frame(count: 3) + [0xD3, 0xD3] + message1005 + rmc

  @Test("finds sentences and frames of all three protocols among noise")
  func mixed() {
    let (messages, counters) = readLine([Self.line1])
    #expect(counters.nmea == frames(good: 5, broken: 2))
    #expect(counters.rtcm == frames(good: 3, badChecksum: 1))
    #expect(counters.ubx == frames(good: 4, overlong: 2))
    #expect(counters.bytes == UInt64(Self.line1.count))
    // Three satellites follow their list.
    #expect(messages.count == 5 + 4 + 3)
  }

  @Test("reads the same wherever the line is cut")
  func everyCut() {
    let whole = readLine([Self.line1])
    for length in 1...40 {
      let cut = readLine(
        stride(from: 0, to: Self.line1.count, by: length).map {
          Array(Self.line1[$0..<min($0 + length, Self.line1.count)])
        })
      #expect(cut.messages == whole.messages && cut.counters == whole.counters, "in pieces of \(length)")
    }
    for cut in 0...Self.line1.count {
      let halves = readLine([Array(Self.line1[..<cut]), Array(Self.line1[cut...])])
      #expect(halves.messages == whole.messages && halves.counters == whole.counters, "cut at \(cut)")
    }
  }

  @Test("damaged lines and plain noise read the same in pieces of any size as at once")
  func damaged() {
    var random = Seeded(62)
    for round in 0..<600 {
      var bytes = mutated(Self.line1, &random)
      if round % 3 == 0 {
        // Noise of little but starts and short lengths.
        let alphabet: [UInt8] = [0xB5, 0x62, 0xD3, 0, 0, 1, 3, 0x24, 0x41, 0x2A, 0x0D]
        bytes = (0..<400).map { _ in alphabet.randomElement(using: &random)! } + bytes
      }
      let whole = readLine([bytes])
      let cut = readLine(pieces(bytes, upTo: 60, &random))
      #expect(cut.messages == whole.messages && cut.counters == whole.counters)
    }
  }

  @Test(
    "a false start swallows nothing of what stands inside it",
    arguments: [
      [0xB5, 0x62, 0x01, 0x07, 0x5C, 0x00], [0xB5, 0x62, 0x01, 0x35, 0xFC, 0x0B], [0xD3, 0x03, 0xFF],
      [0xD3, 0x00, 0x30], [0x24], Array("$GPGGA,".utf8), [0xB5], [0xD3], [0xB5, 0x62], [0xB5, 0x62, 0xFF, 0xFF, 0xFF],
    ] as [[UInt8]])
  func falseStart(_ start: [UInt8]) {
    let good = Self.rmc + Self.status + Self.message1005 + Self.acknowledged
    // Whether the false frame's length is reached or the line ends before.
    for tail in [0, 4000] {
      let bytes = start + good + [UInt8](repeating: 0, count: tail)
      let (messages, counters) = readLine([bytes])
      #expect(messages.count == 3 && counters.rtcm.good == 1)
      #expect(counters.nmea.good == 1 && counters.ubx.good == 2)
      let single = readLine(bytes.map { [$0] })
      #expect(single.messages == messages && single.counters == counters)
    }
  }

  @Test("a frame with any one bit changed is not read, and what follows is")
  func oneBitChanged() {
    for frame in [Self.status, Self.message1005] {
      for bit in 0..<frame.count * 8 {
        var changed = frame
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        let (messages, counters) = readLine([changed + Self.rmc])
        #expect(messages.count == 1 && counters.ubx.good == 0 && counters.rtcm.good == 0, "bit \(bit)")
      }
    }
  }

  @Test("a frame up to the longest is read, a longer one is counted and what follows is read")
  func longest() {
    let most = ubx(0x0B, 0x01, [UInt8](repeating: 0x24, count: GNSSFrame.payloadMax))
    #expect(readLine([most + Self.rmc]).counters.ubx == frames(unknown: 1))
    #expect(readLine([most + Self.rmc]).counters.nmea == frames(good: 1))
    let long = ubx(0x0B, 0x01, [UInt8](repeating: 0, count: GNSSFrame.payloadMax + 1))
    #expect(readLine([long + Self.rmc]).counters.ubx == frames(overlong: 1))
    #expect(readLine([long + Self.rmc]).messages.count == 1)
    let correction: [UInt8] = [0xD3, 0x03, 0xFF] + [UInt8](repeating: 0x55, count: 1023)
    let sum = CRC24Q.remainder(of: correction.span)
    let whole = correction + [UInt8(sum >> 16), UInt8(sum >> 8 & 255), UInt8(sum & 255)]
    #expect(readLine([whole]).counters.rtcm == frames(good: 1))
    #expect(readLine(whole.map { [$0] }).counters.rtcm == frames(good: 1))
  }

  @Test("the end of a recording ends its last line, and cuts its last frame")
  func end() {
    #expect(readLine([Array(Self.rmc.dropLast(2))]).messages.count == 1)
    #expect(readLine([Array(Self.rmc.dropLast(3))]).counters.nmea == frames(badChecksum: 1))
    #expect(readLine([Array(Self.status.dropLast())]).counters.ubx == frames(broken: 1))
    // There is a second preamble in it.
    #expect(readLine([Array(Self.message1005.dropLast())]).counters.rtcm == frames(broken: 2))
  }

  @Test("lines end with CR, LF or both")
  func lineEnds() {
    let text = Array(Self.rmc.dropLast(2))
    #expect(readLine([text + [0x0A] + text + [0x0D] + text + [0x0D, 0x0A]]).messages.count == 3)
  }

  @Test("the remainder of RTCM's checksum is that of the published example")
  func checksum() {
    #expect(CRC24Q.remainder(of: Self.message1005.span.extracting(0..<22)) == 0x360B98)
  }
}

/// A NAV-SAT of made-up satellites.
enum NavSat {
  static func frame(count: Int, week: Int = 417_000) -> [UInt8] {
    var payload = little(week, 4) + [1, UInt8(count), 0, 0]
    for index in 0..<count {
      payload += [UInt8(index % 2 == 0 ? 0 : 6), UInt8(index + 1), UInt8(20 + index % 30), UInt8(index % 90)]
      payload += little(index, 2) + little(0, 2) + little(index % 3 == 0 ? 8 : 0, 4)
    }
    return ubx(0x01, 0x35, payload)
  }
}
