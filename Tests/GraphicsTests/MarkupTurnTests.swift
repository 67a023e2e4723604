import Testing
import TestSupport

@testable import Graphics

/// The pieces of a document are found in as many calls as a caller likes.
@Suite("Markup in turns")
struct MarkupTurnTests {
  private static let words = [
    "<p>", "</p>", "<p/>", "<", "</", "<!--", "-->", "<!", "<![CDATA[", "]]>", "[", "]", ">", "<?", "?>", "<script>",
    "</script>", "<style>", "</styl", "<textarea a>", " ", "a", "=", "'", "\"", "= '", "/", "&lt;", "\n", "-", "\u{E4}",
  ]

  /// All pieces, with the place after each; and how much work the largest call said that it did.
  private static func pieces(_ bytes: [UInt8], _ isHTML: Bool, atMost work: Int) -> [String] {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = MarkupReader(bytes, isHTML: isHTML)
      var result: [String] = []
      var calls = 0
      while !reader.isAtEnd, calls < 10_000 {
        calls += 1
        var left = work
        let piece = reader.next(atMost: &left)
        if let piece { result.append("\(piece) \(reader.place)") }
        #expect(left >= 0 && (piece != nil || left == 0 || reader.isAtEnd))
      }
      return result
    }
  }

  @Test("the pieces are the same however little is looked at in one call", arguments: 0..<200 as Range<UInt64>)
  func same(seed: UInt64) {
    var random = Seeded(seed)
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...40, using: &random) { bytes += Self.words.randomElement(using: &random)!.utf8 }
    for isHTML in [true, false] {
      let whole = Self.pieces(bytes, isHTML, atMost: .max)
      for work in [1, 2, 7, 30] { #expect(Self.pieces(bytes, isHTML, atMost: work) == whole) }
    }
  }

  @Test(
    "a call looks at no more than it may, whatever the piece is", arguments: ["<!--", "<![CDATA[", "<a b='", "<?", ""])
  func bounded(start: String) {
    let bytes = Array((start + String(repeating: "-", count: 1_000)).utf8)
    bytes.withUnsafeBufferPointer { bytes in
      var reader = MarkupReader(bytes, isHTML: true)
      var calls = 0
      while !reader.isAtEnd, calls < 10_000 {
        var left = 10
        _ = reader.next(atMost: &left)
        calls += 1
      }
      #expect((100...120).contains(calls))
    }
  }
}
