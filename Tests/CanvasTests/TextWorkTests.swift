import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

/// Measures as the grid does, and counts the bytes that it is given.
final class CountingMeasurer: TextMeasurer {
  private let grid = GridMeasurer()
  private(set) var bytes = 0

  func metrics(of font: Font) -> FontMetrics { grid.metrics(of: font) }

  func advance(of text: Span<UInt8>, in font: Font) -> Int32 {
    bytes += text.count
    return grid.advance(of: text, in: font)
  }

  func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int {
    bytes += text.count
    return grid.fit(text, in: font, width: width)
  }

  /// Bytes since the last look.
  func take() -> Int {
    defer { bytes = 0 }
    return bytes
  }
}

/// Measuring text is most of what the loop does for a page: it grows with the text and no more, and is not done twice.
@Suite("How much text is measured")
struct TextWorkTests {
  private let measurer = CountingMeasurer()

  /// Arabic and Latin letters, without a blank.
  private static let word = String(repeating: "\u{645}\u{631}\u{62D}\u{628}\u{627}talon", count: Budget.flowBytes / 15)
  private static let words = String(
    repeating: "\u{645}\u{631}\u{62D}\u{628}\u{627} talon ", count: Budget.flowBytes / 17)

  @Test(
    "a word of a thousand lines is looked at a few times, however narrow it stands", arguments: [Int32(60), 100, 1000])
  func longWord(width: Int32) {
    let flow = TextFlow(measurer: measurer)
    flow.take(Self.word.utf8.span, Font(size: 10), isMarkdown: true)
    let height = flow.arrange(width: width)
    #expect(flow.cut == nil)
    #expect(flow.lineCount == (Self.word.unicodeScalars.count * 5 + Int(width) - 1) / Int(width))
    #expect(height == Int32(flow.lineCount) * 14)
    let most = flow.lineCount * 400 + 12 * Self.word.utf8.count
    #expect(measurer.bytes < most, "\(measurer.bytes)")
  }

  @Test("many words that are each a little longer than a line are moved no more than once")
  func splitWords() {
    let flow = TextFlow(measurer: measurer)
    let count = Budget.flowWords / 2
    flow.take(String(repeating: "abcdefg ", count: count).utf8.span, Font(size: 10), isMarkdown: false)
    #expect(flow.wordCount == count)
    flow.arrange(width: 25)
    #expect(flow.lineCount == Budget.flowLines)
    #expect(flow.cut == .textLines)
    // What was not arranged is there still.
    flow.arrange(width: 1 << 20)
    #expect(flow.lineCount == 1)
    #expect(Int(flow.line(0).wordCount) == flow.wordCount)
  }

  @Test(
    "a long text is measured once: not with every push beside it, and not with every frame", arguments: [word, words])
  func once(text: String) throws {
    let view = try DocumentView(measurer: measurer, pictures: NoPictures())
    view.fit(Size(480, 320), Theme(scale: 100))
    func push(_ line: String) throws {
      _ = try view.store.push(jsonl: line.utf8.span)
      view.update()
    }
    try push(
      #"{"surfaceUpdate":{"surfaceId":"s","components":[\#(Page.component("root", #"{"Column":{"children":{"explicitList":["a","b"]}}}"#)),\#(Page.component("a", #"{"Text":{"text":{"path":"/n"}}}"#)),\#(Page.component("b", #"{"Text":{"text":{"literalString":"\#(text)"}}}"#))]}}"#
    )
    _ = measurer.take()
    try push(#"{"beginRendering":{"surfaceId":"s","root":"root"}}"#)
    let first = measurer.take()
    #expect(first > text.utf8.count && first < 14 * text.utf8.count, "\(first)")
    for number in 0..<3 {
      try push(#"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"n","valueNumber":\#(number)}]}}"#)
      let list = DisplayList()
      view.draw(into: list)
      view.scroll(to: Int32(number) * 1000)
      #expect(measurer.take() < text.utf8.count / 2)
    }
    // Another text in its place is measured.
    try push(
      #"{"surfaceUpdate":{"surfaceId":"s","components":[\#(Page.component("b", #"{"Text":{"text":{"literalString":"x\#(text.dropLast())"}}}"#))]}}"#
    )
    #expect(measurer.take() > text.utf8.count)
  }
}
