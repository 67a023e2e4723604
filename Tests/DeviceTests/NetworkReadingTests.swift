import Testing

@testable import Device

@Suite struct NetworkReadingTests {
  private func names(_ walk: ((Span<UInt8>, UInt64) -> Void) -> Void) -> [String] {
    var names: [String] = []
    walk { name, metric in
      names.append(name.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } + " \(metric)")
    }
    return names
  }

  private func v4(_ text: String) -> [String] {
    names { RoutingTable.forEachDefaultIPv4(in: text.utf8.span, $0) }
  }

  private func v6(_ text: String) -> [String] {
    names { RoutingTable.forEachDefaultIPv6(in: text.utf8.span, $0) }
  }

  @Test("default routes of IPv4 are those to nowhere in particular that are up and refuse nothing")
  func ipv4() {
    let table = """
      Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
      eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
      eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
      wwan0\t00000000\t00000000\t0001\t0\t0\t700\t00000000\t0\t0\t0
      wlan0\t00000000\t00000000\t0002\t0\t0\t700\t00000000\t0\t0\t0
      tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0
      *\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0

      """
    #expect(v4(table) == ["eth0 100", "wwan0 700"])
  }

  @Test("default routes of IPv6 leave out the kernel's own refusal on lo")
  func ipv6() {
    let zero = String(repeating: "0", count: 32)
    let table = """
      \(zero) 00 \(zero) 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
      fe80\(zero.dropFirst(4)) 40 \(zero) 00 \(zero) 00000100 00000001 00000000 00000001     eth0
      \(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200       lo
      \(zero) 60 \(zero) 00 \(zero) 00000400 00000001 00000000 00000001    wlan0

      """
    #expect(v6(table) == ["eth0 1024"])
  }

  @Test(
    "torn lines are no routes", arguments: ["", "\n\n", "eth0", "eth0\t00000000", "eth0\t00000000\tx\t0003"])
  func torn(text: String) {
    #expect(v4(text).isEmpty)
    #expect(v6(text).isEmpty)
  }

  @Test("an interface is what its driver says, or else what its link layer is")
  func kinds() {
    #expect(InterfaceKinds(uevent: "DEVTYPE=wlan\nINTERFACE=wlan0\n".utf8.span) == .wifi)
    #expect(InterfaceKinds(uevent: "INTERFACE=wwan0\nDEVTYPE=wwan\n".utf8.span) == .cellular)
    #expect(InterfaceKinds(uevent: "INTERFACE=eth0\nIFINDEX=2\n".utf8.span) == nil)
    #expect(InterfaceKinds(type: "1\n".utf8.span) == .wired)
    #expect(InterfaceKinds(type: "512\n".utf8.span) == .cellular)
    #expect(InterfaceKinds(type: "519\n".utf8.span) == .cellular)
    #expect(InterfaceKinds(type: "65534\n".utf8.span) == .other)
    #expect(InterfaceKinds(type: "?".utf8.span) == .other)
  }

  @Test("the way out is expensive when it is cellular only")
  func expensive() {
    var network = NetworkReading()
    #expect(!network.isSatisfied && !network.isExpensive)
    network.interfaces = .cellular
    #expect(network.isSatisfied && network.isExpensive)
    network.interfaces = [.cellular, .wifi]
    #expect(network.isSatisfied && !network.isExpensive)
  }

  @Test("the signal of a wireless interface is its level in dBm, and no other interface's")
  func air() {
    let table = """
      Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
       face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
      wlan01: 0000   58.  -52.  -256        0      0      0      3      0        0
      wlan0: 0000   41   -69   -256        0      0      0      3      0        0
      wlan2: 0000   41   187   0        0      0      0      3      0        0
      wlan3: 0000   41
      """
    func signal(_ name: String) -> Int? { AirReading.signal(of: name.utf8.span, wireless: table.utf8.span) }
    #expect(signal("wlan01") == -52)
    #expect(signal("wlan0") == -69)
    #expect(signal("wlan2") == nil)
    #expect(signal("wlan3") == nil)
    #expect(signal("wlan") == nil)
  }
}
