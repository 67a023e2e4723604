import Codec
import Completion
import Fetch
import Runtime

@testable import OwnAgent

/// Records in memory, which outlive a power cut.
final class MemoryRecords: RecordStore {
  var records: [String: [UInt8]] = [:]
  var failure: StoreError?

  func load(
    _ name: UnsafePointer<CChar>, into bytes: UnsafeMutableBufferPointer<UInt8>
  ) throws(StoreError) -> (count: Int, origin: RecordOrigin)? {
    guard let record = records[String(cString: name)] else { return nil }
    for index in record.indices { bytes[index] = record[index] }
    return (record.count, .current)
  }

  func save(_ name: UnsafePointer<CChar>, _ bytes: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    if let failure { throw failure }
    records[String(cString: name)] = Array(bytes)
  }
}

/// Markdown files in memory.
final class MemoryFiles: MemoryTransfers {
  let exported = TextSink()
  var imported: [UInt8]?
  var isFull = false

  func makeExport() -> (any MarkdownSink)? {
    exported.bytes = []
    return isFull ? nil : exported
  }

  func readExport(at place: Int64, into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard exported.state == "finished" else { return nil }
    let rest = exported.bytes.dropFirst(Int(place)).prefix(room.count)
    for (index, byte) in rest.enumerated() { room[index] = byte }
    return rest.count
  }

  func writeImport(_ piece: UnsafeBufferPointer<UInt8>, at place: Int64) -> Bool {
    if isFull { return false }
    imported = Array((imported ?? []).prefix(Int(place))) + Array(piece)
    return true
  }

  func openImport() -> (any MarkdownSource)? { imported.map { TextSource($0) } }

  func removeAll() {
    imported = nil
    exported.state = ""
  }
}

/// An agent's process without its process: the test is the node, the model's server, the web, flash and time.
final class ServerBench: AgentHost {
  let records: MemoryRecords
  let table: TableStore
  let clock = StillClock()
  let runner = HeldRunner()
  let model = PageServer()
  let web = PageServer()
  let polling = PageServer()
  let sending = PageServer()
  let embedding = PageServer()
  let listing = PageServer()
  let markdown = MemoryFiles()
  var transfers: any MemoryTransfers { markdown }
  private(set) var server: AgentServer! = nil
  private let room = FixedBuffer(capacity: AgentFrame.headBytes + Budget.agentFrameBytes)
  var isConnected = false
  var files: [AgentFile: String] = [:]
  /// "text 1 hello", "ended 1 answered", "call 7 photo {} tainted", "state idle", "summary 1", "remind x".
  var frames: [String] = []
  /// The last summary.
  var summary = ""

  init(
    records: MemoryRecords = MemoryRecords(), table: TableStore = TableStore(), budget: ModelBudget = ModelBudget(),
    hasTelegram: Bool = false, hasEmbeddings: Bool = false, hasGatewayRoute: Bool = false
  ) throws {
    (self.records, self.table) = (records, table)
    let base = try WebURL("https://model.example/v1".utf8.span)
    var settings = AgentSettings(
      models: [ModelSettings(base: base, name: "m", key: "")!], tools: Array(OwnTool.allCases))
    (settings.budget, settings.retries, settings.hasGatewayRoute) = (budget, 0, hasGatewayRoute)
    let random = SameNumbers()
    var means = AgentMeans(
      models: try ModelClient(settings.models, retries: 0, transport: model, clock: clock, random: random))
    means.memory = try MemoryDesk(
      store: table, limit: 1 << 20, runner: runner, clock: clock, log: Log(output: nil))
    means.pages = try PageClient(
      web, clock: clock, allowed: AllowList(), search: nil, agent: InlineText(cutting: "Talon"))
    means.lister = try ModelLister(
      [ModelSettings(base: base, name: "m", key: "")!, ModelSettings(base: base, name: "v", key: "sk-vectors")!],
      transport: listing, clock: clock)
    if hasEmbeddings {
      means.embeddings = try EmbeddingClient(
        ModelSettings(base: base, name: "v", key: "sk-vectors")!, transport: embedding, clock: clock)
    }
    if hasTelegram {
      settings.telegramChat = 7
      means.telegram = try TelegramClient(
        TelegramSettings(token: "123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11", chats: [7]), polling: polling,
        sending: sending, clock: clock, random: random)
    }
    let keeper = AgentKeeper(store: records, runner: runner, clock: clock, log: Log(output: nil))
    server = try AgentServer(
      settings, means, keeper: keeper, host: self, clock: clock, random: random, log: Log(output: nil))
    server.start()
    settle()
  }

