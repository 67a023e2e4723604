import Runtime
import Testing
@testable import Device

@Suite("What shows that a board hangs")
struct RecoveryReadingTests {
  private func link(
    _ name: String, hasCarrier: Bool = true, reachable: Int? = 1, kind: InterfaceKinds = .wired
  ) -> LinkReading {
    var link = LinkReading()
    link.name = DeviceName(cutting: name)
    link.kind = kind
    (link.hasCarrier, link.reachable) = (hasCarrier, reachable)
    return link
  }

  private func reading(_ links: LinkReading..., silent: String = "", memory: MemoryReading? = nil) -> RecoveryReading {
    var list = DeviceLinks()
    for link in links { list.append(link) }
    return RecoveryReading(links: list, silent: DeviceName(cutting: silent), memory: memory)
  }

  @Test("a carrier without an address, or whose router does not answer, is a dead link")
  func dead() {
    let wifi = link("wlan0", reachable: 0, kind: .wifi)
    #expect(
      reading(wifi).deadLink == DeadLink(name: DeviceName(cutting: "wlan0"), isWireless: true, reason: .noAddress))
    #expect(
      reading(link("eth0"), silent: "eth0").deadLink
        == DeadLink(name: DeviceName(cutting: "eth0"), isWireless: false, reason: .routerSilent))
  }

  @Test("no carrier, an address, an unknown number of addresses or another link that works are none")
  func alive() {
    #expect(reading().deadLink == nil)
    #expect(reading(link("eth0", hasCarrier: false, reachable: 0)).deadLink == nil)
    #expect(reading(link("eth0")).deadLink == nil)
    #expect(reading(link("eth0", reachable: nil)).deadLink == nil)
    #expect(reading(link("wlan0", reachable: 0), link("eth0")).deadLink == nil)
    #expect(reading(link("eth0"), link("wlan0", reachable: 0)).deadLink == nil)
    #expect(reading(link("eth0"), link("wlan0"), silent: "wlan0").deadLink == nil)
  }

  @Test("memory is full below two percent")
  func memory() {
    #expect(!reading(memory: MemoryReading(totalBytes: 1000, availableBytes: 20)).isMemoryFull)
    #expect(reading(memory: MemoryReading(totalBytes: 1000, availableBytes: 19)).isMemoryFull)
    #expect(!reading(memory: nil).isMemoryFull)
  }

  @Test("the kernel's tables tell which router does not answer")
  func neighbors() {
    let routes = """
      Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
      eth0\t00000000\t0202000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
      eth0\t0002000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0

      """
    var found: [UInt32] = []
    RoutingTable.forEachRouterIPv4(in: routes.utf8.span) { _, router in found.append(router) }
    #expect(found == [0x0202_000A])
    let table = """
      IP address       HW type     Flags       HW address            Mask     Device
      10.0.2.2         0x1         0x0         00:00:00:00:00:00     *        eth0
      10.0.2.3         0x1         0x2         52:55:0a:00:02:03     *        eth0
      10.0.2           0x1         0x0         00:00:00:00:00:00     *        eth0
      10.0.2.256       0x1         0x0         00:00:00:00:00:00     *        eth0

      """
    func isSilent(_ address: UInt32, _ name: String = "eth0") -> Bool {
      NeighborTable.isSilent(address, on: name.utf8.span, in: table.utf8.span)
    }
    #expect(isSilent(0x0202_000A))
    #expect(!isSilent(0x0302_000A) && !isSilent(0x0402_000A) && !isSilent(0x0202_000A, "eth1"))
  }

  @Test("why the board was restarted is read from two lines; what is unknown or unprintable is nothing to be trusted")
  func restart() {
    func read(_ text: String) -> RestartReading? { RestartReading(text.utf8.span) }
    #expect(read("cause = power\n") == RestartReading(.power))
    #expect(
      read("cause = recovery\nreason = five\u{1b}watchdogs\n")
        == RestartReading(.recovery, reason: InlineText(cutting: "five?watchdogs")))
    #expect(read("cause = boredom\n") == nil)
    #expect(read("") == nil)
    let long = String(repeating: "x", count: 500)
    #expect(read("cause = watchdog\nreason = \(long)")?.reason.count == Budget.restartReasonBytes)
  }
}
