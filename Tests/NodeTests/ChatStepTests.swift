import Codec
import Foundation
import Runtime
import Testing
@testable import Benches
@testable import Node

@Suite("What an agent does besides talking")
struct ChatStepTests {
  private let bench: DeskBench
  private let run: String

  init() throws {
    bench = try DeskBench()
    try bench.connect()
    let request = try bench.chat()!
    bench.answer(request, #"{"runId":"\#(request.run)","status":"started"}"#)
    bench.listener.heard = []
    run = request.run
  }

  private func agent(_ stream: String, _ data: String, run: String? = nil) {
    bench.event("agent", #"{"runId":"\#(run ?? self.run)","seq":1,"stream":"\#(stream)","ts":1,"data":\#(data)}"#)
  }

  private func final(_ text: String = "ok") {
    bench.event("chat", #"{"runId":"\#(run)","seq":9,"state":"final","message":{"content":"\#(text)"}}"#)
  }

  @Test("the connection says that it understands them")
  func capability() throws {
    let frame = try DeskBench().connect()
    #expect((frame["params"] as? [String: Any])?["caps"] as? [String] == ["tool-events"])
  }

  @Test("a tool begins, and ends after its time")
  func tool() {
    agent("tool", #"{"phase":"start","name":"camera.snap","toolCallId":"t1","args":{"facing":"front"}}"#)
    agent("tool", #"{"phase":"start","name":"camera.snap","toolCallId":"t1"}"#)
    agent("tool", #"{"phase":"update","name":"camera.snap","toolCallId":"t1"}"#)
    bench.pass(2_100)
    agent("tool", #"{"phase":"result","name":"camera.snap","toolCallId":"t1","isError":false}"#)
    agent("tool", #"{"phase":"result","name":"camera.snap","toolCallId":"t1","isError":false}"#)
    #expect(
      bench.listener.heard == [
        #"1 step camera.snap… {"facing":"front"}"#, #"1 step camera.snap (2 s) {"facing":"front"}"#,
      ])
  }

  @Test("a tool that fails says so; runs of others, and events without what counts, are nothing")
  func failures() {
    agent("tool", #"{"phase":"start","name":"exec","toolCallId":"t1"}"#, run: "other")
    agent("tool", #"{"phase":"start","name":"exec"}"#)
    agent("tool", #"{"phase":"result","toolCallId":"unknown"}"#)
    agent("tool", #"7"#)
    agent("lifecycle", #"{"phase":"start"}"#)
    #expect(bench.listener.heard.isEmpty)
    agent("tool", #"{"phase":"start","name":"exec","toolCallId":"t1"}"#)
    agent("tool", #"{"phase":"result","toolCallId":"t1","isError":true}"#)
    #expect(bench.listener.heard == ["1 step exec… ", "1 step exec failed (0.0 s) "])
  }

  @Test("a thought lasts until something else comes, and keeps its beginning")
  func thought() {
    agent("thinking", #"{"text":"First"}"#)
    agent("thinking", #"{"text":"First this"}"#)
    bench.pass(3_000)
    bench.event("chat", #"{"runId":"\#(run)","seq":1,"state":"delta","deltaText":"So"}"#)
    #expect(bench.listener.heard == ["1 step thinks… First", "1 step thought 3 s First this", "1 says So"])
    agent("thinking", #"{"text":"Then"}"#)
    agent("tool", #"{"phase":"start","name":"x","toolCallId":"t"}"#)
    #expect(
      Array(bench.listener.heard.dropFirst(3)) == ["1 step thinks… Then", "1 step thought 0.0 s Then", "1 step x… "])
  }

  @Test("what has not ended when the run does has failed, but a thought has not")
  func ends() {
    agent("tool", #"{"phase":"start","name":"x","toolCallId":"t"}"#)
    agent("thinking", #"{"text":"Hm"}"#)
    final()
    #expect(
      bench.listener.heard == [
        "1 step x… ", "1 step thinks… Hm", "1 step thought 0.0 s Hm", "1 says ok", "1 step x failed (0.0 s) ",
        "1 final",
      ])
    agent("tool", #"{"phase":"result","toolCallId":"t"}"#)
    #expect(bench.listener.heard.count == 6)
  }

  @Test("more tools at once than there is room for: the oldest is forgotten, and the rest end")
  func bound() {
    for index in 0...Budget.chatSteps {
      agent("tool", #"{"phase":"start","name":"x\#(index)","toolCallId":"t\#(index)"}"#)
      bench.pass(10)
    }
    bench.listener.heard = []
    agent("tool", #"{"phase":"result","toolCallId":"t0"}"#)
    #expect(bench.listener.heard.isEmpty)
    agent("tool", #"{"phase":"result","toolCallId":"t\#(Budget.chatSteps)"}"#)
    #expect(bench.listener.heard.count == 1)
  }

  @Test("a long detail is cut between characters, a long name and a long id harm nothing")
  func long() {
    let umlauts = String(repeating: "ä", count: 400)
    agent("thinking", #"{"text":"x\#(umlauts)"}"#)
    let text = bench.listener.heard[0]
    #expect(text.hasPrefix("1 step thinks… xä") && text.hasSuffix("ä") && text.utf8.count <= 512 + 20)
    agent("tool", #"{"phase":"start","name":"\#(String(repeating: "n", count: 65))","toolCallId":"t"}"#)
    #expect(bench.listener.heard.last == "1 step \"a tool with a long name\"… ")
    let before = bench.listener.heard.count
    agent("tool", #"{"phase":"start","name":"n","toolCallId":"\#(String(repeating: "i", count: 129))"}"#)
    #expect(bench.listener.heard.count == before)
  }

  @Test(
    "a time is told as people tell it",
    arguments: [
      (0, "0.0 s"), (949, "0.9 s"), (1_000, "1 s"), (1_500, "2 s"), (119_000, "119 s"), (180_000, "3 min"),
      (Int64.max, "153722867280912 min"), (-5, "0.0 s"),
    ] as [(Int64, String)])
  func times(_ milliseconds: Int64, _ text: String) {
    var step = ChatStep(.thought, .done)
    step.milliseconds = milliseconds
    var line = InlineText<128>()
    line.fill { buffer in
      var writer = LogLine(buffer)
      step.writeLine(to: &writer)
      return writer.count
    }
    #expect(NotingListener.text(line.span) == "thought \(text)")
  }
}
