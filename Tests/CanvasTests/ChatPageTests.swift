import Runtime
import Testing

@testable import Canvas
@testable import Graphics

@Suite("A conversation on the screen")
struct ChatPageTests {
  @Test(
    "on every screen the parts stand one below the other, inside it, and messages have room",
    arguments: [
      (320, 240), (480, 320), (800, 480), (1280, 800), (1920, 1080), (240, 320),
    ])
  func parts(_ width: Int, _ height: Int) throws {
    for hasKeyboard in [true, false] {
      let size = Size(Int32(width), Int32(height))
      let talk = try Talk(
        size.width, size.height, hasKeyboard: hasKeyboard, scale: Theme.scale(for: size, millimeters: nil))
      talk.fill()
      talk.say(notice: "not connected")
      if !hasKeyboard { talk.tap(talk.page.fieldRect) }
      let page = talk.page
      #expect(page.person.keyboard.isShown != hasKeyboard)
      let (header, list, notice, field, action) =
        (page.headerRect, page.listRect, page.noticeRect, page.fieldRect, page.actionRect)
      #expect(list.y == header.maxY && list.maxY == notice.y && notice.maxY <= field.y)
      #expect(
        field.maxX < action.x && action.maxX <= size.width
          && field.maxY <= size.height - page.person.keyboard.frame.height)
      #expect(list.height >= 24)
      #expect(page.isAtEnd)
      #expect(talk.texts.contains("message 30"))
    }
  }

  @Test("what a person said stands at the right, what the agent said at the left, with its Markdown")
  func sides() throws {
    let talk = try Talk()
    talk.add("on", .person)
    talk.add("It is **on**.")
    let (own, other) = (talk.x(of: "on"), talk.x(of: "It is"))
    let (right, left): (Int32, Int32) = (480 - 12 - 12 - 15, 12 + 12)
    #expect(own == right)
    #expect(other == left)
    talk.add("**mine**", .person)
    #expect(talk.texts.contains("**mine**"))
  }

  @Test("Enter sends, Shift and Enter begin a line, blanks alone are nothing")
  func sending() throws {
    let talk = try Talk()
    talk.key(.enter)
    talk.type("  ")
    talk.key(.enter)
    #expect(talk.sent.isEmpty)
    talk.type("one")
    talk.key(.enter, modifiers: .shift)
    talk.type("two")
    let tall = talk.page.fieldRect.height
    talk.key(.enter)
    #expect(talk.sent == ["one\ntwo"])
    #expect(talk.draft == "")
    #expect(talk.page.fieldRect.height < tall)
  }

  @Test("keys move the caret and take characters away")
  func editing() throws {
    let talk = try Talk()
    talk.type("abcd")
    talk.key(.left, .left, .backspace, .delete)
    talk.type("X")
    #expect(talk.draft == "aXd")
    talk.key(.home)
    talk.type("<")
    talk.key(.end)
    talk.type(">")
    #expect(talk.draft == "<aXd>")
  }

  @Test("a draft has as many bytes as a field")
  func fieldBytes() throws {
    let talk = try Talk()
    talk.page.person.edit.take(String(repeating: "x", count: Budget.fieldBytes - 1).utf8.span, caret: Budget.fieldBytes)
    talk.type("xy")
    #expect(talk.draft.utf8.count == Budget.fieldBytes)
    #expect(talk.draft.last == "x")
    // However long it is, messages can be seen.
    #expect(talk.page.listRect.height > 60)
  }

  @Test("the keyboard on the screen comes up for a finger, types, sends with its Enter, and goes")
  func screenKeyboard() throws {
    let talk = try Talk(hasKeyboard: false)
    talk.fill()
    talk.tap(talk.page.fieldRect)
    #expect(talk.page.person.keyboard.isShown)
    for name in ["h", "i"] { talk.tap(key(name, talk.page)) }
    #expect(talk.draft == "hi")
    talk.tap(key("enter", talk.page))
    #expect(talk.sent == ["hi"])
    #expect(talk.page.person.keyboard.isShown)
    #expect(talk.page.isAtEnd)
    talk.tap(Point(240, talk.page.listRect.y + 5))
    #expect(!talk.page.person.keyboard.isShown)
  }

  private func key(_ name: String, _ page: ChatPage) -> Rect {
    var found = Rect.empty
    page.person.keyboard.forEachKey { _, key, rect in
      var text = InlineText<8>()
      key.write(to: &text)
      if Talk.text(text.span) == name || "\(key)" == name { found = rect }
    }
    return found
  }

  @Test("the encoder goes from the field to the buttons, and writes with the keyboard on the screen")
  func encoder() throws {
    let talk = try Talk(hasKeyboard: false)
    talk.key(.next, .next, .activate)
    #expect(talk.leaves == 1)
    talk.key(.previous, .previous, .activate)
    #expect(talk.page.person.keyboard.isShown)
    talk.key(.next, .activate)
    #expect(talk.draft == "w")
    talk.key(.escape)
    #expect(!talk.page.person.keyboard.isShown && talk.leaves == 1)
    talk.key(.next, .activate)
    #expect(talk.sent == ["w"])
  }

  @Test("Escape, the chat key and the arrow lead away; the draft is there afterwards")
  func leaving() throws {
    let talk = try Talk()
    talk.type("half a")
    talk.key(.escape)
    talk.key(.chat)
    talk.tap(talk.page.backRect)
    #expect(talk.leaves == 3)
    talk.page.close()
    talk.page.open(at: talk.time)
    talk.type(" word")
    #expect(talk.draft == "half a word")
  }

  @Test("the scroll position at the end follows a growing reply")
  func sticking() throws {
    let talk = try Talk()
    talk.fill()
    talk.add("", .agent, .streaming)
    let index = talk.page.log.count - 1
    for _ in 0..<40 {
      talk.page.log.add("more and more words of it ".utf8.span, to: index)
      talk.page.changed(at: talk.time)
      #expect(talk.page.isAtEnd)
    }
    #expect(talk.page.scrolling.offset == talk.page.scrolling.limit)
  }

  @Test("a scroll position above the end is kept, and a button leads back to the end")
  func reading() throws {
    let talk = try Talk()
    talk.fill()
    talk.drag(from: Point(240, 100), by: 150)
    #expect(!talk.page.isAtEnd)
    let seen = talk.drawn.filter { $0.0.hasPrefix("message") }.map { "\($0.0) \($0.1.y)" }
    talk.fill(4)
    #expect(talk.drawn.filter { $0.0.hasPrefix("message") }.map { "\($0.0) \($0.1.y)" } == seen)
    talk.tap(talk.page.toEndRect)
    #expect(talk.page.isAtEnd)
    #expect(talk.texts.contains("message 4"))
  }

  @Test("a history that is read anew leaves the reader at what they read")
  func replacing() throws {
    let talk = try Talk()
    talk.fill()
    talk.drag(from: Point(240, 100), by: 150)
    let seen = talk.drawn.filter { $0.0.hasPrefix("message") }.map { "\($0.0) \($0.1.y)" }
    let new = talk.page.beginReplacing()
    for index in 5...40 { new.append(ChatMessage(index % 2 == 0 ? .agent : .person), "message \(index)".utf8.span) }
    talk.page.endReplacing(at: talk.time)
    #expect(talk.drawn.filter { $0.0.hasPrefix("message") }.map { "\($0.0) \($0.1.y)" } == seen)
  }

  @Test("content that was let go moves on, and comes to rest")
  func inertia() throws {
    let talk = try Talk()
    talk.fill(60)
    let before = talk.page.scrolling.offset
    _ = talk.page.input(.pointer(.down, id: 0, Point(240, 60)), at: talk.time)
    for step in 1...5 {
      talk.time += 10
      _ = talk.page.input(.pointer(.move, id: 0, Point(240, 60 + Int32(step) * 20)), at: talk.time)
    }
    _ = talk.page.input(.pointer(.up, id: 0, Point(240, 160)), at: talk.time)
    let dragged = talk.page.scrolling.offset
    #expect(dragged < before)
    talk.pass(5000)
    #expect(talk.page.scrolling.offset < dragged - 50)
    #expect(talk.page.scrolling.nextDeadline == nil)
  }

  @Test("three points move while the agent thinks; a page on which nothing happens rests")
  func thinking() throws {
    let talk = try Talk()
    talk.add("hello", .person)
    // The caret comes to rest.
    talk.pass(20_000)
    #expect(talk.page.nextDeadline == nil)
    talk.add("", .agent, .streaming)
    #expect(talk.pass(Budget.chatDotMilliseconds * 3) == 3)
    talk.page.log.add("Hi".utf8.span, to: 1)
    talk.page.changed(at: talk.time)
    #expect(talk.pass(5000) == 0)
    #expect(talk.page.nextDeadline == nil)
  }

  @Test("what failed says why, keeps its text, and is sent again with a touch or by its focus")
  func failing() throws {
    let talk = try Talk()
    talk.add("first", .person)
    talk.add("lamp on", .person, .failed)
    talk.page.log[1].note = InlineText(cutting: "the gateway is away")
    talk.page.changed(at: talk.time)
    let note = talk.texts.joined(separator: " ")
    #expect(note.contains("lamp on") && note.contains("the gateway is away – touch to send again"))
    talk.tap(Point(440, talk.page.listRect.y + talk.page.log.height(0) + 20))
    #expect(talk.retried == [1])
    // What arrived is not sent again.
    talk.tap(Point(440, talk.page.listRect.y + 20))
    #expect(talk.retried == [1])
    talk.key(.tab, .tab, .tab, .enter)
    #expect(talk.retried == [1, 1])
  }

  @Test("a message on its way says so, and no longer when it arrived")
  func status() throws {
    let talk = try Talk()
    talk.add("hello", .person, .sending)
    #expect(talk.texts.contains("Sending…"))
    talk.page.log[0].state = .done
    talk.page.changed(at: talk.time)
    #expect(!talk.texts.contains("Sending…"))
  }

  @Test("while a reply comes the button stops it, and Enter does not")
  func stopping() throws {
    let talk = try Talk()
    talk.add("", .agent, .streaming)
    talk.say(isReplying: true)
    talk.tap(talk.page.actionRect)
    #expect(talk.stops == 1)
    talk.type("also")
    talk.key(.enter)
    #expect(talk.sent == ["also"] && talk.stops == 1)
  }

  @Test("the time stands above what comes after a pause, with its day when that is not today")
  func times() throws {
    let talk = try Talk(480, 800)
    talk.add("a", at: -24 * 60)
    talk.add("b", at: -24 * 60 + 9)
    talk.add("c", at: -20)
    talk.add("d", at: -10)
    talk.add("e")
    #expect(talk.texts.filter { $0.contains(":") } == ["2026-02-28 12:30", "12:10", "12:20"])
  }
}
