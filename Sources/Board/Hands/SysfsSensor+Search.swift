import Codec
import Hands
import Runtime

/// The search for the device's folder.
extension SysfsSensor {
  /// Names that were found, for a sentence about what is missing.
  private struct Names {
    var text = InlineText<160>()

    mutating func add(_ name: Span<UInt8>) {
      let before = text
      text.fill { bytes in
        var writer = ByteWriter(into: bytes)
        writer.bytes(before.span)
        if !before.isEmpty { writer.text(", ") }
        writer.bytes(name)
        // A name that has no room is left out.
        return writer.isComplete ? writer.count : before.count
      }
    }
  }

  /// Finds the folder of the device, and the channel of a label.
  func find() throws(SensorFault) {
    folderLength = 0
    switch source.interface {
    case .oneWire: try findThermometer()
    case .thermal: try findNamed("/sys/class/thermal/", "thermal_zone", "type")
    case .iio: try findNamed("/sys/bus/iio/devices/", "iio:device", "name")
    case .hwmon:
      try findNamed("/sys/class/hwmon/", "hwmon", "name")
      if !source.label.isEmpty { try findLabel() }
    }
  }

  private func findThermometer() throws(SensorFault) {
    do throws(Errno) {
      try setFolder("/sys/bus/w1/devices/", source.device.utf8.span)
      _ = try Syscall.status(path)
    } catch {
      folderLength = 0
      var names = Names()
      forEachEntry(of: "/sys/bus/w1/devices/") { name in
        if name.count == 15, name[2] == UInt8(ascii: "-") { names.add(name) }
      }
      throw SensorFault(SensorFailure(.noDevice, found: names.text))
    }
  }

  /// Looks at the folders that begin with `prefix` for the one whose attribute `name` is the device's name.
  private func findNamed(
    _ parent: StaticString, _ prefix: StaticString, _ attribute: StaticString
  ) throws(SensorFault) {
    var (others, matches) = (Names(), Names())
    var found: InlineText<64>?
    var count = 0
    forEachEntry(of: parent) { entry in
      guard Self.begins(entry, prefix), self.enter(parent, entry) else { return }
      guard self.attributeEquals(attribute, self.source.device) || self.isLabelled else {
        self.addName(attribute, to: &others)
        return
      }
      let place = self.place(parent, entry)
      matches.add(place.span)
      guard self.source.place.isEmpty || Self.ends(place.span, at: self.source.place) else { return }
      count += 1
      found = InlineText(cutting: entry)
    }
    folderLength = 0
    guard let found else {
      throw SensorFault(SensorFailure(.noDevice, found: matches.text.isEmpty ? others.text : matches.text))
    }
    if count > 1 { throw SensorFault(SensorFailure(.ambiguous, found: matches.text)) }
    _ = enter(parent, found.span)
  }

  /// True for an IIO device whose label, from the board's device tree, is the name (sysfs-bus-iio: `label`).
  private var isLabelled: Bool { source.interface == .iio && attributeEquals("label", source.device) }

  var isNamed: Bool { attributeEquals("name", source.device) || isLabelled }

  private func addName(_ attribute: StaticString, to names: inout Names) {
    do throws(Errno) {
      let name = try self.attribute(attribute) { InlineText<64>(cutting: SensorTexts.trimmed($0)) }
      names.add(name.span)
    } catch {
      // One that has just gone.
    }
  }

  /// The name with the place of the device: "lm75@0-0048".
  private func place(_ parent: StaticString, _ entry: Span<UInt8>) -> InlineText<128> {
    var text = InlineText<128>()
    let target: String
    do throws(Errno) {
      path.truncate()
      try path.append(root)
      try path.append(parent)
      try entry.withUnsafeBufferPointer { bytes throws(Errno) in try path.append(bytes) }
      if source.interface == .hwmon { try path.append("/device") }
      target = try Syscall.target(ofLink: path)
    } catch {
      target = ""
    }
    // Of an IIO device its own name is last; the device that it stands for is before it.
    let parts = target.utf8.split(separator: UInt8(ascii: "/"))
    let place = source.interface == .hwmon ? parts.last : parts.dropLast().last
    text.fill { bytes in
      var writer = ByteWriter(into: bytes)
      writer.text(self.source.device)
      if let place {
        writer.text("@")
        for byte in place { writer.byte(byte) }
      }
      return min(writer.count, bytes.count)
    }
    return text
  }

