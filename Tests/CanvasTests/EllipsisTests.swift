import Graphics
import Simulated
import Testing

@testable import Canvas

/// Characters are five pixels wide, and so is an ellipsis.
@Suite("Texts without room")
struct EllipsisTests {
  private func shown(
    _ text: String, width: Int32, lines: Int = 1, isMarkdown: Bool = false, _ alignment: TextFlow.Alignment = .start
  ) -> [String] {
    let flow = TextFlow(measurer: GridMeasurer())
    flow.take(text.utf8.span, Font(size: 10), isMarkdown: isMarkdown)
    flow.arrange(width: width, mostLines: lines)
    let list = DisplayList()
    flow.draw(into: list, at: Point(0, 0), width: width, .white, alignment: alignment)
    return (0..<list.count).compactMap { index in
      guard case .text(let slice, _, let start, let advance, _) = list[index] else { return nil }
      #expect(start.x >= 0 && start.x + advance <= width)
      return "\(start.x) " + list.text(slice).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test("a line ends in an ellipsis, with as much of the next word as fits")
  func cut() {
    #expect(shown("one two three", width: 65) == ["0 one two three"])
    #expect(shown("one two three", width: 60) == ["0 one two thr", "55 …"])
    #expect(
      shown("one two three", width: 45) == ["0 one two", "35 …"]
        || shown("one two three", width: 45) == ["0 one two", "40 …"])
    #expect(shown("internationalization", width: 30) == ["0 inter", "25 …"])
    #expect(shown("größer", width: 25) == ["0 größ", "20 …"])
  }

  @Test("so does the last of several lines, and the one before the end of a paragraph")
  func lines() {
    #expect(shown("one two three four", width: 40, lines: 2) == ["0 one two", "0 three f", "35 …"])
    #expect(shown("one\ntwo", width: 40) == ["0 one", "15 …"])
    #expect(shown("one\ntwo", width: 15) == ["0 on", "10 …"])
  }

  @Test("one that has room for nothing else is an ellipsis alone")
  func narrow() {
    #expect(shown("one two", width: 5) == ["0 …"])
  }

  @Test("text of several styles is cut where it is, and what is centered begins at the start")
  func styles() {
    #expect(shown("**one** two three", width: 50, isMarkdown: true) == ["0 one", "20 two t", "45 …"])
    #expect(shown("one two three", width: 60, .center) == ["0 one two thr", "55 …"])
  }
}
