import Camera
import Runtime

/// Keys of cameras: in `[camera NAME]` for the camera with that name, in `[camera]` for all others.
enum CameraKeys {
  /// Sets a value; returns what is wrong with it, or nil.
  typealias Setter = @Sendable (inout CameraSettings, String) -> String?

  /// The table of these keys.
  static let all: [(name: String, set: Setter)] = [
    (
      "facing",
      { settings, value in
        ConfigurationKey.choice(
          value, [("front", .front), ("back", .back), ("external", .external)], &settings.position)
      }
    ),
    ("rotation", { settings, value in turn(&settings, value) }),
    ("flip", { settings, value in flip(&settings, value) }),
    ("exposure", { setting($1, 1...100_000, &$0.controls.exposure) }),
    ("gain", { setting($1, 0...1_000_000, &$0.controls.gain) }),
    ("white_balance", { setting($1, 1000...20_000, &$0.controls.whiteBalance) }),
    ("focus", { setting($1, 0...100_000, &$0.controls.focus) }),
    (
      "power_line",
      { settings, value in
        var power = PowerLine.off
        let complaint = ConfigurationKey.choice(
          value, [("off", .off), ("50", .hertz50), ("60", .hertz60), ("auto", .automatic)], &power)
        if complaint == nil { settings.controls.powerLine = power }
        return complaint
      }
    ),
    ("controls", { settings, value in controls(&settings, value) }),
    (
      "sensor",
      { settings, value in
        for sensor in Sensor.allCases where String(sensor.name) == value {
          settings.sensor = sensor
          return nil
        }
        return "must be one of \(Sensor.allCases.map { String($0.name) }.joined(separator: ", "))"
      }
    ),
    ("bayer_order", { settings, value in bayerOrder(&settings, value) }),
  ]

  /// Where a named camera is plugged in: only in its own section.
  static let device: Setter = { settings, value in
    guard let device = text(value) else { return "must have at most \(Budget.cameraTextBytes) bytes" }
    settings.device = device
    return nil
  }

  /// The name in a section `[camera NAME]`, or what is wrong with it.
  static func name(_ heading: String) -> (name: CameraText?, complaint: String?) {
    let name = ConfigurationKey.trimmed(Array(heading.utf8.dropFirst("camera ".utf8.count))[...])
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isPlain, !name.isEmpty, let text = text(name) else {
      return (nil, "a camera's name has letters, digits, - and _, at most \(Budget.cameraTextBytes)")
    }
    return (text, nil)
  }

  private static func text(_ value: String) -> CameraText? {
    let bytes = Array(value.utf8)
    return bytes.count <= Budget.cameraTextBytes ? CameraText(cutting: bytes.span) : nil
  }

  // MARK: Kinds of value

  private static func turn(_ settings: inout CameraSettings, _ value: String) -> String? {
    ConfigurationKey.choice(value, [("0", 0), ("90", 1), ("180", 2), ("270", 3)], &settings.quarters)
  }

  private static func flip(_ settings: inout CameraSettings, _ value: String) -> String? {
    var flips = (false, false)
    let complaint = ConfigurationKey.choice(
      value,
      [("none", (false, false)), ("horizontal", (true, false)), ("vertical", (false, true)), ("both", (true, true))],
      &flips)
    (settings.isMirrored, settings.isFlipped) = flips
    return complaint
  }

  private static func bayerOrder(_ settings: inout CameraSettings, _ value: String) -> String? {
    let orders: [(String, BayerOrder?)] = [
      ("auto", nil), ("rggb", .rggb), ("grbg", .grbg), ("gbrg", .gbrg), ("bggr", .bggr),
    ]
    return ConfigurationKey.choice(value, orders, &settings.bayerOrder)
  }

  /// "auto" or a number.
  private static func setting(
    _ value: String, _ range: ClosedRange<Int>, _ target: inout ControlSetting?
  ) -> String? {
    if value == "auto" {
      target = .automatic
      return nil
    }
    var number = 0
    guard ConfigurationKey.number(value, range, &number) == nil else {
      return "must be auto, or a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
    target = .value(number)
    return nil
  }

  /// Names and values, separated by commas: "sharpness 3, backlight_compensation 1".
  private static func controls(_ settings: inout CameraSettings, _ value: String) -> String? {
    for item in value.split(separator: ",") {
      let words = item.split(separator: " ")
      guard words.count == 2, let name = text(String(words[0])), let number = signed(String(words[1])) else {
        return "must be names and whole numbers with commas between them, like: sharpness 3, brightness -10"
      }
      guard settings.controls.add(NamedControl(name: name, value: number)) else {
        return "must name at most \(Budget.namedControls) controls"
      }
    }
    return settings.controls.namedCount == 0 ? "must name a control" : nil
  }

  /// Controls are 32 bits wide.
  private static func signed(_ text: String) -> Int? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    var number = 0
    let digits = isNegative ? String(text.dropFirst()) : text
    guard ConfigurationKey.number(digits, 0...Int(Int32.max), &number) == nil else { return nil }
    return isNegative ? -number : number
  }
}
