import Board
import Motion
import Runtime

extension ConfigurationKey {
  /// Keys of `[motion]`.
  static let motion: [ConfigurationKey] = [
    ConfigurationKey(section: "motion", name: "driver") { configuration, value in
      choice(
        value, [("i2c", .i2c), ("iio", .iio), ("simulated", .simulated), ("none", .none)],
        &configuration.motionDriver)
    },
    ConfigurationKey(section: "motion", name: "bus", isFileOnly: true) { path($1, &$0.motionBus) },
    ConfigurationKey(section: "motion", name: "address") { configuration, value in
      address(value, &configuration.motionAddress)
    },
    ConfigurationKey(section: "motion", name: "chip") { configuration, value in
      chip(value, &configuration.motionChip)
    },
    ConfigurationKey(section: "motion", name: "mounting") { configuration, value in
      do throws(MountingError) {
        configuration.mounting = try MountingMatrix(text: value.utf8.span)
        return nil
      } catch {
        return String(error.text)
      }
    },
    ConfigurationKey(section: "motion", name: "rate") { number($1, 20...200, &$0.motionRate) },
    ConfigurationKey(section: "motion", name: "height") { number($1, 50...250, &$0.personHeight) },
    ConfigurationKey(section: "motion", name: "events") { configuration, value in
      choice(value, [("none", .none), ("falls", .falls), ("all", .all)], &configuration.jolts)
    },
    ConfigurationKey(section: "motion", name: "shake") { bool($1, &$0.shakes) },
    ConfigurationKey(section: "motion", name: "shake_threshold") { configuration, value in
      var acceleration = 0.0
      if let complaint = HandKeys.decimal(value, 1.2...8, &acceleration) { return complaint }
      configuration.shake.acceleration = Float(acceleration)
      return nil
    },
    ConfigurationKey(section: "motion", name: "shake_axes") { number($1, 1...3, &$0.shake.axes) },
    ConfigurationKey(section: "motion", name: "replay", isFileOnly: true) { path($1, &$0.motionReplay) },
  ]

  /// A seven-bit address of an I2C bus; those outside 0x08...0x77 are reserved (I2C-bus specification, UM10204,
  /// 3.1.12).
  private static func address(_ value: String, _ target: inout UInt8?) -> String? {
    if value == "auto" {
      target = nil
      return nil
    }
    guard value.hasPrefix("0x"), value.utf8.count <= 4, let number = UInt8(value.dropFirst(2), radix: 16),
      (0x08...0x77).contains(number)
    else { return "must be auto, or an address from 0x08 to 0x77" }
    target = number
    return nil
  }

  /// The name of a motion chip, or auto.
  static func chip(_ value: String, _ target: inout ChipKind?) -> String? {
    if value == "auto" {
      target = nil
      return nil
    }
    guard let kind = ChipKind.named(value.utf8.span) else {
      let names = chipNames
      let near = Nearest.word(value, of: names).map { "; did you mean \($0)?" } ?? ""
      return "must be auto or one of \(names.joined(separator: ", "))\(near)"
    }
    guard kind.hasDriver else {
      return "is \(String(kind.name)), which only the kernel's driver can set up: set driver = iio"
    }
    target = kind
    return nil
  }

  /// The names that `chip` takes, each once.
  private static var chipNames: [String] {
    var names: [String] = []
    for kind in ChipKind.all where kind.hasDriver {
      let name = kind.key
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}
