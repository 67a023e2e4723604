/// The contents of a JSON string, piece by piece: runs of unescaped bytes, and escaped characters.
struct JSONStringPieces: ~Escapable {
  enum Piece {
    case run(Range<Int>)
    case scalar(UInt32)
  }

  private let text: Span<UInt8>
  private var index = 1

  /// - Parameter text: begins with the string's first quote, has been checked, and may go on after the
  ///   string.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
  }

  /// The next piece, or nil after the last one.
  mutating func next() -> Piece? {
    guard index < text.count, text[index] != UInt8(ascii: "\"") else { return nil }
    return text[index] == UInt8(ascii: "\\") ? escape() : run()
  }

  private mutating func run() -> Piece {
    let start = index
    index = text.stringRunEnd(from: index)
    return .run(start..<index)
  }

  private mutating func escape() -> Piece? {
    guard index + 1 < text.count else { return nil }
    let letter = text[index + 1]
    index += 2
    guard letter == UInt8(ascii: "u") else { return letter.unescaped.map { .scalar(UInt32($0)) } }
    guard let unit = hexUnit() else { return nil }
    guard UnicodeScalar.isHighSurrogate(unit) else { return .scalar(unit) }
    index += 2
    guard let low = hexUnit() else { return nil }
    return .scalar(UnicodeScalar.joined(high: unit, low: low))
  }

  /// Reads four hexadecimal digits.
  private mutating func hexUnit() -> UInt32? {
    guard index + 4 <= text.count else { return nil }
    var unit: UInt32 = 0
    for place in index..<index + 4 { unit = unit << 4 | UInt32(text[place].hexValue ?? 0) }
    index += 4
    return unit
  }
}

extension Span where Element == UInt8 {
  /// The index of the next quote or escape.
  @inline(__always)
  func stringRunEnd(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let word = word(at: index)
      let found = (word ^ UInt64(repeating: 0x22)).zeroBytes | (word ^ UInt64(repeating: 0x5C)).zeroBytes
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index] != UInt8(ascii: "\""), self[index] != UInt8(ascii: "\\") { index &+= 1 }
    return index
  }
}
