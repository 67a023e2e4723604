import Foundation
import MCP
import MCPPart
import Runtime

/// An MCP server in memory: it tells the tools that a test has given it, and answers calls as the test says.
final class MemoryServer: MCPLink {
  /// Its tools, each a descriptor as JSON.
  var tools: [String]
  var isThere = true
  /// Calls that wait for an answer: the id, the tool's own name and the arguments as JSON.
  private(set) var calls: [(id: Int, tool: String, arguments: String)] = []
  /// Ids of calls that were told to stop.
  private(set) var cancelled: [Int] = []
  private(set) var opens = 0
  /// Answers every call with this result at once, and keeps no account of it, which takes memory.
  var prompt: [UInt8]?
  private var delegate: (any MCPLinkDelegate)?
  private var isAwaited = false

  init(_ tools: [String] = [MemoryServer.tool("lamp")]) { self.tools = tools }

  static func tool(_ name: String, _ properties: String = "{}") -> String {
    #"{"name":"\#(name)","description":"Does \#(name).","inputSchema":{"type":"object","properties":\#(properties)}}"#
  }

  /// A server as the part gets it. `change`: of the section's settings.
  func entry(_ name: String = "home", _ change: (inout MCPSettings) -> Void = { _ in }) -> MCPEntry {
    var settings = MCPSettings(name: name)
    settings.command = ["/usr/bin/" + name]
    change(&settings)
    return MCPEntry(settings, self)
  }

  var isRunning: Bool { delegate != nil }

  // MARK: MCPLink

  func open(_ delegate: any MCPLinkDelegate) -> Bool {
    opens += 1
    guard isThere else { return false }
    self.delegate = delegate
    isAwaited = true
    return true
  }

  func close() { delegate = nil }

  func send(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isRunning else { return false }
    if let prompt {
      answerAtOnce(line, prompt)
      return true
    }
    receive(String(decoding: line, as: UTF8.self))
    return true
  }

  var nextDeadline: Int64? { nil }
  func advance(to now: Int64) {}

  // MARK: The server

  /// Lets the server be there, which `open` has asked for.
  func begin() {
    guard isAwaited else { return }
    isAwaited = false
    delegate?.linkOpened()
  }

  private func receive(_ line: String) {
    guard let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] else {
      preconditionFailure("the client has sent what is no JSON: \(line)")
    }
    let id = object["id"] as? Int ?? -1
    let parameters = object["params"] as? [String: Any] ?? [:]
    switch object["method"] as? String {
    case "initialize":
      later.append(
        #"{"jsonrpc":"2.0","id":\#(id),"result":{"protocolVersion":"2025-06-18","#
          + #""capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"memory","version":"1"}}}"#)
    case "tools/list":
      later.append(#"{"jsonrpc":"2.0","id":\#(id),"result":{"tools":[\#(tools.joined(separator: ","))]}}"#)
    case "tools/call":
      let arguments = (try? JSONSerialization.data(withJSONObject: parameters["arguments"] ?? [:])) ?? Data()
      calls.append((id, parameters["name"] as? String ?? "", String(decoding: arguments, as: UTF8.self)))
    case "notifications/cancelled": cancelled.append(parameters["requestId"] as? Int ?? -1)
    default: return
    }
  }

  /// What the server says once nobody is in the middle of a call: no delegate hears of an answer within `send`.
  private var later: [String] = []

  /// The server says all that it has to say.
  func settle() {
    begin()
    while !later.isEmpty { say(later.removeFirst()) }
  }

  func say(_ line: String) { feed(Array((line + "\n").utf8)) }

  func feed(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { delegate?.linkReceived($0) } }

  /// Answers the oldest call.
  func answer(_ result: String) {
    guard !calls.isEmpty else { return }
    say(#"{"jsonrpc":"2.0","id":\#(calls.removeFirst().id),"result":\#(result)}"#)
  }

  /// Its tools are others from now on.
  func change(_ tools: [String]) {
    self.tools = tools
    say(#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#)
  }

  func complain(_ line: String) { Array(line.utf8).withUnsafeBufferPointer { delegate?.linkComplained($0) } }

  func die(_ words: String = "") {
    let delegate = delegate
    self.delegate = nil
    Array(words.utf8).withUnsafeBufferPointer { delegate?.linkLost($0) }
  }

  // MARK: Without memory

  private let room = FixedBuffer(capacity: 4096)
  /// Bytes of the answer that waits in `room`.
  private var ready = 0

  /// Puts the id of the line and the result together; `deliver` hands it in.
  private func answerAtOnce(_ line: UnsafeBufferPointer<UInt8>, _ result: [UInt8]) {
    // The id stands after `{"jsonrpc":"2.0","id":` in every request of the client.
    let start = 22
    var end = start
    while end < line.count, line[end] >= 0x30, line[end] <= 0x39 { end += 1 }
    var count = 0
    for index in 0..<end {
      room.bytes[count] = line[index]
      count += 1
    }
    for byte in (#","result":"# as StaticString).bytes {
      room.bytes[count] = byte
      count += 1
    }
    for index in 0..<result.count {
      room.bytes[count] = result[index]
      count += 1
    }
    room.bytes[count] = UInt8(ascii: "}")
    room.bytes[count + 1] = 0x0A
    ready = count + 2
  }

  /// Hands in the answer that was put together.
  func deliver() {
    let count = ready
    ready = 0
    if count > 0 { delegate?.linkReceived(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room.bytes)[..<count])) }
  }
}
