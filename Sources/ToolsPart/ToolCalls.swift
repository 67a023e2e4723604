import Codec
import Gateway
import Node
import Runtime

/// The calls of tools that run: each is an invoke of the gateway, or a test by a person at the board, and a command of
/// this board that does it, whose answer it turns into the form of MCP (newer-gateways 1.2): a text first, then a
/// picture or facts; a failure is a result, too, with a sentence that the model reads.
final class ToolCalls: ReplyChannel {
  /// Who gets the result.
  enum Caller: Equatable {
    case gateway(InvokeToken)
    /// A call of the local socket.
    case program(Int)
    /// A call of the board's own agent, by the borrower's tag.
    case borrower(Int)
  }

  private struct Call {
    var caller: Caller
    var tool: Int
    var id: InlineText<128>
    /// The command's answer is the whole result.
    var isWhole: Bool
  }

  /// Those of the board do not change; behind them stand those of servers, which may while calls are under way.
  private(set) var tools: [Tool]
  let router: Router
  private(set) var questions: Questions! = nil
  private var calls = Slots<Call>(capacity: Budget.toolCalls)
  /// The answer of a command that is read here, and the facts of a question that are made of one. Address space until
  /// it is used.
  private let texts: ReservedBuffer
  /// Results for the board's own agent, and arguments to which something is added; nil without one. Address space until
  /// it is used.
  let lending: ReservedBuffer?
  /// The board's own agent, while it has calls. Outlives them.
  unowned(unsafe) var borrower: (any ToolBorrower)?
  private var serial: Int64 = 0
  /// The local socket, whose calls wait. Outlives them.
  unowned(unsafe) var control: Control?
  /// Calls since start, and those that failed.
  private(set) var count: UInt64 = 0
  private(set) var failures: UInt64 = 0
  /// The tool that was called last, which may be gone; nil before the first call.
  private(set) var last: String?
  /// Why the last call that failed did.
  private(set) var lastFailure = InlineText<256>()

  init(_ tools: [Tool], lends: Bool, router: Router, clock: any Clock) throws(Errno) {
    self.tools = tools
    self.router = router
    texts = try ReservedBuffer(capacity: 2 * Budget.toolAnswerBytes)
    lending = lends ? try ReservedBuffer(capacity: Budget.lentArgumentBytes + Budget.lentResultBytes) : nil
    questions = Questions(router: router, clock: clock) { [unowned(unsafe) self] in self.ended($0, $1) }
    router.tools = self
    router.toolProgressed = { [unowned(unsafe) self] in self.progressed($0, $1) }
  }

