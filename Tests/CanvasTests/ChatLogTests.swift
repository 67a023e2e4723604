import Runtime
import TestSupport
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

  @Test("the oldest one, for which none makes room, grows no further than there is room, and the others stay")
  func oldest() throws {
    let log = try ChatLog()
    let long = String(repeating: "x", count: Budget.chatShownBytes - 100)
    log.append(ChatMessage(.agent), "first".utf8.span)
    let others = (Budget.chatTextsBytes - 5) / long.utf8.count
    for _ in 0..<others { log.append(ChatMessage(.agent), long.utf8.span) }
    #expect(log.count == others + 1)
    let room = Budget.chatTextsBytes - log.textCount
    log.add(String(repeating: "y", count: room).utf8.span, to: 0)
    #expect(log.textCount == Budget.chatTextsBytes && !log[0].isCut)
    log.add("z".utf8.span, to: 0)
    #expect(log.textCount == Budget.chatTextsBytes && log[0].isCut)
    #expect(Talk.text(log.text(0)) == "first" + String(repeating: "y", count: room))
    #expect((1..<log.count).allSatisfy { Talk.text(log.text($0)) == long })
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

  @Test("texts that differ anywhere are told apart by one number, and equal ones are equal however they came")
  func hashes() throws {
    let (one, other) = (try ChatLog(), try ChatLog())
    let long = String(repeating: "x", count: 500)
    for index in 0..<Budget.chatMessages {
      one.append(ChatMessage(.agent), (long + String(UnicodeScalar(UInt8(32 + index)))).utf8.span)
      other.append(ChatMessage(.agent), "gone".utf8.span)
      other.clearText(index)
      other.add(long.utf8.span, to: index)
      other.add(String(UnicodeScalar(UInt8(32 + index))).utf8.span, to: index)
    }
    for index in 0..<one.count {
      let same = (0..<other.count).filter { one.looks(index, as: other, $0) }
      #expect(same == [index] && one.says(index, as: other, index))
    }
  }

  @Test("whether a height is missing is known at any time without a look at the messages", arguments: 1...20)
  func measured(seed: Int) throws {
    let log = try ChatLog()
    var random = Seeded(UInt64(seed))
    for step in 0..<600 {
      let index = log.count > 0 ? Int.random(in: 0..<log.count, using: &random) : 0
      switch log.count > 0 ? Int.random(in: 0..<10, using: &random) : 0 {
      case 0: log.append(ChatMessage(.agent), "some text".utf8.span)
      case 1: log.insert(ChatMessage(.step), "a step".utf8.span, at: index)
      case 2: log.add(String(repeating: "y", count: Budget.chatShownBytes / 2).utf8.span, to: index)
      case 3: log.clearText(index)
      case 4: log.remove(index)
      case 5: log.toggle(index)
      case 6: log[index].state = .stopped
      case 7: log.forgetPictureHeights()
      case 8: log.forgetHeights()
      default: for place in 0..<log.count { log.setHeight(place, 10) }
      }
      #expect(log.isAllMeasured == (0..<log.count).allSatisfy { log.isMeasured($0) }, "step \(step)")
    }
    log.removeAll()
    #expect(log.isAllMeasured)
  }
}
