import Gateway
import Runtime

/// Types of values: each sets its target from a text, and returns what is wrong with it, or nil.
extension ConfigurationKey {
  /// Addresses, separated by spaces or commas.
  static func urls(_ value: String, _ target: inout [GatewayURL]) -> String? {
    for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
      guard target.count < Budget.gatewayURLs else { return "must name at most \(Budget.gatewayURLs) addresses" }
      do throws(GatewayURLError) {
        target.append(try GatewayURL(address: String(decoding: Array(word), as: UTF8.self)))
      } catch {
        return "the URL \(String(error.text))"
      }
    }
    return target.isEmpty ? "must name an address" : nil
  }

  static func text(_ value: String, limit: Int, _ target: inout String) -> String? {
    guard value.utf8.count <= limit else { return "must have at most \(limit) bytes" }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "|") }) else {
      return "must not contain control characters or |"
    }
    target = value
    return nil
  }

  /// Words with commas between, as groups of a fleet are called; without blanks afterwards.
  static func tags(_ value: String, _ target: inout String) -> String? {
    var words: [String] = []
    for part in value.split(separator: ",") {
      let word = trimmed(Array(part.utf8)[...])
      guard (1...32).contains(word.utf8.count), word.utf8.allSatisfy(isTagByte) else {
        return "must be words of at most 32 letters, digits and . _ -, with commas between"
      }
      words.append(word)
    }
    let text = words.joined(separator: ",")
    guard text.utf8.count <= 128 else { return "must have at most 128 bytes" }
    target = text
    return nil
  }

  private static func isTagByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  static func path(_ value: String, _ target: inout String) -> String? {
    guard value.utf8.first == UInt8(ascii: "/") else { return "must be an absolute path" }
    guard value.utf8.count < Budget.pathBytes - 64 else { return "is too long for a path" }
    target = value
    return nil
  }

  static func scopes(_ value: String, _ target: inout Scopes) -> String? {
    var scopes = Scopes()
    for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) where !scopes.add(String(word).utf8.span) {
      return "\(word) is no scope that Talon knows"
    }
    if scopes.isEmpty { return "must name at least one scope" }
    target = scopes
    return nil
  }

  static func bool(_ value: String, _ target: inout Bool) -> String? {
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

  /// Whole seconds, kept as milliseconds.
  static func seconds(_ text: String, _ range: ClosedRange<Int64>, _ target: inout Int64) -> String? {
    var seconds: Int64 = 0
    let complaint = number(text, range, &seconds)
    if complaint == nil { target = seconds * 1000 }
    return complaint
  }

  /// Whole percent, kept as a share from 0 to 1.
  static func percent(_ text: String, _ target: inout Double) -> String? {
    var percent = 0
    let complaint = number(text, 0...100, &percent)
    if complaint == nil { target = Double(percent) / 100 }
    return complaint
  }

  static func decimal(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.count <= 15 else { return nil }
    var value: Int64 = 0
    for byte in text.utf8 {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// A secret: one line of at most the gateway's length.
  static func secret(_ value: String, into target: inout String) -> String? {
    guard value.utf8.count <= Budget.tokenBytes else { return "must have at most \(Budget.tokenBytes) bytes" }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), !value.unicodeScalars.contains("\u{FFFD}")
    else {
      return "must be one line of text"
    }
    if EditedText.hidesSomething(value) { return "holds a character that nobody sees: copy it again" }
    target = value
    return nil
  }

  /// A secret in its own file, so that the configuration may be shown to others.
  static func secret(from path: String, into target: inout String) throws(Errno) -> String? {
    do throws(Errno) {
      // In UTF-16 each letter has two bytes.
      let value = trimmed(EditedText.normal(try TextFile.read(path, limit: 2 * Budget.tokenBytes + 8))[...])
      if value.isEmpty { return "\(path) is empty" }
      return secret(value, into: &target).map { "what stands in \(path) \($0)" }
    } catch {
      if error.isTransient { throw error }
      return "\(path) cannot be read: \(String(error.text))"
    }
  }

  /// Text without what is not seen around it.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: EditedText.trimmed(bytes), as: UTF8.self)
  }
}

extension String {
  /// The text of a literal, for messages: it allocates a string.
  init(_ literal: StaticString) { self = String(decoding: literal.bytes, as: UTF8.self) }
}
