import Runtime
import Testing

@testable import Terminal

@Suite("Keys from bytes") struct KeyDecoderTests {
  @Test(
    "each key of VT100, xterm and the Linux console",
    arguments: [
      ("a", [.text("a")]), ("ä€😀", [.text("ä"), .text("€"), .text("😀")]),
      ("\r", [.enter]), ("\n", [.enter]), ("\r\n", [.enter]), ("\n\r", [.enter, .enter]), ("\r\n\n", [.enter, .enter]),
      ("\u{08}\u{7F}", [.backspace, .backspace]), ("\t", [.tab]),
      ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
      ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
      ("\u{1B}[1;5C\u{1B}[1;2A", [.right, .up]),
      ("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~\u{01}", [.home, .home, .home, .home, .home]),
      ("\u{1B}[F\u{1B}OF\u{1B}[4~\u{1B}[8~\u{05}", [.end, .end, .end, .end, .end]),
      ("\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}OM", [.delete, .pageUp, .pageDown, .enter]),
      (
        "\u{0B}\u{15}\u{17}\u{0C}\u{03}\u{04}", [.killToEnd, .killToStart, .killWord, .redraw, .interrupt, .endOfInput]
      ),
      ("\u{02}\u{06}\u{10}\u{0E}", [.left, .right, .up, .down]),
      ("\u{1B}[[A\u{1B}[15~\u{1B}[2~\u{1B}[200~x", [.unknown, .unknown, .unknown, .unknown, .text("x")]),
      ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}\r", [.enter]), ("\u{1B}x", [.unknown]),
      ("\u{1B}]0;a name\u{07}x", [.text("x")]), ("\u{1B}P1$r\u{1B}\\x", [.text("x")]),
      ("\u{0}\u{11}\u{13}", []), ("\u{1B}[", [.unknown]), ("\u{1B}[12", [.unknown]),
      ("\u{1B}[1\u{18}x", [.noise, .text("x")]),
      ("\u{85}", [.noise]),
    ] as [(String, [Key])])
  func each(text: String, expected: [Key]) { #expect(keys(text) == expected) }

  @Test(
    "bytes that no key sends are noise, and what comes after them is read",
    arguments: [
      ([0x80], [.noise]), ([0xFF, 0x61], [.noise, .text("a")]), ([0xC3, 0x61], [.noise, .text("a")]),
      ([0xC0, 0xAF], [.noise, .noise]), ([0xE0, 0x80, 0xAF], [.noise]), ([0xED, 0xA0, 0x80], [.noise]),
      ([0xF4, 0x90, 0x80, 0x80], [.noise]), ([0xE2, 0x82], [.noise]), ([0xC2, 0x9B, 0x41], [.noise, .text("A")]),
      ([0x1B, 0x5B, 0x31, 0xFF, 0x61], [.noise, .noise, .text("a")]), ([0xC3, 0x0D], [.noise, .enter]),
    ] as [([UInt8], [Key])])
  func noise(bytes: [UInt8], expected: [Key]) { #expect(keys([bytes]) == expected) }

  @Test("a sequence or string without end is given up at its bound")
  func unfinished() {
    let digits = String(repeating: "1", count: Budget.consoleSequenceBytes)
    #expect(keys("\u{1B}[" + digits + "2A") == [.noise, .text("A")])
    #expect(keys("\u{1B}[" + digits.dropFirst() + "A") == [.up])
    let long = String(repeating: "x", count: Budget.consoleStringBytes)
    #expect(keys("\u{1B}]" + long + "\u{07}y") == [.text("y")])
    #expect(keys("\u{1B}]" + long + "xy") == [.noise, .text("y")])
    #expect(keys("\u{1B}]abc\ry") == [.noise, .enter, .text("y")])
  }

  @Test("however bytes are cut, the keys are the same", arguments: 0..<40)
  func chunks(seed: UInt64) {
    var random = Seeded(seed)
    let bytes = hostileBytes(600, &random)
    let whole = keys([bytes])
    for longest in [1, 2, 3, 7, 100] { #expect(keys(pieces(bytes, upTo: longest, &random)) == whole) }
  }
}
