import Testing

@testable import Talk

@Suite("The board's own voice reads English in ASCII")
struct SpeakableTextTests {
  private func plain(_ text: String, room: Int = 200) -> String {
    var buffer = [UInt8](repeating: 0, count: room)
    let bytes = Array(text.utf8)
    let count = buffer.withUnsafeMutableBufferPointer { SpeakableText.write(bytes.span, into: $0) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  private func pieces(_ text: String, limit: Int) -> [String] {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      var (found, start) = ([String](), 0)
      while let range = SpeakableText.piece(of: bytes, from: start, limit: limit) {
        found.append(String(decoding: bytes[range], as: UTF8.self))
        start = range.upperBound
      }
      return found
    }
  }

  @Test(
    "letters lose accents, signs become words, other scripts are silence",
    arguments: [
      ("It's 21.5 °C.", "It's 21.5  degrees C."), ("Crème brûlée", "Creme brulee"), ("Straße, Ærø", "Strasse, aero"),
      ("“Yes” – he’s", "\"Yes\" - he's"), ("Wait… what", "Wait...  what"), ("no—never", "no, never"),
      ("5 €, £3", "5  euros ,  pounds 3"),
      ("Łódź Ōsaka ſo", "Lodz Osaka so"), ("你好 ok", "   ok"), ("a\tb\nc\u{0}", "a b c "), ("😀!", " !"),
    ])
  func reads(text: String, expected: String) {
    #expect(plain(text) == expected)
  }

  @Test func `What finds no room is left out whole`() {
    #expect(plain("1234567", room: 4) == "1234")
    #expect(plain("12€", room: 8) == "12")
    #expect(plain("12€", room: 9) == "12 euros ")
  }

  @Test func `No byte but printable ASCII comes out of anything`() {
    let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 >> 3) }
    var buffer = [UInt8](repeating: 0, count: 9000)
    let count = buffer.withUnsafeMutableBufferPointer { SpeakableText.write(bytes.span, into: $0) }
    #expect(count > 1000)
    #expect(buffer[..<count].allSatisfy { 0x20...0x7E ~= $0 })
  }

  @Test(
    "pieces end with a clause, else with a word, else where they must",
    arguments: [
      ("one two three", 40, ["one two three"]), ("", 40, []),
      ("one two three, four five", 18, ["one two three,", " four five"]),
      ("a, two three four five", 18, ["a, two three four", " five"]),
      ("aaaaaaaaaaaaaaaaaaaa", 8, ["aaaaaaaa", "aaaaaaaa", "aaaa"]),
      ("one two", 3, ["one", " tw", "o"]),
    ])
  func cuts(text: String, limit: Int, expected: [String]) {
    #expect(pieces(text, limit: limit) == expected)
  }

  @Test func `Only letters and digits are words`() {
    for (text, expected) in [("...", false), ("", false), (" - ! ", false), ("a", true), ("... 7", true)] {
      #expect(Array(text.utf8).withUnsafeBufferPointer { SpeakableText.hasWords($0) } == expected)
    }
  }
}
