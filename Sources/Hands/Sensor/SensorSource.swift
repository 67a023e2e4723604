/// Which sensor is read: by names that stay the same over restarts, never by the number that the kernel gave it.
///
///     iio bmp280 pressure             an Industrial I/O device and its channel
///     hwmon lm75@0-0048 temp1         a chip, at a place where there are several of its name, and a value
///     hwmon coretemp temp Package     a value by its label
///     onewire 28-0316a2795bff         a thermometer of the 1-Wire bus by its number
///     thermal cpu-thermal             a thermal zone by its type
public struct SensorSource: Equatable, Sendable {
  public enum Interface: Equatable, Sendable { case iio, hwmon, oneWire, thermal }

  public var interface: Interface
  /// The device's name, the number of a thermometer, or the type of a zone.
  public var device: String
  /// A part of the device's path that tells it from others with its name; empty when there is only one.
  public var place = ""
  /// The channel, such as "temp1"; with a label only its type, such as "temp". Empty for 1-Wire and zones.
  public var channel = ""
  /// The channel's label; empty without.
  public var label = ""
  public var quantity: SensorQuantity
  /// What one of the kernel's units is in the unit of `quantity`.
  public var factor: Double

  /// Bytes of the longest name or label that is read from the kernel.
  public static let nameBytes = 64

  /// The source that a configuration names; a sentence when it names none.
  public static func parse(_ text: String) -> (source: SensorSource?, complaint: String) {
    let words = text.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).map {
      String(decoding: Array($0), as: UTF8.self)
    }
    guard text.utf8.count <= 2 * nameBytes, let kind = words.first else { return (nil, form) }
    switch kind {
    case "iio": return channel(.iio, words, SensorChannelType.iio)
    case "hwmon": return channel(.hwmon, words, SensorChannelType.hwmon)
    case "onewire": return oneWire(words)
    case "thermal":
      guard words.count == 2, isName(words[1]) else { return (nil, "thermal must be followed by the type of a zone") }
      return (
        SensorSource(interface: .thermal, device: words[1], quantity: .temperature, factor: 0.001), ""
      )
    default: return (nil, form)
    }
  }

  private static let form =
    "must be iio DEVICE CHANNEL, hwmon CHIP VALUE, onewire NUMBER or thermal ZONE; for example: hwmon lm75 temp1"

  private static func channel(
    _ interface: Interface, _ words: [String], _ types: [SensorChannelType]
  ) -> (SensorSource?, String) {
    guard words.count >= 3 else { return (nil, form) }
    let parts = words[1].utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).map {
      String(decoding: Array($0), as: UTF8.self)
    }
    guard (1...2).contains(parts.count), parts.allSatisfy(isName) else {
      return (nil, "\(words[1]) is no name of a device; for example lm75, or lm75@0-0048 where there are several")
    }
    let isLabelled = words.count > 3
    guard isName(words[2]), let type = type(of: words[2], types, isLabelled: isLabelled) else {
      let names = types.map {
        String(decoding: UnsafeBufferPointer(start: $0.name.utf8Start, count: $0.name.utf8CodeUnitCount), as: UTF8.self)
      }
      return (nil, "\(words[2]) is nothing that is read; it must begin with \(names.joined(separator: ", "))")
    }
    if interface == .hwmon, !isLabelled, words[2].utf8.last.map({ !(48...57).contains($0) }) ?? true {
      return (nil, "\(words[2]) must end with a number, as \(words[2])1, or be followed by a label")
    }
    if interface == .iio, isLabelled { return (nil, "an IIO channel has no label; name it, for example voltage0") }
    let label = words[3...].joined(separator: " ")
    guard label.utf8.count <= nameBytes else { return (nil, "has a label of more than \(nameBytes) bytes") }
    return (
      SensorSource(
        interface: interface, device: parts[0], place: parts.count > 1 ? parts[1] : "", channel: words[2],
        label: label, quantity: type.quantity, factor: type.factor), ""
    )
  }

  /// The type whose name the channel has, before its number or modifier: "voltage0", "concentration_co2".
  private static func type(
    of channel: String, _ types: [SensorChannelType], isLabelled: Bool
  ) -> SensorChannelType? {
    let bytes = Array(channel.utf8)
    return types.first { type in
      let count = type.name.utf8CodeUnitCount
      guard bytes.count >= count else { return false }
      for index in 0..<count where bytes[index] != type.name.utf8Start[index] { return false }
      if bytes.count == count { return true }
      return !isLabelled && ((48...57).contains(bytes[count]) || bytes[count] == UInt8(ascii: "_"))
    }
  }

  /// Family, which must be one of a thermometer (w1_therm of the kernel), and 48 bits in hexadecimal.
  private static func oneWire(_ words: [String]) -> (SensorSource?, String) {
    let complaint = "onewire must be followed by the number of a thermometer, for example 28-0316a2795bff"
    guard words.count == 2 else { return (nil, complaint) }
    let bytes = Array(words[1].utf8)
    let families = ["10-", "22-", "28-", "3b-", "42-"]
    guard bytes.count == 15, families.contains(where: { words[1].hasPrefix($0) }),
      bytes[3...].allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
    else { return (nil, complaint) }
    return (
      SensorSource(interface: .oneWire, device: words[1], quantity: .temperature, factor: 0.001), ""
    )
  }

  /// A name becomes a part of a path: no slash, and no dot first.
  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "."), text.utf8.count <= nameBytes else { return false }
    return text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
  }
}
