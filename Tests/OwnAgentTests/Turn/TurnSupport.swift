import Codec
import Completion
import Runtime
import Testing

@testable import OwnAgent

/// An agent in memory, and what it wants done, as lines; a test is the model and the tools.
final class TurnBench: TurnDelegate {
  let prompt: Prompt
  let book: ToolBook
  private(set) var machine: TurnMachine! = nil
  private let reader = CompletionReader()
  var now: Int64 = 1_000_000
  /// "ask", "ask without calls", "drop question", "call 0 photo {} tainted", "drop 0", "say x", "step photo done",
  /// "state thinking", "end answered".
  var log: [String] = []
  /// What a tool gives at once when it is called; nil: later.
  var atOnce: String?

  /// `servers`: tools whose results are words of others.
  init(
    _ own: [OwnTool] = Array(OwnTool.allCases), board: [String] = ["photo"], servers: [String] = [],
    promptBytes: Int = 128 * 1024
  ) {
    prompt = Prompt(bytes: promptBytes)
    book = ToolBook(own)
    for name in board {
      try? book.addBoardTool(#"{"name":"\#(name)","description":"","parameters":{}}"#.utf8.span)
    }
    for name in servers {
      try? book.addBoardTool(#"{"name":"\#(name)","description":"","parameters":{},"brings":true}"#.utf8.span)
    }
    machine = TurnMachine(prompt, book, self)
  }

  /// What was wanted since the last call.
  func take() -> [String] {
    defer { log = [] }
    return log
  }

  @discardableResult
  func say(_ text: String, system: String = "system") -> Bool {
    machine.begin(text.utf8.span, system: system.utf8.span, mark: 0xABCD, at: now)
  }

  /// The model answers in words, in two pieces.
  func answer(_ text: String, _ outcome: CompletionOutcome = .answered) {
    let half = text.index(text.startIndex, offsetBy: text.count / 2)
    for piece in [text[..<half], text[half...]] { String(piece).withBytes { machine.modelSaid($0) } }
    finish(#"{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}"#, outcome)
  }

  /// The model calls tools, with these arguments.
  func call(_ calls: [(name: String, arguments: String)]) {
    let list = calls.enumerated().map { index, call in
      let arguments = call.arguments.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return #"{"id":"c\#(index)","function":{"name":"\#(call.name)","arguments":"\#(arguments)"}}"#
    }
    let message = #"{"content":null,"tool_calls":[\#(list.joined(separator: ","))]}"#
    finish(#"{"choices":[{"message":\#(message),"finish_reason":"tool_calls"}]}"#, .calls)
  }

  private func finish(_ json: String, _ outcome: CompletionOutcome) {
    reader.begin()
    reader.take(json.utf8.span)
    guard let found = try? reader.finish() else { return log.append("the test's answer is wrong") }
    if outcome == .calls { #expect(found == .calls) }
    machine.modelEnded(outcome, reader.text, reader.calls, at: now)
  }

  func result(_ place: Int, _ text: String, isError: Bool = false, origin: String = "") {
    machine.toolEnded(place, text.utf8.span, isError: isError, origin: origin.utf8.span)
  }

  /// The prompt's messages as the server gets them.
  var messages: String {
    let room = FixedBuffer(capacity: 512 * 1024)
    guard let count = CompletionRequest(model: "m").write(prompt, ModelTools(), into: room.bytes) else { return "" }
    return String(decoding: room.bytes[..<count], as: UTF8.self)
  }

  // MARK: TurnDelegate

  private func name(_ tool: Int) -> String { book.tools.list[tool].name }

  func turnAsks(mayCall: Bool) { log.append(mayCall ? "ask" : "ask without calls") }
  func turnDropsQuestion() { log.append("drop question") }

  func turnCalls(_ place: Int, tool: Int, arguments: UnsafeBufferPointer<UInt8>, flags: CallFlags) {
    let text = String(decoding: arguments, as: UTF8.self)
    log.append("call \(place) \(name(tool)) \(text)\(flags.contains(.isTainted) ? " tainted" : "")")
    if let atOnce { result(place, atOnce) }
  }

  func turnDropsCall(_ place: Int) { log.append("drop \(place)") }
  func turnSaid(_ text: UnsafeBufferPointer<UInt8>) { log.append("say \(String(decoding: text, as: UTF8.self))") }
  func turnStepped(_ tool: Int, _ step: TurnStep) { log.append("step \(name(tool)) \(step)") }
  func turnChanged(_ state: AgentState) { log.append("state \(state)") }

  func turnEnded(_ end: TurnEnd, _ sentence: UnsafeBufferPointer<UInt8>) {
    let why = String(decoding: sentence, as: UTF8.self)
    log.append("end \(end)\(why.isEmpty ? "" : ": \(why)")")
  }
}
