import Testing

@testable import Codec

/// Receivers that are no u-blox: what they report, and their settings.
@Suite struct VendorTests {
  private func message(_ body: String) -> VendorMessage? {
    for case .vendor(let message) in readLine([line(body).bytes]).messages { return message }
    return nil
  }

  private func text(_ text: UBXText) -> String {
    text.text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "each family is recognized by its own words",
    arguments: [
      ("PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0", .mediatek, "PA6H"),
      ("PMTK705,AXN_5.1.6_3333_19010218,0007,Quectel-L76L,1.0", .mediatek, "Quectel-L76L"),
      ("PMTK705,AXN_1.30,0000,20090609,", .mediatek, "20090609"),
      ("PMTK705,AXN_1.30,0000,", .mediatek, "AXN_1.30"),
      ("GPTXT,01,01,02,IC=AT6558F-5N-32-1C580900", .casic, "AT6558F-5N-32-1C580900"),
      ("GNTXT,01,01,02,IC=AT6558-5N-31-0C510800,BM64KGJ-E1-005043", .casic, "AT6558-5N-31-0C510800"),
      ("GPTXT,01,01,02,HW=ATGM332D,0009101407754", .casic, "ATGM332D"),
      ("GPTXT,01,01,02,SW=URANUS5,V5.2.1.0", .casic, "URANUS5"), ("GPTXT,01,01,02,MA=CASIC", .casic, "CASIC"),
      ("PQTMVERNO,LC29HDANR11A03S_RSA,2022/08/31,15:22:36", .airoha, "LC29HDANR11A03S_RSA"),
      ("PQTMVERNO,LC86GAANR01A01S", .airoha, "LC86GAANR01A01S"),
      ("PQTMVERNO,LG290P03AANR01A03S,2024/04/30,10:57:43", .quectel, "LG290P03AANR01A03S"),
    ] as [(String, VendorFamily, String)])
  func identity(_ body: String, _ family: VendorFamily, _ name: String) {
    guard case .identity(let found, let text)? = message(body) else {
      Issue.record("\(body) is not recognized")
      return
    }
    #expect(found == family && self.text(text) == name)
  }

  @Test(
    "answers name their command, and whether it was taken",
    arguments: [
      ("PMTK001,314,3", .mediatek, "314", true), ("PMTK001,353,1", .mediatek, "353", false),
      ("PMTK001,220,2", .mediatek, "220", false), ("PMTK001,220,0", .mediatek, "220", false),
      ("PAIR001,062,0", .airoha, "062", true), ("PAIR001,050,4", .airoha, "050", false),
      ("PQTMCFGFIXRATE,OK", .quectel, "CFGFIXRATE", true), ("PQTMCFGMSGRATE,ERROR,1", .quectel, "CFGMSGRATE", false),
      ("PQTMSAVEPAR,OK", .quectel, "SAVEPAR", true),
    ] as [(String, VendorFamily, String, Bool)])
  func answer(_ body: String, _ family: VendorFamily, _ command: String, _ isTaken: Bool) {
    guard case .answer(let found, let text, let wasTaken)? = message(body) else {
      Issue.record("\(body) is not recognized")
      return
    }
    #expect(found == family && self.text(text) == command && wasTaken == isTaken)
  }

