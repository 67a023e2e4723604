/// What values must not be, and are.
extension Maker {
  static let numbers = [
    "0", "-0", "-1", "1", "2", "0.1", "0.5", "127", "128", "255", "256", "4000", "-4000", "8192", "12000", "32767",
    "32768", "-32768",
    "-32769", "65535", "65536", "90000", "1000000", "2147483647", "2147483648", "-2147483648", "-2147483649",
    "4294967295", "4294967296",
    "9007199254740991", "9007199254740992", "-9007199254740993", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "18446744073709551616", "9e18", "1e10", "1e15", "1e19", "1e38",
    "-1e38",
    "3.4028235e38", "3.5e38", "1e39", "1e307", "1e308", "-1e308", "1.7976931348623157e308", "1e309", "-1e400", "1e-5",
    "1e-38", "1e-46",
    "1e-308", "5e-324", "1e-400", "1E+2", "0e9", "0e99999999999999999999",
    "123456789012345678901234567890123456789012345678901234567890",
    "0.00000000000000000000000000000000000000000000000000000000000001",
  ]
  /// The ends of one type each, from both sides: what is computed of several numbers fails where all of them are.
  static let ends = [
    ["32767", "32768", "-32768", "-32769", "65535", "65536"],
    ["2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296"],
    [
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "9e18",
      "18446744073709551615",
    ],
    ["3.4028235e38", "-3.4028235e38", "1e38", "-1e38", "3.5e38", "1e-38"],
    ["1.7976931348623157e308", "-1.7976931348623157e308", "1e308", "-1e308", "1e308", "1e-308"],
  ]
  static let texts = [
    "hello", "Good morning, board.", "", "a", "one two three four five six seven eight nine ten", "Ünïcödé", "日本語",
    "مرحبا بالعالم", "🙂",
    "1", "true", "main", "agent:main:main", "OK", "Line one\nline two", "talon", "computer",
  ]
  static let urls = [
    "http://93.184.216.34/a.png", "https://93.184.216.34/page.html", "http://127.0.0.1:18789/__openclaw__/canvas/x", "",
    "/", "about:blank",
    "data:image/png;base64,iVBORw0KGgo=", "data:text/html,<p>hi</p>", "http://10.0.0.1/", "http://[::1]/",
    "file:///etc/passwd",
    "http://93.184.216.34:99999/", "https://user:pw@93.184.216.34/", "http://93.184.216.34/%00",
    "HTTP://93.184.216.34/B.SVG",
  ]
  static let colors = [
    "#fff", "#12345678", "red", "rgb(1,2,3)", "rgba(300,-1,1e9,2)", "hsl(1e30,50%,50%)", "transparent", "#ggg", "rgb(",
    "color(display-p3 1 0 0)",
  ]
  private static let odd = [
    "", " ", "\u{0}", "null", "NaN", "Infinity", "-Infinity", "0x7fffffff", "1e999", "-1", "__proto__", "constructor",
    "toString", "../../etc/passwd",
    "%s%n%x", "\u{202E}abc\u{202C}", "a\u{301}\u{301}\u{301}", "\u{FEFF}", "\u{7F}\u{1B}[2J", "\u{10FFFF}", "'\"\\`${}",
    "<b>&amp;</b>", "9223372036854775807",
  ]

  /// A number that no reasonable peer sends, most often as large or small as it can be.
  func oddNumber() {
    if let ends, dice.chance(7, in: 8) { return add(dice.pick(ends)) }
    if dice.chance(3, in: 5) { return add(dice.pick(Self.numbers)) }
    if dice.chance(1, in: 2) { add(0x2D) }
    add(String(1 + dice.below(9)))
    if dice.chance(1, in: 2) { add("." + String(dice.below(1000))) }
    add("e" + String(dice.chance(1, in: 3) ? dice.below(640) - 320 : dice.below(44) - 12))
  }

  /// A text that nobody means, as a JSON string.
  func oddText() {
    switch dice.below(9) {
    case 0:
      quote(
        [UInt8](
          repeating: 0x61, count: [63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 4097][dice.below(13)]))
    case 1: add(dice.pick([#""\ud800""#, #""\udc00\ud800""#, #""\u0000a""#, #""\uffff""#, #""\/\b\f""#, #""😀""#]))
    case 2: quote(dice.pick(Self.words))
    case 3:
      let piece = dice.pick(["é", "€", "😀", "\u{301}", "\\", "\"", "\n", "א"])
      quote(String(repeating: piece, count: 1 + dice.below(dice.chance(1, in: 20) ? 3000 : 90)))
    case 4:
      // Not UTF-8 at all, which whoever reads JSON has to find.
      add(0x22)
      add(dice.pick([[0xC3], [0xFF, 0xFE], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0x80]]))
      add(0x22)
    case 5: quote([UInt8](repeating: 0x62, count: dice.chance(1, in: 30) ? 70_000 : 300))
    default: quote(dice.pick(Self.odd))
    }
  }

  /// Something else than `shape` wants, or the extremes of it.
  func odd(_ shape: Shape) {
    switch shape {
    case .number, .whole, .time:
      if dice.chance(5, in: 6) { return oddNumber() }
    case .word, .text, .url, .color, .name, .base64:
      if dice.chance(4, in: 6) { return oddText() }
    case .made(let write):
      if dice.chance(9, in: 10) { return write(self) }
    case .object(let members):
      if dice.chance(4, in: 5) { return object(members) }
    case .list(let element, let most):
      if dice.chance(1, in: 2) { return list(element, dice.below(most + 1)) }
      if dice.chance(1, in: 4) { return list(element, most * 3) }
    case .quoted(let inner):
      if dice.chance(3, in: 4) { return quote(apart { value(inner) }) }
    case .either(let shapes):
      if dice.chance(5, in: 6) { return value(dice.pick(shapes)) }
    case .flag, .soup, .raw: break
    }
    anything()
  }

  /// A value of any kind.
  func anything() {
    switch dice.below(10) {
    case 0: add("null")
    case 1: add(dice.chance(1, in: 2) ? "true" : "false")
    case 2, 3: oddNumber()
    case 4: add("{}")
    case 5: add("[]")
    case 6: deep()
    case 7: oddText()
    default: soup(2)
    }
  }

  private func deep() {
    let depth = dice.pick([3, 31, 60, 62, 63, 64, 65, 200])
    if dice.chance(1, in: 2) {
      for _ in 0..<depth { add(0x5B) }
      for _ in 0..<depth { add(0x5D) }
    } else {
      for _ in 0..<depth { add(#"{"a":"#) }
      add("1")
      for _ in 0..<depth { add(0x7D) }
    }
  }

  /// Members that Talon knows from somewhere, with values of any kind.
  func soup(_ depth: Int) {
    switch dice.below(depth > 0 ? 8 : 5) {
    case 0: oddNumber()
    case 1: quote(dice.pick(Self.words))
    case 2: add(dice.pick(["true", "false", "null", "0", "1", "1000"]))
    case 3: quote(dice.pick(Self.texts))
    case 4: add(String(dice.below(70_000)))
    case 5:
      add(0x5B)
      for index in 0..<dice.below(4) {
        if index > 0 { add(0x2C) }
        soup(depth - 1)
      }
      add(0x5D)
    default:
      add(0x7B)
      for index in 0..<dice.below(6) {
        if index > 0 { add(0x2C) }
        quote(dice.pick(Self.words))
        add(0x3A)
        soup(depth - 1)
      }
      add(0x7D)
    }
  }
}
