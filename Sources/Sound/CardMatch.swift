import Runtime

/// The identification of a sound card.
public struct SoundCard: Sendable {
  /// Its current number.
  public var number: Int
  /// Its id, its name, and its USB path.
  public var id, name, place: SoundName

  /// A card; see the properties.
  public init(number: Int, id: SoundName, name: SoundName, place: SoundName) {
    self.number = number
    self.id = id
    self.name = name
    self.place = place
  }

  /// How well a configured name matches: 3 for the id, 2 for the name, 1 for the USB path, 0 not at all. Case is
  /// ignored.
  public func match(_ wanted: SoundName) -> Int {
    if Self.equal(id.span, wanted.span) { return 3 }
    if Self.equal(name.span, wanted.span) { return 2 }
    return Self.holds(place.span, wanted.span) ? 1 : 0
  }

  private static func equal(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    left.count == right.count && begins(left, 0, right)
  }

  /// Matches a USB path, which has periods or colons. Parts of names do not match, because they may be ambiguous.
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
