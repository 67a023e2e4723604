import Camera
import Gateway
import Runtime

/// One key of the configuration file: where it stands, and how its value is taken. A setter answers what is
/// wrong with the value, or nil, and throws when a file that the value names cannot be read just now.
struct ConfigurationKey: Sendable {
  let section: String
  let name: String
  let set: @Sendable (inout Configuration, String) throws(Errno) -> String?

  /// The key of a name in a section; for `[camera NAME]` it is about the camera that was named last.
  static func find(_ name: String, section: String) -> ConfigurationKey? {
    let isCamera = section == "camera" || section.hasPrefix("camera ")
    if section.hasPrefix("camera "), name == "device" { return key(section, name, CameraKeys.device) }
    if isCamera, let found = CameraKeys.all.first(where: { $0.name == name }) { return key(section, name, found.set) }
    return all.first { $0.section == section && $0.name == name }
  }

  private static func key(_ section: String, _ name: String, _ set: @escaping CameraKeys.Setter) -> ConfigurationKey {
    ConfigurationKey(section: section, name: name) { configuration, value in
      if section == "camera" { return set(&configuration.roster.others, value) }
      return set(&configuration.roster[configuration.roster.count - 1], value)
    }
  }

  /// The table of keys.
  static let all: [ConfigurationKey] = [
    ConfigurationKey(section: "gateway", name: "url") { urls($1, &$0.urls) },
    ConfigurationKey(section: "gateway", name: "instance") { text($1, limit: 63, &$0.instance) },
    ConfigurationKey(section: "gateway", name: "domain") { text($1, limit: 253, &$0.domain) },
    ConfigurationKey(section: "gateway", name: "token") { secret($1, into: &$0.token) },
    ConfigurationKey(section: "gateway", name: "token_file") { (configuration, path) throws(Errno) in
      try secret(from: path, into: &configuration.token)
    },
    ConfigurationKey(section: "gateway", name: "password") { secret($1, into: &$0.password) },
    ConfigurationKey(section: "gateway", name: "password_file") { (configuration, path) throws(Errno) in
      try secret(from: path, into: &configuration.password)
    },
    ConfigurationKey(section: "gateway", name: "pin") { configuration, value in
      if value == "key" {
        configuration.pinning = .key
        return nil
      }
      configuration.pin = Fingerprint(text: value.utf8.span)
      return configuration.pin == nil ? "must be \"key\", or a SHA-256 fingerprint: 64 hexadecimal digits" : nil
    },
    ConfigurationKey(section: "gateway", name: "allow_plaintext") { bool($1, &$0.allowPlaintext) },
    ConfigurationKey(section: "gateway", name: "pairing_poll") { number($1, 2...3600, &$0.pairingPoll) },
    ConfigurationKey(section: "node", name: "name") { text($1, limit: 100, &$0.name) },
    ConfigurationKey(section: "node", name: "state_directory") { path($1, &$0.stateDirectory) },
    ConfigurationKey(section: "node", name: "runtime_directory") { path($1, &$0.runtimeDirectory) },
    ConfigurationKey(section: "operator", name: "enabled") { bool($1, &$0.operatorEnabled) },
    ConfigurationKey(section: "operator", name: "scopes") { scopes($1, &$0.operatorScopes) },
    ConfigurationKey(section: "camera", name: "driver") { configuration, value in
      choice(
        value, [("v4l2", .v4l2), ("simulated", .simulated), ("none", .none)],
        &configuration.cameraDriver)
    },
    ConfigurationKey(section: "camera", name: "folder") { path($1, &$0.cameraFolder) },
    ConfigurationKey(section: "camera", name: "enabled") { bool($1, &$0.camera.isEnabled) },
    ConfigurationKey(section: "camera", name: "delay") { number($1, 0...10_000, &$0.camera.delay) },
    ConfigurationKey(section: "camera", name: "idle") { number($1, 0...3_600_000, &$0.camera.idle) },
    ConfigurationKey(section: "camera", name: "keep_warm") { bool($1, &$0.camera.keepsWarm) },
    ConfigurationKey(section: "camera", name: "photo_bytes") {
      number($1, 16_384...Budget.photoBytesMost, &$0.camera.limits.bytes)
    },
    ConfigurationKey(section: "camera", name: "progressive") { configuration, value in
      choice(
        value, [("never", .never), ("needed", .whenNeeded), ("always", .always)],
        &configuration.camera.limits.progressive)
    },
    ConfigurationKey(section: "camera", name: "indicator") { configuration, value in
      choice(value, [("none", .unlit), ("optional", .lit), ("required", .required)], &configuration.privacy)
    },
    ConfigurationKey(section: "camera", name: "indicator_led") { configuration, value in
      guard !value.utf8.contains(UInt8(ascii: "/")), value.utf8.first != UInt8(ascii: ".") else {
        return "must be a name below /sys/class/leds"
      }
      return text(value, limit: 64, &configuration.indicatorLED)
    },
    ConfigurationKey(section: "location", name: "driver") { configuration, value in
      choice(
        value, [("serial", .serial), ("simulated", .simulated), ("none", .none)],
        &configuration.locationDriver)
    },
    ConfigurationKey(section: "location", name: "port") { path($1, &$0.port) },
    ConfigurationKey(section: "location", name: "baud") { configuration, value in
      choice(
        value,
        [
          ("1200", 1200), ("2400", 2400), ("4800", 4800), ("9600", 9600), ("19200", 19200),
          ("38400", 38400), ("57600", 57600), ("115200", 115_200), ("230400", 230_400),
          ("460800", 460_800), ("921600", 921_600),
        ], &configuration.baud)
    },
    ConfigurationKey(section: "location", name: "replay") { path($1, &$0.replay) },
    ConfigurationKey(section: "location", name: "speed") { number($1, 1...1000, &$0.speed) },
    ConfigurationKey(section: "log", name: "level") { configuration, value in
      guard let level = LogLevel(word: value) else {
        return "must be one of error, warning, notice, info, debug"
      }
      configuration.logLevel = level
      return nil
    },
  ]

