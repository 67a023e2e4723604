import Codec
import Runtime

/// Reads the `style` of an element for what makes its text unseen: it is not displayed, transparent, too small, off the
/// screen, cut to nothing, or has the color of its background. Declarations come character by character, so a style may
/// have any length; of each declaration the first `Budget.pageStyleBytes` count. Comments and escapes are resolved (CSS
/// Syntax 3, 4.3), so that nothing is hidden by being written in another way.
struct StyleReader {
  private enum Place { case plain, slash, comment, commentStar, escape, hex(UInt32, digits: Int), string(UInt32) }

  private var place = Place.plain
  /// The current declaration: lower case, without white space where that means nothing.
  private let room: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  /// Open brackets, inside of which no declaration ends.
  private var brackets = 0
  private var hasBlank = false
  /// Nothing of the element is seen.
  private(set) var isHiding = false
  private var colors = StyleColors()
  /// What only hides together with something else.
  private var (cutsOverflow, hasNoSize) = (false, false)

  /// `room` has `Budget.pageStyleBytes`, and outlives the reader.
  init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  /// A style begins.
  mutating func begin() { self = StyleReader(room) }

  /// Takes the next character.
  mutating func take(_ scalar: UInt32) {
    switch place {
    case .plain: plain(scalar)
    case .slash:
      if scalar == 0x2A { return place = .comment }
      place = .plain
      keep(0x2F)
      plain(scalar)
    case .comment: if scalar == 0x2A { place = .commentStar }
    case .commentStar: place = scalar == 0x2F ? .plain : scalar == 0x2A ? .commentStar : .comment
    case .escape: escaped(scalar)
    case .hex(let value, let digits): hex(scalar, value, digits)
    case .string(let quote): if scalar == quote || scalar == 0x0A { place = .plain }
    }
  }

  /// The style has ended.
  mutating func end() {
    if case .hex(let value, _) = place { keep(value) }
    place = .plain
    endDeclaration()
    if colors.areSame || cutsOverflow && hasNoSize { isHiding = true }
  }

  // MARK: Characters

  private mutating func plain(_ scalar: UInt32) {
    switch scalar {
    case 0x2F: place = .slash
    case 0x5C: place = .escape
    case 0x22, 0x27: place = .string(scalar)
    case 0x3B where brackets == 0: endDeclaration()
    case 0x28, 0x29:
      brackets = scalar == 0x28 ? min(brackets + 1, 1000) : max(brackets - 1, 0)
      keep(scalar)
    default: keep(scalar)
    }
  }

  private mutating func escaped(_ scalar: UInt32) {
    place = .plain
    if let digit = Self.digit(scalar) { return place = .hex(digit, digits: 1) }
    if scalar != 0x0A { keep(scalar) }
  }

  private mutating func hex(_ scalar: UInt32, _ value: UInt32, _ digits: Int) {
    if digits < 6, let digit = Self.digit(scalar) { return place = .hex(value << 4 | digit, digits: digits + 1) }
    place = .plain
    keep(value)
    // One white space ends the number, and belongs to it.
    if scalar > 0x20 { plain(scalar) }
  }

  private static func digit(_ scalar: UInt32) -> UInt32? {
    switch scalar {
    case 0x30...0x39: scalar - 0x30
    case 0x41...0x46, 0x61...0x66: (scalar | 0x20) - 0x61 + 10
    default: nil
    }
  }

  private mutating func keep(_ scalar: UInt32) {
    if scalar <= 0x20 { return hasBlank = count > 0 }
    let byte = scalar < 0x80 ? UInt8(truncatingIfNeeded: scalar).asciiLowercased : UInt8(ascii: "?")
    if hasBlank, !Self.isTight(byte), !Self.isTight(room[count - 1]) { append(0x20) }
    hasBlank = false
    append(byte)
  }

  private mutating func append(_ byte: UInt8) {
    guard count < room.count else { return }
    room[count] = byte
    count += 1
  }

  /// White space around it means nothing.
  private static func isTight(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")")
      || byte == UInt8(ascii: "!")
  }

  // MARK: Declarations

  private mutating func endDeclaration() {
    let text = UnsafeBufferPointer(room).extracting(0..<count)
    (count, brackets, hasBlank) = (0, 0, false)
    var colon = 0
    while colon < text.count, text[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < text.count else { return }
    var end = colon + 1
    while end < text.count, text[end] != UInt8(ascii: "!") { end += 1 }
    judge(text.extracting(0..<colon), StyleValue(text.extracting((colon + 1)..<end)))
  }

  private mutating func judge(_ name: UnsafeBufferPointer<UInt8>, _ value: StyleValue) {
    if StaticWords.contains("display content-visibility visibility", name) {
      if value.isOne(of: "none hidden collapse") { isHiding = true }
    } else if StaticWords.contains("opacity", name) {
      if value.isFraction(below: 0.05) { isHiding = true }
    } else if StaticWords.contains("font-size font", name) {
      if value.hasLength(below: 2) { isHiding = true }
    } else if StaticWords.contains(
      "text-indent left right top bottom margin margin-left margin-right margin-top inset", name)
    {
      if value.isOffScreen { isHiding = true }
    } else if StaticWords.contains("transform translate scale -webkit-transform", name) {
      if value.isTransformedAway(isScale: name.span.matches("scale")) { isHiding = true }
    } else if StaticWords.contains("clip clip-path -webkit-clip-path", name) {
      if value.isCutAway { isHiding = true }
    } else if StaticWords.contains("overflow overflow-x overflow-y", name) {
      if value.isOne(of: "hidden clip") { cutsOverflow = true }
    } else if StaticWords.contains("width height max-width max-height", name) {
      if value.hasLength(below: 2) { hasNoSize = true }
    } else if StaticWords.contains("color -webkit-text-fill-color", name) {
      if colors.take(text: value) { isHiding = true }
    } else if StaticWords.contains("background background-color", name) {
      colors.take(background: value)
    }
  }
}
