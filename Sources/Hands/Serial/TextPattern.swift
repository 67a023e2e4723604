import Runtime

/// A pattern that a whole text must match: characters, sets `[a-z]`, `.` for any printable character, each with `?`,
/// `*`, `+`, `{2}` or `{1,4}` after it; `|` between alternatives. A backslash takes the next character as it is. The
/// notation is that of regular expressions, without groups, so that matching takes bounded time.
public struct TextPattern: Sendable {
  private struct Item: Sendable {
    var characters: ASCIISet
    var least: Int
    var most: Int
  }

  /// Longest text that is matched.
  private static let textBytes = 256

  private var items = InlineList<32, Item>()
  /// Where each alternative ends in `items`.
  private var ends = InlineList<8, Int>()

  /// Reads a pattern; nil when it is none, or has more than `Budget.patternItems` items or 8 alternatives.
  public init?(_ text: Span<UInt8>) {
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "|") {
        guard ends.append(items.count) else { return nil }
        index += 1
        continue
      }
      guard let characters = Self.characters(text, &index),
        let (least, most) = Self.repetition(text, &index),
        items.append(Item(characters: characters, least: least, most: most))
      else { return nil }
    }
    guard ends.append(items.count), items.count > 0 else { return nil }
  }

  /// True when the whole text is as one of the alternatives says.
  public func matches(_ text: Span<UInt8>) -> Bool {
    guard text.count <= Self.textBytes else { return false }
    var start = 0
    for index in 0..<ends.count {
      if matches(text, from: start, to: ends[index]) { return true }
      start = ends[index]
    }
    return false
  }

  /// Follows all places of the text that the items so far may have reached, at the same time.
  private func matches(_ text: Span<UInt8>, from start: Int, to end: Int) -> Bool {
    var reached = InlineArray<257, Bool>(repeating: false)
    reached[0] = true
    for number in start..<end {
      let item = items[number]
      var next = InlineArray<257, Bool>(repeating: false)
      for place in 0...text.count where reached[place] {
        var (index, count) = (place, 0)
        if item.least == 0 { next[index] = true }
        while index < text.count, count < item.most, item.characters.contains(text[index]) {
          index += 1
          count += 1
          if count >= item.least { next[index] = true }
        }
      }
      reached = next
    }
    return reached[text.count]
  }

  private static func characters(_ text: Span<UInt8>, _ index: inout Int) -> ASCIISet? {
    var set = ASCIISet()
    let byte = text[index]
    index += 1
    switch byte {
    case UInt8(ascii: "["): return ASCIISet(text, at: &index)
    case UInt8(ascii: "."): for member in UInt8(0x20)..<0x7F { set.insert(member) }
    case UInt8(ascii: "\\"):
      guard index < text.count, (0x20..<0x7F).contains(text[index]) else { return nil }
      set.insert(text[index])
      index += 1
    case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "{"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "^"), UInt8(ascii: "$"):
      return nil
    default:
      guard (0x20..<0x7F).contains(byte) else { return nil }
      set.insert(byte)
    }
    return set
  }

  /// How often an item may come: once without a sign.
  private static func repetition(_ text: Span<UInt8>, _ index: inout Int) -> (Int, Int)? {
    guard index < text.count else { return (1, 1) }
    switch text[index] {
    case UInt8(ascii: "?"): index += 1; return (0, 1)
    case UInt8(ascii: "*"): index += 1; return (0, textBytes)
    case UInt8(ascii: "+"): index += 1; return (1, textBytes)
    case UInt8(ascii: "{"): break
    default: return (1, 1)
    }
    index += 1
    guard let least = number(text, &index) else { return nil }
    var most = least
    if index < text.count, text[index] == UInt8(ascii: ",") {
      index += 1
      guard let second = number(text, &index) else { return nil }
      most = second
    }
    guard index < text.count, text[index] == UInt8(ascii: "}"), least <= most, most > 0 else { return nil }
    index += 1
    return (least, most)
  }

  private static func number(_ text: Span<UInt8>, _ index: inout Int) -> Int? {
    var (value, digits) = (0, 0)
    while index < text.count, (48...57).contains(text[index]), digits < 3 {
      value = 10 * value + Int(text[index] - 48)
      index += 1
      digits += 1
    }
    return digits > 0 && value <= textBytes ? value : nil
  }
}
