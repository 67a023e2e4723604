import Canvas
import Codec
import Runtime
import Testing
@testable import Benches
@testable import Canvas
@testable import Node
@testable import ScreenPart

@Suite("Tools, thoughts, pictures and other conversations on the screen")
struct ConversationStepTests {
  private func agent(_ bench: TalkBench, _ stream: String, _ data: String) {
    bench.desk.event("agent", #"{"runId":"r","seq":1,"stream":"\#(stream)","ts":1,"data":\#(data)}"#)
  }

  @Test("a thought and a tool are lines above the reply; when it has ended, the history says how it was")
  func steps() throws {
    let bench = try TalkBench()
    try bench.open()
    bench.write("look")
    try bench.answer("chat.send", #"{"runId":"r","status":"started"}"#)
    agent(bench, "thinking", #"{"text":"Hm"}"#)
    #expect(bench.messages.suffix(2) == ["step streaming Hm (thinks…)", "agent streaming "])
    agent(bench, "tool", #"{"phase":"start","name":"camera.snap","toolCallId":"t","args":{"n":1}}"#)
    agent(bench, "tool", #"{"phase":"result","name":"camera.snap","toolCallId":"t"}"#)
    #expect(
      bench.messages.suffix(3) == [
        "step done Hm (thought 0.0 s)", #"step done {"n":1} (camera.snap (0.0 s))"#, "agent streaming ",
      ])
    bench.event("r", 1, #""state":"final","message":{"content":"There"}"#)
    #expect(bench.messages.last == "agent done There")
    bench.desk.pass(Budget.chatReadMilliseconds)
    try bench.answer(
      "chat.history",
      #"""
      {"messages":[{"role":"user","content":"look","timestamp":1000},
      {"role":"assistant","timestamp":2000,
      "content":[{"type":"toolCall","id":"t","name":"camera.snap","arguments":{"n":1}}]},
      {"role":"toolResult","toolCallId":"t","timestamp":5000,
      "content":[{"type":"image","data":"QUJD","mimeType":"image/png"}]},
      {"role":"assistant","content":[{"type":"image","omitted":true},{"type":"text","text":"There"}],"timestamp":6000}]}
      """#)
    #expect(
      bench.messages == [
        "person done look", #"step done {"n":1} (camera.snap (3 s))"#, "agent done ", "agent done There",
        "agent done [a picture, which the gateway keeps]",
      ])
    #expect(bench.log[2].picture != 0)
    #expect(bench.texts.contains("camera.snap (3 s)"))
  }

  @Test("another agent's conversation is read in the place of this one, and a new one has nothing")
  func choosing() throws {
    let bench = try TalkBench()
    try bench.open()
    let page = try #require(bench.face.chat)
    bench.conversation.chatChooserOpened()
    let lists = try bench.desk.requests()
    bench.desk.answer(
      try #require(lists.first { $0.method == "agents.list" }), #"{"agents":[{"id":"main"},{"id":"garden"}]}"#)
    #expect(page.chooser.choices.count == 3 && page.chooser.choices[1].isCurrent)
    bench.conversation.chatChoose(2)
    let asked = try bench.desk.requests()
    #expect(
      asked.map(\.method) == ["sessions.messages.unsubscribe", "sessions.messages.subscribe", "chat.history"])
    #expect(asked[2].params["sessionKey"] as? String == "agent:garden:main")
    #expect(bench.messages.isEmpty)
    bench.desk.answer(asked[2], TalkBench.history("user seeds?", "assistant Yes"))
    #expect(bench.messages == ["person done seeds?", "agent done Yes"] && bench.texts.contains("garden"))
    bench.write("more")
    #expect(try bench.desk.request("chat.send").params["sessionKey"] as? String == "agent:garden:main")
    bench.conversation.chatChoose(0)
    #expect(bench.messages.isEmpty)
    bench.write("new")
    let key = try #require(try bench.desk.request("chat.send").params["sessionKey"] as? String)
    #expect(key.hasPrefix("agent:garden:board-"))
    bench.conversation.chatChoose(1)
    #expect(try bench.desk.request("chat.history").params["sessionKey"] as? String == TalkBench.key)
  }

  @Test("an answer for the conversation before is not this one's")
  func late() throws {
    let bench = try TalkBench()
    try bench.desk.connect()
    bench.press(.chat)
    let old = try bench.desk.request("chat.history")
    bench.conversation.chatChoose(0)
    bench.desk.answer(old, TalkBench.history("user hello"))
    #expect(bench.messages.isEmpty)
  }
}
