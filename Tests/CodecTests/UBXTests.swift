import Testing

@testable import Codec

private func read(_ bytes: [UInt8]) -> UBXMessage? {
  if case .ubx(let message)? = readLine([bytes]).messages.first { message } else { nil }
}

/// A NAV-PVT with a good fix, and what a test wants otherwise.
enum NavPVT {
  static func payload(
    valid: UInt8 = 7, kind: UInt8 = 3, flags: UInt8 = 1, flags3: UInt8 = 0, nanoseconds: Int = 0,
    time: [UInt8] = [7, 15, 12, 35, 19], latitude: Int = 481_173_000, longitude: Int = 115_166_667,
    length: Int = 92
  ) -> [UInt8] {
    var bytes = little(417_000, 4) + little(2026, 2) + time + [valid] + little(25, 4) + little(nanoseconds, 4)
    bytes += [kind, flags, 0xE0, 9] + little(longitude, 4) + little(latitude, 4) + little(592_300, 4)
    bytes += little(545_400, 4) + little(2_500, 4) + little(3_900, 4) + little(0, 12) + little(11_520, 4)
    bytes += little(-9_000_000, 4) + little(0, 4) + little(0, 4) + little(150, 2) + [flags3]
    return Array((bytes + [UInt8](repeating: 0, count: 92)).prefix(length))
  }

  static func frame(_ payload: [UInt8]) -> [UInt8] { ubx(0x01, 0x07, payload) }
}

@Suite("UBX: reading")
struct UBXReaderTests {
  private func told(_ payload: [UInt8]) -> UBXPosition? {
    if case .pvt(let position)? = read(NavPVT.frame(payload)) { position } else { nil }
  }

  @Test("NAV-PVT: place, motion, errors and time in their units")
  func pvt() throws {
    let position = try #require(told(NavPVT.payload()))
    #expect(position.place == GNSSPlace(latitude: 48.1173, longitude: 11.5166667))
    #expect(position.altitudeMeters == 545.4 && position.horizontalMeters == 2.5)
    #expect(position.verticalMeters == 3.9 && position.speed == 11.52 && position.courseDegrees == 270)
    #expect(position.satellites == 9 && position.kind == .threeDimensions && position.isOK)
    #expect(position.week == 417_000 && position.time.isFullyResolved)
    #expect(position.time.date == CivilDate(year: 2026, month: 7, day: 15))
    #expect(position.time.timeOfDayMilliseconds == 45_319_000)
  }

  @Test("NAV-PVT: what the receiver does not vouch for is not there")
  func flags() {
    #expect(told(NavPVT.payload(flags: 0))?.isOK == false)
    #expect(told(NavPVT.payload(flags3: 1))?.place == nil)
    #expect(told(NavPVT.payload(length: 84))?.place != nil)
    #expect(told(NavPVT.payload(valid: 6))?.time.date == nil)
    #expect(told(NavPVT.payload(valid: 6))?.time.isFullyResolved == false)
    #expect(told(NavPVT.payload(valid: 1))?.time.timeOfDayMilliseconds == nil)
    #expect(told(NavPVT.payload(valid: 3))?.time.isFullyResolved == false)
  }

  @Test(
    "the fraction of a second is a difference, and may lead to the day before or after",
    arguments: [
      ([7, 15, 12, 0, 0], 499_999, 43_200_000, 15), ([7, 15, 12, 0, 0], 200_000_400, 43_200_200, 15),
      ([7, 15, 12, 0, 0], -400_000, 43_200_000, 15), ([7, 15, 12, 0, 0], -1_000_000, 43_199_999, 15),
      ([7, 15, 0, 0, 0], -2_000_000, 86_399_998, 14), ([7, 15, 23, 59, 59], 999_800_000, 0, 16),
      ([7, 15, 23, 59, 60], 100_000_000, 86_400_100, 15),
    ] as [([UInt8], Int, UInt32, UInt8)])
  func fraction(_ time: [UInt8], _ nanoseconds: Int, _ milliseconds: UInt32, _ day: UInt8) {
    let moment = told(NavPVT.payload(nanoseconds: nanoseconds, time: time))?.time
    #expect(moment?.timeOfDayMilliseconds == milliseconds && moment?.date?.day == day)
  }

  @Test(
    "a frame with a good checksum that cannot be is counted as malformed",
    arguments: [
      NavPVT.frame(NavPVT.payload(time: [13, 1, 0, 0, 0])), NavPVT.frame(NavPVT.payload(time: [7, 15, 24, 0, 0])),
      NavPVT.frame(NavPVT.payload(time: [7, 15, 12, 0, 60])), NavPVT.frame(NavPVT.payload(nanoseconds: 2_000_000_000)),
      NavPVT.frame(NavPVT.payload(latitude: 900_000_001)), NavPVT.frame(NavPVT.payload(longitude: -1_800_000_001)),
      NavPVT.frame(NavPVT.payload(kind: 6)), NavPVT.frame(NavPVT.payload(length: 83)),
      ubx(0x01, 0x35, [0, 0, 0, 0, 1, 2, 0, 0] + [UInt8](repeating: 0, count: 12)), ubx(0x01, 0x35, [0]),
      ubx(0x01, 0x21, [UInt8](repeating: 0, count: 19)), ubx(0x01, 0x04, [UInt8](repeating: 0, count: 17)),
      ubx(0x01, 0x03, [UInt8](repeating: 0, count: 15)), ubx(0x05, 0x01, [6]), ubx(0x0A, 0x04, []),
    ])
  func malformed(_ frame: [UInt8]) {
    let (messages, counters) = readLine([frame])
    #expect(messages.isEmpty && counters.ubx == frames(malformed: 1))
  }

