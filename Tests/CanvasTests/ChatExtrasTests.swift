import Runtime
import Testing

@testable import Canvas
@testable import Graphics

@Suite("Tools, thoughts, pictures and choices in a conversation")
struct ChatExtrasTests {
  private final class Shelf: PictureShelf {
    var natural = Size(640, 480)
    var asked: [String] = []
    func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture? {
      asked.append(Talk.text(url))
      return nil
    }
    func size(_ url: Span<UInt8>) -> Size? { natural.width > 0 ? natural : nil }
  }

  private func step(_ talk: Talk, _ line: String, _ detail: String) {
    var message = ChatMessage(.step)
    message.note = InlineText(cutting: line)
    talk.page.log.append(message, detail.utf8.span)
    talk.page.changed(at: talk.time)
  }

  /// The middle of a message.
  private func place(_ talk: Talk, _ index: Int) -> Point {
    let page = talk.page
    var top = page.listRect.y + page.margin - page.scrolling.offset
    for above in 0..<index { top += page.log.height(above) }
    return Point(page.column.x + 20, top + 6)
  }

  @Test("a step is one line, whose touch unfolds what it is about, and folds it again")
  func folding() throws {
    let talk = try Talk()
    step(talk, "camera.snap (2 s)", "{\"facing\":\"front\"}")
    let folded = talk.page.log.height(0)
    #expect(talk.texts.joined(separator: " ").contains("camera.snap (2 s)"))
    #expect(!talk.texts.joined().contains("facing"))
    talk.tap(place(talk, 0))
    #expect(talk.texts.joined().contains("facing") && talk.page.log.height(0) > folded)
    talk.tap(place(talk, 0))
    #expect(!talk.texts.joined().contains("facing") && talk.page.log.height(0) == folded)
    step(talk, "thought", "")
    talk.tap(place(talk, 1))
    #expect(!talk.page.log[1].isOpen)
  }

  @Test("what is unfolded has so many lines and no more")
  func bound() throws {
    let talk = try Talk(240, 2000)
    step(talk, "thought 3 s", String(repeating: "word ", count: 100))
    let folded = talk.page.log.height(0)
    talk.tap(place(talk, 0))
    #expect(talk.page.log.height(0) <= folded * Int32(Budget.chatStepLines + 2))
  }

  @Test("a step is inserted above the reply, and keeps every text with its message")
  func inserting() throws {
    let talk = try Talk()
    talk.add("question", .person)
    talk.add("reply")
    var message = ChatMessage(.step)
    message.note = InlineText(cutting: "exec")
    talk.page.log.insert(message, "args".utf8.span, at: 1)
    let log = talk.page.log
    #expect((0..<3).map { Talk.text(log.text($0)) } == ["question", "args", "reply"])
    talk.page.log.add("!".utf8.span, to: 2)
    #expect(Talk.text(log.text(2)) == "reply!" && Talk.text(log.text(1)) == "args")
    for index in 0..<Budget.chatMessages { log.insert(message, "n\(index)".utf8.span, at: log.count) }
    #expect(log.count == Budget.chatMessages)
    log.insert(message, "last".utf8.span, at: log.count - 1)
    #expect(Talk.text(log.text(log.count - 2)) == "last" && log.count == Budget.chatMessages)
  }

  @Test("a picture is asked for by its address, in its own shape, and has a place until it comes")
  func pictures() throws {
    let talk = try Talk()
    let shelf = Shelf()
    shelf.natural = Size(0, 0)
    talk.page.shelf = shelf
    let address = "data:image/png;base64,QQ=="
    let number = talk.page.pictures.add { buffer in
      for (index, byte) in address.utf8.enumerated() { buffer[index] = byte }
      return address.utf8.count
    }
    var message = ChatMessage(.agent)
    message.picture = try #require(number)
    talk.page.log.append(message, Span())
    talk.page.changed(at: talk.time)
    _ = talk.texts
    #expect(shelf.asked.last == address)
    let before = talk.page.log.height(0)
    shelf.natural = Size(640, 480)
    talk.page.picturesArrived()
    #expect(talk.page.log.height(0) > before)
    let bubble = talk.page.parts(0).bubble
    let padding = talk.page.bubblePadding
    let (width, height) = (bubble.width - 2 * padding.x, bubble.height - 2 * padding.y)
    #expect(abs(width * 3 - height * 4) <= 4 && height <= talk.page.listRect.height)
    talk.pass(5_000)
    #expect(talk.page.dots == 0, "a picture is no reply that is awaited")
  }

