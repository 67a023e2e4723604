import Foundation

extension Data {
  /// Decodes base64url or standard base64, with or without padding, as gateways do for keys and signatures.
  init?(base64AnyAlphabet text: String) {
    let standard = text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }.filter { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - standard.count % 4) % 4)
    self.init(base64Encoded: String(standard) + padding)
  }

  /// RFC 4648 section 5, without padding.
  var base64URL: String {
    String(base64EncodedString().compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
  }

  /// As many bytes from the system's random source.
  static func random(count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}

extension Sequence<UInt8> {
  /// Lower-case hex.
  var hex: String {
    lazy.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

extension String {
  /// Without outer white space.
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

  /// How `platform` and `deviceFamily` are signed and compared: trimmed, only ASCII letters lowered
  /// (protocol reference, section 4.2).
  var normalizedMetadata: String {
    String(decoding: trimmed.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Takes the same time for every text of the right length.
  func equalsInConstantTime(_ other: String) -> Bool {
    let ours = Array(utf8)
    let theirs = Array(other.utf8)
    guard ours.count == theirs.count else { return false }
    return zip(ours, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
