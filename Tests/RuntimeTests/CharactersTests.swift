import Runtime
import Testing

@Suite struct CharactersTests {
  @Test(arguments: [
    ("", 5, 0), ("abc", 5, 3), ("abc", 3, 3), ("abc", 2, 2), ("abc", 0, 0), ("abc", -1, 0),
    ("a\u{E9}b", 2, 1), ("a\u{E9}b", 3, 3), ("\u{20AC}", 2, 0), ("\u{1F600}x", 3, 0), ("\u{1F600}x", 4, 4),
  ]) func theLongestBeginningCutsNoCharacter(_ text: String, _ most: Int, _ wanted: Int) {
    let count = text.utf8.span.characters(in: most)
    #expect(count == wanted)
  }

  @Test func bytesThatAreNoTextEndSomewhere() {
    let count = ([UInt8](repeating: 0x80, count: 9)).span.characters(in: 5)
    #expect(count == 0)
  }
}
