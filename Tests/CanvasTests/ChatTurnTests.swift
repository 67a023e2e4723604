import Graphics
import Runtime
import Simulated
import Testing

@testable import Canvas

/// The texts of a conversation are measured in turns of the loop, the last messages first.
@Suite("Conversations that are measured in turns")
struct ChatTurnTests {
  private let measurer = CountingMeasurer()
  private let page: ChatPage

  init() throws {
    page = try ChatPage(flow: TextFlow(measurer: measurer), wall: { Talk.noon })
    page.fit(Size(480, 320), Theme(scale: 100))
    page.open(at: 0)
  }

  /// A text of the largest message that is shown, or of a part of it.
  private static func text(_ number: Int, parts: Int = 1) -> String {
    "\(number) " + String(repeating: "word ", count: Budget.chatShownBytes / parts / 5 - 4)
  }

  private static let history = (0..<20).map { text($0, parts: $0 % 3 == 0 ? 1 : 10) }

  /// Another history from a message on, perhaps with one more.
  private func replace(_ texts: [String], from first: Int = 0) {
    let log = page.beginReplacing()
    for index in first..<texts.count {
      let time = Talk.noon + Int64(index) * 400_000
      log.append(ChatMessage(index % 2 == 0 ? .person : .agent, time: time), texts[index].utf8.span)
    }
    _ = measurer.take()
    page.endReplacing(at: 0)
  }

  private var unmeasured: Int { (0..<page.log.count).count { !page.log.isMeasured($0) } }

  private var heights: [Int32] { (0..<page.log.count).map { page.log.height($0) } }

  /// Where the upper edge of a message is on the screen.
  private func top(_ index: Int) -> Int32 { heights[..<index].reduce(0, +) - page.scrolled }

  private func drawn() -> [String] {
    let list = DisplayList()
    page.draw(into: list)
    return (0..<list.count).compactMap { index in
      guard case .text(let slice, _, let start, _, _) = list[index] else { return nil }
      return "\(Talk.text(list.text(slice))) \(start)"
    }
  }

  /// Lets it measure all; in how many turns.
  private func settle(_ body: () -> Void = {}) -> Int {
    var turns = 0
    while unmeasured > 0, turns < 1_000 {
      let before = unmeasured
      #expect(page.nextDeadline == 0)
      _ = measurer.take()
      _ = page.advance(to: 0)
      // One message at least; of several so many bytes, each looked at for its width and for its lines.
      #expect(unmeasured < before && measurer.take() <= 4 * Budget.chatShownBytes)
      body()
      turns += 1
    }
    return turns
  }

  @Test("a history of long texts is as if it were measured at once, and its end is seen in each turn")
  func history() throws {
    replace(Self.history)
    #expect(unmeasured > 10 && measurer.take() <= 4 * Budget.chatShownBytes)
    let seen = drawn()
    let turns = settle { #expect(drawn() == seen) }
    #expect(turns > 5)
    let (sliced, scrolled) = (heights, page.scrolled)
    page.fit(Size(480, 320), Theme(scale: 100))
    #expect(heights == sliced && page.scrolled == scrolled && page.nextDeadline != 0)
  }

  @Test("a message in between is measured at once, and the rest after it")
  func between() {
    replace(Self.history)
    page.log.append(ChatMessage(.agent), "new".utf8.span)
    page.changed(at: 0)
    #expect(page.log.isMeasured(page.log.count - 1) && unmeasured > 5)
    #expect(drawn().contains { $0.hasPrefix("new") })
    #expect(settle() > 3)
    page.forgetConversation(at: 0)
    #expect(page.nextDeadline != 0 && page.log.isEmpty)
  }

  @Test("what a person reads stays in its place while messages before it are measured")
  func reading() {
    replace(Self.history)
    page.scrolled -= 100
    let (last, place) = (page.log.count - 1, top(page.log.count - 1))
    let turns = settle { #expect(top(last) == place) }
    #expect(turns > 5)
  }

  @Test("of a history that is read again only what is new is measured")
  func again() {
    replace(Self.history)
    _ = settle()
    let before = heights
    replace(Self.history)
    #expect(unmeasured == 0 && heights == before && measurer.take() <= Budget.chatShownBytes)
    replace(Self.history + ["more"], from: 1)
    #expect(unmeasured == 0)
    let sliced = heights
    page.fit(Size(480, 320), Theme(scale: 100))
    #expect(heights == sliced)
  }
}
