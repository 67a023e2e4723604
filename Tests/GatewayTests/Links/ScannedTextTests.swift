import Gateway
import Runtime
import Testing

/// Notes what a scanner has read.
private final class Notes: CodeScannerDelegate {
  var texts: [String] = []
  var faults: [ScanFault] = []

  func scanned(_ text: Span<UInt8>) {
    texts.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }
  func scanFailed(_ fault: ScanFault) { faults.append(fault) }
}

/// Has the scanner stopped by each text, before it reads it.
private final class Stopping: CodeScannerDelegate {
  private let scanner: ScannedText
  var texts: [String] = []

  init(_ scanner: ScannedText) { self.scanner = scanner }

  func scanned(_ text: Span<UInt8>) {
    scanner.clear()
    texts.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }
  func scanFailed(_ fault: ScanFault) {}
}

@Suite("Text that a scanner types")
struct ScannedTextTests {
  private let notes = Notes()

  private func type(_ characters: String, into text: ScannedText, at instant: Int64) {
    for character in characters.unicodeScalars { text.add(character, at: instant) }
  }

  @Test("a text goes up to its end, and an empty one is none")
  func whole() {
    let text = ScannedText()
    type("oc-pair://abc", into: text, at: 1)
    text.end(at: 2, notes)
    text.end(at: 3, notes)
    type("größe €", into: text, at: 4)
    text.end(at: 5, notes)
    #expect(notes.texts == ["oc-pair://abc", "größe €"] && notes.faults.isEmpty)
  }

  @Test("the longest text is taken, and one byte more is told; the next one is whole again")
  func bound() {
    let text = ScannedText()
    let longest = String(repeating: "a", count: Budget.scannerTextBytes)
    type(longest, into: text, at: 1)
    text.end(at: 1, notes)
    type(longest + "a", into: text, at: 2)
    text.end(at: 2, notes)
    type(String(longest.dropLast()) + "ü", into: text, at: 3)
    text.end(at: 3, notes)
    type("b", into: text, at: 4)
    text.end(at: 4, notes)
    #expect(notes.texts == [longest, "b"] && notes.faults == [.tooLong, .tooLong])
  }

  @Test("what was typed before a pause is no part of the next text")
  func pause() {
    let text = ScannedText()
    type("left over", into: text, at: 0)
    type("x", into: text, at: Budget.scannerPauseMilliseconds)
    type("new", into: text, at: 2 * Budget.scannerPauseMilliseconds + 1)
    text.end(at: 2 * Budget.scannerPauseMilliseconds + 2, notes)
    type("old", into: text, at: .max)
    text.end(at: .min, notes)
    #expect(notes.texts == ["new", "old"])
  }

  @Test("a delegate may stop the scanner while it gets a text")
  func stopped() {
    let text = ScannedText()
    let stopping = Stopping(text)
    type("oc-pair://abc", into: text, at: 1)
    text.end(at: 2, stopping)
    type("next", into: text, at: 3)
    text.end(at: 4, stopping)
    #expect(stopping.texts == ["oc-pair://abc", "next"])
  }

  @Test("a text of which events were lost is told, and nothing of it is taken")
  func lost() {
    let text = ScannedText()
    type("half", into: text, at: 0)
    text.lose(at: 1)
    type("more", into: text, at: 1)
    text.end(at: 2, notes)
    #expect(notes.texts.isEmpty && notes.faults == [.lost])
  }
}
