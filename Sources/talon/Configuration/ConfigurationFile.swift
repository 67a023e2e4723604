import Board
import Camera
import FilesPart
import Gateway
import Hands
import MCP
import Runtime

/// Reads the INI-style file: `[section]`, `key = value`; `#` or `;` begins a comment line. A value ends with its line;
/// double quotes around it are removed.
enum ConfigurationFile {
  static let defaultPath = "/etc/talon/talon.conf"

  /// Reads and checks a file.
  static func read(_ path: String) throws(ConfigurationError) -> Configuration {
    try checked(text(path), file: path)
  }

  /// What a file holds; nothing where the usual one is not there, for a board that nobody has configured has the
  /// defaults.
  static func text(_ path: String) throws(ConfigurationError) -> [UInt8] {
    do throws(Errno) {
      return EditedText.normal(try TextFile.read(path, limit: Budget.configurationBytes))
    } catch {
      if error == .noSuchFile, path == defaultPath { return [] }
      throw ConfigurationError(
        file: path, line: nil, key: nil, reason: "cannot be read: \(String(error.text))", isTransient: error.isTransient
      )
    }
  }

  /// Reads the lines, and checks values that depend on each other.
  static func checked(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
    guard bytes.count <= Budget.configurationBytes else {
      throw ConfigurationError(file: file, line: nil, key: nil, reason: "is too large")
    }
    var configuration = try parse(bytes, file: file)
    try check(&configuration, file: file)
    return configuration
  }

  /// Reads the lines. All mistakes are in the error: whoever edits a file wants to mend it once.
  static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Configuration {
    var configuration = Configuration()
    var reader = LineReader(file: file)
    let lines = try lines(bytes, file: file)
    configuration.handNames = lines.compactMap {
      HandKeys.name(ofHeading: $0.text) ?? MCPKeys.name(ofHeading: $0.text)
    }
    var first: ConfigurationError?
    for line in lines {
      do throws(ConfigurationError) {
        try reader.read(line.text, line.number, into: &configuration)
      } catch {
        if error.isTransient { throw error }
        if first == nil { first = error } else { first?.others.append(error.text) }
      }
    }
    if let first { throw first }
    configuration.settings = reader.settings
    return configuration
  }

  /// Reads one line after the other.
  private struct LineReader {
    let file: String
    /// The section of the lines that follow; nil after a heading that is wrong, whose lines are not judged.
    private var section: String? = ""
    private(set) var settings: [(section: String, key: String, line: Int)] = []

    init(file: String) { self.file = file }

    mutating func read(
      _ text: String, _ number: Int, into configuration: inout Configuration
    ) throws(ConfigurationError) {
      let file = file
      func fail(_ key: String?, _ reason: String) -> ConfigurationError {
        ConfigurationError(file: file, line: number, key: key, reason: reason)
      }
      if text.utf8.first == UInt8(ascii: "[") {
        section = nil
        section = try ConfigurationFile.heading(text, number, &configuration, fail)
        return
      }
      guard let section else { return }
      guard let (name, value) = ConfigurationFile.pair(text) else {
        throw fail(nil, "expected [section] or key = value")
      }
      let label = "[\(section)] \(name)"
      guard let key = ConfigurationKey.find(name, section: section) else {
        throw fail(label, "unknown key" + ConfigurationKey.hint(name, section: section))
      }
      if settings.contains(where: { $0.section == section && $0.key == name }) { throw fail(label, "appears twice") }
      settings.append((section, name, number))
      if value.isEmpty { throw fail(label, "has no value; remove the line to use the default") }
      let complaint: String?
      do throws(Errno) {
        let raw = key.isRaw ? ConfigurationFile.rawPair(text)?.value : nil
        complaint = try key.set(&configuration, raw ?? value)
      } catch {
        let reason = "\(value) cannot be read: \(String(error.text))"
        throw ConfigurationError(file: file, line: number, key: label, reason: reason, isTransient: true)
      }
      if let complaint { throw fail(label, complaint) }
    }
  }

