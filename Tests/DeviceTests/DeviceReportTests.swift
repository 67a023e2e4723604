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
        "systemVersion":"Talon simulation","appVersion":"1.2.3","appBuild":"0","locale":"en-US"}
        """)
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
        "network":{"status":"satisfied","isExpensive":true,"isConstrained":false,"interfaces":["cellular"]},\
        "uptimeSeconds":86400.00}
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
        "system":{},"devices":{"camera":{"state":"absent"},\
        "location":{"state":"error","detail":"no such file or directory"}}}
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
    "a supply's type names a charger, or it is none",
    arguments: [
      ("Mains\n", "ac"), ("USB\n", "usb"), ("USB_C\n", "usb"), ("Wireless\n", "wireless"), ("Battery\n", nil),
      ("UPS", nil),
    ])
  func charger(text: String, word: String?) {
    #expect(BatteryReading.Charger(type: text.utf8.span).map { "\($0.word)" } == word)
  }

  @Test("more bytes free than there are leave none in use")
  func used() {
    #expect(StorageReading(totalBytes: 5, freeBytes: 9).usedBytes == 0)
  }
}
