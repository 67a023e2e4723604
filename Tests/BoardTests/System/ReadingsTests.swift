import Device
import Foundation
import Runtime
import Testing

@testable import Board

@Suite struct ReadingsTests {
  private let tree = ReadingsTree()
  private let clock = SerialTestClock()

  private func read(stateFolder: String = "/") throws -> DeviceSnapshot {
    var snapshot = DeviceSnapshot()
    try SystemReadings(root: tree.root, stateFolder: stateFolder, clock: clock).read(into: &snapshot)
    return snapshot
  }

  private func string(_ text: DeviceText) -> String {
    text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test("a board names itself by its device tree")
  func names() throws {
    tree.write("/proc/sys/kernel/hostname", "field-7\n")
    tree.write("/proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0")
    tree.write("/sys/class/dmi/id/product_name", "PC\n")
    tree.write("/etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
    tree.write("/proc/self/environ", "HOME=/\0LANG=de_DE.UTF-8\0")
    let snapshot = try read()
    #expect(string(snapshot.hostName) == "field-7")
    #expect(string(snapshot.model) == "Raspberry Pi Zero 2 W Rev 1.0")
    #expect(string(snapshot.systemVersion) == "Debian GNU/Linux 12 (bookworm)")
    #expect(string(snapshot.locale) == "de-DE")
  }

  @Test("a PC names itself by its firmware, and a system without os-release by its kernel")
  func fallbacks() throws {
    tree.write("/sys/class/dmi/id/product_name", "Standard PC (Q35)\n")
    tree.write("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
    let snapshot = try read()
    #expect(string(snapshot.model) == "Standard PC (Q35)")
    #expect(string(snapshot.systemVersion) == "Linux 6.1.0-18-amd64")
  }

  @Test("nothing to read leaves everything unknown")
  func nothing() throws {
    clock.monotonic = 5_000
    let snapshot = try read(stateFolder: tree.root + "/missing")
    #expect(snapshot.hostName.isEmpty && snapshot.model.isEmpty && snapshot.systemVersion.isEmpty)
    #expect(string(snapshot.locale) == "und")
    #expect(snapshot.battery == BatteryReading())
    #expect(snapshot.temperature == nil && snapshot.storage == nil && snapshot.memory == nil)
    #expect(!snapshot.network.isSatisfied)
    #expect(snapshot.uptime == 5)
  }

  @Test("a battery tells its charge, and a supply that is online charges it")
  func battery() throws {
    supply(
      "BAT0",
      ["type": "Battery", "status": "Charging", "capacity": "57", "temp": "253", "current_now": "1250000"])
    supply("AC", ["type": "Mains", "online": "0"])
    supply("usb", ["type": "USB", "online": "1"])
    let battery = try read().battery
    #expect(battery.state == .charging)
    #expect(battery.level == 0.57)
    #expect(battery.charger == .usb)
    #expect(battery.temperature == 25.3)
    #expect(battery.current == 1250)
  }

  @Test(
    "what feeds the board counts, whatever the driver calls it; a battery that is away does not",
    arguments: [
      ("Unknown", "1", "charging"), ("BrickID", "1", "charging"), ("Mains", "2", "charging"),
      ("USB_PD", "1", "charging"), ("Unknown", "0", "unplugged"), ("Mains", "0", "unplugged"),
    ])
  func charger(type: String, online: String, state: String) throws {
    // A gauge that does not know whether it is charged.
    supply("BAT0", ["type": "Battery", "status": "Unknown", "capacity": "57"])
    supply("BAT1", ["type": "Battery", "present": "0", "online": "1", "status": "Unknown"])
    supply("input", ["type": type, "online": online])
    #expect("\(try read().battery.state)" == state)
  }

  @Test(
    "a link has a carrier when the kernel says 1, and a speed when it says one",
    arguments: [
      ("1", "1000", true, 1000), ("1", "-1", true, nil), ("1", "65535", true, nil), ("1", "4294967295", true, nil),
      ("1", "0", true, nil), ("1", nil, true, nil), ("0", "-1", false, nil), ("0", "100", false, nil),
      (nil, nil, false, nil), ("", "", false, nil),
    ] as [(String?, String?, Bool, Int?)])
  func carrier(carrier: String?, speed: String?, hasCarrier: Bool, megabits: Int?) throws {
    tree.write("/sys/class/net/eth0/device/uevent", "DRIVER=smsc95xx\n")
    if let carrier { tree.write("/sys/class/net/eth0/carrier", carrier + "\n") }
    if let speed { tree.write("/sys/class/net/eth0/speed", speed + "\n") }
    let links = try read().links
    #expect(links.count == 1)
    #expect(links[0].hasCarrier == hasCarrier)
    #expect(links[0].speed == megabits)
  }

  @Test(
    "a radio is blocked by what the kernel says, in every combination, and unknown values block nothing",
    arguments: [
      ("wlan", "0", "0", "1", RadioReading.Block.free), ("wlan", "1", "0", "0", .software),
      ("wlan", "0", "1", "2", .hardware), ("wlan", "1", "1", "2", .both), ("wlan", nil, nil, "0", .software),
      ("wlan", nil, nil, "1", .free), ("wlan", nil, nil, "2", .hardware), ("wlan", nil, nil, "3", .free),
      ("wlan", nil, nil, nil, .free), ("wlan", "1", nil, "0", .software), ("wlan", "x", "1", "2", .hardware),
      ("wlan", "2", "-1", "0", .free),
    ] as [(String, String?, String?, String?, RadioReading.Block)])
  func radio(type: String, soft: String?, hard: String?, state: String?, block: RadioReading.Block) throws {
    addRadio(0, type, soft, hard, state)
    #expect(try read().radios.wifi == block)
    #expect(try read().radios.cellular == nil)
  }

  @Test("only radios of networks count, and of several one that is free")
  func radios() throws {
    for (index, type) in ["bluetooth", "ultrawideband", "wimax", "gps", "fm", "nfc", "newer"].enumerated() {
      addRadio(index, type, "1", "1", "2")
    }
    #expect(try read().radios == RadioReading())
    addRadio(7, "wwan", "1", "0", "0")
    #expect(try read().radios.cellular == .software)
    let other = ReadingsTree()
    for (index, soft) in ["1", "0"].enumerated() {
      other.write("/sys/class/rfkill/rfkill\(index)/type", "wlan\n")
      other.write("/sys/class/rfkill/rfkill\(index)/soft", soft + "\n")
      other.write("/sys/class/rfkill/rfkill\(index)/hard", "0\n")
    }
    var snapshot = DeviceSnapshot()
    try SystemReadings(root: other.root, stateFolder: "/", clock: clock).read(into: &snapshot)
    #expect(snapshot.radios.wifi == RadioReading.Block.free)
  }

  private func addRadio(_ index: Int, _ type: String, _ soft: String?, _ hard: String?, _ state: String?) {
    let folder = "/sys/class/rfkill/rfkill\(index)"
    tree.write("\(folder)/type", type + "\n")
    for (name, value) in [("soft", soft), ("hard", hard), ("state", state)] {
      if let value { tree.write("\(folder)/\(name)", value + "\n") }
    }
  }

  @Test("a mouse's battery is not the board's")
  func foreignBattery() throws {
    supply("hidpp_battery_0", ["type": "Battery", "scope": "Device", "status": "Full", "capacity": "100"])
    #expect(try read().battery == BatteryReading())
  }

  @Test("a charge that cannot be is unknown", arguments: ["101", "-1", "x", ""])
  func impossibleCharge(capacity: String) throws {
    supply("BAT0", ["type": "Battery", "status": "Charging", "capacity": capacity])
    let battery = try read().battery
    #expect(battery.state == .charging)
    #expect(battery.level == nil)
  }

  @Test(
    "every status of a battery is read, with and without a supply that is online",
    arguments: [
      // POWER_SUPPLY_STATUS_TEXT of the kernel, and what a newer one may add.
      ("Unknown", "unknown", "charging"), ("Charging", "charging", "charging"),
      ("Discharging", "unplugged", "unplugged"), ("Not charging", "unplugged", "unplugged"), ("Full", "full", "full"),
      ("Newer", "unknown", "charging"), ("", "unknown", "charging"), (nil, "unknown", "charging"),
    ] as [(String?, String, String)])
  func status(status: String?, alone: String, powered: String) throws {
    supply("BAT0", ["type": "Battery", "capacity": "57"])
    if let status { supply("BAT0", ["status": status]) }
    #expect("\(try read().battery.state)" == alone)
    supply("usb", ["type": "USB", "online": "1"])
    #expect("\(try read().battery.state)" == powered)
    #expect(try read().battery.level == 0.57)
  }

  @Test(
    "without a percentage that can be, the charge tells the level, and without that the word is kept",
    arguments: [
      (["capacity": "57", "charge_now": "10", "charge_full": "100"], 0.57, nil),
      (["charge_now": "10", "charge_full": "100"], 0.1, nil), (["energy_now": "30", "energy_full": "40"], 0.75, nil),
      (["capacity": "255", "charge_now": "10", "charge_full": "100"], 0.1, nil),
      (["capacity": "-1", "charge_now": "120", "charge_full": "100"], 1, nil),
      (["charge_now": "10", "charge_full": "0"], nil, nil), (["charge_now": "-1", "charge_full": "100"], nil, nil),
      (["capacity_level": "Critical"], nil, .critical), (["capacity_level": "Low"], nil, .low),
      (["capacity_level": "Normal"], nil, .normal), (["capacity_level": "High"], nil, .high),
      (["capacity_level": "Full"], nil, .full), (["capacity_level": "Unknown"], nil, nil), ([:], nil, nil),
    ] as [([String: String], Double?, BatteryReading.Rank?)])
  func charge(attributes: [String: String], level: Double?, rank: BatteryReading.Rank?) throws {
    supply("BAT0", attributes.merging(["type": "Battery", "status": "Discharging"]) { old, _ in old })
    let battery = try read().battery
    #expect(battery.level == level && battery.rank == rank)
  }

  private func supply(_ name: String, _ attributes: [String: String]) {
    for (attribute, value) in attributes {
      tree.write("/sys/class/power_supply/\(name)/\(attribute)", value + "\n")
    }
  }

  @Test("of all zones the hottest counts")
  func hottest() throws {
    tree.write("/sys/class/thermal/cooling_device0/type", "Processor\n")
    tree.write("/sys/class/thermal/thermal_zone0/temp", "48312\n")
    tree.write("/sys/class/thermal/thermal_zone1/temp", "71000\n")
    tree.write("/sys/class/thermal/thermal_zone2/temp", "99999999\n")
    let snapshot = try read()
    #expect(snapshot.temperature == 71)
    #expect("\(snapshot.thermalState)" == "serious")
  }

  @Test(
    "a zone counts with whatever temperature can be, and what is none is left out",
    arguments: [
      ("0", 0.0), ("-1000", -1.0), ("-40000", -40.0), ("48312", 48.312), ("125000", 125.0),
      // THERMAL_TEMP_INVALID, sensors that are not connected, and reads that fail.
      ("-274000", nil), ("-2147483648", nil), ("200000", nil), ("2147483647", nil), ("", nil), ("N/A", nil), (nil, nil),
    ] as [(String?, Double?)])
  func zone(temperature: String?, celsius: Double?) throws {
    let folder = "/sys/class/thermal/thermal_zone0"
    tree.write("\(folder)/type", "cpu-thermal\n")
    tree.write("\(folder)/mode", "enabled\n")
    // A folder in the file's place fails to be read, as one whose driver answers EAGAIN does.
    if let temperature { tree.write("\(folder)/temp", temperature + "\n") } else { tree.write("\(folder)/temp/x", "") }
    #expect(try read().temperature == celsius)
    #expect(try read().zones.count == (celsius == nil ? 0 : 1))
    // Another zone is not hidden by it.
    tree.write("/sys/class/thermal/thermal_zone1/temp", "-50000\n")
    #expect(try read().temperature == max(celsius ?? -50, -50))
  }

  @Test(
    "a zone that is switched off counts where there is no other",
    arguments: [
      ("disabled", "enabled", 40.0), ("enabled", "disabled", 90.0), ("disabled", "disabled", 90.0),
      ("enabled", "enabled", 90.0), ("disabled", nil, 40.0), (nil, "disabled", 90.0), ("newer", "disabled", 90.0),
    ] as [(String?, String?, Double)])
  func disabledZone(hot: String?, cool: String?, celsius: Double) throws {
    for (index, mode, temperature) in [(0, hot, "90000\n"), (1, cool, "40000\n")] {
      tree.write("/sys/class/thermal/thermal_zone\(index)/temp", temperature)
      if let mode { tree.write("/sys/class/thermal/thermal_zone\(index)/mode", mode + "\n") }
    }
    #expect(try read().temperature == celsius)
  }

  @Test("the way out is by the interfaces with a default route, of either family")
  func network() throws {
    let header = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    tree.write("/proc/net/route", header + "wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0\n")
    let zero = String(repeating: "0", count: 32)
    tree.write(
      "/proc/net/ipv6_route", "\(zero) 00 \(zero) 00 \(zero) 00000400 00000001 00000000 00000001 wwan0\n")
    tree.write("/sys/class/net/wlan0/wireless/link", "0\n")
    tree.write("/sys/class/net/wlan0/type", "1\n")
    tree.write("/sys/class/net/wwan0/uevent", "DEVTYPE=wwan\nINTERFACE=wwan0\n")
    tree.write("/sys/class/net/wwan0/type", "65534\n")
    tree.write("/sys/class/net/eth0/type", "1\n")
    let network = try read().network
    #expect(network.interfaces == [.wifi, .cellular])
    #expect(!network.isExpensive)
  }

  @Test("an interface that has gone since the table was read is of an other kind")
  func goneInterface() throws {
    tree.write("/proc/net/route", "ppp9\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0\n")
    #expect(try read().network.interfaces == .other)
  }

  @Test(
    "each value of an eMMC's registers is read, and a reserved one does not hide the other",
    arguments: [
      ("0x01 0x01", 10, "0x01", "normal"), ("0x03 0x02", 30, "0x02", "warning"), ("0x0b 0x01", 110, "0x03", "urgent"),
      ("0x00 0x00", nil, "0x00", nil), ("0x02 0x00", 20, "0x04", nil), ("0x02 0xff", 20, "0xff", nil),
      ("0xff 0xff", nil, "", nil), ("", nil, "x", nil),
    ] as [(String, Int?, String, String?)])
  func wear(life: String, used: Int?, end: String, word: String?) {
    let (lifeText, endText) = (Array("\(life)\n".utf8), Array("\(end)\n".utf8))
    let read = WearReading.lifeUsed(lifeText.span)
    let readWord = WearReading.End(preEOL: endText.span).map { "\($0.word)" }
    #expect(read == used && readWord == word)
  }

  @Test("memory, uptime, processors, load and room on flash are read")
  func numbers() throws {
    tree.write("/proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 500 kB\n")
    tree.write("/proc/uptime", "86400.25 1.00\n")
    tree.write("/proc/loadavg", "0.25 0.50 1.00 1/80 11206\n")
    tree.write("/sys/devices/system/cpu/online", "0-3\n")
    let snapshot = try read()
    #expect(snapshot.memory == MemoryReading(totalBytes: 1_024_000, availableBytes: 512_000))
    #expect(snapshot.uptime == 86_400.25)
    #expect(snapshot.processors == 4)
    #expect(snapshot.load?[1] == 0.5)
    let storage = try #require(snapshot.storage)
    #expect(storage.totalBytes > 0 && storage.freeBytes <= storage.totalBytes)
  }

  @Test("a second reading forgets what is gone")
  func again() throws {
    tree.write("/sys/class/thermal/thermal_zone0/temp", "48312\n")
    let readings = try SystemReadings(root: tree.root, clock: clock)
    var snapshot = DeviceSnapshot()
    readings.read(into: &snapshot)
    #expect(snapshot.temperature != nil)
    try FileManager.default.removeItem(atPath: tree.root + "/sys")
    readings.read(into: &snapshot)
    #expect(snapshot.temperature == nil)
  }

  @Test("files full of noise leave the board unknown, and alive")
  func noise() throws {
    let noise = String(repeating: "\u{0}\u{1}é\n\t \"=0", count: 4000)
    for path in [
      "/proc/sys/kernel/hostname", "/proc/device-tree/model", "/etc/os-release", "/proc/self/environ",
      "/proc/meminfo",
      "/proc/uptime", "/proc/net/route", "/proc/net/ipv6_route", "/sys/class/power_supply/x/type",
      "/sys/class/thermal/x/temp",
    ] { tree.write(path, noise) }
    let snapshot = try read()
    #expect(snapshot.memory == nil && snapshot.temperature == nil && !snapshot.network.isSatisfied)
  }
}
