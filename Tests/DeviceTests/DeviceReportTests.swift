import Codec
import Runtime
import Simulated
import Testing

@testable import Device

/// JSON that a writer made.
func json(_ write: (inout JSONWriter) -> Void) -> String {
  let buffer = FixedBuffer(capacity: 4096)
  var writer = JSONWriter(into: buffer.bytes)
  write(&writer)
  precondition(writer.isComplete)
  return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
}

@Suite struct DeviceReportTests {
  private let identity = DeviceIdentity(
    name: DeviceText(cutting: "field 7"), appVersion: DeviceText(cutting: "1.2.3"), appBuild: DeviceText())
  private let hardware = HardwareReport(
    camera: HardwareState(.absent), location: HardwareState(.error, detail: Errno.noSuchFile.text))
  private let board = FixedReadings.fieldBoard

  @Test("device.info tells seven texts, with the configured name")
  func info() {
    #expect(
      json { board.writeInfo(identity, to: &$0) } == """
        {"deviceName":"field 7","modelIdentifier":"Talon simulated board","systemName":"Linux",\
        "systemVersion":"Talon simulation","appVersion":"1.2.3","appBuild":"0","locale":"en-US",\
        "serialNumber":"1000000012345678","kernelVersion":"6.12.0"}
        """)
  }

  @Test("device.info tells the board's release, slot and pending update where it has them, as device.health does")
  func infoUpdate() {
    var update = UpdateReport()
    (update.version, update.slot) = (InlineText(cutting: "0.5.0"), "b")
    (update.state, update.pending) = ("installed", InlineText(cutting: "0.6.0"))
    let object = #""update":{"state":"installed","version":"0.5.0","slot":"b","pending":"0.6.0"}}"#
    #expect(json { board.writeInfo(identity, update: update, to: &$0) }.hasSuffix(object))
    var report = hardware
    report.update = update
    #expect(json { board.writeHealth(report, to: &$0) }.hasSuffix(object))
    #expect(!json { board.writeHealth(hardware, to: &$0) }.contains("update"))
  }

  @Test("device.info says where the owner has put the board, and its groups")
  func placeAndTags() {
    var named = identity
    named.place = DeviceText(cutting: "Barn \"north\"")
    named.tags = DeviceText(cutting: "north,pilot")
    #expect(
      json { DeviceSnapshot().writeInfo(named, to: &$0) }.hasSuffix(
        #""place":"Barn \"north\"","tags":["north","pilot"]}"#))
  }

  @Test("device.info tells all of them when nothing is known")
  func infoUnknown() {
    let nobody = DeviceIdentity(name: DeviceText(), appVersion: DeviceText(), appBuild: DeviceText())
    #expect(
      json { DeviceSnapshot().writeInfo(nobody, to: &$0) } == """
        {"deviceName":"unknown","modelIdentifier":"unknown","systemName":"Linux","systemVersion":"unknown",\
        "appVersion":"dev","appBuild":"0","locale":"unknown"}
        """)
  }

  @Test("device.status tells battery, heat, room, network and uptime")
  func status() {
    #expect(
      json { board.writeStatus(to: &$0) } == """
        {"battery":{"level":0.5,"state":"unplugged","lowPowerModeEnabled":false},\
        "thermal":{"state":"nominal","temperatureC":41.5},\
        "storage":{"totalBytes":8000000000,"freeBytes":6000000000,"usedBytes":2000000000},\
        "network":{"status":"satisfied","isExpensive":true,"isConstrained":false,"interfaces":["cellular"],\
        "defaultInterface":"wwan0"},"uptimeSeconds":86400.00}
        """)
  }

  @Test("device.status without hardware has no level and no temperature, and stays whole")
  func statusUnknown() {
    #expect(
      json { DeviceSnapshot().writeStatus(to: &$0) } == """
        {"battery":{"state":"unknown","lowPowerModeEnabled":false},"thermal":{"state":"nominal"},\
        "storage":{"totalBytes":0,"freeBytes":0,"usedBytes":0},\
        "network":{"status":"unsatisfied","isExpensive":false,"isConstrained":false,"interfaces":[]},\
        "uptimeSeconds":0.00}
        """)
  }

  @Test("device.health tells memory and power, and what hardware is missing")
  func health() {
    #expect(
      json { board.writeHealth(hardware, to: &$0) } == """
        {"memory":{"pressure":"normal","totalRamBytes":536870912,"availableRamBytes":402653184,\
        "usedRamBytes":134217728,"thresholdBytes":26843545,"lowMemory":false},\
        "battery":{"state":"unplugged","chargingType":"none"},"power":{"lowPowerModeEnabled":false},\
        "system":{},"clock":{"hasHardwareClock":false,"isBelievable":true},\
        "devices":{"camera":{"state":"absent"},"location":{"state":"error","detail":"no such file or directory"},\
        "motion":{"state":"absent","detail":"no sensor configured"},\
        "canvas":{"state":"absent","detail":"no screen configured"},\
        "microphone":{"state":"absent","detail":"no microphone configured"}},\
        "services":{"gateway":{"state":"ok","connections":0},\
        "console":{"state":"absent","detail":"switched off in the configuration"},\
        "outbox":{"state":"ok","waiting":0,"delivered":0,"dropped":0}}}
        """)
  }

  @Test("device.health without meminfo says that pressure is unknown")
  func healthUnknown() {
    #expect(
      json { DeviceSnapshot().writeHealth(hardware, to: &$0) }.contains(#""memory":{"pressure":"unknown"}"#))
  }

  @Test(
    "heat goes by steps of 60, 70 and 80 degrees",
    arguments: [
      (59.9, "nominal"), (60, "fair"), (69.9, "fair"), (70, "serious"), (79.9, "serious"), (80, "critical"),
    ])
  func heat(celsius: Double, word: String) {
    var board = board
    board.temperature = celsius
    #expect("\(board.thermalState)" == word)
  }

  @Test(
    "a battery's status is one of four words",
    arguments: [
      ("Charging\n", "charging"), ("Discharging\n", "unplugged"), ("Not charging\n", "unplugged"),
      ("Full\n", "full"),
      ("Unknown\n", "unknown"), ("", "unknown"), ("charging", "unknown"),
    ])
  func battery(text: String, word: String) {
    #expect("\(BatteryReading.State(status: text.utf8.span).word)" == word)
  }

  @Test(
    "a supply's type names a charger, unless it is a battery",
    arguments: [
      // All of the kernel's (`POWER_SUPPLY_TYPE_TEXT`), and one that it may get.
      ("Unknown\n", "ac"), ("Battery\n", nil), ("UPS\n", "ac"), ("Mains\n", "ac"), ("USB\n", "usb"),
      ("USB_DCP\n", "usb"), ("USB_CDP\n", "usb"), ("USB_ACA\n", "usb"), ("USB_C\n", "usb"), ("USB_PD\n", "usb"),
      ("USB_PD_DRP\n", "usb"), ("BrickID\n", "usb"), ("Wireless\n", "wireless"), ("Solar\n", "ac"), ("", "ac"),
    ])
  func charger(text: String, word: String?) {
    #expect(BatteryReading.Charger(type: text.utf8.span).map { "\($0.word)" } == word)
  }

  @Test("more bytes free than there are leave none in use")
  func used() {
    #expect(StorageReading(totalBytes: 5, freeBytes: 9).usedBytes == 0)
  }

  @Test("further readings are included when they are known, and left out otherwise")
  func full() {
    var board = board
    board.isUnderVoltage = true
    board.throttling = ThrottlingReading(bits: 0x5_0008)
    board.zones.append(ZoneReading(name: DeviceName(cutting: "cpu-thermal"), celsius: 41.5))
    board.wear.kind = DeviceName(cutting: "MMC")
    board.wear.lifeUsed = 30
    board.wear.end = .warning
    board.wear.writtenBytes = 1024
    board.wear.errors = 0
    board.storage?.isReadOnly = true
    board.stall = StallReading(some: 7.25, full: 0)
    board.clock.isSynchronized = false
    board.clock.wall = 5
    board.watchdog = WatchdogReading()
    board.restart = RestartReading(.recovery, reason: InlineText(cutting: "the memory is full"))
    board.battery.rank = .low
    board.battery.voltage = 3.7014
    board.battery.timeToEmpty = 3600
    var link = LinkReading()
    link.name = DeviceName(cutting: "wlan0")
    link.kind = .wifi
    link.hasCarrier = true
    link.addresses = 2
    var air = AirReading()
    (air.signal, air.bitrate, air.frequency) = (-58, 72.2, 2437)
    link.air = air
    board.links.append(link)
    let health = json { board.writeHealth(hardware, to: &$0) }
    #expect(health.contains(#""stallPercent":{"some":7.25,"full":0.00}"#))
    #expect(
      health.contains(
        #""power":{"lowPowerModeEnabled":false,"underVoltage":false,"throttling":{"now":["softTemperatureLimit"],"#
          + #""sinceBoot":["underVoltage","throttled"]}}"#))
    #expect(
      health.contains(
        #""storage":{"kind":"MMC","lifeUsedPercent":30,"endOfLife":"warning","writtenBytes":1024,"errors":0}"#))
    #expect(health.contains(#""clock":{"isSynchronized":false,"hasHardwareClock":false,"isBelievable":false}"#))
    #expect(health.contains(#""watchdog":{"state":"inactive","hasResetBoard":false}"#))
    #expect(health.contains(#""restart":{"cause":"recovery","reason":"the memory is full"}"#))
    #expect(health.contains(#""voltageV":3.701,"capacityLevel":"low","timeToEmptySeconds":3600"#))
    let status = json { board.writeStatus(to: &$0) }
    #expect(status.contains(#""zones":[{"name":"cpu-thermal","temperatureC":41.5}]"#))
    #expect(status.contains(#""usedBytes":2000000000,"isReadOnly":true"#))
    #expect(
      status.contains(
        #""links":[{"name":"wlan0","kind":"wifi","hasCarrier":true,"addresses":2,"signalDbm":-58,"#
          + #""bitrateMbps":72.2,"frequencyMhz":2437}]"#))
  }

  @Test("a voltage is too low by the kernel's sensor where the firmware is not asked")
  func underVoltage() {
    var board = board
    board.isUnderVoltage = true
    #expect(json { board.writeHealth(hardware, to: &$0) }.contains(#""underVoltage":true}"#))
  }

  @Test("several batteries are reported one by one")
  func packs() {
    var board = board
    for name in ["one", "two"] {
      var pack = BatteryPack()
      pack.name = DeviceName(cutting: name)
      pack.reading.level = 0.25
      pack.reading.state = .full
      board.packs.append(pack)
    }
    #expect(
      json { board.writeHealth(hardware, to: &$0) }.contains(
        #""packs":[{"name":"one","state":"full","level":0.25},{"name":"two","state":"full","level":0.25}]"#))
  }

  @Test("a board that has the most of everything to tell, in names that are all quotes, fits a message")
  func largest() {
    var board = board
    let text = DeviceText(cutting: String(repeating: "\"", count: 200))
    let name = DeviceName(cutting: String(repeating: "\"", count: 200))
    (board.hostName, board.systemVersion, board.kernel) = (text, text, text)
    board.network.defaultInterface = name
    var link = LinkReading()
    (link.name, link.speed, link.addresses) = (name, .max, .max)
    var air = AirReading()
    (air.signal, air.bitrate, air.frequency) = (-128, 1e9, 4_294_967_295)
    link.air = air
    while board.links.append(link) {}
    while board.zones.append(ZoneReading(name: name, celsius: -99.9)) {}
    var pack = BatteryPack()
    pack.name = name
    (pack.reading.level, pack.reading.voltage, pack.reading.rank) = (0.123_456_789_012_345, 3.7, .critical)
    (pack.reading.temperature, pack.reading.current, pack.reading.timeToEmpty) = (-99.9, -1e9, 1e9)
    while board.packs.append(pack) {}
    #expect(board.links.count == Budget.reportedLinks && board.zones.count == Budget.reportedZones)
    #expect(board.packs.count == Budget.reportedPacks)
    board.battery = pack.reading
    board.stall = StallReading(some: 100, full: 100)
    board.throttling = ThrottlingReading(bits: .max)
    (board.wear.kind, board.wear.name, board.wear.writtenBytes, board.wear.errors) = (name, name, .max, .max)
    board.watchdog = WatchdogReading()
    board.watchdog?.identity = name
    var writer = JSONWriter()
    board.writeStatus(DeviceSections(rawValue: 31), to: &writer)
    #expect((3000..<Budget.outboundMessageBytes - 256).contains(writer.count))
    writer = JSONWriter()
    board.writeHealth(hardware, to: &writer)
    #expect((2400..<Budget.outboundMessageBytes - 256).contains(writer.count))
  }
}
