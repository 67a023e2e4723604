import Hands
import Runtime

/// One key of `[tool NAME]`.
struct HandKey: Sendable {
  /// Sets a value; returns what is wrong with it, or nil.
  typealias Setter = @Sendable (inout HandSettings, String) -> String?

  let name: String
  /// The kinds that have it; empty: all.
  let kinds: [HandKind]
  let set: Setter

  init(_ name: String, _ kinds: [HandKind] = [], _ set: @escaping Setter) {
    self.name = name
    self.kinds = kinds
    self.set = set
  }
}

/// Sections `[tool NAME]`: their names, their keys, and what only makes sense together. Set in the file alone.
enum HandKeys {
  /// The table of these keys.
  static let all: [HandKey] = common + gpio + pwm + counter + sensor + serial + program

  private static let common: [HandKey] = [
    HandKey("kind") { settings, value in
      var kind = HandKind.gpio
      let complaint = ConfigurationKey.choice(value, HandKind.allCases.map { (String($0.word), $0) }, &kind)
      if complaint == nil { settings.kind = kind }
      return complaint
    },
    HandKey("about") { ConfigurationKey.text($1, limit: Budget.handAboutBytes, &$0.about) },
    HandKey("calls_per_minute") { ConfigurationKey.number($1, 1...600, &$0.callsPerMinute) },
  ]

  // MARK: Names

  /// Names of the board's own tools.
  private static let reserved = [
    "photo", "clip", "look", "location", "steps", "activity", "health", "notify", "screen", "say", "ask", "show",
    "listen", "light", "where_was",
  ]

  /// Begins a section; returns what is wrong with its heading `tool NAME`, or nil.
  static func add(_ heading: String, _ line: Int, to hands: inout [HandSettings]) -> String? {
    let name = ConfigurationKey.trimmed(Array(heading.utf8.dropFirst("tool ".utf8.count))[...])
    guard isName(name) else {
      return "a tool's name has a to z, 0 to 9 and _, a letter first, at most \(Budget.handNameBytes)"
    }
    if reserved.contains(name) { return "\(name) is a tool of the board already: take another name" }
    if hands.contains(where: { $0.name == name }) { return "appears twice" }
    guard hands.count < Budget.hands else { return "there may be at most \(Budget.hands) such sections" }
    hands.append(HandSettings(name: name, fileLine: line))
    return nil
  }

  /// The name in a line `[tool NAME]`; nil for other lines.
  static func name(ofHeading line: String) -> String? {
    guard line.hasPrefix("[tool "), line.utf8.last == UInt8(ascii: "]") else { return nil }
    return ConfigurationKey.trimmed(Array(line.utf8.dropFirst("[tool ".utf8.count).dropLast())[...])
  }

  static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z"),
      name.utf8.count <= Budget.handNameBytes
    else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
      default: false
      }
    }
  }

  // MARK: Keys

  /// The key of a name in the section that was begun last; nil for one that no kind has.
  static func key(_ name: String, section: String) -> ConfigurationKey? {
    guard name.hasPrefix(registerPrefix) || all.contains(where: { $0.name == name }) else { return nil }
    return ConfigurationKey(section: section, name: name, isFileOnly: true) { configuration, value in
      guard !configuration.hands.isEmpty else { return "stands outside of its section" }
      return set(name, value, &configuration.hands[configuration.hands.count - 1])
    }
  }

  private static func set(_ name: String, _ value: String, _ hand: inout HandSettings) -> String? {
    if name == "kind" { return all[0].set(&hand, value) }
    if name.hasPrefix(registerPrefix) { return addRegister(name, value, &hand) }
    guard let kind = hand.kind else { return "the first line of the section must be kind = ..." }
    guard let key = all.first(where: { $0.name == name && ($0.kinds.isEmpty || $0.kinds.contains(kind)) }) else {
      return "is no key of kind \(String(kind.word))"
    }
    return key.set(&hand, value)
  }

  // MARK: What makes sense together

  /// The key that is missing or wrong in a section, and what is wrong.
  /// `port`: of `[location]`, or empty.
  static func complaint(_ hands: [HandSettings], _ index: Int, port: String) -> (key: String, reason: String)? {
    let hand = hands[index]
    switch hand.kind {
    case nil: return ("kind", "is missing: what is it? Example: kind = gpio")
    case .gpio: return gpioComplaint(hand.gpio) ?? rivalComplaint(hands, hand, hand.gpio.neverWith)
    case .pwm: return pwmComplaint(hand.pwm) ?? rivalComplaint(hands, hand, hand.pwm.neverWith)
    case .counter: return lineComplaint(hand.counter.line)
    case .sensor: return sensorComplaint(hand.sensor)
    case .serial: return serialComplaint(hands, index, port: port)
    case .program: return programComplaint(hand.program)
    }
  }

  /// Both must be outputs, which are not both on when nobody has switched them.
  private static func rivalComplaint(
    _ hands: [HandSettings], _ hand: HandSettings, _ names: [String]
  ) -> (key: String, reason: String)? {
    for name in names {
      guard name != hand.name, let rival = hands.first(where: { $0.name == name }), isOutput(rival) else {
        return ("never_with", "\(name) is no output: it names sections [tool ...] of other outputs")
      }
      if isOnWhenSafe(hand), isOnWhenSafe(rival) {
        return ("never_with", "\(name) is on, too, when nobody has switched it (safe)")
      }
    }
    return nil
  }

  private static func isOutput(_ hand: HandSettings) -> Bool {
    hand.kind == .pwm || hand.kind == .gpio && hand.gpio.direction == .output
  }

  private static func isOnWhenSafe(_ hand: HandSettings) -> Bool {
    hand.kind == .pwm ? hand.pwm.safe > 0 : hand.gpio.safe == .on
  }
}
