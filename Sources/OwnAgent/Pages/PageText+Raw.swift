import Codec
import Runtime

/// What is no markup: comments, scripts, and elements whose content is text alone (WHATWG HTML, 13.2.5.9 to 31, 41 to
/// 52).
extension PageText {
  // MARK: Comments

  func beginDeclaration() { (place, dashes) = (.markupDeclaration, 0) }

  func commentCharacter(_ scalar: UInt32) {
    switch place {
    case .markupDeclaration: declaration(scalar)
    case .bogusComment: if scalar == 0x3E { place = .text }
    case .commentStart: commentStart(scalar, dash: .commentStartDash)
    case .commentStartDash: commentStart(scalar, dash: .commentEnd)
    case .comment: if scalar == 0x2D { place = .commentDash }
    case .commentDash: place = scalar == 0x2D ? .commentEnd : .comment
    case .commentEnd:
      if scalar == 0x3E { return place = .text }
      if scalar != 0x2D { place = scalar == 0x21 ? .commentEndBang : .comment }
    case .commentEndBang:
      if scalar == 0x3E { return place = .text }
      place = scalar == 0x2D ? .commentDash : .comment
    default: return
    }
  }

  /// After `<!`: two hyphens begin a comment; everything else ends with the next `>`.
  private func declaration(_ scalar: UInt32) {
    if scalar == 0x2D {
      dashes += 1
      if dashes == 2 { place = .commentStart }
    } else {
      place = scalar == 0x3E ? .text : .bogusComment
    }
  }

  /// `<!-->` and `<!--->` are whole comments.
  private func commentStart(_ scalar: UInt32, dash: Place) {
    if scalar == 0x3E { return place = .text }
    place = scalar == 0x2D ? dash : .comment
  }

  // MARK: Text alone

  /// The content of an element that is no markup begins.
  func beginRaw(_ tag: Tag) {
    (raw, scriptLevel, dashes) = (tag, 0, 0)
    place = .raw
  }

  func rawCharacter(_ scalar: UInt32) {
    switch place {
    case .raw:
      if scalar == 0x3C {
        dashes = 0
        return place = .rawLess
      }
      // References are resolved in a title; elsewhere the text is dropped or stands for itself.
      if scalar == 0x26, raw.kind == .title { return beginEntity() }
      showRaw(scalar)
    case .rawLess: rawLess(scalar)
    case .rawEndName: rawEndName(scalar)
    case .rawName: rawName(scalar)
    case .rawBang: rawBang(scalar, next: .rawBangDash)
    default:
      // The second hyphen of `<!--`: from here on `<script` nests.
      if scalar == 0x2D, scriptLevel == 0 { (scriptLevel, dashes) = (1, 2) }
      place = .raw
      if scalar != 0x2D { rawCharacter(scalar) }
    }
  }

  private func rawLess(_ scalar: UInt32) {
    if scalar == 0x2F {
      startTag(isEnd: true)
      return place = .rawEndName
    }
    if raw.kind == .script, scalar == 0x21 { return place = .rawBang }
    if raw.kind == .script, scriptLevel == 1 {
      startTag(isEnd: false)
      place = .rawName
      return rawName(scalar)
    }
    place = .raw
    showRaw(0x3C)
    rawCharacter(scalar)
  }

  private func rawBang(_ scalar: UInt32, next: Place) {
    place = scalar == 0x2D ? next : .raw
    if scalar != 0x2D { rawCharacter(scalar) }
  }

  private static func endsName(_ scalar: UInt32) -> Bool { isBlank(scalar) || scalar == 0x2F || scalar == 0x3E }

  /// `<script` in a script's comment: its `</script` does not end the script.
  private func rawName(_ scalar: UInt32) {
    if Self.endsName(scalar) {
      if tag.name == raw.name, nameCount > 0 { scriptLevel = 2 }
    } else if nameCount <= name.bytes.count, scalar != 0x3C {
      return keepName(scalar)
    }
    place = .raw
    rawCharacter(scalar)
  }

  private func rawEndName(_ scalar: UInt32) {
    guard Self.endsName(scalar) else {
      if nameCount < name.bytes.count, scalar != 0x3C { return keepName(scalar) }
      return replay(scalar)
    }
    guard tag.name == raw.name, nameCount > 0 else { return replay(scalar) }
    if scriptLevel == 2 {
      scriptLevel = 1
      return replay(scalar)
    }
    endTagName()
    if scalar == 0x3E { return endTag() }
    place = scalar == 0x2F ? .afterAttributeName : .beforeAttribute
  }

  /// It was no end: what was read is text, and `scalar` comes after it.
  private func replay(_ scalar: UInt32) {
    place = .raw
    dashes = 0
    if raw.kind == .shownText || raw.kind == .title {
      showRaw(0x3C)
      showRaw(0x2F)
      for index in 0..<min(nameCount, name.bytes.count) { showRaw(UInt32(name.bytes[index])) }
    }
    rawCharacter(scalar)
  }

  /// A character of such content.
  func showRaw(_ scalar: UInt32) {
    switch raw.kind {
    case .title: if !hasTitle, !isHidden { title.put(scalar) }
    case .shownText: if !isHidden { output.putKept(scalar) }
    case .script:
      if scalar == 0x2D {
        dashes = min(dashes + 1, 2)
      } else {
        if scalar == 0x3E, dashes == 2 { scriptLevel = 0 }
        dashes = 0
      }
    default: return
    }
  }

  /// Such an element has ended.
  func endRaw() {
    place = .text
    switch raw.kind {
    case .title: if title.count > 0, !hasTitle { endTitle() }
    case .shownText: if !isHidden { output.breakLine(raw.kind.feeds) }
    default: return
    }
  }

  func endTitle() {
    hasTitle = true
    title.end()
    output.insert(title: title.text)
  }
}