  /// The lines with their numbers, trimmed, without comments and empty lines.
  static func lines(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> [(number: Int, text: String)] {
    var lines: [(number: Int, text: String)] = []
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.contains(0) {
        throw ConfigurationError(file: file, line: number, key: nil, reason: "a zero byte: this is not a text file")
      }
      let text = ConfigurationKey.trimmed(line)
      // Invalid UTF-8 would be replaced silently, also in a token.
      if text.unicodeScalars.contains("\u{FFFD}") {
        throw ConfigurationError(file: file, line: number, key: nil, reason: "is not UTF-8")
      }
      guard let first = text.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
      lines.append((number, text))
    }
    return lines
  }

  /// Key and value of a line; nil when there is no equals sign.
  static func pair(_ text: String) -> (name: String, value: String)? {
    rawPair(text).map { ($0.name, unquoted(Array($0.value.utf8)[...])) }
  }

  /// The same with the value as it was written, for keys in whose values double quotes mean something else.
  static func rawPair(_ text: String) -> (name: String, value: String)? {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    return (
      ConfigurationKey.trimmed(Array(text.utf8[..<equals])[...]),
      ConfigurationKey.trimmed(Array(text.utf8[text.utf8.index(after: equals)...])[...])
    )
  }

  fileprivate static func heading(
    _ text: String, _ line: Int, _ configuration: inout Configuration,
    _ fail: (String?, String) -> ConfigurationError
  ) throws(ConfigurationError) -> String {
    guard text.utf8.last == UInt8(ascii: "]") else { throw fail(nil, "a section must end with ]") }
    let name = ConfigurationKey.trimmed(Array(text.utf8.dropFirst().dropLast())[...])
    if name.hasPrefix("camera ") {
      if let complaint = add(name, to: &configuration.cameraSettings) { throw fail("[\(name)]", complaint) }
      return name
    }
    if name.hasPrefix("tool ") {
      if let complaint = HandKeys.add(name, line, to: &configuration.hands) { throw fail("[\(name)]", complaint) }
      return name
    }
    if name.hasPrefix("mcp ") {
      if let complaint = MCPKeys.add(name, line, to: &configuration.servers) { throw fail("[\(name)]", complaint) }
      return name
    }
    if name.hasPrefix("model ") {
      if let complaint = ModelKeys.add(name, to: &configuration.models) { throw fail("[\(name)]", complaint) }
      return name
    }
    guard ConfigurationKey.all.contains(where: { $0.section == name }) else {
      let near = Nearest.word(name, of: ConfigurationKey.sections)
      throw fail("[\(name)]", "unknown section" + (near.map { "; did you mean [\($0)]?" } ?? ""))
    }
    return name
  }

  /// Begins the section of a named camera; returns what is wrong with it, or nil.
  private static func add(_ heading: String, to cameraSettings: inout CameraSettingsTable) -> String? {
    let (name, complaint) = CameraKeys.name(heading)
    guard let name else { return complaint }
    for index in 0..<cameraSettings.count where cameraSettings[index].name == name { return "appears twice" }
    var settings = CameraSettings()
    settings.name = name
    return cameraSettings.append(settings) ? nil : "there may be at most \(Budget.cameras) cameras"
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    let text = ConfigurationKey.trimmed(bytes)
    let quote = UInt8(ascii: "\"")
    guard text.utf8.count >= 2, text.utf8.first == quote, text.utf8.last == quote else { return text }
    return String(decoding: Array(text.utf8.dropFirst().dropLast()), as: UTF8.self)
  }

