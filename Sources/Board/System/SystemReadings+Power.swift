import Device
import Runtime

/// Batteries, chargers, temperatures, and the firmware's throttling flags.
extension SystemReadings {
  func readPower(into snapshot: inout DeviceSnapshot) {
    readSupplies(into: &snapshot)
    snapshot.throttling = throttling()
    snapshot.isUnderVoltage = underVoltage()
  }

  // MARK: Batteries

  /// The board's batteries and chargers. Batteries of mice and keyboards have the scope "Device" and are skipped.
  private func readSupplies(into snapshot: inout DeviceSnapshot) {
    let folder: StaticString = "/sys/class/power_supply"
    var packs = DevicePacks()
    var charger = BatteryReading.Charger.none
    var hasCharger = false
    tree.forEachObject(in: folder) { supply in
      let isForeign = tree.attribute(folder, supply, "scope") { SystemTexts.says("Device", $0) } ?? false
      if isForeign { return }
      if isBattery(folder, supply) {
        packs.append(battery(folder, supply))
      } else if !isNamed("Battery", folder, supply), let online = number(folder, supply, "online") {
        hasCharger = true
        // 1 is a fixed voltage, 2 one that can be set. What has no type still feeds the board.
        if online > 0 { charger = tree.attribute(folder, supply, "type") { BatteryReading.Charger(type: $0) } ?? .ac }
      }
    }
    snapshot.packs = packs
    snapshot.battery = BatteryReading(packs, charger: charger, hasCharger: hasCharger)
  }

  /// A UPS is a battery when it reports its charge, and a charger otherwise. An empty bay is no battery.
  private func isBattery(_ folder: StaticString, _ supply: Span<UInt8>) -> Bool {
    if number(folder, supply, "present") == 0 { return false }
    if isNamed("Battery", folder, supply) { return true }
    return isNamed("UPS", folder, supply) && tree.exists(folder, supply, "capacity")
  }

  private func isNamed(_ type: StaticString, _ folder: StaticString, _ supply: Span<UInt8>) -> Bool {
    tree.attribute(folder, supply, "type") { SystemTexts.says(type, $0) } ?? false
  }

  /// Units as in the kernel document sysfs-class-power: percent, tenths of a degree, millionths, seconds.
  private func battery(_ folder: StaticString, _ supply: Span<UInt8>) -> BatteryPack {
    var pack = BatteryPack()
    pack.name = DeviceName(cutting: supply)
    pack.amount =
      amount(folder, supply, "energy_now", "energy_full") ?? amount(folder, supply, "charge_now", "charge_full")
    var reading = BatteryReading()
    reading.state = tree.attribute(folder, supply, "status") { .init(status: $0) } ?? .unknown
    // Gauges that do not know the percentage, or give one that cannot be, may know the charge.
    if let percent = number(folder, supply, "capacity"), (0...100).contains(percent) {
      reading.level = Double(percent) / 100
    } else if let amount = pack.amount {
      reading.level = min(amount.now / amount.full, 1)
    }
    reading.rank = tree.attribute(folder, supply, "capacity_level") { .init(capacityLevel: $0) }
    reading.temperature = number(folder, supply, "temp").map { Double($0) / 10 }
    reading.current = number(folder, supply, "current_now").map { Double($0) / 1000 }
    reading.voltage = number(folder, supply, "voltage_now").map { Double($0) / 1_000_000 }
    reading.timeToEmpty = reading.state == .unplugged ? timeToEmpty(folder, supply) : nil
    pack.reading = reading
    return pack
  }

  private func amount(
    _ folder: StaticString, _ supply: Span<UInt8>, _ now: StaticString, _ full: StaticString
  ) -> (now: Double, full: Double)? {
    guard let now = number(folder, supply, now), let full = number(folder, supply, full), now >= 0, full > 0
    else { return nil }
    return (Double(now), Double(full))
  }

  /// Remaining seconds as the battery reports them, or computed from its charge and the current.
  private func timeToEmpty(_ folder: StaticString, _ supply: Span<UInt8>) -> Double? {
    for name in [0, 1] {
      let seconds = number(folder, supply, name == 0 ? "time_to_empty_now" : "time_to_empty_avg")
      if let seconds, seconds > 0 { return Double(seconds) }
    }
    return time(folder, supply, "energy_now", "power_now") ?? time(folder, supply, "charge_now", "current_now")
  }

  private func time(
    _ folder: StaticString, _ supply: Span<UInt8>, _ amount: StaticString, _ drawn: StaticString
  ) -> Double? {
    guard let amount = number(folder, supply, amount), amount >= 0,
      let drawn = number(folder, supply, drawn).map({ Double($0).magnitude }), drawn > 0
    else { return nil }
    return Double(amount) * 3600 / drawn
  }

  // MARK: Firmware

  /// By the firmware mailbox; where it may not be opened, by the attribute of Raspberry Pi OS kernels.
  private func throttling() -> ThrottlingReading? {
    if let bits = tree.open("/dev/vcio", { mailbox throws(Errno) in try Syscall.throttled(mailbox) }) {
      return ThrottlingReading(bits: bits)
    }
    return tree.file("/sys/devices/platform/soc/soc:firmware/get_throttled") { ThrottlingReading(text: $0) }
  }

  /// By the driver raspberrypi-hwmon.
  private func underVoltage() -> Bool? {
    let folder: StaticString = "/sys/class/hwmon"
    var isLow: Bool?
    tree.forEachObject(in: folder) { sensor in
      guard tree.attribute(folder, sensor, "name", { SystemTexts.says("rpi_volt", $0) }) ?? false else { return }
      isLow = number(folder, sensor, "in0_lcrit_alarm").map { $0 != 0 }
    }
    return isLow
  }

  // MARK: Heat

  /// The hottest of all zones counts; as many are listed as there is room for. A disabled zone, whose value may be an
  /// old one, counts where there is no other. One that cannot be read, or gives no temperature, is left out.
  func readHeat(into snapshot: inout DeviceSnapshot) {
    readZones(into: &snapshot, areDisabled: false)
    if snapshot.zones.count == 0 { readZones(into: &snapshot, areDisabled: true) }
  }

  /// Without an attribute `mode` a zone is enabled (kernel document sysfs-class-thermal).
  private func readZones(into snapshot: inout DeviceSnapshot, areDisabled: Bool) {
    let folder: StaticString = "/sys/class/thermal"
    var hottest: Double?
    var zones = DeviceZones()
    tree.forEachObject(in: folder) { zone in
      let isDisabled = tree.attribute(folder, zone, "mode") { SystemTexts.says("disabled", $0) } ?? false
      guard isDisabled == areDisabled,
        let celsius = tree.attribute(folder, zone, "temp", { SystemTexts.celsius(millidegrees: $0) })
      else { return }
      hottest = max(hottest ?? celsius, celsius)
      let name = name(folder, zone, "type")
      zones.append(ZoneReading(name: name.isEmpty ? DeviceName(cutting: zone) : name, celsius: celsius))
    }
    snapshot.temperature = hottest
    snapshot.zones = zones
  }
}
