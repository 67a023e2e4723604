import Codec
import Runtime

/// A Wi-Fi network as telephones and routers write it into a QR code: `WIFI:T:WPA;S:name;P:passphrase;H:true;;`, with
/// the fields in any order, and a backslash before each `\ ; , : "` of a value.
///
/// A name without quotes is the name as it stands. The first reader of such codes (ZXing) took `S:cafe` for hexadecimal
/// digits; the telephones that write them today mean a network "cafe".
public struct WiFiCode: Equatable, Sendable {
  /// How the network is protected.
  public enum Protection: Equatable, Sendable {
    case open
    /// By a passphrase of 8 to 63 characters, or by its key as 64 hexadecimal digits.
    case passphrase, key
  }

  /// A value: 64 bytes, and quotes around them.
  private typealias Value = InlineArray<66, UInt8>

  /// The name, 1 to 32 bytes without control characters.
  public private(set) var name = InlineText<32>()
  public private(set) var protection = Protection.open
  /// The passphrase or the key; empty for an open network. Never logged.
  public private(set) var secret = InlineText<64>()
  /// True for a network that does not tell its name.
  public private(set) var isHidden = false

  /// True for a text that says of itself that it is such a code.
  public static func isCode(_ text: Span<UInt8>) -> Bool { text.hasPrefix(lowercased: "wifi:") }

  /// Reads a code, in one pass over its bytes.
  public init(_ text: Span<UInt8>) throws(WiFiCodeError) {
    guard text.count <= Budget.wifiCodeBytes else { throw .tooLong }
    guard Self.isCode(text) else { throw .shape }
    var kind: Kind?
    var (hasName, hasSecret, hasHidden) = (false, false, false)
    var index = 5
    // The empty field of ";;" is the end.
    while index < text.count, text[index] != UInt8(ascii: ";") {
      let key = text[index]
      let isKnown = index + 1 < text.count && text[index + 1] == UInt8(ascii: ":")
      let isName = isKnown && key == UInt8(ascii: "S")
      let isSecret = isKnown && key == UInt8(ascii: "P")
      if isName || isSecret || isKnown && (key == UInt8(ascii: "T") || key == UInt8(ascii: "H")) {
        index += 2
        var value = Value(repeating: 0)
        let range = try Self.read(text, &index, into: &value)
        let bytes = value.span.extracting(range)
        switch key {
        case UInt8(ascii: "S"): try Self.once(&hasName, name.set(bytes), or: .longName)
        case UInt8(ascii: "P"): try Self.once(&hasSecret, secret.set(bytes), or: .passphrase)
        case UInt8(ascii: "H"):
          try Self.once(&hasHidden)
          isHidden = bytes.count == 4 && bytes.hasPrefix(lowercased: "true")
        default:
          guard kind == nil else { throw .twice }
          kind = try Kind(bytes)
        }
      } else {
        try Self.skip(text, &index)
      }
      // What ends a field, where the text does not.
      index += 1
    }
    try checkName()
    // Some write no kind beside a passphrase.
    try setProtection(kind ?? (secret.isEmpty ? .open : .passphrase))
  }

  // MARK: Fields

  private enum Kind {
    case open, passphrase

    init(_ word: Span<UInt8>) throws(WiFiCodeError) {
      if word.isEmpty || word.count == 6 && word.hasPrefix(lowercased: "nopass") {
        self = .open
      } else if word.hasPrefix(lowercased: "wep") {
        throw .wep
      } else if word.count >= 3, word.extracting((word.count - 3)..<word.count).hasPrefix(lowercased: "eap") {
        throw .enterprise
      } else if word.hasPrefix(lowercased: "wpa") || word.hasPrefix(lowercased: "sae") {
        self = .passphrase
      } else {
        throw .kind
      }
    }
  }

  private static func once(
    _ isThere: inout Bool, _ fits: Bool = true, or error: WiFiCodeError = .twice
  ) throws(WiFiCodeError) {
    guard !isThere else { throw .twice }
    guard fits else { throw error }
    isThere = true
  }

  /// Reads a value to the semicolon or the end of the text, and leaves `index` there: where it stands in `value`,
  /// without quotes around it. What has no room in any value is too long for all of them.
  private static func read(
    _ text: Span<UInt8>, _ index: inout Int, into value: inout Value
  ) throws(WiFiCodeError) -> Range<Int> {
    var count = 0
    var (opens, closes) = (false, false)
    while index < text.count, text[index] != UInt8(ascii: ";") {
      let isEscaped = text[index] == UInt8(ascii: "\\")
      if isEscaped { index += 1 }
      guard index < text.count else { throw .cut }
      guard count < value.count else { throw .longValue }
      closes = !isEscaped && text[index] == UInt8(ascii: "\"")
      if count == 0 { opens = closes }
      value[count] = text[index]
      count += 1
      index += 1
    }
    return opens && closes && count >= 2 ? 1..<(count - 1) : 0..<count
  }

  private static func skip(_ text: Span<UInt8>, _ index: inout Int) throws(WiFiCodeError) {
    var hasColon = false
    while index < text.count, text[index] != UInt8(ascii: ";") {
      if text[index] == UInt8(ascii: ":") { hasColon = true }
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard index <= text.count else { throw .cut }
    guard hasColon else { throw .shape }
  }

  // MARK: Values

  private func checkName() throws(WiFiCodeError) {
    guard !name.isEmpty else { throw .noName }
    let bytes = name.span
    for index in 0..<bytes.count where bytes[index] < 0x20 || bytes[index] == 0x7F { throw .name }
  }

  private mutating func setProtection(_ kind: Kind) throws(WiFiCodeError) {
    guard kind == .passphrase else { return secret.clear() }
    let isKey = try Self.isKey(secret.span)
    protection = isKey ? .key : .passphrase
  }

  /// True for the digits of a key, false for a passphrase.
  private static func isKey(_ secret: Span<UInt8>) throws(WiFiCodeError) -> Bool {
    var isHexadecimal = true
    for index in 0..<secret.count {
      guard (0x20..<0x7F).contains(secret[index]) else { throw .passphrase }
      if secret[index].hexValue == nil { isHexadecimal = false }
    }
    guard secret.count >= 8, secret.count < 64 || isHexadecimal else { throw .passphrase }
    return secret.count == 64
  }
}

/// Why a code is of no use.
public enum WiFiCodeError: Error, Equatable, Sendable {
  case tooLong, shape, cut, twice, longValue, noName, longName, name, passphrase, wep, enterprise, kind

  /// What a person reads after "a Wi-Fi code was seen, but"; never a part of the code itself.
  public var text: StaticString {
    switch self {
    case .tooLong: "it is longer than 512 bytes"
    case .shape: "it is not written as WIFI:T:WPA;S:name;P:passphrase;;"
    case .cut: "it ends in the middle of a value"
    case .twice: "it has a field twice"
    case .longValue: "a value is longer than 64 bytes"
    case .noName: "it names no network (S:)"
    case .longName: "its network's name is longer than 32 bytes"
    case .name: "its network's name has control characters"
    case .passphrase: "its passphrase has neither 8 to 63 characters without accents nor 64 hexadecimal digits"
    case .wep: "its network uses WEP, which protects nothing: set the access point to WPA2 or WPA3"
    case .enterprise: "its network asks each user for a name (EAP), which this board cannot give"
    case .kind: "its network is protected in a way that this board does not know (T:)"
    }
  }
}
