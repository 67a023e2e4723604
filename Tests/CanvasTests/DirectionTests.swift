import Graphics
import Simulated
import Testing

@testable import Canvas

/// Characters are five pixels wide, lines 14 high. Marks of direction are written as "<" and ">".
@Suite("Text from right to left")
struct DirectionTests {
  private let flow = TextFlow(measurer: GridMeasurer())

  private func shown(
    _ text: String, width: Int32, lines: Int = 9, isMarkdown: Bool = false, _ alignment: TextFlow.Alignment = .start
  ) -> [String] {
    flow.take(text.utf8.span, Font(size: 10), isMarkdown: isMarkdown)
    flow.arrange(width: width, mostLines: lines)
    let list = DisplayList()
    flow.draw(into: list, at: Point(0, 0), width: width, .white, alignment: alignment)
    return texts(list)
  }

  private func texts(_ list: DisplayList) -> [String] {
    (0..<list.count).compactMap { index in
      guard case .text(let slice, _, let start, _, _) = list[index] else { return nil }
      let text = list.text(slice).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      let marked = text.unicodeScalars.map { $0 == "\u{200F}" ? "<" : $0 == "\u{200E}" ? ">" : String($0) }
      return "\(start.x) " + marked.joined()
    }
  }

  @Test("a paragraph runs as its first letter does, and stands at the side where it begins")
  func paragraphs() {
    #expect(shown("שלום", width: 50) == ["30 <שלום"])
    #expect(shown("3. שלום", width: 50) == ["15 <3. שלום"])
    #expect(shown("abc\nשלום\n123", width: 50) == ["0 abc", "30 <שלום", "0 123"])
  }

  @Test("the lines of a paragraph all run as it does, whatever they begin with")
  func lines() {
    #expect(shown("שלום abcdef", width: 30) == ["10 <שלום", "0 <abcdef"])
    #expect(shown("abcdef שלום", width: 30) == ["0 abcdef", "0 >שלום"])
  }

  @Test("what looks different stands to the left of what is before it")
  func styles() {
    #expect(shown("אב **גד** הו", width: 60, isMarkdown: true) == ["50 <אב", "35 <גד", "20 <הו"])
    #expect(shown("- אבג", width: 60, isMarkdown: true) == ["55 <•", "33 <אבג"])
  }

  @Test("centered it is centered, and at the end it stays at the right")
  func alignments() {
    #expect(shown("שלום", width: 50, .center) == ["15 <שלום"])
    #expect(shown("שלום", width: 50, .end) == ["30 <שלום"])
  }

  @Test("what has no room ends in an ellipsis at the left")
  func ellipsis() {
    #expect(shown("אבגדהוז", width: 25, lines: 1) == ["5 <אבגד", "0 <…"])
  }

  @Test("links are where their words are")
  func links() {
    _ = shown("אב [גד](openclaw://x)", width: 50, isMarkdown: true)
    let places = (0..<10).map { column in flow.link(at: Point(column * 5 + 2, 7), slack: 0) == nil ? "." : "1" }
    #expect(places.joined() == ".....11...")
  }

  // MARK: Fields

  private let field = FieldLines(measurer: GridMeasurer(), font: Font(size: 14), width: 72, isBroken: false)

  @Test("the text of a field stands at the right, and its caret to the left of what was entered")
  func short() {
    let text = "אבג".utf8.span
    let list = DisplayList()
    field.draw(text, at: Point(0, 0), in: Rect(0, 0, 72, 20), .white, into: list)
    #expect(texts(list) == ["49 <אבג"])
    #expect([0, 2, 4, 6].map { field.place(of: $0, text).x } == [70, 63, 56, 49])
    #expect([71, 64, 58, 50, 0].map { field.caret(at: Point($0, 5), text) } == [0, 2, 4, 6, 6])
  }

  @Test("one that is longer than its field begins beyond its right side")
  func long() {
    let text = String(repeating: "א", count: 20).utf8.span
    #expect(field.place(of: 0, text).x == 140)
    #expect(field.place(of: 40, text).x == 0)
  }

  @Test("the left arrow goes on, and the right one back")
  func arrows() {
    let text = "אב\nab".utf8.span
    #expect(field.caret(.left, from: 0, text) == 2)
    #expect(field.caret(.right, from: 2, text) == 0)
    #expect(field.caret(.right, from: 5, text) == 6)
    #expect(field.caret(.left, from: 6, text) == 5)
  }
}
