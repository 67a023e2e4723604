import Codec
import Node
import OwnAgent
import Runtime
import Testing

@testable import Benches
@testable import OwnAgentPart

@Suite("What the owner asks of the board's own agent") struct OwnerQuestionTests {
  private let server = NotingServer()
  private let bench: OwnAgentBench
  private let node: BenchNode
  private let control: Control

  init() throws {
    bench = try OwnAgentBench.answering()
    node = BenchNode(bench.part)
    node.desk = bench.desk.desk
    control = Control(server: server, node: node)
  }

  private func line(_ text: String, from client: Int = 1) {
    let bytes = Array(text.utf8)
    control.lineReceived(bytes.span, from: client)
    bench.advance()
  }

  /// The bodies of the frames `ask` since the last call.
  private func asked() -> [[UInt8]] { bench.link.take().filter { $0.kind == .ask }.map(\.body) }

  private func answer(_ body: [UInt8], _ text: String, isError: Bool = false) {
    bench.send(.answer, Array(body.prefix(4)) + [isError ? 1 : 0] + Array(text.utf8))
  }

  @Test func `A request goes to the agent, and its answer to the console`() {
    line(#"{"op":"agent","id":4,"do":"search","text":"the \"gate\""}"#)
    let body = asked()[0]
    #expect(Array(body.dropFirst(4)) == [OwnerRequest.search.rawValue] + Array(#"the "gate""#.utf8))
    #expect(bench.part.isAwaited)
    answer(body, "#1 fact: under \"the\" pot\n")
    let line = ##"{"id":4,"type":"result","result":{"text":"#1 fact: under \"the\" pot\n"}}"##
    #expect(server.lines.map(\.text) == [line])
    #expect(!bench.part.isAwaited)
  }

  @Test func `A number goes before the text`() {
    line(#"{"op":"agent","id":1,"do":"importing","number":258,"text":"x"}"#)
    #expect(Array(asked()[0].dropFirst(4)) == [OwnerRequest.importing.rawValue, 2, 1, 0, 0, 0, 0, 0, 0, 120])
  }

  @Test func `A refusal has the agent's sentence`() {
    line(#"{"op":"agent","id":1,"do":"export"}"#)
    answer(asked()[0], "this board keeps no memory", isError: true)
    #expect(
      server.lines.last?.text
        == #"{"id":1,"type":"error","code":"REFUSED","message":"this board keeps no memory"}"#)
  }

  @Test(arguments: [
    (#"{"op":"agent","id":1}"#, "INVALID_REQUEST"),
    (#"{"op":"agent","id":1,"do":"fly"}"#, "INVALID_REQUEST"),
    (#"{"op":"agent","id":1,"do":7}"#, "INVALID_REQUEST"),
    (#"{"op":"agent","id":1,"do":"forget","text":7}"#, "INVALID_REQUEST"),
    (#"{"op":"agent","id":1,"do":"forget-entry","number":-1}"#, "INVALID_REQUEST"),
  ]) func `What is no request is refused`(_ text: String, _ code: String) {
    line(text)
    #expect(server.lines.last?.text.contains(code) == true)
    #expect(asked().isEmpty && !bench.part.isAwaited)
  }

  @Test func `One question at a time`() {
    line(#"{"op":"agent","id":1,"do":"status"}"#)
    line(#"{"op":"agent","id":2,"do":"status"}"#)
    #expect(server.lines.last?.text.contains(#""id":2,"type":"error","code":"BUSY""#) == true)
    #expect(asked().count == 1)
  }

  @Test func `An answer to a question that is over is nobody's`() {
    line(#"{"op":"agent","id":1,"do":"status"}"#)
    let first = asked()[0]
    control.lineClientDisconnected(1)
    #expect(!bench.part.isAwaited)
    line(#"{"op":"agent","id":2,"do":"status"}"#, from: 2)
    let second = asked()[0]
    answer(first, "old")
    #expect(server.lines.isEmpty)
    answer(second, "new")
    #expect(server.lines.map(\.text) == [##"{"id":2,"type":"result","result":{"text":"new"}}"##])
  }

  @Test func `Without an answer, and without the process, it fails`() {
    line(#"{"op":"agent","id":1,"do":"status"}"#)
    bench.pass(Budget.ownerMilliseconds + 1)
    #expect(server.lines.last?.text.contains("does not answer") == true)
    line(#"{"op":"agent","id":2,"do":"status"}"#)
    bench.link.isThere = false
    bench.link.lose()
    #expect(server.lines.last?.text.contains("was interrupted") == true)
    line(#"{"op":"agent","id":3,"do":"status"}"#)
    #expect(server.lines.last?.text.contains("is not there") == true)
  }

  @Test func `Bytes that are no text are shown as such, and a malformed answer ends the connection`() {
    line(#"{"op":"agent","id":1,"do":"status"}"#)
    let body = asked()[0]
    bench.send(.answer, Array(body.prefix(4)) + [0, 0x61, 0xFF])
    #expect(server.lines.last?.text.contains("a\u{FFFD}") == true)
    bench.send(.answer, [1, 2])
    #expect(!bench.part.isConnected)
  }

  @Test func `A message for this agent reaches it also while the gateway is there`() throws {
    bench.part.gatewayCame()
    line(#"{"op":"chat","id":1,"text":"hello","own":true}"#)
    #expect(bench.link.take().contains { $0.kind == .say })
  }
}