  // MARK: Kinds of value

  /// Addresses with spaces or commas between them.
  private static func urls(_ value: String, _ target: inout [GatewayURL]) -> String? {
    for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
      guard target.count < Budget.gatewayURLs else { return "must name at most \(Budget.gatewayURLs) addresses" }
      do throws(GatewayURLError) {
        target.append(try GatewayURL(String(decoding: Array(word), as: UTF8.self)))
      } catch {
        return "the URL \(String(error.text))"
      }
    }
    return target.isEmpty ? "must name an address" : nil
  }

  private static func text(_ value: String, limit: Int, _ target: inout String) -> String? {
    guard value.utf8.count <= limit else { return "must have at most \(limit) bytes" }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "|") }) else {
      return "must not contain control characters or |"
    }
    target = value
    return nil
  }

  private static func path(_ value: String, _ target: inout String) -> String? {
    guard value.utf8.first == UInt8(ascii: "/") else { return "must be an absolute path" }
    guard value.utf8.count < Budget.pathBytes - 64 else { return "is too long for a path" }
    target = value
    return nil
  }

  private static func scopes(_ value: String, _ target: inout Scopes) -> String? {
    var scopes = Scopes()
    for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) where !scopes.add(String(word).utf8.span) {
      return "\(word) is no scope that Talon knows"
    }
    if scopes.isEmpty { return "must name at least one scope" }
    target = scopes
    return nil
  }

  private static func bool(_ value: String, _ target: inout Bool) -> String? {
    choice(value, [("yes", true), ("no", false), ("true", true), ("false", false)], &target)
  }

  static func choice<Value>(
    _ word: String, _ choices: [(String, Value)], _ target: inout Value
  ) -> String? {
    for choice in choices where choice.0 == word {
      target = choice.1
      return nil
    }
    var words = ""
    for choice in choices { words += words.isEmpty ? choice.0 : ", \(choice.0)" }
    return "must be one of \(words)"
  }

  static func number<Value: FixedWidthInteger>(
    _ text: String, _ range: ClosedRange<Value>, _ target: inout Value
  ) -> String? {
    guard let value = decimal(text), value >= Int64(range.lowerBound), value <= Int64(range.upperBound)
    else { return "must be a whole number from \(range.lowerBound) to \(range.upperBound)" }
    target = Value(value)
    return nil
  }

  private static func decimal(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.count <= 15 else { return nil }
    var value: Int64 = 0
    for byte in text.utf8 {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// A secret: one line, as long as the gateway takes it.
  private static func secret(_ value: String, into target: inout String) -> String? {
    guard value.utf8.count <= Budget.tokenBytes else { return "must have at most \(Budget.tokenBytes) bytes" }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !value.unicodeScalars.contains("\u{FFFD}")
    else {
      return "must be one line of text"
    }
    target = value
    return nil
  }

  /// A secret that stands in a file of its own, so that the configuration may be shown around.
  private static func secret(from path: String, into target: inout String) throws(Errno) -> String? {
    do throws(Errno) {
      let value = trimmed(try TextFile.read(path, limit: Budget.tokenBytes + 2)[...])
      if value.isEmpty { return "\(path) is empty" }
      return secret(value, into: &target).map { "what stands in \(path) \($0)" }
    } catch {
      if error.isPassing { throw error }
      return "\(path) cannot be read: \(String(error.text))"
    }
  }

  /// Text without the white space around it.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    var bytes = bytes
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// The text of a literal. For messages: it makes a string.
  init(_ literal: StaticString) { self = String(decoding: literal.bytes, as: UTF8.self) }
}
