import CLinux
import Device
import Runtime
import Testing

@testable import Board

/// Boards of several kinds, as Tests/Fixtures/boards describes them.
@Suite("Boards as they describe themselves")
struct RecordedBoardTests {
  private let tree = ReadingsTree()
  private let clock = SerialTestClock()

  private func read(_ board: String) throws -> DeviceSnapshot {
    try tree.load(board)
    var snapshot = DeviceSnapshot()
    try SystemReadings(root: tree.root, stateFolder: tree.root, clock: clock).read(into: &snapshot)
    return snapshot
  }

  private func string<let n: Int>(_ text: InlineText<n>) -> String {
    text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func links(_ snapshot: DeviceSnapshot) -> [String] {
    (0..<snapshot.links.count).map { string(snapshot.links[$0].name) }.sorted()
  }

  private func link(_ name: String, _ snapshot: DeviceSnapshot) throws -> LinkReading {
    let index = try #require((0..<snapshot.links.count).first { string(snapshot.links[$0].name) == name })
    return snapshot.links[index]
  }

  @Test("a Zero W: its model, its serial number, its card, its air, and what its power was like")
  func zeroW() throws {
    let board = try read("pi-zero-w")
    #expect(string(board.model) == "Raspberry Pi Zero W Rev 1.1")
    #expect(string(board.serial) == "00000000b8d3a1f2")
    #expect(string(board.kernel) == "6.1.21+")
    #expect(string(board.systemVersion) == "Raspbian GNU/Linux 11 (bullseye)")
    #expect(board.processors == 1 && board.uptime == 5213.67)
    #expect(board.zones.count == 1 && string(board.zones[0].name) == "cpu-thermal")
    #expect("\(board.thermalState)" == "nominal")
    let throttling = try #require(board.throttling)
    #expect(throttling.bits == 0x50000)
    #expect(throttling.hasBeen(.underVoltage) && throttling.hasBeen(.throttled))
    #expect(!throttling.hasBeen(.frequencyCapped) && !throttling.isNow(.underVoltage))
    #expect(board.isUnderVoltage == false)
    #expect(links(board) == ["wlan0"])
    let wlan0 = try link("wlan0", board)
    #expect(wlan0.kind == .wifi && wlan0.hasCarrier && wlan0.index == 2 && wlan0.air?.signal == -52)
    #expect(string(board.network.defaultInterface) == "wlan0" && board.network.interfaces == .wifi)
    #expect(string(board.wear.kind) == "SD" && string(board.wear.name) == "SC16G")
    #expect(board.wear.lifeUsed == nil && board.wear.end == nil)
    #expect(board.wear.writtenBytes == 48_213_776 * 1024 && board.wear.errors == 0)
    let watchdog = try #require(board.watchdog)
    #expect(string(watchdog.identity) == "Broadcom BCM2835 Watchdog timer")
    #expect(!watchdog.isActive && watchdog.timeout == 15 && !watchdog.hasReset)
    #expect(!board.clock.hasHardwareClock)
    #expect(board.battery == BatteryReading() && board.packs.isEmpty && board.stall == nil)
    #expect(board.access.serial == .granted && board.access.gpio == .granted && board.access.video == .granted)
    #expect(board.access.i2c == .absent)
  }

  @Test("a 3B+ on a weak supply that is short of memory; the bridge of its containers is none of its interfaces")
  func threeBPlus() throws {
    let board = try read("pi-3b-plus")
    #expect(board.isUnderVoltage == true && board.throttling == nil)
    #expect("\(try #require(board.memory).pressure)" == "high")
    #expect(board.stall == StallReading(some: 7.25, full: 3.5))
    #expect("\(board.thermalState)" == "fair" && board.zones.count == 1)
    #expect(links(board) == ["eth0", "wlan0"])
    let eth0 = try link("eth0", board)
    #expect(eth0.kind == .wired && eth0.speed == 1000 && eth0.hasCarrier)
    let wlan0 = try link("wlan0", board)
    #expect(!wlan0.hasCarrier && wlan0.air == nil && wlan0.speed == nil)
    #expect(board.watchdog == nil && board.wear.kind.isEmpty)
  }

  @Test("a 4B on eMMC, too hot, started anew by its watchdog; of two ways out the cheaper one is named")
  func fourB() throws {
    let board = try read("pi-4b")
    #expect("\(board.thermalState)" == "critical")
    let throttling = try #require(board.throttling)
    #expect(throttling.isNow(.softTemperatureLimit) && !throttling.isNow(.throttled))
    #expect(
      throttling.hasBeen(.frequencyCapped) && throttling.hasBeen(.throttled) && !throttling.hasBeen(.underVoltage))
    #expect(string(board.network.defaultInterface) == "eth0" && board.network.interfaces == [.wired, .wifi])
    #expect(string(board.wear.kind) == "MMC" && string(board.wear.name) == "BJTD4R")
    #expect(board.wear.lifeUsed == 30 && board.wear.end == .normal && board.wear.writtenBytes == nil)
    let watchdog = try #require(board.watchdog)
    #expect(watchdog.isActive && watchdog.hasReset && watchdog.timeout == 60)
    #expect(board.access.i2c == .granted && board.access.video == .absent)
  }

  @Test("a 5 with a clock of its own, on NVMe: a disk that is no card has no wear to tell, its file system has errors")
  func five() throws {
    let board = try read("pi-5")
    #expect(string(board.serial) == "4f2c9b1e7a60d855")
    #expect(board.clock.hasHardwareClock && board.isUnderVoltage == false)
    #expect(links(board) == ["end0", "wlan0"])
    #expect(try !link("end0", board).hasCarrier)
    #expect(board.wear.kind.isEmpty && board.wear.name.isEmpty && board.wear.errors == 2)
    #expect(board.wear.writtenBytes == 1204 * 1024)
    #expect(board.access.serial == .granted)
  }

