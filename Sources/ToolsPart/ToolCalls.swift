import Codec
import Gateway
import Node
import Runtime

/// The calls of tools that run: each is an invoke of the gateway, and a command of this board that does it, whose
/// answer it turns into the form of MCP (newer-gateways 1.2): a text first, then a picture or facts; a failure is a
/// result, too, with a sentence that the model reads.
final class ToolCalls: ReplyChannel {
  private struct Call {
    var token: InvokeToken
    var tool: Int
    var id: InlineText<128>
  }

  private let router: Router
  private let calls: UnsafeMutableBufferPointer<Call?>
  private var serial: Int64 = 0
  /// Calls since start, and those that failed.
  private(set) var count: UInt64 = 0
  private(set) var failures: UInt64 = 0
  /// The tool that was called last; nil before the first call.
  private(set) var last: Int?
  /// Why the last call that failed did.
  private(set) var lastFailure = InlineText<256>()

  init(router: Router) {
    self.router = router
    calls = .allocate(capacity: Budget.toolCalls)
    calls.initialize(repeating: nil)
    router.tools = self
  }

  deinit { calls.deallocate() }

  /// Begins the call of a tool, whose arguments are valid until this returns.
  func begin(_ tool: Int, _ token: InvokeToken, _ arguments: borrowing JSONView, deadline: Int64) {
    count += 1
    last = tool
    guard let place = calls.indices.first(where: { calls[$0] == nil }) else {
      return fail(token, "this board is busy with other calls: try again in some seconds")
    }
    serial &+= 1
    var id = InlineText<128>()
    id.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.decimal(self.serial)
      return writer.count
    }
    calls[place] = Call(token: token, tool: tool, id: id)
    // Before the router would answer for it, so that the model reads a sentence.
    let due = max(deadline - Budget.toolAnswerMilliseconds, 0)
    if router.begin(tool: Tool.all[tool].command, copy arguments, id: id, deadline: due) { return }
    calls[place] = nil
    fail(token, "this board is busy with the same command: try again in some seconds")
  }

  /// Stops a call, which needs no answer.
  func cancel(_ token: InvokeToken) {
    for index in calls.indices {
      guard let call = calls[index], call.token == token else { continue }
      calls[index] = nil
      router.cancel(tool: call.id)
    }
  }

  /// Frees the slot of a call that its command has answered.
  private func take(_ id: Span<UInt8>) -> Call? {
    for index in calls.indices {
      guard let call = calls[index], call.id.equals(id) else { continue }
      calls[index] = nil
      return call
    }
    return nil
  }

  // MARK: ReplyChannel

  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    guard let call = take(id) else { return false }
    router.succeed(call.token) { writer in
      writer.beginObject()
      Self.writeSentence(of: call.tool, to: &writer)
      writer.endArray()
      writer.key("structuredContent")
      build(&writer)
      writer.endObject()
    }
    return true
  }

  func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    guard let call = take(id) else { return false }
    return router.succeed(call.token, blob: blob) { writer in
      writer.beginObject()
      Self.writeSentence(of: call.tool, to: &writer)
      let isPicture = blob.form == .base64
      let split = isPicture ? Self.writePicture(blob.bytes, to: &writer) : Self.writeFacts(build, to: &writer)
      writer.endObject()
      return split
    }
  }

  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    guard let call = take(id) else { return }
    fail(call.token, message)
  }

  /// The gateway's own channel is told when the call is answered.
  func replied() {}

  // MARK: Results

  private static func writeSentence(of tool: Int, to writer: inout JSONWriter) {
    beginContent(Tool.all[tool].sentence.utf8Bytes, &writer)
  }

  /// Begins the list of content with a text; the list stays open.
  private static func beginContent(_ text: Span<UInt8>, _ writer: inout JSONWriter) {
    writer.key("content")
    writer.beginArray()
    writer.beginObject()
    writer.key("type")
    writer.string("text")
    writer.key("text")
    writer.string(text)
    writer.endObject()
  }

  /// The place of the picture in what was written.
  private static func writePicture(_ bytes: UnsafeBufferPointer<UInt8>, to writer: inout JSONWriter) -> Int {
    writer.beginObject()
    writer.key("type")
    writer.string("image")
    writer.key("data")
    writer.string("")
    let split = writer.count - 1
    writer.key("mimeType")
    // A PNG begins with 0x89 (its specification, section 5.2), a JPEG with 0xFF (T.81, B.1.1.3).
    writer.string(bytes.first == 0x89 ? "image/png" : "image/jpeg")
    writer.endObject()
    writer.endArray()
    return split
  }

  private static func writeFacts(_ build: (inout JSONWriter) -> Int, to writer: inout JSONWriter) -> Int {
    writer.endArray()
    writer.key("structuredContent")
    return build(&writer)
  }

  private func fail(_ token: InvokeToken, _ message: StaticString) { fail(token, message.utf8Bytes) }

  private func fail(_ token: InvokeToken, _ message: Span<UInt8>) {
    failures += 1
    lastFailure = InlineText(cutting: message)
    let words = message.withUnsafeBufferPointer { $0 }
    router.succeed(token) { writer in
      writer.beginObject()
      Self.beginContent(Span(_unsafeElements: words), &writer)
      writer.endArray()
      writer.key("isError")
      writer.bool(true)
      writer.endObject()
    }
  }
}
