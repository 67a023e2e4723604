import Codec
import MCP
import Runtime

/// What an MCP server says, and the stream of events in which one at an address says it. The first byte chooses how far
/// the server was well before it says the rest, and in pieces of which size that comes. A byte of 0xFF stands for the
/// id of the last request, so that answers meet their questions.
func checkMCP(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let rest = Array(bytes.dropFirst())
  checkEvents(rest)
  guard let server = try? FuzzedServer() else { return }
  if choice & 1 != 0 { server.becomeReady() }
  for tag in 0..<Int(choice >> 1 & 7) { server.call(tag) }
  server.say(rest, pieces: Int(choice >> 4) + 1)
  server.end()
}

/// Messages of a stream are the same however it is cut.
private func checkEvents(_ bytes: [UInt8]) {
  func messages(_ size: Int) -> [[UInt8]] {
    var reader = MCPEventReader()
    var messages: [[UInt8]] = [[]]
    var start = 0
    while start < bytes.count {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      start += piece.count
      piece.withUnsafeBufferPointer { piece in
        var index = 0
        while let part = reader.next(piece, at: &index) {
          switch part {
          case .text(let range): messages[messages.count - 1] += piece[range]
          case .end: messages.append([])
          }
        }
      }
    }
    return messages
  }
  expect(messages(bytes.count + 1) == messages(1), "a stream means something else in pieces")
}

/// A client whose server says what the fuzzer wants.
private final class FuzzedServer: MCPLink, MCPClientDelegate {
  private final class Ticks: Clock {
    var monotonic: Int64 = 1_000_000
    var wall: Int64 { monotonic }
  }

  private let ticks = Ticks()
  private var client: MCPClient! = nil
  private var delegate: (any MCPLinkDelegate)?
  private var lastID: [UInt8] = []
  /// Answers of each call that was begun.
  private var answers: [Int] = []
  private let result = FixedBuffer(capacity: Budget.mcpResultBytes)
  private let scratch = FixedBuffer(capacity: Budget.mcpTextBytes)

  init() throws(Errno) {
    var settings = MCPSettings(name: "home")
    settings.command = ["/usr/bin/home"]
    client = try MCPClient(settings, link: self, clock: ticks, version: "1")
    client.delegate = self
    client.start()
    delegate?.linkOpened()
  }

  func becomeReady() {
    let tool = #"{"name":"lamp","description":"x","inputSchema":{"type":"object","properties":{}}}"#
    say(
      #"{"jsonrpc":"2.0","id":@,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"#
        + #""serverInfo":{"name":"x","version":"1"}}}"#)
    say(#"{"jsonrpc":"2.0","id":@,"result":{"tools":[\#(tool)]}}"#)
    expect(client.tools.count == 1 && client.session.phase == .ready, "a server that is well is not ready")
  }

  private func say(_ line: String) { say(line.utf8.map { $0 == 0x40 ? 0xFF : $0 } + [0x0A], pieces: 64) }

  func call(_ tag: Int) {
    answers.append(0)
    let arguments = Array("{}".utf8)
    client.begin(tag, tool: 0, JSONView(arguments.span), deadline: ticks.monotonic + 300_000)
  }

  func say(_ bytes: [UInt8], pieces: Int) {
    var text: [UInt8] = []
    for byte in bytes { if byte == 0xFF { text += lastID } else { text.append(byte) } }
    var start = 0
    while start < text.count {
      let end = min(start + (text.count + pieces - 1) / pieces, text.count)
      text[start..<end].withUnsafeBufferPointer { delegate?.linkReceived($0) }
      start = end
    }
  }

  /// Time passes until nobody waits any more: each call has had one answer.
  func end() {
    let end = ticks.monotonic + 400_000
    while let due = client.nextDeadline, due <= end {
      ticks.monotonic = max(due, ticks.monotonic + 1)
      client.advance(to: ticks.monotonic)
    }
    expect(answers.allSatisfy { $0 == 1 }, "calls have \(answers) answers")
  }

  // MARK: MCPLink

  func open(_ delegate: any MCPLinkDelegate) -> Bool {
    self.delegate = delegate
    return true
  }

  func close() { delegate = nil }

  func send(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    expect(line.last == 0x0A && line.dropLast().allSatisfy { $0 != 0x0A }, "what is sent is not one line")
    let message = JSONView(Span(_unsafeElements: line))
    if let id = message.member("id")?.int64 { lastID = Array(String(id).utf8) }
    return true
  }

  var nextDeadline: Int64? { nil }
  func advance(to now: Int64) {}

  // MARK: MCPClientDelegate

  func callSucceeded(_ client: MCPClient, _ tag: Int, _ result: borrowing JSONView) {
    answers[tag] += 1
    var writer = JSONWriter(into: self.result.bytes)
    writer.beginObject()
    MCPResult(scratch: scratch.bytes).write(result, to: &writer)
    writer.endObject()
    guard writer.isComplete else { return }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(self.result.bytes)[..<writer.count])
    expect((try? JSONValidator.check(text.span, depthLimit: Budget.modelDepth)) != nil, "a result is not JSON")
  }

  func callFailed(_ client: MCPClient, _ tag: Int, _ failure: MCPFailure) { answers[tag] += 1 }

  func callProgressed(_ client: MCPClient, _ tag: Int, _ words: Span<UInt8>) { checkWords(words) }
  func serverFailed(_ client: MCPClient, _ words: Span<UInt8>) { checkWords(words) }
  func serverComplained(_ client: MCPClient, _ words: Span<UInt8>) { checkWords(words) }
  func isTaken(_ name: Span<UInt8>) -> Bool { false }

  func toolsChanged(_ client: MCPClient) {
    expect(client.tools.count <= Budget.mcpTools, "\(client.tools.count) tools")
    for place in 0..<client.tools.count {
      let tool = client.tools[place]
      expect((1...Budget.mcpToolNameBytes).contains(tool.name.count), "a name of \(tool.name.count) bytes")
      let isJSON = (try? JSONValidator.check(tool.schema.span, depthLimit: Budget.mcpSchemaDepth)) != nil
      expect(isJSON, "a schema is not JSON")
    }
  }

  private func checkWords(_ words: Span<UInt8>) {
    for index in 0..<words.count {
      expect(words[index] >= 0x20 && words[index] != 0x7F, "words with a control character")
    }
  }
}
