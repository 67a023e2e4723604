import Codec
import Gateway
import Node
import OwnAgent
import Runtime
import Simulated
import Testing

@testable import Benches
@testable import OwnAgentPart

/// Lends tools that do what the test says.
final class FakeLender: ToolLender {
  var tools = [#"{"name":"photo","description":"","parameters":{},"effect":2}"#, #"{"name":"say","effect":0}"#]
  struct Call: Equatable {
    var name: String
    var arguments: String
    var isTainted: Bool
    var tag: Int
    var deadline: Int64
  }
  var known = ["photo", "say", "light"]
  private(set) var begun: [Call] = []
  private(set) var cancelled: [Int] = []
  private unowned(unsafe) var borrower: (any ToolBorrower)?
  /// What calls are answered with at once.
  var immediate: String?

  func forEachTool(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    for tool in tools { tool.withBytes { body($0) } }
  }

  func begin(
    _ name: UnsafeBufferPointer<UInt8>, _ arguments: borrowing JSONView, deadline: Int64, isTainted: Bool,
    _ borrower: any ToolBorrower, _ tag: Int
  ) -> Bool {
    let name = String(decoding: name, as: UTF8.self)
    guard known.contains(name) else { return false }
    self.borrower = borrower
    let text = arguments.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    begun.append(Call(name: name, arguments: text, isTainted: isTainted, tag: tag, deadline: deadline))
    if let immediate { end(tag, immediate) }
    return true
  }

  func cancel(_ borrower: any ToolBorrower, _ tag: Int) { cancelled.append(tag) }

  @discardableResult
  func end(_ tag: Int, _ result: String = #"{"content":[]}"#, isError: Bool = false, picture: OutboundBlob? = nil)
    -> Bool
  {
    result.withBytes { borrower?.toolEnded(tag, $0, isError: isError, picture: picture) ?? false }
  }
}

/// Shows reminders.
final class FakeNotifier: ReminderNotifier {
  private(set) var shown: [String] = []
  func remind(_ text: UnsafeBufferPointer<UInt8>) { shown.append(String(decoding: text, as: UTF8.self)) }
}

/// The part with a desk, an outbox and all else in memory.
final class OwnAgentBench {
  let desk: DeskBench
  let link = MemoryAgentLink()
  let lender = FakeLender()
  let notifier = FakeNotifier()
  let outbox: Outbox
  let channel = FakeChannel()
  let store = MemoryStore()
  let part: OwnAgentPart
  var clock: VirtualClock { desk.clock }
  var listener: NotingListener { desk.listener }

  init(_ change: (inout OwnAgentSettings) -> Void = { _ in }, isThere: Bool = true, starts: Bool = true) throws {
    desk = try DeskBench()
    outbox = try Outbox(
      store: MemoryStore(), runner: desk.runner, clock: desk.clock, random: SeededRandom(seed: 3), log: desk.log)
    var settings = OwnAgentSettings()
    settings.isEnabled = true
    change(&settings)
    link.isThere = isThere
    let board = OwnAgentBoard(
      link: link, store: store, name: InlineText(cutting: "Kitchen \"1\""), language: InlineText(cutting: "de"),
      release: InlineText(cutting: "1.2"), instance: InlineText(cutting: "abc"), hasCamera: true,
      offset: { _ in 60 })
    part = try OwnAgentPart(
      settings, board, desk: desk.desk, lender: lender, outbox: outbox, runner: desk.runner, clock: desk.clock,
      log: desk.log)
    part.notifier = notifier
    guard starts else { return }
    outbox.start()
    part.start()
    advance()
  }

  /// The agent is connected, and the gateway has been away for long enough.
  static func answering(_ change: (inout OwnAgentSettings) -> Void = { _ in }) throws -> OwnAgentBench {
    let bench = try OwnAgentBench(change)
    _ = bench.link.take()
    bench.pass(Budget.standInPatience)
    return bench
  }

  /// All that needs no time.
  func advance() {
    for _ in 0..<3 {
      outbox.advance(to: clock.monotonic)
      desk.desk.advance(to: clock.monotonic)
      part.advance(to: clock.monotonic)
      desk.runner.runAll()
    }
  }

  func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while true {
      let next = earliest(earliest(part.nextDeadline, outbox.nextDeadline), desk.desk.nextDeadline)
      guard let next, next <= end else { break }
      clock.advance(max(next - clock.monotonic, 1))
      advance()
    }
    clock.advance(max(end - clock.monotonic, 0))
    advance()
  }

  // MARK: The agent

  static func number(_ value: UInt64, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  static func frame(_ kind: AgentFrame.Kind, _ body: [UInt8]) -> [UInt8] {
    [kind.rawValue] + number(UInt64(body.count), 4) + body
  }

  func send(_ kind: AgentFrame.Kind, _ body: [UInt8]) { link.send(Self.frame(kind, body)) }

  func send(_ kind: AgentFrame.Kind, number: UInt32, _ rest: String = "", byte: UInt8? = nil) {
    send(kind, Self.number(UInt64(number), 4) + (byte.map { [$0] } ?? []) + Array(rest.utf8))
  }

  func call(_ number: UInt32, _ name: String, _ arguments: String = "{}", isTainted: Bool = false) {
    send(.call, Self.number(UInt64(number), 4) + [isTainted ? 1 : 0] + Array(name.utf8) + [0] + Array(arguments.utf8))
  }

  /// "kind:body" of the frames since the last call, numbers as such.
  func frames() -> [String] {
    link.take().map { kind, body in
      switch kind {
      case .say, .resultPiece, .picturePiece:
        "\(kind) \(Self.value(body.prefix(4))) \(String(decoding: body.dropFirst(4), as: UTF8.self))"
      case .cancel: "\(kind) \(Self.value(body[...]))"
      case .result: "\(kind) \(Self.value(body.prefix(4))) \(body[4])"
      case .handedOver, .gateway: "\(kind) \(Self.value(body[...]))"
      default: "\(kind) \(String(decoding: body, as: UTF8.self))"
      }
    }
  }

  static func value(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: People

  /// Says something at the board; the number of the turn, if the agent got it.
  @discardableResult
  func say(_ text: String = "hello", tag: Int = 1) throws -> UInt32? {
    _ = try desk.chat(text, tag: tag)
    advance()
    for (kind, body) in link.take() where kind == .say { return UInt32(Self.value(body.prefix(4))) }
    return nil
  }
}
