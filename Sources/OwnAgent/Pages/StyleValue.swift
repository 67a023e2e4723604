import Codec
import Runtime

/// The value of a declaration in a style, in lower case.
struct StyleValue {
  let text: UnsafeBufferPointer<UInt8>

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// A number, the place after it, and whether it had digits.
  private struct Number {
    var value = 0.0
    var end = 0
    var hasDigits = false
  }

  /// Reads a number at a place. Exponents do not occur in styles that people write; what they would make smaller or
  /// larger is not seen here.
  private func number(at start: Int) -> Number {
    var number = Number(value: 0, end: start, hasDigits: false)
    var isNegative = false
    if start < text.count, text[start] == UInt8(ascii: "-") || text[start] == UInt8(ascii: "+") {
      isNegative = text[start] == UInt8(ascii: "-")
      number.end += 1
    }
    var scale = 0.0
    while number.end < text.count {
      let byte = text[number.end]
      if byte == UInt8(ascii: "."), scale == 0 {
        scale = 1
      } else if byte.isDigit {
        number.hasDigits = true
        if scale == 0 {
          number.value = min(number.value * 10 + Double(byte - 0x30), 1e9)
        } else {
          scale /= 10
          number.value += Double(byte - 0x30) * scale
        }
      } else {
        break
      }
      number.end += 1
    }
    if isNegative { number.value = -number.value }
    return number
  }

  /// The length that begins at a place, in pixels of the reference; percent of the usual size of type. Nil: no length.
  private func pixels(at start: Int) -> Double? {
    let number = number(at: start)
    guard number.hasDigits else { return nil }
    var end = number.end
    while end < text.count, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[end]) || text[end] == 0x25 {
      end += 1
    }
    let unit = text.extracting(number.end..<end).span
    if unit.isEmpty { return number.value == 0 ? 0 : nil }
    if unit.matches("px") { return number.value }
    if unit.matches("pt") { return number.value * 4 / 3 }
    if unit.matches("%") { return number.value * 0.16 }
    if unit.matches("in") { return number.value * 96 }
    if unit.matches("cm") { return number.value * 38 }
    if unit.matches("mm") { return number.value * 3.8 }
    // em, rem, ch, ex; parts of the window are taken for as much.
    return number.value * (unit.matches("vw") || unit.matches("vh") ? 10 : 16)
  }

  /// Calls `body` with the place of each word until it says true.
  private func contains(_ body: (Int) -> Bool) -> Bool {
    var isStart = true
    for index in 0..<text.count {
      let isEnd =
        text[index] == 0x20 || text[index] == UInt8(ascii: "/") || text[index] == UInt8(ascii: "(")
        || text[index] == UInt8(ascii: ",")
      if isStart, !isEnd, body(index) { return true }
      isStart = isEnd
    }
    return false
  }

  // MARK: Questions

  /// It is, or begins with, one of the words.
  func isOne(of words: StaticString) -> Bool {
    var end = 0
    while end < text.count, text[end] != 0x20 { end += 1 }
    return StaticWords.contains(words, text.extracting(0..<end))
  }

  /// A number or percentage below a limit: invisible.
  func isFraction(below limit: Double) -> Bool {
    let number = number(at: 0)
    guard number.hasDigits else { return false }
    let isPercent = number.end < text.count && text[number.end] == 0x25
    return number.value / (isPercent ? 100 : 1) <= limit
  }

  /// A word is a length below so many pixels.
  func hasLength(below limit: Double) -> Bool {
    contains { place in pixels(at: place).map { $0 < limit && $0 > -limit } ?? false }
  }

  /// A word is a length far to the left, or far above.
  var isOffScreen: Bool {
    contains { place in pixels(at: place).map { $0 <= -Double(Budget.pageOffscreenPixels) } ?? false }
  }

  /// Moved off the screen, or made infinitely small. `isScale`: the value is the factor itself.
  func isTransformedAway(isScale: Bool) -> Bool {
    if isOffScreen { return true }
    if isScale { return isFraction(below: 0.05) }
    return contains { place in
      let word = text.extracting(place..<text.count)
      guard word.span.hasPrefix("scale") else { return false }
      var start = place
      while start < text.count, text[start] != UInt8(ascii: "(") { start += 1 }
      return start < text.count
        && StyleValue(text.extracting((start + 1)..<text.count)).isFraction(below: 0.05)
    }
  }

  /// Cut to nothing, or to a pixel: the usual ways to speak to screen readers alone.
  var isCutAway: Bool {
    let value = text.span
    if value.hasPrefix("rect(") { return StyleValue(text.extracting(5..<text.count)).beginsSmall }
    if value.hasPrefix("circle(") { return StyleValue(text.extracting(7..<text.count)).beginsSmall }
    if value.hasPrefix("inset(") {
      let number = number(at: 6)
      return number.hasDigits && number.end < text.count && text[number.end] == 0x25 && number.value >= 50
    }
    return value.hasPrefix("polygon(0 0,0 0")
  }

  private var beginsSmall: Bool { pixels(at: 0).map { $0 < 2 } ?? false }
}

