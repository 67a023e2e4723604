import Runtime
import Testing

@testable import Canvas

@Suite("The messages that are kept")
struct ChatLogTests {
  private func texts(_ log: ChatLog) -> [String] { (0..<log.count).map { Talk.text(log.text($0)) } }

  @Test("one more than there may be, and the oldest goes")
  func count() throws {
    let log = try ChatLog()
    for index in 0...Budget.chatMessages { log.append(ChatMessage(.agent), "\(index)".utf8.span) }
    #expect(log.count == Budget.chatMessages)
    #expect(texts(log).first == "1" && texts(log).last == "\(Budget.chatMessages)")
  }

  @Test("all of them have a bound together: the oldest make room, whatever grows")
  func bytes() throws {
    let log = try ChatLog()
    let long = String(repeating: "x", count: Budget.chatShownBytes - 100)
    for _ in 0..<30 { log.append(ChatMessage(.agent), long.utf8.span) }
    #expect(log.textCount <= Budget.chatTextsBytes)
    #expect(log.count == Budget.chatTextsBytes / long.utf8.count)
    let before = log.count
    log.append(ChatMessage(.person), "last".utf8.span)
    log.add(long.utf8.span, to: log.count - 1)
    #expect(log.count == before)
    #expect(log.textCount <= Budget.chatTextsBytes)
    #expect(Talk.text(log.text(log.count - 1)) == "last" + long)
    #expect(Talk.text(log.text(0)) == long)
  }

  @Test("a long message is cut at a character's edge, and says so")
  func cut() throws {
    let log = try ChatLog()
    log.append(ChatMessage(.agent), String(repeating: "ä", count: Budget.chatShownBytes).utf8.span)
    #expect(log[0].isCut)
    let text = Talk.text(log.text(0))
    #expect(text.utf8.count <= Budget.chatShownBytes && text.utf8.count > Budget.chatShownBytes - 4)
    #expect(text.hasSuffix("ä…") && !text.contains("\u{FFFD}"))
    // Nothing comes after it.
    log.add("more".utf8.span, to: 0)
    #expect(Talk.text(log.text(0)) == text)
  }

  @Test("texts grow, go and change in the middle, and the others stay")
  func middle() throws {
    let log = try ChatLog()
    for text in ["one", "two", "three"] { log.append(ChatMessage(.agent), text.utf8.span) }
    log.add("fold".utf8.span, to: 1)
    #expect(texts(log) == ["one", "twofold", "three"])
    log.clearText(0)
    #expect(texts(log) == ["", "twofold", "three"])
    log.add("1".utf8.span, to: 0)
    log.remove(1)
    #expect(texts(log) == ["1", "three"])
    #expect(log.textCount == 6)
    log.removeAll()
    #expect(log.isEmpty && log.textCount == 0)
  }
}
