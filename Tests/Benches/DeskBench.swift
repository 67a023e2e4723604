import Board
import Codec
import Foundation
import Gateway
import Runtime
import Simulated
@testable import Agent
@testable import Node
@testable import SensePart

/// Notes what it hears.
final class NotingListener: DeskDelegate {
  var heard: [String] = []
  /// Called at each word.
  var onWord: () -> Void = {}

  func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    heard.append("\(tag) answer \(payload.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })")
  }
  func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    heard.append("\(tag) \(Self.text(failure.code.span)): \(Self.text(failure.sentence.span))")
  }
  func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    heard.append("\(tag) \(isReplacement ? "anew" : "says") \(Self.text(text))")
    onWord()
  }
  func chatCut(_ tag: Int) { heard.append("\(tag) cut") }
  func chatStep(_ tag: Int, _ step: ChatStep) {
    var text = InlineText<128>()
    text.fill { buffer in
      var line = LogLine(buffer)
      step.writeLine(to: &line)
      return line.count
    }
    heard.append("\(tag) step \(Self.text(text.span)) \(Self.text(step.detail.span))")
  }
  func chatEnded(_ tag: Int, isAborted: Bool) { heard.append("\(tag) \(isAborted ? "aborted" : "final")") }

  static func text(_ span: Span<UInt8>) -> String {
    span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

/// A desk in memory, and the gateway's end of its connection.
final class DeskBench {
  let clock = VirtualClock()
  let runner = DeferredRunner()
  let transport = MemoryTransport(capacity: 1 << 20)
  let gateway: LoopbackGateway
  let log = Log(level: .debug, output: nil)
  let desk: OperatorDesk
  let listener = NotingListener()
  static let commands: [String] = ["camera.list", "camera.snap", "system.notify"]

  init(approves: Bool = false) throws {
    let cryptography = OpenSSLCryptography()
    let random = SeededRandom(seed: 5)
    let store = MemoryStore()
    gateway = LoopbackGateway(transport: transport, cryptography: cryptography)
    let url = try GatewayURL("ws://localhost:18789")
    let identity = try NodeIdentity.load(from: store, random: random, cryptography: cryptography).identity
    let configuration = SessionConfiguration(
      urls: [url], sharedToken: "shared", displayName: "Test", version: "1", capabilities: ["camera"],
      commands: Self.commands)
    let record = GatewayRecord(url: url, cryptography: cryptography)
    desk = try OperatorDesk(
      configuration: configuration, scopes: .console, approves: approves, identity: identity,
      keeper: RecordKeeper(record: record, store: store, runner: runner, clock: clock, log: log),
      transport: transport, clock: clock, random: random, cryptography: cryptography, log: log)
    desk.declare(commands: Self.commands)
  }

  /// Gets online; the connect frame. What the desk asks by itself stays unanswered.
  @discardableResult
  func connect(
    protocol number: Int = 4, mainSession: String? = "agent:main:main", methods: [String] = [],
    scopes: [String] = []
  ) throws -> [String: Any] {
    desk.nodeOnline(at: nil)
    while !transport.isOpen, let next = desk.nextDeadline {
      clock.advance(max(next - clock.monotonic, 0))
      desk.advance(to: clock.monotonic)
    }
    gateway.accept()
    gateway.pump()
    gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    let frame = try AgentBench.object(gateway.take().first ?? [])
    let snapshot = mainSession.map { #"{"sessionDefaults":{"mainSessionKey":"\#($0)"}}"# } ?? "{}"
    let features = methods.map { #""\#($0)""# }.joined(separator: ",")
    gateway.send(
      #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","protocol":\#(number),"#
        + #""features":{"methods":[\#(features)]},"#
        + #""auth":{"scopes":[\#(scopes.map { #""\#($0)""# }.joined(separator: ","))]},"#
        + #""snapshot":\#(snapshot),"policy":{"tickIntervalMs":86400000}}}"#)
    runner.runAll()
    return frame
  }

  /// The requests of the desk since the last call.
  func requests() throws -> [Request] { try gateway.take().map { try Request(AgentBench.object($0)) } }

  func request(_ method: String) throws -> Request {
    let all = try requests()
    guard let found = all.last(where: { $0.method == method }) else {
      throw Missing(method: method, found: all.map(\.method))
    }
    return found
  }

  func answer(_ request: Request, _ payload: String) {
    gateway.send(#"{"type":"res","id":"\#(request.id)","ok":true,"payload":\#(payload)}"#)
  }

  func refuse(_ request: Request, _ error: String) {
    gateway.send(#"{"type":"res","id":"\#(request.id)","ok":false,"error":\#(error)}"#)
  }

  func event(_ name: String, _ payload: String) {
    gateway.send(#"{"type":"event","event":"\#(name)","payload":\#(payload)}"#)
  }

  func ask(_ method: StaticString, tag: Int = 1) { desk.ask(method, listener, tag) { _ in } }

  /// Says something; the request, if it was sent.
  @discardableResult
  func chat(_ text: String = "hello", tag: Int = 1) throws -> Request? {
    let json = String(decoding: try JSONEncoder().encode(["text": text]), as: UTF8.self)
    let bytes = Array(json.utf8)
    let request = JSONView(bytes.span)
    desk.chat(request.member("text")!, in: desk.session(from: request)!, listener, tag)
    return try requests().last { $0.method == "chat.send" }
  }

  func lose() {
    transport.fail(TransportFailure(.broken))
  }

  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let next = desk.nextDeadline, next <= end {
      clock.advance(max(next - clock.monotonic, 0))
      desk.advance(to: clock.monotonic)
      gateway.pump()
      gateway.sendFrame(0x8A, [])
    }
    clock.advance(end - clock.monotonic)
  }

  struct Missing: Error {
    let method: String
    let found: [String]
  }

  struct Request {
    let id: String
    let method: String
    let params: [String: Any]

    init(_ frame: [String: Any]) {
      id = frame["id"] as? String ?? ""
      method = frame["method"] as? String ?? ""
      params = frame["params"] as? [String: Any] ?? [:]
    }

    var run: String { params["idempotencyKey"] as? String ?? "" }
  }
}
