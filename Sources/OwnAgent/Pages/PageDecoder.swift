/// How the bytes of a page stand for characters.
public enum PageCharset: Equatable, Sendable {
  case utf8, windows1252

  /// The charset by its label in a content type or a `meta` element, or nil for one that is not known.
  init?(label: UnsafeBufferPointer<UInt8>) {
    if StaticWords.contains("utf-8 utf8 unicode-1-1-utf-8 us-utf-8", label) {
      self = .utf8
    } else if StaticWords.contains(
      "windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 latin1 latin-1 l1 iso-8859-15 us-ascii ascii", label)
    {
      self = .windows1252
    } else {
      return nil
    }
  }
}

/// Makes characters of bytes that come in pieces. A broken sequence of UTF-8 becomes U+FFFD. Where no charset was
/// named, the first byte outside ASCII decides: a page that is not UTF-8 there is windows-1252, as it is for browsers.
/// All line ends become a line feed.
struct PageDecoder {
  /// Nil: not named, and not known yet.
  private(set) var charset: PageCharset?
  /// The sequence that has begun, and what it still needs.
  private var held = InlineArray<4, UInt8>(repeating: 0)
  private var heldCount = 0
  private var needed = 0
  private var value: UInt32 = 0
  /// What the next continuation byte may be (RFC 3629 section 4).
  private var (low, high): (UInt8, UInt8) = (0x80, 0xBF)
  private var wasReturn = false
  /// Characters that are done and were not fetched.
  private var ready = InlineArray<8, UInt32>(repeating: 0)
  private var (readyStart, readyEnd) = (0, 0)

  /// At the start of a text; `charset` is what the server said, if it did.
  init(_ charset: PageCharset? = nil) { self.charset = charset }

  /// The page names its charset, which counts unless it is known already.
  mutating func declare(_ charset: PageCharset) {
    if self.charset == nil, needed == 0 { self.charset = charset }
  }

  /// The next character; nil: more bytes are needed.
  mutating func next() -> UInt32? {
    guard readyStart < readyEnd else {
      (readyStart, readyEnd) = (0, 0)
      return nil
    }
    readyStart += 1
    return ready[readyStart - 1]
  }

  /// Takes a byte. All characters must have been fetched.
  mutating func take(_ byte: UInt8) {
    if charset == .windows1252 { return emit(Windows1252.scalar(byte)) }
    if needed > 0 {
      guard byte >= low, byte <= high else {
        mend()
        return take(byte)
      }
      return goOn(byte)
    }
    if byte < 0x80 { return emit(UInt32(byte)) }
    (held[0], heldCount) = (byte, 1)
    begin(byte)
  }

  /// No more bytes come.
  mutating func end() { if needed > 0 { mend() } }

  private mutating func begin(_ lead: UInt8) {
    (low, high) = (0x80, 0xBF)
    switch lead {
    case 0xC2...0xDF: (needed, value) = (1, UInt32(lead & 0x1F))
    case 0xE0...0xEF: (needed, value) = (2, UInt32(lead & 0x0F))
    case 0xF0...0xF4: (needed, value) = (3, UInt32(lead & 0x07))
    default: return mend()
    }
    switch lead {
    case 0xE0: low = 0xA0
    case 0xED: high = 0x9F
    case 0xF0: low = 0x90
    case 0xF4: high = 0x8F
    default: break
    }
  }

  private mutating func goOn(_ byte: UInt8) {
    held[heldCount] = byte
    heldCount += 1
    value = value << 6 | UInt32(byte & 0x3F)
    (low, high) = (0x80, 0xBF)
    needed -= 1
    guard needed == 0 else { return }
    heldCount = 0
    if charset == nil { charset = .utf8 }
    emit(value)
  }

  /// The sequence that has begun is none.
  private mutating func mend() {
    let count = heldCount
    (heldCount, needed) = (0, 0)
    guard charset == nil else { return emit(0xFFFD) }
    charset = .windows1252
    for index in 0..<count { emit(Windows1252.scalar(held[index])) }
  }

  private mutating func emit(_ scalar: UInt32) {
    if scalar == 0x0A, wasReturn { return wasReturn = false }
    wasReturn = scalar == 0x0D
    guard readyEnd < ready.count else { return }
    ready[readyEnd] = wasReturn ? 0x0A : scalar
    readyEnd += 1
  }
}

/// Lists of words in a literal, with blanks between them.
enum StaticWords {
  /// True when `word` is one of them; letters of ASCII are compared in lower case.
  static func contains(_ list: StaticString, _ word: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !word.isEmpty else { return false }
    var index = 0
    let length = list.utf8CodeUnitCount
    let bytes = list.utf8Start
    while index < length {
      var matched = 0
      while index < length, matched < word.count, bytes[index] == lowercased(word[matched]), bytes[index] != 0x20 {
        (index, matched) = (index + 1, matched + 1)
      }
      if matched == word.count, index == length || bytes[index] == 0x20 { return true }
      while index < length, bytes[index] != 0x20 { index += 1 }
      index += 1
    }
    return false
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }
}