  // MARK: Labels

  private func findLabel() throws(SensorFault) {
    var names = Names()
    for number in 0..<Self.labelledValues {
      channel.fill { bytes in
        var writer = ByteWriter(into: bytes)
        writer.text(self.source.channel)
        writer.decimal(Int64(number))
        return writer.count
      }
      if labelOfChannelIsRight { return }
      do throws(Errno) {
        let label = try attribute("", channel, "_label") { InlineText<64>(cutting: SensorTexts.trimmed($0)) }
        names.add(label.span)
      } catch {
        continue
      }
    }
    throw SensorFault(SensorFailure(.noChannel, found: names.text))
  }

  var labelOfChannelIsRight: Bool { attributeEquals("", source.label, middle: channel) }

  /// That the device has no such channel, and which it has.
  func channelFault() -> SensorFault {
    var names = Names()
    path.truncate(to: folderLength)
    forEachEntryOfPath { name in
      for suffix: StaticString in ["_input", "_raw"] where name.count > suffix.utf8CodeUnitCount {
        let end = name.count - suffix.utf8CodeUnitCount
        guard Self.begins(name.extracting(end...), suffix) else { continue }
        let start = self.source.interface == .iio && Self.begins(name, "in_") ? 3 : 0
        if start < end { names.add(name.extracting(start..<end)) }
      }
    }
    return SensorFault(SensorFailure(.noChannel, found: names.text))
  }

  // MARK: Folders

  private func setFolder(_ parent: StaticString, _ entry: Span<UInt8>) throws(Errno) {
    path.truncate()
    try path.append(root)
    try path.append(parent)
    try entry.withUnsafeBufferPointer { bytes throws(Errno) in try path.append(bytes) }
    try path.append("/")
    folderLength = path.length
  }

  private func enter(_ parent: StaticString, _ entry: Span<UInt8>) -> Bool {
    do throws(Errno) {
      try setFolder(parent, entry)
      return true
    } catch {
      folderLength = 0
      return false
    }
  }

  private func forEachEntry(of parent: StaticString, _ body: (Span<UInt8>) -> Void) {
    do throws(Errno) {
      path.truncate()
      try path.append(root)
      try path.append(parent)
    } catch {
      return
    }
    forEachEntryOfPath(body)
  }

  /// What cannot be listed has no entries: a kernel without this interface.
  private func forEachEntryOfPath(_ body: (Span<UInt8>) -> Void) {
    do throws(Errno) {
      let folder = try Syscall.open(path, [.read, .directory])
      defer { folder.close() }
      var scratch = InlineArray<256, UInt64>(repeating: 0)
      var span = scratch.mutableSpan
      try span.withUnsafeMutableBufferPointer { scratch throws(Errno) in
        try Syscall.entries(of: folder, scratch: UnsafeMutableRawBufferPointer(scratch)) { name in
          var count = 0
          while name[count] != 0 { count += 1 }
          name.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
            body(Span(_unsafeElements: UnsafeBufferPointer(start: bytes, count: count)))
          }
        }
      }
    } catch {
      return
    }
  }

  static func begins(_ text: Span<UInt8>, _ prefix: StaticString) -> Bool {
    guard text.count >= prefix.utf8CodeUnitCount else { return false }
    for index in 0..<prefix.utf8CodeUnitCount where text[index] != prefix.utf8Start[index] { return false }
    return true
  }

  /// "lm75@0-0048" is at the place "0-0048".
  private static func ends(_ text: Span<UInt8>, at place: String) -> Bool {
    let wanted = place.utf8.span
    let start = text.count - wanted.count
    guard start > 0, text[start - 1] == UInt8(ascii: "@") else { return false }
    for index in 0..<wanted.count where text[start + index] != wanted[index] { return false }
    return true
  }
}
