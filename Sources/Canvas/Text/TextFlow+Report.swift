import Graphics
import Runtime

extension TextFlow {
  /// Arranges a text as it is, without Markdown, and goes over its lines: the bytes of each, and how far it reaches in
  /// 1/64 pixel. For comparisons with other programs.
  public func forEachLine(
    of text: Span<UInt8>, in font: Font, width: Int32, _ body: (UnsafeBufferPointer<UInt8>, Int32) -> Void
  ) {
    take(text, font, isMarkdown: false)
    arrange(width: width)
    for index in 0..<lineCount {
      let line = lines[index]
      let (first, last) = (words[Int(line.firstWord)], words[Int(line.firstWord + line.wordCount) - 1])
      let run = UnsafeBufferPointer(bytes.bytes).extracting(Int(first.start)..<Int(last.start + last.count))
      body(run, measurer.advance(of: run.span, in: font))
    }
  }
}
