/// Words of others in a sentence of the board: a session's name, a reason, a device's name, a command line.
///
/// They stand between quotation marks, in one line, and have a bound, so that nobody takes them for words of the board.
/// Every surface uses this one function: console, screen, log, journal and notices.
public enum QuotedText {
  /// How words are written.
  public enum Form: Sendable {
    /// As people read them: white space is one blank, what is not drawn is left out, and a quotation mark is an
    /// apostrophe.
    case words
    /// As programs read them: each text is written differently, because what is read here is done. Quotation marks,
    /// backslashes, controls and what is not drawn are written as in C and Swift.
    case exact
  }

  /// Bytes around the words: two quotation marks, and three dots where something is left out.
  public static let frame = 5

  /// Calls `add` with each byte of the quoted text, of which at most `most` stand between the quotation marks.
  /// - Returns: bytes of `text` that had no room.
  @discardableResult
  public static func write(
    _ text: UnsafeBufferPointer<UInt8>, _ form: Form = .words, most: Int, _ add: (UInt8) -> Void
  ) -> Int {
    add(UInt8(ascii: "\""))
    let shown = copy(text, form, most: most, add)
    add(UInt8(ascii: "\""))
    if shown < text.count { for _ in 0..<3 { add(UInt8(ascii: ".")) } }
    return text.count - shown
  }

  /// Writes what stands between the quotation marks; how many bytes of `text` that are.
  private static func copy(
    _ text: UnsafeBufferPointer<UInt8>, _ form: Form, most: Int, _ add: (UInt8) -> Void
  ) -> Int {
    var (place, written) = (0, 0)
    var owesBlank = false
    while place < text.count {
      let length = characterLength(text, at: place)
      var mark = Mark()
      switch form {
      case .exact: mark.escape(text, at: place, length)
      case .words:
        let kind = mark.clean(text, at: place, length)
        if kind == .blank || kind == .line { owesBlank = written > 0 }
      }
      let room = mark.count + (owesBlank && mark.count > 0 ? 1 : 0)
      if written + room > most { return place }
      if owesBlank, mark.count > 0 {
        add(UInt8(ascii: " "))
        owesBlank = false
      }
      for index in 0..<mark.count { add(mark.bytes[index]) }
      written += room
      place += max(length, 1)
    }
    return place
  }

  /// Bytes of the character at `place`; 0: a byte that is not UTF-8.
  private static func characterLength(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
    switch ShownText.piece(text, at: place) {
    case .plain(let length), .direction(_, let length): length
    // A control of one byte, one of two, or a byte that is none of UTF-8.
    case .control(let length): text[place] >= 0x80 && length == 1 ? 0 : length
    }
  }

  /// The number of the character of `length` bytes at `place`.
  private static func scalar(_ text: UnsafeBufferPointer<UInt8>, at place: Int, _ length: Int) -> UInt32 {
    if length == 1 { return UInt32(text[place]) }
    var scalar = UInt32(text[place] & (0x7F >> UInt8(length)))
    for index in 1..<length { scalar = scalar << 6 | UInt32(text[place + index] & 0x3F) }
    return scalar
  }

  /// True for quotation marks of every script, which could seem to end the words.
  private static func isQuotationMark(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x22, 0xAB, 0xBB, 0x2BA, 0x2DD, 0x2EE, 0x201C...0x201F, 0x2033, 0x2034, 0x2036, 0x2037, 0x275D, 0x275E: true
    case 0x2760, 0x276E, 0x276F, 0x2E42, 0x300A, 0x300B, 0x300C...0x300F, 0x301D...0x301F, 0x3003, 0xFF02: true
    case 0x1F676...0x1F678: true
    default: false
    }
  }

  /// What is written for one character.
  private struct Mark {
    var bytes = InlineArray<12, UInt8>(repeating: 0)
    var count = 0

    mutating func put(_ byte: UInt8) {
      bytes[count] = byte
      count += 1
    }

    /// Writes it as people read it; empty for white space and what is not drawn.
    mutating func clean(_ text: UnsafeBufferPointer<UInt8>, at place: Int, _ length: Int) -> CleanScalar {
      guard length > 0 else {
        put(UInt8(ascii: "?"))
        return .plain
      }
      let scalar = QuotedText.scalar(text, at: place, length)
      let kind = CleanScalar(scalar)
      guard kind == .plain else { return kind }
      if QuotedText.isQuotationMark(scalar) {
        put(UInt8(ascii: "'"))
      } else {
        for index in 0..<length { put(text[place + index]) }
      }
      return kind
    }

    /// Writes it so that no other character is written the same.
    mutating func escape(_ text: UnsafeBufferPointer<UInt8>, at place: Int, _ length: Int) {
      guard length > 0 else { return putByte(text[place]) }
      let scalar = QuotedText.scalar(text, at: place, length)
      switch scalar {
      case 0x0A: put("n")
      case 0x0D: put("r")
      case 0x09: put("t")
      case 0x22, 0x5C:
        put(UInt8(ascii: "\\"))
        put(UInt8(truncatingIfNeeded: scalar))
      case 0x20...0x7E: put(UInt8(truncatingIfNeeded: scalar))
      case 0..<0xA0: putNumber(scalar)
      default:
        if CleanScalar(scalar) != .plain || QuotedText.isQuotationMark(scalar) { return putNumber(scalar) }
        for index in 0..<length { put(text[place + index]) }
      }
    }

    private mutating func put(_ letter: Unicode.Scalar) {
      put(UInt8(ascii: "\\"))
      put(UInt8(ascii: letter))
    }

    /// "\xE4".
    private mutating func putByte(_ byte: UInt8) {
      put("x")
      putDigit(UInt32(byte >> 4))
      putDigit(UInt32(byte & 0xF))
    }

    /// "\u{202E}".
    private mutating func putNumber(_ scalar: UInt32) {
      put("u")
      put(UInt8(ascii: "{"))
      var shift: UInt32 = scalar > 0xFFFF ? 20 : 12
      while true {
        putDigit(scalar >> shift & 0xF)
        if shift == 0 { break }
        shift -= 4
      }
      put(UInt8(ascii: "}"))
    }

    private mutating func putDigit(_ digit: UInt32) {
      let value = UInt8(truncatingIfNeeded: digit)
      put(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
    }
  }
}

extension LogLine {
  /// Adds words of others, quoted by `QuotedText`, of which at most `most` bytes, and no more than the line has room
  /// for with their quotation marks.
  /// - Returns: bytes of them that had no room.
  @discardableResult
  public mutating func quote(
    _ text: Span<UInt8>, _ form: QuotedText.Form = .words, most: Int = Budget.quotedBytes
  ) -> Int {
    let limit = min(most, room - QuotedText.frame)
    guard limit > 0 else { return text.count }
    return text.withUnsafeBufferPointer { bytes in
      QuotedText.write(bytes, form, most: limit) { put($0) }
    }
  }

  /// Adds a code, an id or a path of others: as it is where it has only what such words are made of, else quoted. With
  /// blanks it could go on with the board's sentence.
  public mutating func add(code text: Span<UInt8>) {
    if text.isEmpty { return }
    var isCode = text.count <= Budget.quotedBytes
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "+"):
        break
      default: isCode = false
      }
    }
    if isCode { add(text) } else { quote(text) }
  }
}
