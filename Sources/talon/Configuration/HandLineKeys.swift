import Codec
import Hands
import Runtime

/// Keys of the kinds `gpio`, `pwm` and `counter`.
extension HandKeys {
  static let gpio: [HandKey] = [
    HandKey("line", [.gpio]) { line($1, &$0.gpio.line) },
    HandKey("direction", [.gpio]) { settings, value in
      var direction = GPIOSettings.Direction.input
      let complaint = ConfigurationKey.choice(value, [("in", .input), ("out", .output)], &direction)
      if complaint == nil { settings.gpio.direction = direction }
      return complaint
    },
    HandKey("active_low", [.gpio]) { ConfigurationKey.bool($1, &$0.gpio.line.isActiveLow) },
    HandKey("bias", [.gpio]) { bias($1, &$0.gpio.line.bias) },
    HandKey("safe", [.gpio]) { output($0) ?? ConfigurationKey.choice($1, safeStates, &$0.gpio.safe) },
    HandKey("never_with", [.gpio]) { output($0) ?? names($1, &$0.gpio.neverWith) },
    HandKey("min_on", [.gpio]) { output($0) ?? ConfigurationKey.seconds($1, 0...86_400, &$0.gpio.minOn) },
    HandKey("min_off", [.gpio]) { output($0) ?? ConfigurationKey.seconds($1, 0...86_400, &$0.gpio.minOff) },
    HandKey("max_on", [.gpio]) { output($0) ?? optional($1, 1...86_400, 1000, &$0.gpio.maxOn) },
    HandKey("max_pulse", [.gpio]) { output($0) ?? ConfigurationKey.seconds($1, 1...86_400, &$0.gpio.maxPulse) },
    HandKey("max_on_per_day", [.gpio]) { output($0) ?? optional($1, 1...86_400, 1000, &$0.gpio.maxOnPerDay) },
    HandKey("max_switches_per_day", [.gpio]) { output($0) ?? optional($1, 1...86_400, 1, &$0.gpio.maxSwitchesPerDay) },
    HandKey("on_means", [.gpio]) { input($0) ?? word($1, &$0.gpio.onWord) },
    HandKey("off_means", [.gpio]) { input($0) ?? word($1, &$0.gpio.offWord) },
    HandKey("debounce", [.gpio]) { input($0) ?? ConfigurationKey.number($1, 0...10_000, &$0.gpio.debounce) },
    HandKey("events", [.gpio]) {
      input($0)
        ?? ConfigurationKey.choice($1, [("none", .none), ("on", .on), ("off", .off), ("both", .both)], &$0.gpio.events)
    },
    HandKey("max_events_per_hour", [.gpio]) {
      input($0) ?? ConfigurationKey.number($1, 1...3_600, &$0.gpio.maxEventsPerHour)
    },
  ]

  static let pwm: [HandKey] = [
    HandKey("chip", [.pwm]) { settings, value in
      guard !value.utf8.contains(UInt8(ascii: "/")), value.utf8.first != UInt8(ascii: ".") else {
        return "must be a name below /sys/class/pwm"
      }
      return ConfigurationKey.text(value, limit: 64, &settings.pwm.chip)
    },
    HandKey("channel", [.pwm]) { ConfigurationKey.number($1, 0...255, &$0.pwm.channel) },
    HandKey("frequency", [.pwm]) { ConfigurationKey.number($1, 1...1_000_000, &$0.pwm.frequency) },
    HandKey("inverted", [.pwm]) { ConfigurationKey.bool($1, &$0.pwm.isInverted) },
    HandKey("min", [.pwm]) { decimal($1, 0...100, &$0.pwm.minimum) },
    HandKey("max", [.pwm]) { decimal($1, 0...100, &$0.pwm.maximum) },
    HandKey("safe", [.pwm]) { decimal($1, 0...100, &$0.pwm.safe) },
    HandKey("never_with", [.pwm]) { names($1, &$0.pwm.neverWith) },
  ]

  static let counter: [HandKey] = [
    HandKey("line", [.counter]) { line($1, &$0.counter.line) },
    HandKey("active_low", [.counter]) { ConfigurationKey.bool($1, &$0.counter.line.isActiveLow) },
    HandKey("bias", [.counter]) { bias($1, &$0.counter.line.bias) },
    HandKey("debounce", [.counter]) { ConfigurationKey.number($1, 0...10_000, &$0.counter.debounce) },
    HandKey("scale", [.counter]) { decimal($1, 0.000_001...1_000_000, &$0.counter.scale) },
    HandKey("unit", [.counter]) { word($1, &$0.counter.unit) },
    HandKey("per", [.counter]) {
      ConfigurationKey.choice($1, [("s", .second), ("min", .minute), ("h", .hour)], &$0.counter.period)
    },
    HandKey("window", [.counter]) { ConfigurationKey.seconds($1, 1...86_400, &$0.counter.window) },
    HandKey("save", [.counter]) { ConfigurationKey.seconds($1, 60...86_400, &$0.counter.saving) },
  ]

