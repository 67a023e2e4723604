import Codec
import Runtime

// The results of node-commands 4.5, with Talon's additional members where the board has them.
extension DeviceSnapshot {
  /// The result of `device.info`. `serialNumber`, `kernelVersion`, `place`, `tags` and `update` are additions.
  public func writeInfo(_ identity: DeviceIdentity, update: UpdateReport? = nil, to writer: inout JSONWriter) {
    writer.beginObject()
    Self.write("deviceName", identity.name.isEmpty ? hostName : identity.name, to: &writer)
    Self.write("modelIdentifier", model, to: &writer)
    writer.key("systemName")
    writer.string("Linux")
    Self.write("systemVersion", systemVersion, to: &writer)
    Self.write("appVersion", identity.appVersion, to: &writer)
    Self.write("appBuild", identity.appBuild, to: &writer)
    Self.write("locale", locale, to: &writer)
    writer.text("serialNumber", serial.span)
    writer.text("kernelVersion", kernel.span)
    writer.text("place", identity.place.span)
    Self.write(tags: identity.tags, to: &writer)
    if let update {
      writer.key("update")
      update.write(to: &writer)
    }
    writer.endObject()
  }

  /// Words with commas between, as an array.
  private static func write(tags: DeviceText, to writer: inout JSONWriter) {
    if tags.isEmpty { return }
    writer.key("tags")
    writer.beginArray()
    tags.span.withUnsafeBufferPointer { text in
      var start = 0
      for index in 0...text.count where index == text.count || text[index] == UInt8(ascii: ",") {
        writer.string(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[start..<index])))
        start = index + 1
      }
    }
    writer.endArray()
  }

  private static func write(_ key: StaticString, _ text: DeviceText, to writer: inout JSONWriter) {
    writer.key(key)
    if text.isEmpty { writer.string("unknown") } else { writer.string(text.span) }
  }

  /// The result of `device.status`, with the blocks of `sections`.
  public func writeStatus(_ sections: DeviceSections = DeviceSections(), to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("battery")
    writer.beginObject()
    writer.number("level", battery.level)
    writer.key("state")
    writer.string(battery.state.word)
    writer.key("lowPowerModeEnabled")
    writer.bool(false)
    if sections.contains(.battery) { writeBattery(to: &writer) }
    writer.endObject()
    writer.key("thermal")
    writeThermal(to: &writer)
    writer.key("storage")
    (storage ?? StorageReading(totalBytes: 0, freeBytes: 0)).write(to: &writer)
    writer.key("network")
    network.write(links, to: &writer)
    writer.key("uptimeSeconds")
    writer.decimal(uptime, fractionDigits: 2)
    if !sections.isEmpty { write(sections, to: &writer) }
    writer.endObject()
  }

  /// The thermal state (node-commands 11); nominal without a thermometer.
  public var thermalState: StaticString {
    let celsius = temperature ?? 0
    return celsius >= 80 ? "critical" : celsius >= 70 ? "serious" : celsius >= 60 ? "fair" : "nominal"
  }

  private func writeThermal(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("state")
    writer.string(thermalState)
    writer.decimal("temperatureC", temperature)
    if !zones.isEmpty {
      writer.key("zones")
      writer.beginArray()
      for index in 0..<zones.count {
        writer.beginObject()
        writer.key("name")
        writer.string(zones[index].name.span)
        writer.decimal("temperatureC", zones[index].celsius)
        writer.endObject()
      }
      writer.endArray()
    }
    writer.endObject()
  }

  // MARK: Sections

  /// The requested blocks except that of the battery. One that cannot be read has an error in its place.
  private func write(_ sections: DeviceSections, to writer: inout JSONWriter) {
    if sections.contains(.os) { writeSystem(to: &writer) }
    if sections.contains(.cpu) { writeProcessors(to: &writer) }
    if sections.contains(.memory) {
      writer.key("memory")
      if memory == nil { writeFailure(to: &writer) } else { writeMemory(to: &writer) }
    }
    if sections.contains(.disk) {
      writer.key("disk")
      if let storage { storage.write(to: &writer) } else { writeFailure(to: &writer) }
    }
    writer.key("collectedAt")
    writer.string(ISO8601(unixMilliseconds: clock.wall).text)
  }

  private func writeSystem(to writer: inout JSONWriter) {
    writer.key("os")
    writer.beginObject()
    writer.key("name")
    writer.string("Linux")
    Self.write("version", systemVersion, to: &writer)
    writer.text("kernel", kernel.span)
    Self.write("hostName", hostName, to: &writer)
    writer.endObject()
  }

  private func writeProcessors(to writer: inout JSONWriter) {
    writer.key("cpu")
    guard processors > 0 else { return writeFailure(to: &writer) }
    writer.beginObject()
    writer.key("count")
    writer.int(Int64(processors))
    if let load {
      writer.key("loadAverage")
      writer.beginArray()
      for index in load.indices { writer.decimal(load[index], fractionDigits: 2) }
      writer.endArray()
    }
    writer.endObject()
  }

  private func writeFailure(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("error")
    writer.string("collection failed")
    writer.endObject()
  }
}

extension StorageReading {
  /// `isReadOnly` is an addition, and present only when true.
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("totalBytes")
    writer.uint(totalBytes)
    writer.key("freeBytes")
    writer.uint(freeBytes)
    writer.key("usedBytes")
    writer.uint(usedBytes)
    if isReadOnly {
      writer.key("isReadOnly")
      writer.bool(true)
    }
    writer.endObject()
  }
}

extension InterfaceKinds {
  private static let words: InlineArray<4, (InterfaceKinds, StaticString)> = [
    (.wired, "wired"), (.wifi, "wifi"), (.cellular, "cellular"), (.other, "other"),
  ]

  /// Writes the words of the kinds.
  fileprivate func write(to writer: inout JSONWriter) {
    for index in Self.words.indices where contains(Self.words[index].0) { writer.string(Self.words[index].1) }
  }
}

extension NetworkReading {
  /// `defaultInterface` and `links` are additions.
  fileprivate func write(_ links: DeviceLinks, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("status")
    writer.string(isSatisfied ? "satisfied" : "unsatisfied")
    writer.key("isExpensive")
    writer.bool(isExpensive)
    writer.key("isConstrained")
    writer.bool(false)
    writer.key("interfaces")
    writer.beginArray()
    interfaces.write(to: &writer)
    writer.endArray()
    writer.text("defaultInterface", defaultInterface.span)
    if !links.isEmpty {
      writer.key("links")
      writer.beginArray()
      for index in 0..<links.count { links[index].write(to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension LinkReading {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(name.span)
    writer.key("kind")
    kind.write(to: &writer)
    writer.key("hasCarrier")
    writer.bool(hasCarrier)
    writer.int("speedMbps", speed)
    writer.int("addresses", addresses)
    writer.int("signalDbm", air?.signal)
    writer.decimal("bitrateMbps", air?.bitrate)
    writer.int("frequencyMhz", air?.frequency)
    writer.endObject()
  }
}