  @Test("the last pictures are kept, and one without an address is none")
  func kept() throws {
    let pictures = try ChatPictures()
    let numbers = (0...Budget.chatPictures).map { index in
      pictures.add { buffer in
        buffer[0] = UInt8(index)
        return 1
      }
    }
    #expect(pictures.address(numbers[0]!).isEmpty)
    for index in 1...Budget.chatPictures { #expect(pictures.address(numbers[index]!)[0] == UInt8(index)) }
    #expect(pictures.add { _ in nil } == nil)
    pictures.removeAll()
    #expect(pictures.address(numbers.last!!).isEmpty && pictures.address(0).isEmpty)
  }

  private func choices(_ count: Int) -> [ChatChoice] {
    (0..<count).map { index in
      var choice = ChatChoice()
      choice.label = InlineText(cutting: "Row \(index)")
      return choice
    }
  }

  @Test("a touch of the title opens the list, and one of a row chooses it; beside it, it closes")
  func choosing() throws {
    let talk = try Talk()
    talk.choices = choices(3)
    talk.tap(Point(240, 10))
    #expect(talk.openings == 0, "without others there is no list")
    #expect(talk.page.offer(choice: true, camera: false))
    talk.tap(talk.page.titleRect)
    #expect(talk.openings == 1 && talk.texts.contains("Row 2"))
    let frame = talk.page.chooserFrame
    talk.tap(Point(frame.x + 20, frame.y + talk.page.chooser.rowHeight(talk.page.theme) + 5))
    #expect(talk.chosen == [1] && !talk.texts.contains("Row 2"))
    talk.tap(talk.page.titleRect)
    talk.tap(talk.page.actionRect)
    #expect(talk.chosen == [1] && !talk.page.chooser.isOpen && talk.sent.isEmpty)
  }

  @Test("keys choose too, and Escape closes the list alone")
  func keys() throws {
    let talk = try Talk()
    talk.choices = choices(3)
    _ = talk.page.offer(choice: true, camera: false)
    talk.tap(talk.page.titleRect)
    talk.key(.down, .down, .enter)
    #expect(talk.chosen == [2])
    talk.tap(talk.page.titleRect)
    talk.key(.escape)
    #expect(talk.leaves == 0 && !talk.page.chooser.isOpen)
    talk.key(.escape)
    #expect(talk.leaves == 1)
  }

  @Test("more rows than fit are scrolled to, and more than there is room for are left out")
  func many() throws {
    let talk = try Talk()
    talk.choices = choices(Budget.chatChoices + 5)
    _ = talk.page.offer(choice: true, camera: false)
    talk.tap(talk.page.titleRect)
    #expect(talk.page.chooser.choices.count == Budget.chatChoices)
    #expect(talk.page.chooserFrame.maxY <= talk.page.listRect.maxY)
    talk.drag(from: Point(240, 200), by: -2_000)
    #expect(talk.texts.contains("Row \(Budget.chatChoices - 1)"))
  }

  @Test("a button takes a photo, with the draft or with words; without a camera there is none")
  func camera() throws {
    let talk = try Talk()
    let before = talk.page.fieldRect
    #expect(talk.page.cameraRect.isEmpty)
    _ = talk.page.offer(choice: false, camera: true)
    #expect(talk.page.cameraRect.maxX < talk.page.fieldRect.x && talk.page.fieldRect.maxX == before.maxX)
    talk.tap(talk.page.cameraRect)
    talk.type("see")
    talk.tap(talk.page.cameraRect)
    #expect(talk.photos == ["Look at this photo.", "see"] && talk.draft.isEmpty)
  }
}
