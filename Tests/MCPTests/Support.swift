import Codec
import Foundation
import Runtime

@testable import MCP

/// A clock that a test moves.
final class TestClock: Clock {
  var monotonic: Int64 = 1_000_000
  var wall: Int64 { 1_800_000_000_000 + monotonic }
}

/// A link whose other end a test plays: it keeps what the client sends, and hands in what a server says.
final class ScriptedLink: MCPLink {
  var delegate: (any MCPLinkDelegate)?
  var canOpen = true
  var canSend = true
  private(set) var opens = 0
  private(set) var closes = 0
  private(set) var sent: [String] = []

  var isOpen: Bool { delegate != nil }

  func open(_ delegate: any MCPLinkDelegate) -> Bool {
    opens += 1
    guard canOpen else { return false }
    self.delegate = delegate
    return true
  }

  func close() {
    closes += 1
    delegate = nil
  }

  func send(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard canSend, isOpen else { return false }
    precondition(line.last == 0x0A && !line.dropLast().contains(0x0A))
    sent.append(String(decoding: line.dropLast(), as: UTF8.self))
    return true
  }

  var nextDeadline: Int64? { nil }
  func advance(to now: Int64) {}

  /// The messages that were sent since the last call, as Foundation reads them.
  func messages() -> [[String: Any]] {
    defer { sent = [] }
    return sent.map { try! JSONSerialization.jsonObject(with: Data($0.utf8)) as! [String: Any] }
  }

  /// The server says a line.
  func reply(_ line: String) { feed(Array((line + "\n").utf8)) }

  func feed(_ bytes: [UInt8]) {
    guard let delegate else { return }
    bytes.withUnsafeBufferPointer { delegate.linkReceived($0) }
  }

  /// The server writes a line to its standard error.
  func complain(_ line: String) { Array(line.utf8).withUnsafeBufferPointer { delegate?.linkComplained($0) } }

  /// The server dies.
  func die(_ words: String = "") {
    guard let delegate else { return }
    self.delegate = nil
    Array(words.utf8).withUnsafeBufferPointer { delegate.linkLost($0) }
  }
}

/// What became of calls.
final class Caller: MCPClientDelegate {
  var answers: [Int: [String]] = [:]
  var kinds: [Int: MCPFailure.Kind] = [:]
  var progress: [String] = []
  var changes = 0
  var failures: [String] = []
  var complaints: [String] = []
  var taken: Set<String> = []

  func callSucceeded(_ client: MCPClient, _ tag: Int, _ result: borrowing JSONView) {
    answers[tag, default: []].append("+" + text(result.rawText))
  }

  func callFailed(_ client: MCPClient, _ tag: Int, _ failure: MCPFailure) {
    kinds[tag] = failure.kind
    var room = [UInt8](repeating: 0, count: 512)
    let count = room.withUnsafeMutableBufferPointer { bytes in
      var writer = ByteWriter(into: bytes)
      failure.writeMessage(to: &writer)
      return writer.count
    }
    answers[tag, default: []].append(String(decoding: room[..<count], as: UTF8.self))
  }

  func callProgressed(_ client: MCPClient, _ tag: Int, _ words: Span<UInt8>) { progress.append(text(words)) }

  func toolsChanged(_ client: MCPClient) { changes += 1 }

  func serverFailed(_ client: MCPClient, _ words: Span<UInt8>) { failures.append(text(words)) }

  func serverComplained(_ client: MCPClient, _ words: Span<UInt8>) { complaints.append(text(words)) }

  func isTaken(_ name: Span<UInt8>) -> Bool { taken.contains(text(name)) }
}

func text(_ span: Span<UInt8>) -> String { span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

/// A client with a server that a test plays.
final class Stage {
  let clock = TestClock()
  let link = ScriptedLink()
  let caller = Caller()
  let client: MCPClient

  init(_ change: (inout MCPSettings) -> Void = { _ in }) throws {
    var settings = MCPSettings(name: "home")
    settings.command = ["/usr/bin/home"]
    change(&settings)
    client = try MCPClient(settings, link: link, clock: clock, version: "1")
    client.delegate = caller
  }

  var phase: MCPSession.Phase { client.session.phase }

  /// The id of the last request of this method.
  func id(_ method: String) -> Int {
    let ids = link.messages().filter { $0["method"] as? String == method }.compactMap { $0["id"] as? Int }
    return ids.last ?? -1
  }

  /// Begins the server and greets it.
  func greet(_ version: String = "2025-06-18", capabilities: String = #"{"tools":{"listChanged":true}}"#) {
    client.start()
    link.delegate?.linkOpened()
    let id = id("initialize")
    link.reply(
      #"{"jsonrpc":"2.0","id":\#(id),"result":{"protocolVersion":"\#(version)","capabilities":\#(capabilities),"#
        + #""serverInfo":{"name":"x","version":"1"}}}"#)
  }

  /// The same, and it tells these tools.
  func becomeReady(_ tools: String = Stage.tool("lamp")) {
    greet()
    link.reply(#"{"jsonrpc":"2.0","id":\#(id("tools/list")),"result":{"tools":[\#(tools)]}}"#)
  }

  static func tool(_ name: String, _ more: String = "") -> String {
    #"{"name":"\#(name)","description":"Switches it.","inputSchema":{"type":"object","properties":{}}\#(more)}"#
  }

  /// Calls a tool.
  func call(
    _ tag: Int, tool: Int = 0, _ arguments: String = #"{"a":1}"#, within milliseconds: Int64 = 120_000,
    added: StaticString? = nil
  ) {
    Array(arguments.utf8).withUnsafeBufferPointer { bytes in
      client.begin(
        tag, tool: tool, JSONView(Span(_unsafeElements: bytes)), deadline: clock.monotonic + milliseconds, added: added)
    }
  }

  /// Lets time pass, with everything that becomes due on the way.
  func wait(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let due = client.nextDeadline, due <= end {
      clock.monotonic = max(due, clock.monotonic)
      client.advance(to: clock.monotonic)
    }
    clock.monotonic = end
    client.advance(to: end)
  }

  func names() -> [String] {
    (0..<client.tools.count).map { String(decoding: client.tools[$0].name, as: UTF8.self) }
  }
}

/// What `write` writes, as Foundation reads it.
func object(_ json: String) throws -> [String: Any] {
  let buffer = FixedBuffer(capacity: 4 << 20)
  let scratch = FixedBuffer(capacity: Budget.mcpTextBytes)
  let count = Array(json.utf8).withUnsafeBufferPointer { bytes in
    var writer = JSONWriter(into: buffer.bytes)
    writer.beginObject()
    MCPResult(scratch: scratch.bytes).write(JSONView(Span(_unsafeElements: bytes)), to: &writer)
    writer.endObject()
    return writer.count
  }
  return try JSONSerialization.jsonObject(with: Data(buffer.bytes[..<count])) as! [String: Any]
}