  @Test(
    "what others say of themselves, and what is no answer, is nothing",
    arguments: [
      "GNTXT,01,01,02,HW UBX-M8030 00080000", "GNTXT,01,01,02,PROTVER=18.00", "GNTXT,01,01,02,MOD=NEO-M8N-0",
      "GPTXT,01,01,01,ANTENNA OPEN", "GPTXT,01,01,02,IC=", "GPTXT,01", "GPTXT", "PMTK010,001", "PMTK011,MTKGPS",
      "PMTK001", "PMTK001,314", "PMTK705", "PMTK7050,1,2,3", "PAIR001,062,1", "PAIR010,0,1", "PQTMVERNO",
      "PQTMVERNO,ERROR,1", "PQTMVERNO,", "PQTMEPE,2,1.0", "PUBX,00", "PSRF151,3",
    ])
  func nothing(_ body: String) { #expect(message(body) == nil) }

  @Test("a sentence with a wrong checksum, or without one, recognizes nothing")
  func unchecked() {
    let right = line("PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0")
    for wrong in [right.replacing("PA6H", with: "PA6I"), "$PMTK705,AXN_2.31,5632,PA6H,1.0\r\n"] {
      let messages = readLine([wrong.bytes]).messages
      #expect(messages.isEmpty)
    }
  }

  // MARK: Settings

  private func written(_ write: (inout ByteWriter) -> Void) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: VendorSetting.lengthMax) { buffer in
      var writer = ByteWriter(into: buffer)
      write(&writer)
      precondition(writer.isComplete)
      return String(decoding: buffer[..<writer.count], as: UTF8.self)
    }
  }

  private func settings(
    _ family: VendorFamily, _ rate: UInt16, _ constellations: [Constellation] = [.gps]
  ) -> [String] {
    var systems = UBXSystems()
    for constellation in constellations { systems.insert(constellation) }
    let values = VendorSetting.Values(rate: rate, systems: systems)
    var found: [String] = []
    for index in 0..<VendorSetting.all.count where VendorSetting.all[index].family == family {
      let setting = VendorSetting.all[index]
      if setting.applies(values) { found.append(written { setting.write(values, to: &$0) }) }
    }
    return found
  }

  @Test("the sentences are those of the makers' manuals, checksums included")
  func sentences() {
    let mediatek = settings(.mediatek, 4, [.gps, .beidou])
    for sentence in ["$PMTK220,250*29\r\n", "$PMTK353,1,0,0,0,1*2B\r\n"] { #expect(mediatek.contains(sentence)) }
    #expect(settings(.mediatek, 1, [.gps, .glonass]).contains("$PMTK353,1,1,0,0,0*2B\r\n"))
    #expect(settings(.mediatek, 5).contains("$PMTK300,200,0,0,0,0*2F\r\n"))
    let casic = settings(.casic, 1, [.gps, .beidou, .glonass])
    #expect(casic.contains("$PCAS04,7*1E\r\n") && casic.contains("$PCAS02,1000*2E\r\n"))
    #expect(casic.contains("$PCAS00*01\r\n"))
    #expect(settings(.casic, 1, [.gps, .glonass]).contains("$PCAS04,5*1C\r\n"))
    #expect(settings(.airoha, 1).prefix(2) == ["$PAIR062,0,1*3F\r\n", "$PAIR062,4,1*3B\r\n"])
    #expect(settings(.airoha, 1).contains("$PAIR513*3D\r\n"))
    #expect(
      settings(.quectel, 1).prefix(2) == ["$PQTMCFGMSGRATE,W,GGA,1*0A\r\n", "$PQTMCFGMSGRATE,W,RMC,1*17\r\n"])
    #expect(written { VendorSetting.writeQuestion(.mediatek, to: &$0) } == "$PMTK605*31\r\n")
    #expect(written { VendorSetting.writeQuestion(.casic, to: &$0) } == "$PCAS06,1*1A\r\n")
    #expect(written { VendorSetting.writeQuestion(.quectel, to: &$0) } == "$PQTMVERNO*58\r\n")
  }

  @Test("every setting of every rate is a sentence that fits, and that a reader takes for one")
  func all() {
    for family in [VendorFamily.mediatek, .casic, .airoha, .quectel] {
      for rate in 0...11 as ClosedRange<UInt16> {
        for sentence in settings(family, rate, [.gps, .glonass, .galileo, .beidou, .qzss]) {
          let counters = readLine([sentence.bytes]).counters
          #expect(counters.nmea.ignored == 1, "\(sentence)")
          #expect(sentence.allSatisfy { $0 != "~" } && sentence.utf8.count <= VendorSetting.lengthMax)
        }
      }
    }
  }

  @Test("at least the rate is met, in the steps that a receiver has")
  func rates() {
    for rate in 1...10 as ClosedRange<UInt16> {
      let period = [1000, 500, 200, 200, 200, 100, 100, 100, 100, 100][Int(rate) - 1]
      #expect(settings(.casic, rate).contains { $0.hasPrefix("$PCAS02,\(period)*") })
      #expect(settings(.quectel, rate).contains { $0.hasPrefix("$PQTMCFGFIXRATE,W,\(period)*") })
      #expect(settings(.airoha, rate).contains { $0.hasPrefix("$PAIR050,\(1000 / rate)*") })
    }
  }

  @Test("systems that CASIC does not know alone are not set")
  func casicSystems() {
    #expect(!settings(.casic, 1, [.galileo, .qzss]).contains { $0.hasPrefix("$PCAS04") })
    #expect(settings(.casic, 1, [.galileo, .glonass]).contains { $0.hasPrefix("$PCAS04,4*") })
  }
}
