import Codec
import Runtime

// The results of node-commands 4.5.
extension DeviceSnapshot {
  /// The result of `device.info`.
  public func writeInfo(_ identity: DeviceIdentity, to writer: inout JSONWriter) {
    writer.beginObject()
    Self.write("deviceName", identity.name.isEmpty ? hostName : identity.name, to: &writer)
    Self.write("modelIdentifier", model, to: &writer)
    writer.key("systemName")
    writer.string("Linux")
    Self.write("systemVersion", systemVersion, to: &writer)
    Self.write("appVersion", identity.appVersion, to: &writer)
    Self.write("appBuild", identity.appBuild, to: &writer)
    Self.write("locale", locale, to: &writer)
    writer.endObject()
  }

  private static func write(_ key: StaticString, _ text: DeviceText, to writer: inout JSONWriter) {
    writer.key(key)
    if text.isEmpty { writer.string("unknown") } else { writer.string(text.span) }
  }

  /// The result of `device.status`. `thermal.temperatureC` is Talon's own.
  public func writeStatus(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("battery")
    writer.beginObject()
    if let level = battery.level {
      writer.key("level")
      writer.double(level)
    }
    writer.key("state")
    writer.string(battery.state.word)
    writer.key("lowPowerModeEnabled")
    writer.bool(false)
    writer.endObject()
    writer.key("thermal")
    writer.beginObject()
    writer.key("state")
    writer.string(thermalState)
    Self.write("temperatureC", temperature, to: &writer)
    writer.endObject()
    writer.key("storage")
    (storage ?? StorageReading(totalBytes: 0, freeBytes: 0)).write(to: &writer)
    writer.key("network")
    network.write(to: &writer)
    writer.key("uptimeSeconds")
    writer.decimal(uptime, fractionDigits: 2)
    writer.endObject()
  }

  /// How hot the board is (node-commands 11); nominal when it has no thermometer.
  public var thermalState: StaticString {
    let celsius = temperature ?? 0
    return celsius >= 80 ? "critical" : celsius >= 70 ? "serious" : celsius >= 60 ? "fair" : "nominal"
  }

  /// The result of `device.health`. `devices` is Talon's own: what hardware is there and what is wrong with it.
  public func writeHealth(_ hardware: HardwareReport, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("memory")
    writeMemory(to: &writer)
    writer.key("battery")
    battery.write(to: &writer)
    writer.key("power")
    writer.beginObject()
    writer.key("lowPowerModeEnabled")
    writer.bool(false)
    writer.endObject()
    writer.key("system")
    writer.beginObject()
    writer.endObject()
    writer.key("devices")
    hardware.write(to: &writer)
    writer.endObject()
  }

  private func writeMemory(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("pressure")
    writer.string(memory?.pressure ?? "unknown")
    if let memory {
      writer.key("totalRamBytes")
      writer.uint(memory.totalBytes)
      writer.key("availableRamBytes")
      writer.uint(memory.availableBytes)
      writer.key("usedRamBytes")
      writer.uint(memory.totalBytes - memory.availableBytes)
      writer.key("thresholdBytes")
      writer.uint(memory.thresholdBytes)
      writer.key("lowMemory")
      writer.bool(memory.isLow)
    }
    writer.endObject()
  }

  fileprivate static func write(_ key: StaticString, _ value: Double?, to writer: inout JSONWriter) {
    guard let value else { return }
    writer.key(key)
    writer.decimal(value, fractionDigits: 1)
  }
}

extension StorageReading {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("totalBytes")
    writer.uint(totalBytes)
    writer.key("freeBytes")
    writer.uint(freeBytes)
    writer.key("usedBytes")
    writer.uint(usedBytes)
    writer.endObject()
  }
}

extension NetworkReading {
  private static let words: InlineArray<4, (InterfaceKinds, StaticString)> = [
    (.wired, "wired"), (.wifi, "wifi"), (.cellular, "cellular"), (.other, "other"),
  ]

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("status")
    writer.string(isSatisfied ? "satisfied" : "unsatisfied")
    writer.key("isExpensive")
    writer.bool(isExpensive)
    writer.key("isConstrained")
    writer.bool(false)
    writer.key("interfaces")
    writer.beginArray()
    for index in Self.words.indices where interfaces.contains(Self.words[index].0) {
      writer.string(Self.words[index].1)
    }
    writer.endArray()
    writer.endObject()
  }
}

extension BatteryReading {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("state")
    writer.string(state.word)
    writer.key("chargingType")
    writer.string(charger.word)
    DeviceSnapshot.write("temperatureC", temperature, to: &writer)
    DeviceSnapshot.write("currentMa", current, to: &writer)
    writer.endObject()
  }
}