/// The colors of text and background in one style.
struct StyleColors {
  /// Red, green and blue; `named` and a hash of the name for one that is not known by its parts.
  private var ink: UInt32?
  private var paper: UInt32?
  private static let named: UInt32 = 1 << 31

  /// Text in the color of its background.
  var areSame: Bool { ink != nil && ink == paper }

  /// The text's color; true when it is transparent.
  mutating func take(text value: StyleValue) -> Bool {
    if value.isOne(of: "transparent") { return true }
    let (color, alpha) = Self.color(value)
    ink = color
    return alpha <= 0.05
  }

  /// The background, which begins with its color.
  mutating func take(background value: StyleValue) { paper = Self.color(value).color }

  private static func color(_ value: StyleValue) -> (color: UInt32?, alpha: Double) {
    let text = value.text
    guard let first = text.first else { return (nil, 1) }
    if first == UInt8(ascii: "#") { return hexadecimal(text) }
    if text.span.hasPrefix("rgb") { return components(text) }
    if value.isOne(of: "white") { return (0xFFFFFF, 1) }
    if value.isOne(of: "black") { return (0, 1) }
    if value.isOne(of: "inherit initial unset revert none currentcolor transparent") { return (nil, 1) }
    var (hash, index): (UInt32, Int) = (2_166_136_261, 0)
    while index < text.count, text[index] != 0x20 {
      hash = (hash ^ UInt32(text[index])) &* 16_777_619
      index += 1
    }
    return (named | hash, 1)
  }

  /// `#fff`, `#ffff`, `#ffffff`, `#ffffffff`.
  private static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>) -> (color: UInt32?, alpha: Double) {
    var digits = InlineArray<8, UInt32>(repeating: 0)
    var count = 0
    while count < 8, count + 1 < text.count, let digit = digit(text[count + 1]) {
      digits[count] = digit
      count += 1
    }
    switch count {
    case 3, 4:
      let color = digits[0] * 0x110000 + digits[1] * 0x1100 + digits[2] * 0x11
      return (color, count == 4 ? Double(digits[3]) / 15 : 1)
    case 6, 8:
      var color: UInt32 = 0
      for index in 0..<6 { color = color << 4 | digits[index] }
      return (color, count == 8 ? Double(digits[6] << 4 | digits[7]) / 255 : 1)
    default: return (nil, 1)
    }
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 87
    default: nil
    }
  }

  /// `rgb(255,255,255)`, `rgb(255 255 255/0)`, `rgba(0,0,0,0)`.
  private static func components(_ text: UnsafeBufferPointer<UInt8>) -> (color: UInt32?, alpha: Double) {
    var (color, parts, index): (UInt32, Int, Int) = (0, 0, 0)
    var alpha = 1.0
    while index < text.count, text[index] != UInt8(ascii: ")") {
      guard text[index].isDigit || text[index] == UInt8(ascii: ".") else {
        index += 1
        continue
      }
      var (value, scale) = (0.0, 0.0)
      while index < text.count, text[index].isDigit || text[index] == UInt8(ascii: ".") {
        if text[index].isDigit {
          value =
            scale == 0 ? min(value * 10 + Double(text[index] - 48), 1e6) : value + Double(text[index] - 48) * scale
          if scale > 0 { scale /= 10 }
        } else if scale == 0 {
          scale = 0.1
        }
        index += 1
      }
      let isPercent = index < text.count && text[index] == 0x25
      if parts < 3 {
        color = color << 8 | UInt32(clamping: (isPercent ? value * 2.55 : value).bounded(0, 255))
      } else if parts == 3 {
        alpha = isPercent ? value / 100 : value
      }
      parts += 1
    }
    return (parts >= 3 ? color : nil, alpha)
  }
}
