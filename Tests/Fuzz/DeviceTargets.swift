import Device
import Runtime

/// What the kernel says in files of a few lines is read or left, and means what can be.
func checkSystemTexts(_ bytes: [UInt8]) {
  let text = bytes.span
  if let memory = MemoryReading(meminfo: text) {
    expect(memory.availableBytes <= memory.totalBytes && memory.totalBytes > 0, "more memory than there is")
  }
  if let stall = StallReading(pressure: text) {
    expect((0...100).contains(stall.some) && (0...100).contains(stall.full), "a part that is no part")
  }
  if let life = WearReading.lifeUsed(text) { expect((10...110).contains(life), "\(life) % of a life") }
  if let celsius = SystemTexts.celsius(millidegrees: text) {
    expect((-100...200).contains(celsius), "\(celsius) degrees")
  }
  if let count = SystemTexts.processors(text) { expect(count > 0, "\(count) processors") }
  if let load = SystemTexts.loadAverage(text) { expect(load[0] >= 0, "a load of \(load[0])") }
  if let uptime = SystemTexts.uptime(text) { expect(uptime >= 0, "up for \(uptime) s") }
  _ = SystemTexts.prettyName(osRelease: text)
  _ = SystemTexts.kernelVersion(text)
  _ = SystemTexts.locale(environment: text)
  _ = SystemTexts.deviceName(uevent: text)
  _ = ThrottlingReading(text: text)
  _ = WearReading.End(preEOL: text)
  _ = BatteryReading.State(status: text)
  _ = BatteryReading.Charger(type: text)
  _ = BatteryReading.Rank(capacityLevel: text)
  _ = InterfaceKinds(uevent: text)
  if let signal = AirReading.signal(of: "wlan0".utf8.span, wireless: text) {
    expect((-128..<0).contains(signal), "\(signal) dBm")
  }
  RoutingTable.forEachDefaultIPv4(in: text) { name, _ in expect(!name.isEmpty, "a route by nothing") }
  RoutingTable.forEachDefaultIPv6(in: text) { name, _ in expect(!name.isEmpty, "a route by nothing") }
}

/// A code in front of the camera is a network or is refused, and its request is lines that root's side can take apart,
/// whatever stands in it. What root's side answers is read or left.
func checkWiFiCode(_ bytes: [UInt8]) {
  _ = WiFiAnswer(bytes.span)
  for text in [bytes, Array("WIFI:".utf8) + bytes] {
    guard let code = try? WiFiCode(text.span) else { continue }
    expect((1...32).contains(code.name.count), "a name of \(code.name.count) bytes")
    expect(text.count <= Budget.wifiCodeBytes, "a code of \(text.count) bytes")
    var request = [UInt8](repeating: 0, count: Budget.wifiRequestBytes + 1)
    let count = request.withUnsafeMutableBufferPointer { code.writeRequest(.max, into: $0) }
    expect(count <= Budget.wifiRequestBytes, "a request of \(count) bytes")
    let lines = request[..<count].split(separator: UInt8(ascii: "\n"))
    let isWhole = (2...4).contains(lines.count) && request[count - 1] == UInt8(ascii: "\n")
    expect(isWhole, "a request of \(lines.count) lines")
    expect(request[..<count].allSatisfy { $0 == 10 || (0x20..<0x7F).contains($0) }, "a request of other bytes")
  }
}
