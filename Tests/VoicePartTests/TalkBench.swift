import Canvas
import Codec
import Runtime
import Simulated
@testable import Agent
@testable import Benches
@testable import Node
@testable import ScreenPart

/// A screen with a conversation, and the gateway's end of the connection that it goes over.
final class TalkBench {
  let canvas: CanvasBench
  let desk: DeskBench
  let conversation: Conversation
  static let key = "agent:main:main"

  init() throws {
    canvas = try CanvasBench(hasChat: true)
    desk = try DeskBench()
    let face = canvas.commands.face!
    conversation = Conversation(
      face.chat!, face, desk.desk.makeFeed(), desk.desk.makeDirectory(), title: InlineText(cutting: "Kitchen"),
      clock: desk.clock)
    conversation.update()
  }

  var face: CanvasFace { canvas.commands.face }
  var log: ChatLog { face.chat!.log }

  /// "person done hello": all that the log has.
  var messages: [String] {
    (0..<log.count).map { index in
      let note = log[index].note.isEmpty ? "" : " (\(NotingListener.text(log[index].note.span)))"
      return "\(log[index].role) \(log[index].state) \(NotingListener.text(log.text(index)))\(note)"
    }
  }

  /// What is on the screen.
  var texts: String {
    canvas.settle()
    return canvas.painter.texts.joined(separator: " ")
  }

  func press(_ key: Key) {
    face.input(.key(key, isDown: true, isRepeat: false, []), at: canvas.clock.monotonic)
    canvas.settle()
  }

  func write(_ text: String) {
    for scalar in text.unicodeScalars { face.input(.character(scalar), at: canvas.clock.monotonic) }
    press(.enter)
  }

  /// The gateway answers the last question of this kind.
  @discardableResult
  func answer(_ method: String, _ payload: String) throws -> DeskBench.Request {
    let request = try desk.request(method)
    desk.answer(request, payload)
    return request
  }

  /// `messages`: "user hello", "assistant Hi".
  static func history(_ messages: String..., inFlight: String = "") -> String {
    let list = messages.map { message in
      let words = message.split(separator: " ", maxSplits: 1)
      return #"{"role":"\#(words[0])","content":[{"type":"text","text":"\#(words[1])"}]}"#
    }
    return #"{"sessionKey":"\#(key)","messages":[\#(list.joined(separator: ","))]\#(inFlight)}"#
  }

  func event(_ run: String, _ seq: Int, _ rest: String, key: String = TalkBench.key) {
    desk.event("chat", #"{"runId":"\#(run)","sessionKey":"\#(key)","seq":\#(seq),\#(rest)}"#)
  }

  /// Online, with the conversation open and this history.
  func open(_ history: String = TalkBench.history("user hello", "assistant Hi"), protocol number: Int = 4) throws {
    try desk.connect(protocol: number)
    press(.chat)
    try answer("chat.history", history)
  }
}