  @Test("a UPS hat that only counts: what it does follows from its charger")
  func upsHat() throws {
    var board = try read("ups-hat")
    #expect(board.battery.level == 0.87 && board.battery.state == .charging && board.battery.charger == .ac)
    #expect(board.battery.voltage == 4.10375 && board.packs.count == 1)
    tree.write("/sys/class/power_supply/charger/online", "0\n")
    board = try read(again: ())
    #expect(board.battery.state == .unplugged && board.battery.charger == .none)
    tree.write("/sys/class/power_supply/charger/online", "1\n")
    tree.write("/sys/class/power_supply/battery/capacity", "100\n")
    #expect(try read(again: ()).battery.state == .full)
    tree.write("/sys/class/power_supply/battery/present", "0\n")
    #expect(try read(again: ()).battery.state == .unknown)
  }

  private func read(again: Void) throws -> DeviceSnapshot {
    var snapshot = DeviceSnapshot()
    try SystemReadings(root: tree.root, stateFolder: tree.root, clock: clock).read(into: &snapshot)
    return snapshot
  }

  @Test("two batteries are one that holds what both hold, and each is reported; a mouse's is not")
  func twoCells() throws {
    let board = try read("two-cells")
    #expect(board.packs.count == 2)
    #expect(board.battery.level == 0.85 && board.battery.state == .unplugged && board.battery.charger == .none)
    #expect(board.battery.current == -400 && board.battery.temperature == 31.2 && board.battery.voltage == nil)
    // 0.8 Ah at 0.4 A are two hours.
    #expect(board.battery.timeToEmpty == 7200)
    let first = try #require((0..<2).map { board.packs[$0] }.first { string($0.name) == "bq27441-0" })
    #expect(first.reading.rank == .normal && first.reading.level == 0.4 && first.reading.voltage == 3.701)
    let second = try #require((0..<2).map { board.packs[$0] }.first { string($0.name) == "bq27441-1" })
    #expect(second.reading.level == 1 && second.reading.state == .full)
  }

  @Test("a board on a modem: the way out is expensive, and a thermometer that is not there is no zone")
  func lte() throws {
    let board = try read("lte")
    #expect(board.network.interfaces == .cellular && board.network.isExpensive)
    #expect(string(board.network.defaultInterface) == "wwan0")
    #expect(try link("eth0", board).speed == nil)
    #expect(try link("wwan0", board).kind == .cellular)
    #expect(board.zones.count == 1 && board.temperature == 48.199)
    #expect(board.access.serial == .granted)
  }

  @Test("device files that this user may not open are denied")
  func denied() throws {
    tl_interpose_thread(
      { _, call, _ in call == Int32(TL_CALL_access.rawValue) ? Errno.accessDenied.number : 0 }, nil)
    defer { tl_interpose_thread(nil, nil) }
    let board = try read("pi-zero-w")
    #expect(board.access.serial == .denied && board.access.gpio == .denied && board.access.video == .denied)
    #expect(board.access.i2c == .absent)
  }

  @Test("of more parts than there is room for, as many are told as there is; the hottest of all zones still counts")
  func many() throws {
    for index in 0..<12 {
      tree.write("/sys/class/thermal/thermal_zone\(index)/temp", "\(40_000 + index * 1000)\n")
      tree.write("/sys/class/power_supply/BAT\(index)/type", "Battery\n")
      tree.write("/sys/class/net/eth\(index)/device/uevent", "")
    }
    let board = try read(again: ())
    #expect(board.zones.count == Budget.reportedZones && board.temperature == 51)
    #expect(board.packs.count == Budget.reportedPacks && board.links.count == Budget.reportedLinks)
  }

  @Test("a folder of devices is looked through to its bound")
  func deviceFiles() throws {
    for index in 0..<(Budget.deviceFiles + 40) { tree.write("/dev/video\(index)", "") }
    var asked = 0
    try withUnsafeMutablePointer(to: &asked) { pointer in
      tl_interpose_thread(
        { context, call, _ in
          if call == Int32(TL_CALL_access.rawValue) { context!.assumingMemoryBound(to: Int.self).pointee += 1 }
          return 0
        }, pointer)
      defer { tl_interpose_thread(nil, nil) }
      _ = try read(again: ())
    }
    #expect(asked == Budget.deviceFiles)
  }

  @Test("a time before this program was made is not believed")
  func earliestWall() throws {
    clock.wall = Budget.earliestWall - 1
    #expect(try !read(again: ()).clock.isBelievable)
    clock.wall = Budget.earliestWall
    #expect(try read(again: ()).clock.isBelievable)
  }

  @Test("where the kernel may not be asked about the clock, what systemd-timesyncd did counts, else nothing is said")
  func hiddenClock() throws {
    #expect(try read(again: ()).clock.isSynchronized != nil)
    tl_interpose_thread(
      { _, call, _ in call == Int32(TL_CALL_adjtimex.rawValue) ? Errno.notPermitted.number : 0 }, nil)
    defer { tl_interpose_thread(nil, nil) }
    #expect(try read(again: ()).clock.isSynchronized == nil)
    tree.write("/run/systemd/timesync/clock", "")
    #expect(try read(again: ()).clock.isSynchronized == false)
    tree.write("/run/systemd/timesync/synchronized", "")
    #expect(try read(again: ()).clock.isSynchronized == true)
  }
}
