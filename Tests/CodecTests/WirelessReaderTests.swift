import Testing

@testable import Codec

/// Messages of generic netlink as the kernel lays them out.
enum Wireless {
  static let family: UInt16 = 0x1C

  static func message(_ command: UInt8, _ attributes: [UInt8], of kind: UInt16 = family) -> [UInt8] {
    Netlink.message(kind, [command, 1, 0, 0] + attributes)
  }

  static func familyAnswer(_ id: UInt16 = family) -> [UInt8] {
    message(
      1,
      Netlink.attribute(2, Array("nl80211\0".utf8)) + Netlink.attribute(1, Netlink.half(id))
        + Netlink.attribute(3, Netlink.word(1)), of: 16)
  }

  static func interface(_ index: UInt32, type: UInt32, frequency: UInt32? = nil) -> [UInt8] {
    let parts: [[UInt8]] = [
      Netlink.attribute(3, Netlink.word(index)), Netlink.attribute(4, Array("wlan0\0".utf8)),
      Netlink.attribute(1, Netlink.word(0)), Netlink.attribute(5, Netlink.word(type)),
      Netlink.attribute(6, [0xB8, 0x27, 0xEB, 1, 2, 3]), Netlink.attribute(52, Array("a network".utf8)),
      frequency.map { Netlink.attribute(38, Netlink.word($0)) } ?? [],
    ]
    return message(7, Array(parts.joined()))
  }

  static func station(
    _ index: UInt32, signal: Int8?, average: Int8? = nil, rate16: UInt16? = nil, rate32: UInt32? = nil
  ) -> [UInt8] {
    func byte(_ kind: UInt16, _ value: Int8?) -> [UInt8] {
      value.map { Netlink.attribute(kind, [UInt8(bitPattern: $0)]) } ?? []
    }
    let rate =
      (rate16.map { Netlink.attribute(1, Netlink.half($0)) } ?? [])
      + (rate32.map { Netlink.attribute(5, Netlink.word($0)) } ?? []) + Netlink.attribute(2, [7])
    let facts =
      Netlink.attribute(1, Netlink.word(40)) + byte(7, signal) + Netlink.attribute(0x8000 | 8, rate) + byte(13, average)
    return message(
      19,
      Netlink.attribute(3, Netlink.word(index)) + Netlink.attribute(6, [2, 0, 0, 0, 0, 1])
        + Netlink.attribute(0x8000 | 21, facts))
  }
}

@Suite("nl80211: what the kernel says of its wireless devices")
struct WirelessReaderTests {
  private func messages(_ bytes: [UInt8], family: UInt16 = Wireless.family) throws(NetlinkError) -> [WirelessMessage] {
    let datagram = bytes.span
    var reader = WirelessReader(datagram, family: family)
    var all: [WirelessMessage] = []
    while let message = try reader.next() { all.append(message) }
    return all
  }

  @Test("the controller tells the number of the family; before it has, nothing else is read")
  func family() throws {
    #expect(try messages(Wireless.familyAnswer(), family: 0) == [.family(0x1C)])
    #expect(try messages(Wireless.interface(3, type: 2), family: 0).isEmpty)
    // A family that goes away (CTRL_CMD_DELFAMILY) has no number to tell.
    #expect(try messages(Wireless.message(2, Netlink.attribute(1, Netlink.half(9)), of: 16)).isEmpty)
  }

  @Test("an interface is a client or not, and on a channel or on none")
  func interfaces() throws {
    let all = try messages(
      Wireless.interface(3, type: 2, frequency: 5180) + Wireless.interface(4, type: 3) + Wireless.message(7, []))
    #expect(
      all == [
        .interface(WirelessInterface(interface: 3, isClient: true, frequency: 5180)),
        .interface(WirelessInterface(interface: 4, isClient: false, frequency: nil)),
      ])
  }

  @Test("a station is heard by its average, else by its last packet; the wider number of its rate counts")
  func stations() throws {
    let all = try messages(
      Wireless.station(3, signal: -61, average: -63, rate16: 65_535, rate32: 86_667)
        + Wireless.station(3, signal: -61, rate16: 722) + Wireless.station(3, signal: nil, rate16: 0))
    #expect(
      all == [
        .station(WirelessStation(interface: 3, signal: -63, bitrate: 86_667)),
        .station(WirelessStation(interface: 3, signal: -61, bitrate: 722)),
        .station(WirelessStation(interface: 3, signal: nil, bitrate: nil)),
      ])
  }

  @Test("the end of a dump, a refusal, and messages of other families")
  func control() throws {
    let refusal = Netlink.message(2, Netlink.word(UInt32(bitPattern: -19)) + [UInt8](repeating: 0, count: 16))
    let agreed = Netlink.message(2, Netlink.word(0))
    #expect(
      try messages(agreed + Wireless.message(7, [1], of: 0x1D) + refusal + Netlink.message(3, [0, 0, 0, 0]))
        == [.refused(19), .done])
  }

  @Test("every damaged datagram is read to an end or refused")
  func mutations() throws {
    let good =
      Wireless.familyAnswer() + Wireless.interface(3, type: 2, frequency: 2437)
      + Wireless.station(3, signal: -61, average: -63, rate16: 722, rate32: 722)
    #expect(try messages(good).count == 3)
    func count(_ bytes: [UInt8]) -> Int {
      do throws(NetlinkError) { return try messages(bytes).count } catch { return 0 }
    }
    #expect(count(Netlink.message(Wireless.family, [7, 1, 0])) == 0)
    for place in good.indices {
      var bytes = good
      for value in [0, 1, 3, 4, 15, 16, 0x7F, 0x80, 0xFF] as [UInt8] {
        bytes[place] = value
        #expect(count(bytes) <= 3)
      }
      #expect(count(Array(good[..<place])) < 3)
    }
    var random = Seeded(6)
    for _ in 0..<5000 { #expect(count(mutated(good, &random)) <= 4) }
  }

  @Test("questions are laid out as netlink(7), rtnetlink(7) and genetlink want them")
  func questions() {
    func bytes(_ question: NetlinkRequest) -> [UInt8] {
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: NetlinkRequest.longest)
      defer { buffer.deallocate() }
      buffer.update(repeating: 0xEE)
      return Array(buffer[..<question.write(to: buffer)])
    }
    func header(_ length: UInt32, _ type: UInt16, _ flags: UInt16) -> [UInt8] {
      Netlink.word(length) + Netlink.half(type) + Netlink.half(flags) + Netlink.word(0) + Netlink.word(0)
    }
    #expect(bytes(.addresses) == header(20, 22, 0x301) + [0, 0, 0, 0])
    #expect(
      bytes(.wirelessFamily)
        == header(32, 16, 1) + [3, 1, 0, 0] + Netlink.half(12) + Netlink.half(2) + Array("nl80211\0".utf8))
    #expect(
      bytes(.wirelessInterface(7, family: 28))
        == header(28, 28, 1) + [5, 1, 0, 0] + Netlink.half(8) + Netlink.half(3) + Netlink.word(7))
    #expect(
      bytes(.wirelessStations(7, family: 28))
        == header(28, 28, 0x301) + [17, 1, 0, 0] + Netlink.half(8) + Netlink.half(3) + Netlink.word(7))
  }
}
