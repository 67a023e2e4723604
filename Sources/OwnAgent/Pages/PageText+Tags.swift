import Codec
import Runtime

/// Tags and their attributes (WHATWG HTML, 13.2.5.6 to 40).
extension PageText {
  static func isBlank(_ scalar: UInt32) -> Bool { scalar == 0x20 || scalar == 0x0A || scalar == 0x09 || scalar == 0x0C }

  private static func isLetter(_ scalar: UInt32) -> Bool {
    (0x41...0x5A).contains(scalar) || (0x61...0x7A).contains(scalar)
  }

  func tagCharacter(_ scalar: UInt32) {
    switch place {
    case .tagOpen:
      if Self.isLetter(scalar) { return beginTag(isEnd: false, scalar) }
      if scalar == 0x2F { return place = .endTagOpen }
      if scalar == 0x21 { return beginDeclaration() }
      if scalar == 0x3F { return place = .bogusComment }
      place = .text
      show(0x3C)
      character(scalar)
    case .endTagOpen:
      if Self.isLetter(scalar) { return beginTag(isEnd: true, scalar) }
      place = scalar == 0x3E ? .text : .bogusComment
    default: tagName(scalar)
    }
  }

  func beginTag(isEnd: Bool, _ scalar: UInt32) {
    startTag(isEnd: isEnd)
    keepName(scalar)
    place = .tagName
  }

  func startTag(isEnd: Bool) {
    tag = Tag()
    tag.isEnd = isEnd
    tag.name = 2_166_136_261
    (nameCount, addressCount, alternativeCount) = (0, 0, 0)
    flag()
  }

  private func tagName(_ scalar: UInt32) {
    if Self.isBlank(scalar) {
      endTagName()
      place = .beforeAttribute
    } else if scalar == 0x2F {
      endTagName()
      place = .afterAttributeName
      tag.isSelfClosed = true
    } else if scalar == 0x3E {
      endTagName()
      endTag()
    } else {
      keepName(scalar)
    }
  }

  /// Names of any length are told apart by a hash (FNV-1a); only short ones are known.
  func keepName(_ scalar: UInt32) {
    let lower = Self.isLetter(scalar) ? scalar | 0x20 : scalar
    tag.name = (tag.name ^ lower) &* 16_777_619
    if nameCount < name.bytes.count { name.bytes[nameCount] = UInt8(clamping: lower) }
    nameCount = min(nameCount + 1, name.bytes.count + 1)
  }

  func endTagName() {
    guard nameCount <= name.bytes.count else { return tag.kind = .other }
    let word = UnsafeBufferPointer(name.bytes).extracting(0..<nameCount)
    tag.kind = PageTag(word)
    if tag.kind == .heading { tag.level = Int(word[1]) - 48 }
  }

  // MARK: Attributes

  func attributeCharacter(_ scalar: UInt32) {
    if scalar == 0x3E {
      if case .attributeName = place { endAttributeName() }
      flag()
      return endTag()
    }
    tag.isSelfClosed = scalar == 0x2F
    switch place {
    case .attributeName:
      if Self.isBlank(scalar) {
        endAttributeName()
        place = .afterAttributeName
      } else if scalar == 0x2F {
        endAttributeName()
        flag()
        place = .beforeAttribute
      } else if scalar == 0x3D {
        endAttributeName()
        beginValue()
      } else {
        keepAttributeName(scalar)
      }
    case .afterAttributeName where scalar == 0x3D && isNamed: beginValue()
    default:
      if Self.isBlank(scalar) { return }
      flag()
      if scalar == 0x2F { return place = .beforeAttribute }
      nameCount = 0
      place = .attributeName
      keepAttributeName(scalar)
    }
  }

  private func keepAttributeName(_ scalar: UInt32) {
    let lower = Self.isLetter(scalar) ? scalar | 0x20 : scalar
    if nameCount < name.bytes.count { name.bytes[nameCount] = UInt8(clamping: lower) }
    nameCount = min(nameCount + 1, name.bytes.count + 1)
  }

