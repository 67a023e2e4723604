import Graphics
import Runtime
import Simulated
import Testing

@testable import Canvas

/// The command that approves a board, on home. Characters are half as wide as they are high.
@Suite("The command on home") struct HomeCommandTests {
  private static let id = "4e0a6d5e-1b7c-4c7e-8a3b-9d2f6a0c1e55"
  private static let command = "openclaw devices approve \(id)"

  /// A code of 33 modules a side, as an address has it.
  private final class SquareCodes: QREncoder {
    private(set) var texts: [String] = []
    func encode(_ text: Span<UInt8>, into modules: QRModules) {
      texts.append(text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
      modules.fill { bytes in
        for index in 0..<(33 * 33) { bytes[index] = 1 }
        return 33
      }
    }
  }

  private let codes = SquareCodes()

  /// The texts that home shows, and whether there is a code.
  private func shown(_ size: Size, page: String, command: String = Self.command) -> (texts: [String], hasCode: Bool) {
    var facts = HomeFacts()
    facts.name = InlineText(cutting: "Greenhouse")
    facts.sentence = InlineText(cutting: "This board waits for approval.")
    facts.command = InlineText(cutting: command)
    facts.page = InlineText(cutting: page)
    let home = HomeView(flow: TextFlow(measurer: GridMeasurer()), encoder: codes)
    _ = home.take(facts)
    home.fit(size, Theme())
    let list = DisplayList()
    home.draw(into: list)
    var (texts, hasCode): ([String], Bool) = ([], false)
    for index in 0..<list.count {
      switch list[index] {
      case .text(let slice, _, let start, let advance, _):
        #expect(start.x >= 0 && start.x + advance <= size.width)
        texts.append(list.text(slice).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
      case .fill(_, _, .solid(.black)): hasCode = true
      default: continue
      }
    }
    return (texts, hasCode)
  }

  @Test(
    "it stands there in full, its id on one line, with a code beside it and without",
    arguments: [
      (Size(480, 320), ""), (Size(480, 320), "https://gw.example/"), (Size(320, 480), "https://gw.example/"),
      (Size(320, 240), ""), (Size(320, 240), "https://gw.example/"), (Size(800, 480), "https://gw.example/"),
    ])
  func whole(size: Size, page: String) {
    let texts = shown(size, page: page).texts
    #expect(texts.contains { $0.hasSuffix(Self.id) })
    #expect(texts.joined(separator: " ").contains(Self.command))
    #expect(texts.filter { $0.contains("openclaw") }.count == 1)
  }

  @Test("a code leads to the gateway's page, and never holds a command")
  func code() {
    #expect(!shown(Size(480, 320), page: "").hasCode && codes.texts.isEmpty)
    #expect(shown(Size(480, 320), page: "https://gw.example/").hasCode)
    #expect(codes.texts == ["https://gw.example/"])
  }

  @Test("on a screen that is too small for both there is the command")
  func small() {
    #expect(!shown(Size(240, 180), page: "https://gw.example/").hasCode)
    #expect(shown(Size(800, 480), page: "https://gw.example/").hasCode)
  }

  @Test("a command of one word is a line")
  func oneWord() {
    #expect(shown(Size(480, 320), page: "", command: "approve").texts.contains("approve"))
  }
}
