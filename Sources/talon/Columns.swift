/// Text for a terminal of 80 columns, as serial consoles and small screens have. Plain ASCII is assumed: a byte is a
/// column.
enum Columns {
  /// A line of at least so many columns was broken because it was full, and goes on with the next one.
  private static let full = 90

  /// The text with no line longer than `width`, words whole. Paragraphs are filled anew; lines that are indented or
  /// begin with a command stay lines of their own, and go on below their last column.
  static func fitted(_ text: String, to width: Int = 80) -> String {
    var lines: [String] = []
    var paragraph = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = String(line)
      if paragraph.isEmpty || !isProse(line) || isLabelled(line) {
        if !paragraph.isEmpty { lines += wrapped(paragraph, width) }
        paragraph = line
      } else {
        paragraph += " " + line
      }
      if goesOn(line) { continue }
      lines += wrapped(paragraph, width)
      paragraph = ""
    }
    if !paragraph.isEmpty { lines += wrapped(paragraph, width) }
    return lines.joined(separator: "\n")
  }

  private static func isProse(_ line: String) -> Bool {
    !line.isEmpty && line.utf8.first != UInt8(ascii: " ") && !line.hasPrefix("talon ")
  }

  /// The line explains an option, a word of the command, or codes: `--json ...`, `yes, no: ...`, `Exit code: ...`.
  private static func isLabelled(_ line: String) -> Bool {
    if line.hasPrefix("--") { return true }
    for (index, byte) in line.utf8.enumerated() {
      if byte == UInt8(ascii: ":") { return true }
      if index >= 16 || byte == UInt8(ascii: ".") { break }
    }
    return false
  }

  private static func goesOn(_ line: String) -> Bool { isProse(line) && line.utf8.count >= full }

  private static func wrapped(_ line: String, _ width: Int) -> [String] {
    guard line.utf8.count > width else { return [line] }
    let indent = String(repeating: " ", count: hang(line))
    var lines: [String] = []
    var current = String(line.prefix { $0 == " " })
    var isEmpty = true
    // Gaps inside the line stay, for they may be columns.
    for word in line.dropFirst(current.utf8.count).split(separator: " ", omittingEmptySubsequences: false) {
      if !isEmpty, current.utf8.count + 1 + word.utf8.count > width {
        lines.append(current)
        current = indent
        isEmpty = true
      }
      if !isEmpty { current += " " }
      current += word
      isEmpty = false
    }
    return lines + [current]
  }

  /// How far the lines that follow are indented: as its last column, or a little where it is a command.
  private static func hang(_ line: String) -> Int {
    if line.hasPrefix("talon ") { return 4 }
    let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
    guard indent > 0 else { return 0 }
    var column = indent
    var gap = 0
    for (index, byte) in line.utf8.enumerated().dropFirst(indent) {
      if byte == UInt8(ascii: " ") {
        gap += 1
      } else {
        if gap > 1 { column = index }
        gap = 0
      }
    }
    return column < 40 ? column : indent
  }
}
