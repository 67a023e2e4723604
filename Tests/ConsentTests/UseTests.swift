import Runtime
import Testing

@testable import Consent

@Suite struct UseTests {
  @Test(arguments: [
    Use.Basis.file, .board, .grant(.once, .console), .grant(.session, .console), .grant(.until, .console),
  ]) func `The longest sentence has room in a line of the screen's home, with the time before it`(basis: Use.Basis) {
    var use = Use(
      wall: 1, permissions: [.camera], basis: basis,
      command: InlineText(cutting: String(repeating: "c", count: 32)), who: InlineText())
    use.count = .max
    var text = InlineText<256>()
    text.fill { buffer in
      var line = LogLine(buffer)
      use.writeSentence(to: &line)
      return line.count
    }
    #expect(text.count + "00:00  ".utf8.count <= 96)
    let words = text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    #expect(words.hasPrefix(String(repeating: "c", count: 32) + " (4294967295), "))
  }
}
