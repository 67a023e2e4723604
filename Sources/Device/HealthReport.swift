import Codec
import Runtime

// The result of `device.health` (node-commands 4.5), with Talon's additional members where the board has them.
extension DeviceSnapshot {
  /// The result of `device.health`.
  public func writeHealth(_ hardware: HardwareReport, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("memory")
    writeMemory(to: &writer)
    writer.key("battery")
    writer.beginObject()
    writer.key("state")
    writer.string(battery.state.word)
    writeBattery(to: &writer)
    writer.endObject()
    writer.key("power")
    writePower(to: &writer)
    writer.key("system")
    writer.beginObject()
    writer.endObject()
    if !wear.isEmpty { writeWear(to: &writer) }
    writeClock(to: &writer)
    if let watchdog { watchdog.write(to: &writer) }
    if let restart { restart.write(to: &writer) }
    hardware.write(to: &writer)
    writer.endObject()
  }

  func writeMemory(to writer: inout JSONWriter) {
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
    if let stall {
      writer.key("stallPercent")
      writer.beginObject()
      writer.key("some")
      writer.decimal(stall.some, fractionDigits: 2)
      writer.key("full")
      writer.decimal(stall.full, fractionDigits: 2)
      writer.endObject()
    }
    writer.endObject()
  }

  /// Details of the batteries beside level and state; of each one when there are several.
  func writeBattery(to writer: inout JSONWriter) {
    writer.key("chargingType")
    writer.string(battery.charger.word)
    battery.writeMeasures(to: &writer)
    guard packs.count > 1 else { return }
    writer.key("packs")
    writer.beginArray()
    for index in 0..<packs.count {
      let pack = packs[index]
      writer.beginObject()
      writer.key("name")
      writer.string(pack.name.span)
      writer.key("state")
      writer.string(pack.reading.state.word)
      writer.number("level", pack.reading.level)
      pack.reading.writeMeasures(to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private func writePower(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("lowPowerModeEnabled")
    writer.bool(false)
    if let isUnderVoltage = throttling?.isNow(.underVoltage) ?? isUnderVoltage {
      writer.key("underVoltage")
      writer.bool(isUnderVoltage)
    }
    if let throttling {
      writer.key("throttling")
      writer.beginObject()
      writer.key("now")
      throttling.write(to: &writer) { throttling.isNow($0) }
      writer.key("sinceBoot")
      throttling.write(to: &writer) { throttling.hasBeen($0) }
      writer.endObject()
    }
    writer.endObject()
  }

  private func writeWear(to writer: inout JSONWriter) {
    writer.key("storage")
    writer.beginObject()
    writer.text("kind", wear.kind.span)
    writer.text("name", wear.name.span)
    writer.int("lifeUsedPercent", wear.lifeUsed)
    if let end = wear.end {
      writer.key("endOfLife")
      writer.string(end.word)
    }
    if let written = wear.writtenBytes {
      writer.key("writtenBytes")
      writer.uint(written)
    }
    if let errors = wear.errors {
      writer.key("errors")
      writer.uint(errors)
    }
    writer.endObject()
  }

  private func writeClock(to writer: inout JSONWriter) {
    writer.key("clock")
    writer.beginObject()
    if let isSynchronized = clock.isSynchronized {
      writer.key("isSynchronized")
      writer.bool(isSynchronized)
    }
    writer.key("hasHardwareClock")
    writer.bool(clock.hasHardwareClock)
    writer.key("isBelievable")
    writer.bool(clock.isBelievable)
    writer.endObject()
  }
}

extension BatteryReading {
  fileprivate func writeMeasures(to writer: inout JSONWriter) {
    writer.decimal("temperatureC", temperature)
    writer.decimal("currentMa", current)
    if let voltage {
      writer.key("voltageV")
      writer.decimal(voltage, fractionDigits: 3)
    }
    if let rank {
      writer.key("capacityLevel")
      writer.string(rank.word)
    }
    if let timeToEmpty {
      writer.key("timeToEmptySeconds")
      writer.decimal(timeToEmpty, fractionDigits: 0)
    }
  }
}

extension ThrottlingReading {
  fileprivate func write(to writer: inout JSONWriter, _ isSo: (Cause) -> Bool) {
    writer.beginArray()
    for index in Self.causes.indices where isSo(Self.causes[index]) { writer.string(Self.causes[index].word) }
    writer.endArray()
  }
}

extension WatchdogReading {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.key("watchdog")
    writer.beginObject()
    writer.text("identity", identity.span)
    writer.key("state")
    writer.string(isActive ? "active" : "inactive")
    writer.int("timeoutSeconds", timeout)
    writer.key("hasResetBoard")
    writer.bool(hasReset)
    writer.endObject()
  }
}

// Members that are left out when their value is unknown.
extension JSONWriter {
  mutating func text(_ key: StaticString, _ value: Span<UInt8>) {
    if value.isEmpty { return }
    self.key(key)
    string(value)
  }

  mutating func int(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    self.key(key)
    int(Int64(value))
  }

  /// Rounded to one digit after the decimal point.
  mutating func decimal(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    decimal(value, fractionDigits: 1)
  }

  mutating func number(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    double(value)
  }
}