  private func endAttributeName() {
    isNamed = true
    attribute = .none
    guard nameCount <= name.bytes.count else { return }
    let word = UnsafeBufferPointer(name.bytes).extracting(0..<nameCount).span
    if word.matches("style") {
      attribute = .style
    } else if word.matches("href") {
      attribute = .address
    } else if word.matches("alt") {
      attribute = .description
    } else if word.matches("charset") {
      attribute = .label
    } else if word.matches("content") {
      attribute = .content
    } else if word.matches("aria-hidden") {
      attribute = .ariaHidden
    } else if word.matches("hidden") || word.matches("popover") {
      tag.isHidden = true
    } else if word.matches("open") {
      tag.isOpen = true
    }
  }

  /// The attribute that was named has no value.
  private func flag() { (isNamed, attribute) = (false, .none) }

  // MARK: Values

  private func beginValue() {
    valueCount = 0
    isNamed = false
    if attribute == .style { style.begin() }
    place = .beforeValue
  }

  func valueCharacter(_ scalar: UInt32) {
    switch place {
    case .beforeValue:
      if Self.isBlank(scalar) { return }
      if scalar == 0x22 || scalar == 0x27 { return place = .quotedValue(scalar) }
      if scalar == 0x3E { return endTag() }
      place = .value
      valueCharacter(scalar)
    case .quotedValue(let quote):
      if scalar == quote {
        endValue()
        place = .beforeAttribute
      } else if scalar == 0x26 {
        beginEntity()
      } else {
        keepValue(scalar)
      }
    default:
      if Self.isBlank(scalar) {
        endValue()
        place = .beforeAttribute
      } else if scalar == 0x3E {
        endValue()
        endTag()
      } else if scalar == 0x26 {
        beginEntity()
      } else {
        keepValue(scalar)
      }
    }
  }

  /// A character of a value; what does not fit is dropped, and the value counts as longer than the memory.
  func keepValue(_ scalar: UInt32) {
    switch attribute {
    case .none: return
    case .style: return style.take(scalar)
    default:
      let length = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
      guard valueCount + length <= value.bytes.count else { return valueCount = value.bytes.count + 1 }
      UTF8Bytes.forEach(scalar) { byte in
        value.bytes[valueCount] = byte
        valueCount += 1
      }
    }
  }

  private func endValue() {
    defer { attribute = .none }
    let text = UnsafeBufferPointer(value.bytes).extracting(0..<min(valueCount, value.bytes.count))
    switch attribute {
    case .none: return
    case .style:
      style.end()
      if style.isHiding { tag.isHidden = true }
    case .address: if addressCount == 0, valueCount <= value.bytes.count { keepAddress(text) }
    case .description: if alternativeCount == 0 { keepAlternative(text) }
    case .ariaHidden: if text.span.trimmed.hasPrefix(lowercased: "true") { tag.isHidden = true }
    case .label: if tag.kind == .meta, let charset = PageCharset(label: text) { decoder.declare(charset) }
    case .content: if tag.kind == .meta { readContentType(text) }
    }
  }

  private func keepAlternative(_ text: UnsafeBufferPointer<UInt8>) {
    alternativeCount = min(text.count, alternative.bytes.count)
    for index in 0..<alternativeCount { alternative.bytes[index] = text[index] }
  }

  /// `text/html; charset=iso-8859-1` of a `meta` element.
  private func readContentType(_ text: UnsafeBufferPointer<UInt8>) {
    let word: StaticString = "charset="
    var start = 0
    while start < text.count, !text.extracting(start..<text.count).span.hasPrefix(lowercased: word) { start += 1 }
    start += word.utf8CodeUnitCount
    guard start < text.count else { return }
    var end = start
    while end < text.count, text[end] > 0x20, text[end] != UInt8(ascii: ";") { end += 1 }
    if let charset = PageCharset(label: text.extracting(start..<end)) { decoder.declare(charset) }
  }
}

/// The bytes of a scalar.
enum UTF8Bytes {
  /// Calls `body` with one to four bytes (RFC 3629 section 3).
  static func forEach(_ scalar: UInt32, _ body: (UInt8) -> Void) {
    if scalar < 0x80 { return body(UInt8(truncatingIfNeeded: scalar)) }
    let count: UInt32 = scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
    body(UInt8(truncatingIfNeeded: 0xF00 >> count | scalar >> (6 * (count - 1))))
    var place = count - 1
    while place > 0 {
      place -= 1
      body(UInt8(truncatingIfNeeded: 0x80 | scalar >> (6 * place) & 0x3F))
    }
  }
}