  // MARK: Types of values

  private static let safeStates: [(String, SafeState)] = [("off", .off), ("on", .on), ("keep", .keep)]

  private static func output(_ settings: HandSettings) -> String? {
    settings.gpio.direction == .output ? nil : "is a key of outputs: direction = out must stand above it"
  }

  private static func input(_ settings: HandSettings) -> String? {
    settings.gpio.direction == .input ? nil : "is a key of inputs: direction = in must stand above it"
  }

  static func line(_ value: String, _ target: inout LineSettings) -> String? {
    ConfigurationKey.gpioPlace(value, &target.chip, &target.line)
  }

  private static func bias(_ value: String, _ target: inout LineSettings.Bias) -> String? {
    ConfigurationKey.choice(
      value, [("pull-up", .pullUp), ("pull-down", .pullDown), ("none", .none), ("as-is", .asItIs)], &target)
  }

  private static func word(_ value: String, _ target: inout String) -> String? {
    ConfigurationKey.text(value, limit: Budget.handWordBytes, &target)
  }

  /// Names of other sections, which may follow later in the file.
  static func names(_ value: String, _ target: inout [String]) -> String? {
    for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let name = String(word)
      guard isName(name) else { return "\(name) is no name of a section [tool NAME]" }
      guard target.count < Budget.handRivals else { return "must name at most \(Budget.handRivals) outputs" }
      target.append(name)
    }
    return target.isEmpty ? "must name an output" : nil
  }

  private static func optional(
    _ value: String, _ range: ClosedRange<Int64>, _ unit: Int64, _ target: inout Int64?
  ) -> String? {
    var number: Int64 = 0
    let complaint = ConfigurationKey.number(value, range, &number)
    if complaint == nil { target = number * unit }
    return complaint
  }

  /// A decimal number, with a sign and a point.
  static func decimal(_ value: String, _ range: ClosedRange<Double>, _ target: inout Double) -> String? {
    guard let number = number(value), range.contains(number) else {
      return "must be a number from \(text(range.lowerBound)) to \(text(range.upperBound))"
    }
    target = number
    return nil
  }

  private static func number(_ value: String) -> Double? {
    let bytes = Array(value.utf8)
    do throws(JSONError) { try JSONValidator.check(bytes.span, depthLimit: 1) } catch { return nil }
    return JSONView(bytes.span).double
  }

  /// A limit in a complaint.
  private static func text(_ number: Double) -> String {
    let whole = Int64(clamping: number.rounded(.towardZero))
    if Double(whole) == number { return "\(whole)" }
    var digits = "\(Int64(clamping: ((number - Double(whole)).magnitude * 1_000_000).rounded()) + 1_000_000)"
    digits.removeFirst()
    while digits.utf8.last == UInt8(ascii: "0") { digits.removeLast() }
    return (number < 0 && whole == 0 ? "-" : "") + "\(whole)." + digits
  }

  // MARK: What makes sense together

  static func lineComplaint(_ line: LineSettings) -> (key: String, reason: String)? {
    line.line.isEmpty ? ("line", "is missing: which line? gpioinfo tells. Example: line = 17") : nil
  }

  static func gpioComplaint(_ gpio: GPIOSettings) -> (key: String, reason: String)? {
    if let complaint = lineComplaint(gpio.line) { return complaint }
    if gpio.direction == nil { return ("direction", "is missing: in for what is read, out for what is switched") }
    if let most = gpio.maxOn, most < gpio.minOn { return ("max_on", "is shorter than min_on") }
    if let most = gpio.maxOnPerDay, most < max(gpio.minOn, 1) { return ("max_on_per_day", "is shorter than min_on") }
    if gpio.maxPulse < gpio.minOn { return ("max_pulse", "is shorter than min_on") }
    if let most = gpio.maxOn, gpio.safe == .on { return ("max_on", "makes no sense with safe = on: \(most / 1000) s") }
    return nil
  }

  static func pwmComplaint(_ pwm: PWMSettings) -> (key: String, reason: String)? {
    if pwm.chip.isEmpty { return ("chip", "is missing: which one? ls /sys/class/pwm tells") }
    if pwm.minimum > pwm.maximum { return ("min", "is more than max") }
    if pwm.safe != 0, !(pwm.minimum...pwm.maximum).contains(pwm.safe) {
      return ("safe", "must be 0, or from min to max")
    }
    return nil
  }
}
