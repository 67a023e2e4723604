import Runtime
import Testing

@testable import OwnAgent

@Suite("Queries of the index of words") struct MemoryQueryTests {
  private func query(_ bytes: [UInt8], _ matching: MemoryQuery.Matching = .any) -> (
    text: String, words: Int, isCut: Bool
  ) {
    var room = [UInt8](repeating: 0, count: Budget.memoryQueryBytes)
    return bytes.withUnsafeBufferPointer { bytes in
      room.withUnsafeMutableBufferPointer { room in
        let query = MemoryQuery(bytes, matching: matching, into: room)
        return (String(decoding: query.text, as: UTF8.self), query.words, query.isCut)
      }
    }
  }

  private func query(_ text: String, _ matching: MemoryQuery.Matching = .any) -> String {
    query(Array(text.utf8), matching).text
  }

  @Test("each word is quoted, and the last may be continued; what the index's language means is between words")
  func words() {
    #expect(query("Where is the key?") == #""Where" OR "is" OR "the" OR "key"*"#)
    #expect(
      query(#"a" OR b* NEAR(c) -d ^e {f}:g"#) == #""a" OR "OR" OR "b" OR "NEAR" OR "c" OR "d" OR "e" OR "f" OR "g"*"#)
    #expect(query("naïve Straße") == #""naïve" OR "Straße"*"#)
    #expect(query("garden gate", .all) == #""garden" "gate""#)
    #expect(query("") == "" && query(" \n\u{0}\"'—…🌱") == "")
    #expect(query(Array("a\u{0}b".utf8)).text == #""a" OR "b"*"#)
    #expect(query([0x61, 0xFF, 0xFE, 0x62]).text == #""a" OR "b"*"#)
  }

  @Test("a run of a script without spaces is divided into pairs in a question, and stays whole in a choice")
  func runs() {
    #expect(query("花园门") == #""花园" OR "园门""#)
    #expect(query("花") == #""花""#)
    #expect(query("我的key在花园") == #""我的" OR "key" OR "在花" OR "花园""#)
    #expect(query("花园门 key", .all) == #""花园门" "key""#)
    #expect(query(Array(String(repeating: "花", count: 30).utf8), .all).isCut)
  }

  @Test("more words than are looked for are left out, and of a long word its beginning is looked for; it is said")
  func bounds() {
    let many = query(Array((0..<100).map { "w\($0)" }.joined(separator: " ").utf8))
    #expect(many.words == Budget.memoryQueryWords && many.isCut)
    let long = query(Array((String(repeating: "ä", count: 100) + " b").utf8))
    #expect(
      long.text == "\"" + String(repeating: "ä", count: Budget.memoryWordBytes / 2) + "\"* OR \"b\"*" && long.isCut)
    let largest = String(repeating: String(repeating: "x", count: 70) + " ", count: 100)
    let all = query(Array(largest.utf8))
    #expect(all.text.utf8.count <= Budget.memoryQueryBytes && all.words == Budget.memoryQueryWords && all.isCut)
    #expect(!query(Array("a b".utf8)).isCut)
  }

  @Test("whatever the bytes are, a query is words in quotation marks")
  func anything() {
    var dice = MemoryDice(7)
    let alphabet: [[UInt8]] = [
      [0x22], [0x20], [0x61], [0], [0xFF], Array("花".utf8), Array("ä".utf8), [0x2A], [0xE8], Array("🌱".utf8), [0x27],
    ]
    for _ in 0..<2000 {
      let bytes = (0..<dice.below(60)).flatMap { _ in alphabet[dice.below(alphabet.count)] }
      for matching in [MemoryQuery.Matching.any, .all] {
        let (text, words, _) = query(bytes, matching)
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        #expect(parts.count == (words == 0 ? 1 : 2 * words + 1))
        for (index, part) in parts.enumerated() where index % 2 == 0 {
          #expect(["", "*", " OR ", "* OR ", " ", "* "].contains(String(part)))
        }
      }
    }
  }
}
