import Foundation
import Runtime
import Simulated
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import Node
@testable import VoicePart

@Suite("Talk for programs on the board")
struct TalkConsoleTests {
  private let bench: VoiceBench
  private let server = NotingServer()
  private let node: BenchNode
  private let control: Control

  init() throws {
    bench = try VoiceBench.connected { $0.toneVolume = 0 }
    node = BenchNode(bench.service)
    control = Control(server: server, node: node)
  }

  private func ask(_ action: String, id: Int = 1, from client: Int = 0) {
    control.lineReceived(#"{"op":"talk","id":\#(id),"action":"\#(action)"}"#.utf8.span, from: client)
  }

  /// What was said since the last call, without captures' names.
  private func heard() -> [String] {
    defer { server.lines.removeAll() }
    return server.lines.map {
      $0.text.replacingOccurrences(of: #""captureId":"[0-9a-f-]{36}",?"#, with: "", options: .regularExpression)
    }
  }

  @Test("from start to stop, as with the gateway's commands")
  func push() throws {
    ask("start")
    #expect(heard() == [#"{"id":1,"type":"result","result":{}}"#])
    _ = try bench.openTranscription()
    bench.say(500)
    ask("stop", id: 2)
    _ = try bench.takeSound()
    #expect(heard().isEmpty)
    bench.understand("lights on")
    let send = try bench.desk.request("chat.send")
    bench.desk.answer(send, #"{"runId":"\#(send.run)","status":"started"}"#)
    #expect(heard() == [#"{"id":2,"type":"result","result":{"transcript":"lights on","status":"queued"}}"#])
  }

  @Test("a console that goes away leaves no microphone open, and drops nobody else's capture")
  func gone() throws {
    ask("start", from: 3)
    #expect(bench.microphone.isOpen)
    control.lineClientDisconnected(3)
    #expect(!bench.microphone.isOpen)
    ask("once", from: 3)
    control.lineClientDisconnected(3)
    #expect(!bench.microphone.isOpen)
    // Its capture ended by itself; the one of the gateway is another.
    ask("start", from: 3)
    bench.service.take(.recorded(.nothing))
    bench.invoke("1", "start")
    control.lineClientDisconnected(3)
    #expect(bench.microphone.isOpen)
  }

  @Test("errors are told, and one answer waits at a time")
  func errors() throws {
    ask("stop")
    #expect(heard() == [#"{"id":1,"type":"result","result":{"transcript":null,"status":"idle"}}"#])
    ask("dance")
    #expect(heard()[0].contains(#""code":"INVALID_REQUEST""#))
    ask("once", id: 1)
    ask("once", id: 2)
    #expect(heard()[0].contains(#""id":2,"type":"error","code":"BUSY""#))
    ask("cancel", id: 3)
    #expect(heard().map { $0.contains(#""status":"cancelled""#) } == [true, true])
    bench.microphone.failure = .busy
    ask("start")
    #expect(heard()[0].contains("another program has the microphone"))
  }

  @Test("a board without a microphone says so, and one where talk is switched off")
  func absent() throws {
    let none = Control(server: server, node: BenchNode())
    none.lineReceived(#"{"op":"talk","action":"start"}"#.utf8.span, from: 0)
    #expect(heard()[0].contains(#""code":"NO_MICROPHONE""#))
    let disabled = BenchNode(try VoiceBench { $0.isEnabled = false }.service)
    let off = Control(server: server, node: disabled)
    off.lineReceived(#"{"op":"talk","action":"on"}"#.utf8.span, from: 0)
    #expect(heard()[0].contains("talk is switched off"))
  }

  @Test("talk mode, and what both say")
  func mode() throws {
    ask("follow", id: 9, from: 1)
    ask("on")
    #expect(heard() == [#"{"id":1,"type":"result","result":{"talkMode":true,"mode":"turns","phase":"hearing"}}"#])
    bench.say(600, silence: 800)
    try bench.transcribe("how are you")
    let send = try bench.desk.request("chat.send")
    bench.desk.answer(send, #"{"runId":"\#(send.run)","status":"started"}"#)
    bench.desk.event("chat", #"{"runId":"\#(send.run)","sessionKey":"s","seq":1,"state":"delta","deltaText":"Fine. "}"#)
    bench.desk.event("chat", #"{"runId":"\#(send.run)","sessionKey":"s","seq":2,"state":"final"}"#)
    #expect(
      heard() == [
        #"{"id":9,"type":"line","who":"person","text":"how are you"}"#,
        #"{"id":9,"type":"line","who":"agent","text":"Fine."}"#,
      ])
    control.lineClientDisconnected(1)
    ask("off")
    #expect(heard() == [#"{"id":1,"type":"result","result":{"talkMode":false,"mode":"turns","phase":"idle"}}"#])
  }
}