  @Test("NAV-SAT of any number of satellites is reported one by one, also when the frame came in pieces")
  func satellites() {
    for count in [0, 1, 7, 255] {
      let (messages, counters) = readLine([NavSat.frame(count: count) + NavPVT.frame(NavPVT.payload())])
      #expect(messages.count == count + 2 && counters.ubx == frames(good: 2))
      #expect(messages[0] == .ubx(.satellites(UBXSatellites(week: 417_000, count: count))))
      let pieces = NavSat.frame(count: count) + NavPVT.frame(NavPVT.payload())
      #expect(readLine(pieces.map { [$0] }).messages == messages)
    }
    let second = readLine([NavSat.frame(count: 4)]).messages[4]
    #expect(
      second
        == .ubx(
          .satellite(
            GNSSSatellite(SatelliteID(.glonass, 4), elevation: 3, azimuth: 3, strength: 23, isUsed: true))))
  }

  @Test("NAV-TIMEUTC, NAV-DOP, NAV-STATUS and acknowledgements")
  func smallMessages() {
    let time = little(1000, 4) + little(30, 4) + little(0, 4) + little(2026, 2) + [7, 15, 12, 35, 19, 0x37]
    #expect(
      read(ubx(0x01, 0x21, time))
        == .time(
          UBXTime(
            week: 1000, date: CivilDate(year: 2026, month: 7, day: 15), timeOfDayMilliseconds: 45_319_000,
            isFullyResolved: true)))
    let dilution = little(1000, 4) + [250, 180, 90, 150, 95, 60, 70].flatMap { little($0, 2) }
    #expect(
      read(ubx(0x01, 0x04, dilution)) == .dilution(UBXDilution(week: 1000, pdop: 1.8, hdop: 0.95, vdop: 1.5)))
    #expect(
      read(ubx(0x01, 0x03, little(1000, 4) + [3, 0xDD, 0, 0] + little(0, 8)))
        == .status(UBXStatus(week: 1000, kind: .threeDimensions, isOK: true)))
    // A published pair: CFG-MSG taken, and refused.
    #expect(
      read([0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38]) == .acknowledged(UBXMessageID(6, 1)))
    #expect(read([0xB5, 0x62, 0x05, 0x00, 0x02, 0x00, 0x06, 0x01, 0x0E, 0x33]) == .refused(UBXMessageID(6, 1)))
  }

  private func version(_ hardware: String, _ extensions: [String]) -> UBXVersion? {
    func field(_ text: String, _ length: Int) -> [UInt8] {
      Array((text.bytes + [UInt8](repeating: 0, count: length)).prefix(length))
    }
    let payload =
      field("EXT CORE 3.01 (111141)", 30) + field(hardware, 10) + extensions.flatMap { field($0, 30) }
    if case .version(let version)? = read(ubx(0x0A, 0x04, payload)) { return version }
    return nil
  }

  @Test("MON-VER tells the generation, the module and whether it is configured by values")
  func versions() throws {
    let m8 = try #require(version("00080000", ["ROM BASE 2.01", "FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0"]))
    #expect(text(m8.software.text) == "EXT CORE 3.01 (111141)" && text(m8.module.text) == "NEO-M8N-0")
    #expect(m8.generation == 8 && m8.protocolVersion == 1800 && !m8.hasValues)
    let f9 = try #require(version("00190000", ["PROTVER=27.11"]))
    #expect(f9.generation == 9 && f9.protocolVersion == 2711 && f9.hasValues)
    #expect(try #require(version("000A0000", [])).hasValues)
    let g7 = try #require(version("00070000", ["PROTVER 14.00"]))
    #expect(g7.generation == 7 && g7.protocolVersion == 1400 && !g7.hasValues)
    let odd = try #require(version("B0000000", ["PROTVER=x", "PROTVER="]))
    #expect(odd.generation == nil && odd.protocolVersion == nil && !odd.hasValues)
  }
}

@Suite("UBX: writing")
struct UBXWriterTests {
  private func frame(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    writtenBytes { buffer in
      var writer = ByteWriter(into: buffer)
      write(&writer)
      return writer.count
    }
  }

  private func hex(_ text: String) -> [UInt8] { text.split(separator: " ").map { UInt8($0, radix: 16)! } }

  // Frames that u-blox's own program sends.

  @Test("polling MON-VER")
  func poll() {
    #expect(frame(UBXCommand.pollVersion) == hex("B5 62 0A 04 00 00 0E 34"))
  }