  /// Checks values that depend on each other.
  private static func check(
    _ configuration: inout Configuration, file: String
  ) throws(ConfigurationError) {
    func fail(_ key: String, _ reason: String) -> ConfigurationError {
      ConfigurationError(file: file, line: nil, key: key, reason: reason)
    }
    for url in configuration.urls {
      if !url.isSecure, !configuration.trust.pins.isEmpty {
        throw fail("[gateway] pin", "makes no sense with ws://, which has no certificate")
      }
      if !configuration.allows(url) {
        throw fail(
          "[gateway] url", "ws:// sends secrets in clear; use wss://, or set allow_plaintext = yes")
      }
    }
    if let complaint = configuration.way.complaint(configuration.urls) { throw fail(complaint.key, complaint.reason) }
    for index in 0..<configuration.cameraSettings.count where configuration.cameraSettings[index].device.isEmpty {
      let name = configuration.cameraSettings[index].name.span.withUnsafeBufferPointer {
        String(decoding: $0, as: UTF8.self)
      }
      throw fail("[camera \(name)] device", "is missing: where is it plugged in? talon camera list tells")
    }
    for index in configuration.hands.indices {
      let port = configuration.locationDriver == .serial ? configuration.port : ""
      guard let complaint = HandKeys.complaint(configuration.hands, index, port: port) else { continue }
      let hand = configuration.hands[index]
      throw ConfigurationError(
        file: file, line: hand.fileLine, key: "[tool \(hand.name)] \(complaint.key)", reason: complaint.reason)
    }
    for server in configuration.servers {
      guard let complaint = MCPKeys.complaint(server, configuration.hands) else { continue }
      throw ConfigurationError(
        file: file, line: server.fileLine, key: "[mcp \(server.name)] \(complaint.key)", reason: complaint.reason)
    }
    if let complaint = ModelKeys.complaint(configuration.models) { throw fail(complaint.key, complaint.reason) }
    if configuration.privacy != .unlit, configuration.indicatorLED.isEmpty {
      throw fail("[camera] indicator_led", "is missing: which light? ls /sys/class/leds tells")
    }
    if configuration.cameraDriver == .simulated, configuration.cameraFolder.isEmpty {
      throw fail("[camera] folder", "is missing: the simulated camera shows the JPEG files of a folder")
    }
    if configuration.locationDriver == .serial, configuration.port.isEmpty {
      throw fail("[location] port", "is missing: which serial port? Example: port = /dev/ttyAMA0")
    }
    if configuration.locationDriver == .simulated, configuration.replay.isEmpty {
      throw fail("[location] replay", "is missing: the simulated receiver replays a file of NMEA sentences")
    }
    if configuration.motionDriver == .simulated, configuration.motionReplay.isEmpty {
      throw fail("[motion] replay", "is missing: the simulated sensor replays a file of samples")
    }
    for folder in configuration.files {
      guard let complaint = SharedFolders.complaint(folder, stateFolder: configuration.stateDirectory) else { continue }
      throw fail("[files] folders", complaint)
    }
    if let complaint = configuration.update.complaint { throw fail("[update] \(complaint.key)", complaint.reason) }
    if let complaint = configuration.metrics.complaint { throw fail("[metrics] \(complaint.key)", complaint.reason) }
    if let complaint = configuration.sound.complaint { throw fail(complaint.key, complaint.reason) }
    if let complaint = configuration.light.complaint { throw fail("[light] \(complaint.key)", complaint.reason) }
    if configuration.light.driver == .led, !configuration.light.led.isEmpty,
      configuration.light.led == configuration.indicatorLED
    {
      throw fail("[light] led", "is already the camera's privacy light ([camera] indicator_led)")
    }
    let led = configuration.sound.indicatorLED
    if !led.isEmpty,
      led == configuration.indicatorLED || configuration.light.driver == .led && led == configuration.light.led
    {
      throw fail("[microphone] indicator_led", "is already another light ([camera] indicator_led, [light] led)")
    }
    if configuration.button.driver == .gpio, configuration.button.line.isEmpty {
      throw fail("[button] line", "is missing: which line? Example: line = 27")
    }
    let (talk, button) = (configuration.talk.button, configuration.button)
    if talk.driver == .gpio, button.driver == .gpio, talk.place.isSameLine(as: button.place) {
      throw fail(
        "[talk] button", "is the line of [button] already, which is held for panic: talking needs a button of its own")
    }
  }
}
