/// Names whose values are secrets (canvas reference 2.9).
enum SecretName {
  static let replacement: StaticString = "[redacted]"

  /// Matched anywhere in a name, ignoring case and separators.
  private static let parts: InlineArray<11, StaticString> = [
    "password", "secret", "token", "apikey", "bearer", "authorization", "credential", "session", "cookie", "private",
    "passwd",
  ]
  /// Matched only as whole words: not in `shipping` or `author`.
  private static let words: InlineArray<6, StaticString> = ["pin", "otp", "mfa", "auth", "refresh", "access"]

  static func matches(_ name: Bytes) -> Bool {
    for index in 0..<parts.count where contains(name, parts[index]) { return true }
    for index in 0..<words.count where hasWord(name, words[index]) { return true }
    return false
  }

  private static func contains(_ name: Bytes, _ part: StaticString) -> Bool {
    for start in 0..<name.count where end(of: part, in: name, from: start) != nil { return true }
    return false
  }

  /// The end of `part` in the name, skipping separators between its letters.
  private static func end(of part: StaticString, in name: Bytes, from start: Int) -> Int? {
    var index = start
    for letter in part.asBytes {
      while index > start, index < name.count, !name[index].isLetter { index += 1 }
      guard index < name.count, name[index].lowercased == letter else { return nil }
      index += 1
    }
    return index
  }

  private static func hasWord(_ name: Bytes, _ word: StaticString) -> Bool {
    for start in 0..<name.count where isWordStart(name, start) {
      if let end = end(of: word, in: name, from: start), isWordEnd(name, end) { return true }
    }
    return false
  }

  private static func isWordStart(_ name: Bytes, _ index: Int) -> Bool {
    guard index > 0, name[index - 1].isLetter else { return true }
    return name[index].isCapital && !name[index - 1].isCapital
  }

  private static func isWordEnd(_ name: Bytes, _ index: Int) -> Bool {
    guard index < name.count, name[index].isLetter else { return true }
    return name[index].isCapital && !name[index - 1].isCapital
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { (0x41...0x5A).contains(self) }
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(lowercased) }
  fileprivate var lowercased: UInt8 { isCapital ? self | 0x20 : self }
}
