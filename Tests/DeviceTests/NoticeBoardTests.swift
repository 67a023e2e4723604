import Codec
import Device
import Runtime
import Simulated
import Testing

@Suite("What wants a person at the board")
struct NoticeBoardTests {
  private let clock = VirtualClock()
  private let board: NoticeBoard
  private let reader = NotificationReader()

  init() { board = NoticeBoard(clock: clock, log: Log(output: nil)) }

  private func post(_ parameters: String) throws {
    board.notify(try reader.read(JSONView(parameters.utf8.span)))
  }

  private var text: String? {
    board.notice.map { $0.text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
  }

  @Test("the most urgent notification stays until it is acknowledged; of two with one urgency, the newer")
  func order() throws {
    try post(#"{"title":"Gate","body":"open","attention":"active"}"#)
    try post(#"{"title":"Note","attention":"passive"}"#)
    #expect(text == "Gate - open")
    try post(#"{"title":"Door","attention":"active"}"#)
    #expect(text == "Door")
    #expect(board.acknowledge())
    #expect(text == nil)
    #expect(!board.acknowledge())
  }

  @Test("every request for attention ends", arguments: AttentionLevel.allCases)
  func lifetime(level: AttentionLevel) throws {
    try post(#"{"title":"a","attention":"\#(level.word)"}"#)
    #expect(board.nextDeadline == clock.monotonic + level.lifetime)
    clock.advance(level.lifetime - 1)
    board.advance(to: clock.monotonic)
    #expect(board.notice?.level == level)
    clock.advance(1)
    board.advance(to: clock.monotonic)
    #expect(board.notice == nil)
    #expect(board.nextDeadline == nil)
  }

  @Test("a text is cut at a character's edge")
  func cut() throws {
    let room = Budget.noticeBytes
    try post(#"{"title":"\#(String(repeating: "a", count: room))"}"#)
    #expect(text?.utf8.count == room)
    try post(#"{"title":"\#(String(repeating: "a", count: room - 1))ä"}"#)
    #expect(text == String(repeating: "a", count: room - 1))
    try post(#"{"title":"\#(String(repeating: "a", count: room - 2))ä"}"#)
    #expect(text?.utf8.count == room)
  }
}
