import Runtime

/// Changes one key in a configuration file's text; every other line, comments and line ends stay as they are.
enum ConfigEditor {
  private static let newline = UInt8(ascii: "\n"), carriageReturn = UInt8(ascii: "\r")

  /// The text with `key` of `section` set to `value`, or without it for nil. A new key is inserted after its example in
  /// a comment, else at the end of its section, else at the end of the file in a new section.
  static func change(_ text: [UInt8], section: String, key: String, value: String?) -> [UInt8] {
    var lines: [[UInt8]] = []
    for line in text.split(separator: newline, omittingEmptySubsequences: false) { lines.append(Array(line)) }
    if lines.last?.isEmpty == true { lines.removeLast() }
    let ending: [UInt8] = lines.first?.last == carriageReturn ? [carriageReturn] : []
    let line = value.map { Array("\(key) = \(quoted($0))".utf8) + ending }
    let places = find(lines, section, key)
    if let set = places.set {
      if let line { lines[set] = line } else { lines.remove(at: set) }
    } else if let line {
      if let end = places.example ?? places.sectionEnd {
        lines.insert(line, at: end + 1)
      } else {
        if !lines.isEmpty { lines.append(ending) }
        lines.append(Array("[\(section)]".utf8) + ending)
        lines.append(line)
      }
    }
    var result: [UInt8] = []
    for line in lines { result += line + [newline] }
    return result
  }

  private struct Places {
    /// Line numbers: where the key is set, where a comment shows it, and the last line of its section that is not
    /// blank.
    var set: Int?
    var example: Int?
    var sectionEnd: Int?
  }

  private static func find(_ lines: [[UInt8]], _ section: String, _ key: String) -> Places {
    var places = Places()
    var isInside = false
    for index in lines.indices {
      let text = ConfigurationKey.trimmed(lines[index][...])
      if text.utf8.first == UInt8(ascii: "[") {
        isInside = heading(text) == section
      }
      guard isInside, !text.isEmpty else { continue }
      places.sectionEnd = index
      if name(text) == key { places.set = index }
      if text.utf8.first == UInt8(ascii: "#"), name(String(text.dropFirst())) == key, places.example == nil {
        places.example = index
      }
    }
    return places
  }

  static func heading(_ text: String) -> String {
    ConfigurationKey.trimmed(Array(text.utf8.dropFirst().dropLast())[...])
  }

  /// The text before the first equals sign of a line that is not a comment.
  private static func name(_ text: String) -> String? {
    guard let first = text.utf8.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";"), first > 0x20,
      let equals = text.utf8.firstIndex(of: UInt8(ascii: "="))
    else { return nil }
    return ConfigurationKey.trimmed(Array(text.utf8[..<equals])[...])
  }

  /// Surrounding spaces and the value's own quotes would be removed.
  private static func quoted(_ value: String) -> String {
    let bytes = Array(value.utf8)
    guard let first = bytes.first, let last = bytes.last else { return value }
    let quote = UInt8(ascii: "\"")
    return first <= 0x20 || last <= 0x20 || (first == quote && last == quote) ? "\"\(value)\"" : value
  }
}
