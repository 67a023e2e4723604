import Runtime

/// A card as far as it can be told from others.
public struct SoundCard: Sendable {
  /// Its number, for now.
  public var number: Int
  /// Its id, its name, and where it is plugged in.
  public var id, name, place: SoundName

  /// A card; see the properties.
  public init(number: Int, id: SoundName, name: SoundName, place: SoundName) {
    self.number = number
    self.id = id
    self.name = name
    self.place = place
  }

  /// How well the card is meant by a name of the configuration: 3 by its id, 2 by its name, 1 by where it is plugged in, 0 not at all.
  /// Capital letters do not count.
  public func match(_ wanted: SoundName) -> Int {
    if Self.equal(id.span, wanted.span) { return 3 }
    if Self.equal(name.span, wanted.span) { return 2 }
    return Self.holds(place.span, wanted.span) ? 1 : 0
  }

  private static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    left.count == right.count && begins(left, 0, right)
  }

  /// A place is a word with points or colons in it. A part of a name is none: it may be another card's as well.
  private static func holds(_ text: Span<UInt8>, _ part: Span<UInt8>) -> Bool {
    guard part.count <= text.count, isPlace(part) else { return false }
    for start in 0...(text.count - part.count) where begins(text, start, part) {
      if isEdge(text, start - 1), isEdge(text, start + part.count) { return true }
    }
    return false
  }

  private static func isPlace(_ part: Span<UInt8>) -> Bool {
    for index in 0..<part.count where part[index] == UInt8(ascii: ":") || part[index] == UInt8(ascii: ".") {
      return true
    }
    return false
  }

  /// "usb-0000:01:00.0-1.1" is not "usb-0000:01:00.0-1.10".
  private static func isEdge(_ text: Span<UInt8>, _ index: Int) -> Bool {
    guard index >= 0, index < text.count else { return true }
    return text[index] == UInt8(ascii: " ") || text[index] == UInt8(ascii: ",")
  }

  private static func begins(_ text: Span<UInt8>, _ start: Int, _ part: Span<UInt8>) -> Bool {
    for index in 0..<part.count where lower(text[start + index]) != lower(part[index]) { return false }
    return true
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte }
}