  @Test("CFG-PRT of the serial port at 9600 baud and at 115200")
  func port() {
    let slow = frame { UBXCommand.configure(.uart1, baud: 9600, input: .both, output: .both, to: &$0) }
    #expect(slow.count == 28)
    #expect(Array(slow[6..<26]) == hex("01 00 00 00 D0 08 00 00 80 25 00 00 03 00 03 00 00 00 00 00"))
    let fast = frame { UBXCommand.configure(.uart1, baud: 115_200, input: .all, output: .ubx, to: &$0) }
    #expect(Array(fast[14..<22]) == hex("00 C2 01 00 23 00 01 00"))
    let usb = frame { UBXCommand.configure(.usb, baud: 9600, input: .both, output: .nmea, to: &$0) }
    #expect(Array(usb[6..<22]) == hex("03 00 00 00 00 00 00 00 00 00 00 00 03 00 02 00"))
  }

  @Test("CFG-MSG, CFG-RATE and CFG-CFG")
  func rates() {
    #expect(
      frame { UBXCommand.send(UBXValues.Message.gll.id, every: 0, to: &$0) }
        == hex("B5 62 06 01 03 00 F0 01 00 FB 11"))
    #expect(
      frame { UBXCommand.send(UBXValues.Message.gga.id, every: 0, to: &$0) }
        == hex("B5 62 06 01 03 00 F0 00 00 FA 0F"))
    #expect(
      frame { UBXCommand.measure(everyMilliseconds: 1000, to: &$0) }
        == hex("B5 62 06 08 06 00 E8 03 01 00 01 00 01 39"))
    #expect(
      frame { UBXCommand.measure(everyMilliseconds: 200, to: &$0) }
        == hex("B5 62 06 08 06 00 C8 00 01 00 01 00 DE 6A"))
    #expect(
      frame(UBXCommand.saveConfiguration)
        == hex("B5 62 06 09 0D 00 00 00 00 00 FF FF 00 00 00 00 00 00 17 31 BF"))
  }

  @Test("CFG-GNSS switches each system on or off")
  func systems() {
    var systems = UBXSystems()
    systems.insert(.gps)
    systems.insert(.glonass)
    let bytes = frame { UBXCommand.receive(systems, to: &$0) }
    #expect(Array(bytes[2..<10]) == hex("06 3E 34 00 00 00 FF 06"))
    let blocks = stride(from: 10, to: bytes.count - 2, by: 8).map { Array(bytes[$0..<$0 + 8]) }
    #expect(blocks.map { $0[0] } == [0, 1, 2, 3, 5, 6])
    #expect(blocks.map { $0[4] } == [1, 0, 0, 0, 0, 1])
    #expect(blocks.allSatisfy { $0[6] == 1 && $0[1] <= $0[2] })
  }

  @Test("CFG-VALSET: layers, then keys with values of their length")
  func values() {
    var values = UBXValues(.volatile)
    values.setBaud(115_200)
    values.measure(everyMilliseconds: 200)
    values.send(.pvt, on: .uart1, every: 1)
    values.send(.gga, on: .usb, every: 0)
    let bytes = frame { values.write(to: &$0) }
    #expect(Array(bytes[2..<6]) == hex("06 8A 1C 00"))
    #expect(
      Array(bytes[6..<bytes.count - 2])
        == hex(
          "00 01 00 00 01 00 52 40 00 C2 01 00 01 00 21 30 C8 00 07 00 91 20 01 BD 00 91 20 00"))
    #expect(values.isComplete)
  }

  @Test("CFG-VALSET: protocols of a port and systems are one bit each")
  func bits() {
    var values = UBXValues(.all)
    values.setProtocols(of: .uart1, input: .both, output: .ubx)
    var systems = UBXSystems()
    systems.insert(.galileo)
    values.receive(systems)
    let bytes = frame { values.write(to: &$0) }
    let items = stride(from: 10, to: bytes.count - 2, by: 5).map { Array(bytes[$0..<$0 + 5]) }
    #expect(bytes[7] == 7)
    #expect(
      items.prefix(4)
        == [hex("01 00 73 10 01"), hex("02 00 73 10 01"), hex("01 00 74 10 01"), hex("02 00 74 10 00")])
    #expect(items.dropFirst(4).map { $0[0] } == [0x1F, 0x20, 0x21, 0x22, 0x24, 0x25])
    #expect(items.dropFirst(4).map { $0[4] } == [0, 0, 1, 0, 0, 0])
  }

  @Test("settings beyond the room of a frame are left out, and that is reported")
  func tooManyValues() {
    var values = UBXValues(.volatile)
    for _ in 0..<51 { values.send(.rmc, on: .uart1, every: 1) }
    #expect(!values.isComplete)
    #expect(frame { values.write(to: &$0) }.count == UBXFrame.overhead + 4 + 50 * 5)
    for _ in 0..<10 { values.setBaud(9600) }
    #expect(frame { values.write(to: &$0) }.count <= UBXFrame.overhead + UBXPayload.lengthMax)
  }
}
