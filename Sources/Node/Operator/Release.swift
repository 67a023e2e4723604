import Runtime

/// A gateway's release, such as 2026.6.8 (gateway reference 0.1).
struct Release: Equatable, Sendable {
  /// Before all others.
  static let first = Release(year: 0, month: 0, number: 0)
  /// Talk at nodes.
  static let june = Release(year: 2026, month: 6, number: 0)
  /// Nodes publish tools.
  static let july = Release(year: 2026, month: 7, number: 0)
  /// The list of allowed commands has another name.
  static let august = Release(year: 2026, month: 8, number: 0)
  /// A request for approval waits until somebody decides.
  static let september = Release(year: 2026, month: 8, number: 2)

  private let value: Int

  init(year: Int, month: Int, number: Int) { value = (year * 100 + month) * 1000 + number }

  /// Reads the first three numbers; nil when the text does not begin with a year and a month.
  init?(_ text: Span<UInt8>) {
    var parts = InlineArray<3, Int>(repeating: 0)
    var part = 0
    var digits = 0
    for index in 0..<text.count {
      let byte = text[index]
      if byte >= 0x30, byte <= 0x39, digits < 4 {
        parts[part] = parts[part] * 10 + Int(byte - 0x30)
        digits += 1
        continue
      }
      guard byte == UInt8(ascii: "."), digits > 0, part < 2 else { break }
      part += 1
      digits = 0
    }
    guard part >= 1, parts[0] >= 2000, (1...12).contains(parts[1]) else { return nil }
    self.init(year: parts[0], month: parts[1], number: min(parts[2], 999))
  }

  static func >= (left: Release, right: Release) -> Bool { left.value >= right.value }
}