  // MARK: Flash and time

  /// Jobs run, and what is due is done, until nothing is.
  func settle() {
    for _ in 0..<200 {
      runner.runAll()
      guard let due = server.nextDeadline, due <= clock.monotonic else {
        if runner.held.isEmpty { return }
        continue
      }
      server.advance(to: clock.monotonic)
    }
  }

  func pass(_ milliseconds: Int64) {
    clock.monotonic += milliseconds
    clock.wall += milliseconds
    settle()
  }

  // MARK: The node

  func connect(tools: [String] = ["photo"], isGatewayThere: Bool = false) {
    isConnected = true
    server.connected()
    describe(tools)
    give(.gateway) { $0.byte(isGatewayThere ? 1 : 0) }
    settle()
  }

  /// The node says what board this is, and which tools it has.
  func describe(_ tools: [String]) {
    give(.board) { $0.text(#"{"name":"Shed","language":"de","utcOffsetMinutes":60}"#) }
    for tool in tools {
      give(.tool) { $0.text(#"{"name":"\#(tool)","description":"","parameters":{"type":"object"},"effect":2}"#) }
    }
    give(.ready) { _ in }
  }

  func disconnect() {
    isConnected = false
    server.disconnected()
    settle()
  }

  func give(_ kind: AgentFrame.Kind, _ body: (inout ByteWriter) -> Void) {
    let bytes = FixedBuffer(capacity: Budget.agentFrameBytes)
    var writer = ByteWriter(into: bytes.bytes)
    body(&writer)
    server.received(kind, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes.bytes)[..<writer.count]))
  }

  func say(_ text: String, number: UInt32 = 1) {
    give(.say) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.text(text)
    }
    settle()
  }

  func result(_ call: UInt32, _ json: String, isError: Bool = false, picture: [UInt8] = []) {
    give(.picturePiece) { writer in
      writer.littleEndian(UInt64(call), bytes: 4)
      writer.bytes(picture.span)
    }
    give(.resultPiece) { writer in
      writer.littleEndian(UInt64(call), bytes: 4)
      writer.text(json)
    }
    give(.result) { writer in
      writer.littleEndian(UInt64(call), bytes: 4)
      writer.byte(isError ? 1 : 0)
    }
    settle()
  }

  /// A request of the owner, and the answer to it.
  func ask(_ request: OwnerRequest, _ text: String = "", number: UInt64 = 0, id: UInt32 = 1) -> String {
    give(.ask) { writer in
      writer.littleEndian(UInt64(id), bytes: 4)
      writer.byte(request.rawValue)
      if request.hasNumber { writer.littleEndian(number, bytes: 8) }
      writer.text(text)
    }
    settle()
    let answer = take().filter { $0.hasPrefix("answer ") }
    return answer.count == 1 ? answer[0] : "\(answer.count) answers"
  }

  func setGateway(_ isThere: Bool) {
    give(.gateway) { $0.byte(isThere ? 1 : 0) }
    settle()
  }

  func take() -> [String] {
    defer { frames = [] }
    return frames
  }

  // MARK: The model

  /// The server answers the question that is open with a message; returns what it was asked.
  @discardableResult
  func answer(_ message: String, finish: String = "stop") -> String {
    settle()
    model.appetite = 10_000
    model.secure()
    let question = model.sent
    model.deliver(
      PageServer.answer(
        #"{"choices":[{"message":\#(message),"finish_reason":"\#(finish)"}],"#
          + #""usage":{"prompt_tokens":100,"completion_tokens":10}}"#,
        type: "application/json"))
    settle()
    return question
  }

  @discardableResult
  func answer(words: String) -> String { answer(#"{"content":"\#(words)"}"#) }

  @discardableResult
  func call(_ calls: [(name: String, arguments: String)]) -> String {
    let list = calls.enumerated().map { index, call in
      let arguments = call.arguments.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return #"{"id":"c\#(index)","function":{"name":"\#(call.name)","arguments":"\#(arguments)"}}"#
    }
    return answer(#"{"content":null,"tool_calls":[\#(list.joined(separator: ","))]}"#, finish: "tool_calls")
  }

  /// What the model is asked now.
  var question: String {
    settle()
    model.appetite = 10_000
    model.secure()
    return model.sent
  }

  /// The server of embeddings answers what it was asked, which is returned.
  @discardableResult
  func embed(_ vectors: [String], status: Int = 200) -> String {
    settle()
    embedding.appetite = 10_000
    embedding.secure()
    let question = embedding.sent
    let list = vectors.enumerated().map { #"{"index":\#($0),"embedding":\#($1)}"# }
    let answer = #"{"data":[\#(list.joined(separator: ","))]}"#
    embedding.deliver(PageServer.answer(answer, status: "\(status) X", type: "application/json"))
    settle()
    return question
  }

  /// A page of the web.
  func page(_ html: String) {
    settle()
    web.appetite = 10_000
    web.secure()
    web.deliver(PageServer.answer(html))
    web.fail(.init(.closedByPeer))
    settle()
  }

  // MARK: AgentHost

  func send(_ kind: AgentFrame.Kind, _ body: (inout ByteWriter) -> Void) {
    guard isConnected else { return }
    let count = AgentFrame.write(kind, into: room.bytes, body)
    let bytes = Array(room.bytes[AgentFrame.headBytes..<count])
    frames.append(words(kind, bytes))
  }

  private static func text(_ span: Span<UInt8>) -> String {
    span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  private func words(_ kind: AgentFrame.Kind, _ bytes: [UInt8]) -> String {
    var fields = FrameFields(bytes.span)
    switch kind {
    case .text: return "text \(fields.number(bytes: 4)) \(Self.text(fields.rest()))"
    case .ended:
      let number = fields.number(bytes: 4)
      let end = TurnEnd(rawValue: UInt8(clamping: fields.number(bytes: 1)))!
      let sentence = Self.text(fields.rest())
      return "ended \(number) \(end)\(sentence.isEmpty ? "" : ": \(sentence)")"
    case .step:
      let (number, step) = (fields.number(bytes: 4), fields.number(bytes: 1))
      return "step \(number) \(Self.text(fields.word())) \(TurnStep(rawValue: UInt8(clamping: step))!)"
    case .call:
      let (number, flags) = (fields.number(bytes: 4), fields.number(bytes: 1))
      return "call \(number) \(Self.text(fields.word())) \(Self.text(fields.rest()))\(flags & 1 == 1 ? " tainted" : "")"
    case .message: return "message \(fields.number(bytes: 4)) \(Self.text(fields.rest()))"
    case .drop: return "drop \(fields.number(bytes: 4))"
    case .state: return "state \(AgentState(rawValue: UInt8(clamping: fields.number(bytes: 1)))!)"
    case .answer:
      let (number, state) = (fields.number(bytes: 4), fields.number(bytes: 1))
      return "answer \(number) \(state == 0 ? "ok" : "no") \(Self.text(fields.rest()))"
    case .remind: return "remind \(Self.text(fields.rest()))"
    case .summary:
      let serial = fields.number(bytes: 8)
      summary = Self.text(fields.rest())
      return "summary \(serial)"
    default: return "\(kind)"
    }
  }

  func read(_ file: AgentFile, into room: UnsafeMutableBufferPointer<UInt8>) -> Int {
    let bytes = Array((files[file] ?? "").utf8.prefix(room.count))
    for index in bytes.indices { room[index] = bytes[index] }
    return bytes.count
  }
}
