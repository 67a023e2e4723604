import Codec
import Foundation
import Gateway
import Runtime
import Simulated
@testable import Agent
@testable import CameraPart
@testable import Node

/// Takes requests, and answers as the test says.
final class FakeChannel: RequestChannel {
  struct Request {
    let method: String
    let params: [String: Any]
    let timeout: Int64
    fileprivate let delegate: any RequestDelegate
    fileprivate let tag: Int

    /// The name and payload of a `node.event`.
    var event: String { params["event"] as? String ?? "" }
    var payload: [String: Any] {
      let text = params["payloadJSON"] as? String ?? ""
      return (try? AgentBench.object(Array(text.utf8))) ?? [:]
    }
  }

  /// Requests without an answer, in order.
  private(set) var waiting: [Request] = []
  /// Everything that was asked.
  private(set) var asked: [Request] = []
  var hasRoom = true

  func request(
    _ method: StaticString, delegate: any RequestDelegate, tag: Int, timeout: Int64,
    _ build: (inout JSONWriter) -> Void
  ) -> Bool {
    guard hasRoom else { return false }
    let buffer = FixedBuffer(capacity: Budget.outboundMessageBytes - 200)
    var writer = JSONWriter(into: buffer.bytes)
    writer.beginObject()
    build(&writer)
    writer.endObject()
    guard writer.isComplete else { return false }
    let request = Request(
      method: "\(method)", params: try! AgentBench.object(Array(buffer.bytes[..<writer.count])),
      timeout: timeout, delegate: delegate, tag: tag)
    waiting.append(request)
    asked.append(request)
    return true
  }

  /// Answers the oldest request for a method with a payload.
  func answer(_ method: String = "node.event", _ payload: String = #"{"ok":true}"#) {
    guard let request = take(method) else { return }
    request.delegate.requestSucceeded(request.tag, JSONView(payload.utf8.span))
  }

  /// Lets the oldest request for a method fail.
  func fail(_ method: String = "node.event", _ kind: RequestFailure.Kind, code: StaticString = "") {
    guard let request = take(method) else { return }
    var failure = RequestFailure(kind)
    failure.code = InlineText(cutting: code)
    request.delegate.requestFailed(request.tag, failure)
  }

  private func take(_ method: String) -> Request? {
    guard let index = waiting.firstIndex(where: { $0.method == method }) else { return nil }
    return waiting.remove(at: index)
  }

  func asked(_ method: String) -> [Request] { asked.filter { $0.method == method } }
}

/// A router whose commands do what the test says: `do` has side effects, `read` has none.
final class RouterBench: ReplyChannel, CommandHandler {
  let clock = VirtualClock()
  let router: Router
  private let nodeID = String(repeating: "n", count: 64)
  /// What was begun and cancelled, and what is answered: the work of each token.
  var begun: [InvokeToken] = []
  /// The session of each of them.
  var sessions: [String] = []
  var cancelled: [InvokeToken] = []
  private(set) var answers: [Answer] = []
  /// The parameters of each.
  var parameters: [String] = []
  /// How often the session was told to read again.
  private(set) var reads = 0

  /// `runner`: opens long invokes.
  init(runner: (any JobRunner)? = nil) throws {
    router = try Router(
      nodeID: InlineArray(repeating: UInt8(ascii: "n")), runner: runner, clock: clock,
      log: Log(level: .error, output: nil))
    router.replies = self
    router.add(
      [
        CommandRow("do", limit: 8, hasSideEffects: true), CommandRow("read", limit: 3),
        CommandRow("shoot", limit: 2, queues: true), CommandRow("move", limit: 1, hasSideEffects: true, queues: true),
      ], capability: "test", self)
  }

  func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    begun.append(token)
    sessions.append(NotingListener.text(router.sessionKey.span))
    self.parameters.append(Self.text(parameters.rawText))
  }

  func cancel(_ token: InvokeToken) { cancelled.append(token) }

  func invoke(
    _ id: String, _ command: String = "do", key: String? = "key", timeout: Int = 30_000, params: String? = nil,
    session: String? = nil
  ) {
    let key = key.map { #","idempotencyKey":"\#($0)""# } ?? ""
    let params = params.map { #","params":\#($0)"# } ?? ""
    let session = session.map { #","sessionKey":"\#($0)""# } ?? ""
    send(
      #"{"id":"\#(id)","nodeId":"\#(nodeID)","command":"\#(command)","timeoutMs":\#(timeout)\#(key)\#(params)\#(session)}"#
    )
  }

  /// The payload of an invoke of `do`.
  func payload(_ id: String, node: String? = nil, _ members: String) -> String {
    #"{"id":"\#(id)","nodeId":"\#(node ?? nodeID)","command":"do",\#(members)}"#
  }

  func send(_ text: String) { router.receiveInvoke(text) }

  func cancelInvoke(_ id: String, node: String? = nil) {
    router.cancel(JSONView(#"{"invokeId":"\#(id)","nodeId":"\#(node ?? nodeID)"}"#.utf8.span))
  }

  /// Answers the work of the `index`th begin.
  func succeed(_ index: Int = 0, _ text: String = "done") { router.succeed(begun[index]) { $0.string(text) } }

  func pass(_ milliseconds: Int64) {
    clock.advance(milliseconds)
    router.advance(to: clock.monotonic)
  }

  /// The answers so far: id, then the result's text or the error's message.
  func take() -> [String] {
    defer { answers.removeAll() }
    return answers.map { "\($0.id): \($0.text)" }
  }

  struct Answer {
    let id: String
    let text: String
  }

  // MARK: ReplyChannel

  var replyRoom = 8192

  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    let buffer = FixedBuffer(capacity: replyRoom)
    var writer = JSONWriter(into: buffer.bytes)
    build(&writer)
    guard writer.isComplete else { return false }
    answers.append(Answer(id: Self.text(id), text: String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)))
    return true
  }

  func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    let buffer = FixedBuffer(capacity: replyRoom)
    var writer = JSONWriter(into: buffer.bytes)
    let split = build(&writer)
    guard writer.isComplete else { return false }
    let (before, after) = (Array(buffer.bytes[..<split]), Array(buffer.bytes[split..<writer.count]))
    // One in base64 is lent for as long as a session would take to send it.
    if blob.form == .base64 {
      answers.append(Answer(id: Self.text(id), text: "blob"))
      return true
    }
    answers.append(Answer(id: Self.text(id), text: String(decoding: before + blob.bytes + after, as: UTF8.self)))
    blob.delegate?.blobReleased()
    return true
  }

  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    answers.append(Answer(id: Self.text(id), text: Self.text(message)))
  }

  func replied() { reads += 1 }

  private static func text(_ span: Span<UInt8>) -> String {
    span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
