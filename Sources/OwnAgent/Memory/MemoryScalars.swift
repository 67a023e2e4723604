import Runtime

/// Characters of texts that may be anything.
enum MemoryScalars {
  /// Stands for bytes that are no character, and for control characters (U+FFFD).
  static let replacement: UInt32 = 0xFFFD

  /// The character at `place`, which is below the count, and how many bytes it takes: a byte that begins none is one
  /// byte and the replacement (RFC 3629 section 4).
  static func next(_ text: UnsafeBufferPointer<UInt8>, _ place: Int) -> (scalar: UInt32, count: Int) {
    let first = text[place]
    if first < 0x80 { return (UInt32(first), 1) }
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, text.count - place >= count else { return (replacement, 1) }
    var scalar = UInt32(first) & (0x7F >> UInt32(count))
    for index in 1..<count {
      let byte = text[place + index]
      guard byte & 0xC0 == 0x80 else { return (replacement, 1) }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = count == 2 ? 0x80 : count == 3 ? 0x800 : 0x1_0000
    guard scalar >= least, scalar <= 0x10_FFFF, !(0xD800...0xDFFF).contains(scalar) else { return (replacement, 1) }
    return (scalar, count)
  }

  /// Of a script that is written without spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean.
  /// As `stands_alone` in Sources/CSQLite/words.c has it.
  static func isIdeographic(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF, 0xAC00...0xD7AF,
      0xF900...0xFAFF, 0x2_0000...0x3_FFFF:
      true
    default: false
    }
  }

  /// Between words: white space, punctuation, symbols and emoji. What is none of these, but no letter either, is for
  /// the index to know.
  static func isSeparator(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0xAA, 0xB5, 0xBA: false
    case 0...0xBF, 0xD7, 0xF7: true
    case 0x2000...0x206F, 0x20A0...0x20CF, 0x2190...0x2BFF: true
    case 0x3000...0x3004, 0x3008...0x303F, 0xFE00...0xFE0F, 0xFE30...0xFE4F: true
    case 0xFF00...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65, 0xFFF0...0xFFFF: true
    case 0x1_F000...0x1_FAFF: true
    default: false
    }
  }
}

/// A text as it is kept: UTF-8 without control characters, bounded.
enum MemoryText {
  /// Writes `text` into `output`: bytes that are no UTF-8 and control characters as U+FFFD, ends of lines as line
  /// feeds, or as spaces where `isLine`. Tabs stay. What does not fit is cut, at a character's edge; such a text taken
  /// again comes out the same.
  static func clean(
    _ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>, isLine: Bool = false
  ) -> (count: Int, isCut: Bool) {
    var (place, count) = (0, 0)
    while place < text.count {
      var (scalar, length) = MemoryScalars.next(text, place)
      let start = place
      place += length
      if scalar == 0x0D {
        if place < text.count, text[place] == 0x0A { continue }
        scalar = 0x0A
      }
      if scalar < 0x20 || scalar == 0x7F {
        if isLine, scalar == 0x0A || scalar == 0x09 { scalar = 0x20 }
        if scalar != 0x0A, scalar != 0x09, scalar != 0x20 { scalar = MemoryScalars.replacement }
      }
      if scalar == MemoryScalars.replacement { length = 3 }
      guard count + length <= output.count else { return (count, true) }
      if length == 1 {
        output[count] = UInt8(truncatingIfNeeded: scalar)
      } else if scalar == MemoryScalars.replacement {
        output[count] = 0xEF
        output[count + 1] = 0xBF
        output[count + 2] = 0xBD
      } else {
        for index in 0..<length { output[count + index] = text[start + index] }
      }
      count += length
    }
    return (count, false)
  }

  /// True when there is nothing but white space.
  static func isBlank(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in text where byte > 0x20 { return false }
    return true
  }
}