  /// Begins the call of a tool, whose arguments are valid until this returns.
  func begin(
    _ tool: Int, _ caller: Caller, _ arguments: borrowing JSONView, deadline: Int64, lent: LentCall? = nil
  ) {
    count += 1
    last = tools[tool].name
    serial &+= 1
    var id = InlineText<128>()
    id.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.decimal(self.serial)
      return writer.count
    }
    guard let place = calls.add(Call(caller: caller, tool: tool, id: id, isWhole: tools[tool].isWhole)) else {
      return fail(caller, "this board is busy with other calls: try again in some seconds")
    }
    // Before the router would answer for it, so that the model reads a sentence.
    let due = max(deadline - Budget.toolAnswerMilliseconds, 0)
    if tools[tool].command == Questions.command {
      var step = lent
      step?.isStep = true
      return questions.begin(id, copy arguments, deadline: due, lent: step)
    }
    if router.begin(tool: tools[tool].command, copy arguments, id: id, deadline: due, lent: lent) { return }
    calls[place] = nil
    fail(caller, "this board is busy with the same command: try again in some seconds")
  }

  /// Other tools of servers stand behind those of the board. Calls that run go on: their answers are whole, and nothing
  /// of their tools is read again. A call about which a person is asked names a place, at which another tool may stand
  /// now: it goes on only where that place has the same tool, for nobody has allowed another.
  func replace(_ tools: [Tool]) {
    let before = self.tools
    self.tools = tools
    for index in calls.indices {
      guard var call = calls[index], call.isWhole, router.waits(tool: call.id) else { continue }
      let (command, name) = (before[call.tool].command, before[call.tool].name)
      if let place = tools.firstIndex(where: { $0.command == command && $0.name == name }) {
        call.tool = place
        calls[index] = call
      } else {
        calls[index] = nil
        router.cancel(tool: call.id)
        fail(call.caller, "the tools of its server have changed: look at them, and try again")
      }
    }
  }

  /// Stops the calls of a caller, which need no answer.
  func cancel(_ caller: Caller) {
    for index in calls.indices {
      guard let call = calls[index], call.caller == caller else { continue }
      calls[index] = nil
      if !questions.cancel(call.id) { router.cancel(tool: call.id) }
    }
  }

  /// Frees the slot of a call that its command has answered.
  private func take(_ id: Span<UInt8>) -> Call? {
    calls.first { $0.id.equals(id) }.flatMap { calls.take($0) }
  }

  // MARK: ReplyChannel

  func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
    if questions.isStep(id) {
      guard let text = written(.answer, build) else { return false }
      questions.succeeded(id, JSONView(text))
      return true
    }
    guard let call = take(id) else { return false }
    if call.isWhole {
      finishWhole(call.caller, build)
      return true
    }
    guard tools[call.tool].sentence.isEmpty else {
      finish(call) { writer in
        self.writeSentence(of: call.tool, to: &writer)
        writer.endArray()
        writer.key("structuredContent")
        build(&writer)
      }
      return true
    }
    guard let text = written(.answer, build) else { return false }
    finish(call, text)
    return true
  }

  /// Answers a call with facts that have their own sentence.
  private func finish(_ call: Call, _ facts: Span<UInt8>) {
    let words = facts.withUnsafeBufferPointer { $0 }
    finish(call) { writer in
      let facts = JSONView(Span(_unsafeElements: words))
      writer.key("content")
      writer.beginArray()
      writer.beginObject()
      writer.key("type")
      writer.string("text")
      writer.key("text")
      if let text = facts.member("text") { writer.raw(text.rawText) } else { writer.string("") }
      writer.endObject()
      writer.endArray()
      writer.key("structuredContent")
      writer.raw(facts.rawText)
    }
  }

  func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool {
    guard let call = take(id) else { return false }
    if call.isWhole { return finishWhole(call.caller, blob, build) }
    if case .borrower(let tag) = call.caller { return give(call.tool, tag, blob, build) }
    guard case .gateway(let token) = call.caller else {
      finish(call) { writer in
        self.writeSentence(of: call.tool, to: &writer)
        Self.writePictureFacts(blob.bytes, to: &writer)
      }
      // The picture is not taken: a person who tests the tool is told of it.
      return false
    }
    return router.succeed(token, blob: blob) { writer in
      writer.beginObject()
      self.writeSentence(of: call.tool, to: &writer)
      let isPicture = blob.form == .base64
      let split = isPicture ? Self.writePicture(blob.bytes, to: &writer) : Self.writeFacts(build, to: &writer)
      writer.endObject()
      return split
    }
  }

  func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
    if questions.isStep(id) { return questions.failed(id, message) }
    guard let call = take(id) else { return }
    fail(call.caller, message)
  }

  /// The command of a call goes on: a gateway counts silence of what it has called.
  private func progressed(_ id: Span<UInt8>, _ words: Span<UInt8>) {
    for index in calls.indices {
      guard let call = calls[index], call.id.equals(id), case .gateway(let token) = call.caller else { continue }
      if words.isEmpty { router.beat(token) } else { router.progress(token, words) }
      return
    }
  }

  /// The gateway's own channel is told when the call is answered.
  func replied() {}

  private func ended(_ id: InlineText<128>, _ end: Questions.End) {
    guard let call = take(id.span) else { return }
    if case .failed(let reason) = end { return fail(call.caller, reason.span) }
    if let text = written(.facts, { Questions.write(end, to: &$0) }) { return finish(call, text) }
    fail(call.caller, "the answer is too long for a message")
  }

  /// The connection is lost, and the commands of people's calls were stopped with those of the gateway.
  func offline() {
    for index in calls.indices {
      guard let call = calls[index], case .program = call.caller else { continue }
      calls[index] = nil
      _ = questions.cancel(call.id)
      fail(call.caller, "the connection to the gateway was lost: try again")
    }
  }

  // MARK: Results

  /// The halves of `texts`: facts are written while the answer that they are made of is read.
  private enum Half: Int { case answer, facts }

  /// The JSON text that `build` writes, valid until the next one of the same half; nil when it is too long.
  @_lifetime(borrow self)
  private func written(_ half: Half, _ build: (inout JSONWriter) -> Void) -> Span<UInt8>? {
    let start = half.rawValue * Budget.toolAnswerBytes
    let room = texts.bytes.extracting(start..<start + Budget.toolAnswerBytes)
    var writer = JSONWriter(into: room)
    build(&writer)
    guard writer.isComplete else { return nil }
    return _overrideLifetime(
      Span(_unsafeElements: UnsafeBufferPointer(room).extracting(..<writer.count)), borrowing: self)
  }

  /// Answers with the members of an object.
  private func finish(_ call: Call, _ members: (inout JSONWriter) -> Void) { finish(call.caller, members) }

  private func finish(_ caller: Caller, isError: Bool = false, _ members: (inout JSONWriter) -> Void) {
    switch caller {
    case .gateway(let token): router.succeed(token) { Self.write(members, to: &$0) }
    case .program(let call): control?.finish(call) { Self.write(members, to: &$0) }
    case .borrower(let tag): give(tag, isError: isError, members)
    }
  }

  static func write(_ members: (inout JSONWriter) -> Void, to writer: inout JSONWriter) {
    writer.beginObject()
    members(&writer)
    writer.endObject()
  }

  func writeSentence(of tool: Int, to writer: inout JSONWriter) {
    Self.beginContent(tools[tool].sentence.utf8.span, &writer)
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
    writer.string(type(of: bytes))
    writer.endObject()
    writer.endArray()
    return split
  }

  static func writeFacts(_ build: (inout JSONWriter) -> Int, to writer: inout JSONWriter) -> Int {
    writer.endArray()
    writer.key("structuredContent")
    return build(&writer)
  }

  func fail(_ caller: Caller, _ message: StaticString) { fail(caller, message.utf8Bytes) }

  private func fail(_ caller: Caller, _ message: Span<UInt8>) {
    failures += 1
    lastFailure = InlineText(cutting: message)
    let words = message.withUnsafeBufferPointer { $0 }
    finish(caller, isError: true) { writer in
      Self.beginContent(Span(_unsafeElements: words), &writer)
      writer.endArray()
      writer.key("isError")
      writer.bool(true)
    }
  }
}
