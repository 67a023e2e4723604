// MCPPart: the tools of the owner's MCP servers (`[mcp NAME]`) as commands that only tools can begin: which servers
// there are, their calls and what becomes of them. It must not know processes and sockets, nor how MCP is spoken.

import Codec
import Gateway
import MCP
import Node
import Runtime

/// A configured server, and the way to it.
public struct MCPEntry {
  public let settings: MCPSettings
  public let link: any MCPLink

  /// A server; the settings are checked.
  public init(_ settings: MCPSettings, _ link: any MCPLink) {
    self.settings = settings
    self.link = link
  }
}

/// What a tool of a server is for the agent.
public struct MCPPublished {
  /// The server that has it.
  public let server: String
  public let name: String
  public let command: String
  public let description: String
  public let parameters: String
  public let isSafe: Bool
}

/// The MCP servers of this board.
///
/// Each place of a tool is a command, `mcp.NAME.PLACE`, which no gateway is told of: the tools of a server may change,
/// and the list of commands must not.
public final class MCPPart: Part, CommandHandler {
  private let router: Router
  private let clock: any Clock
  private let log: Log
  private let clients: [MCPClient]
  private let results: [MCPResultRoom]
  /// True for the name of a tool that the board has itself.
  public var isOwnTool: (Span<UInt8>) -> Bool = { _ in false }
  /// Called when the tools of a server are others than before.
  public var publishAgain: () -> Void = {}
  private var isHeld = false
  private var isEnded = false

  /// A part that begins no server before `start`. At most `Budget.mcpServers` entries. `version`: of this program.
  @export(interface)
  public init(
    _ entries: [MCPEntry], version: String, router: Router, clock: any Clock, log: Log
  ) throws(Errno) {
    self.router = router
    self.clock = clock
    self.log = log
    var clients: [MCPClient] = []
    for entry in entries.prefix(Budget.mcpServers) {
      clients.append(try MCPClient(entry.settings, link: entry.link, clock: clock, version: version))
    }
    self.clients = clients
    var results: [MCPResultRoom] = []
    for _ in 0..<Budget.mcpResults { results.append(try MCPResultRoom()) }
    self.results = results
    super.init()
    for client in clients { client.delegate = self }
  }

  /// The tools of all servers, in the order of the configuration. Allocates: to be read after `publishAgain` alone.
  public var tools: [MCPPublished] {
    var list: [MCPPublished] = []
    for client in clients {
      for place in 0..<client.tools.count { list.append(Self.published(client, place)) }
    }
    return list
  }

  private static func published(_ client: MCPClient, _ place: Int) -> MCPPublished {
    let tool = client.tools[place]
    func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
    var description = client.settings.about
    if !description.isEmpty { description += ": " }
    description += text(tool.description)
    if description.isEmpty { description = "A tool of the owner's server " + client.settings.name + "." }
    return MCPPublished(
      server: client.settings.name, name: text(tool.name), command: command(client.settings.name, place),
      description: description, parameters: text(tool.schema), isSafe: tool.isSafe)
  }

  /// The command of a place in a server's list of tools.
  private static func command(_ server: String, _ place: Int) -> String { "mcp." + server + ".\(place)" }

  // MARK: Part

  public override func addCommands(to router: Router) {
    var rows: [CommandRow] = []
    for client in clients {
      for place in 0..<Budget.mcpTools {
        rows.append(
          CommandRow(Self.command(client.settings.name, place), limit: Budget.mcpCalls, hasSideEffects: true))
      }
    }
    router.add(forTools: rows, self)
  }

  public override func start() {
    if isHeld { return }
    for client in clients { client.start() }
  }

  /// Servers end with the program that they were begun for: a hold is the end of them.
  public override func stop() {
    isEnded = true
    for client in clients { client.hold() }
  }

  /// True when no result is lent to a message any more.
  public override var isStopped: Bool {
    for index in 0..<results.count where results[index].isLent { return false }
    return true
  }

  public override func hold() {
    isHeld = true
    for client in clients { client.hold() }
  }

  public override func letGo() {
    isHeld = false
    if isEnded { return }
    for client in clients { client.letGo() }
  }

  /// By index: tests count allocations.
  public override var nextDeadline: Int64? {
    var next: Int64?
    for index in 0..<clients.count { next = earliest(next, clients[index].nextDeadline) }
    return next
  }

  public override func advance(to now: Int64) {
    for index in 0..<clients.count {
      if let due = clients[index].nextDeadline, due <= now { clients[index].advance(to: now) }
    }
  }

  /// A server that failed is tried again by itself, and is a fault until then.
  public override var hasFault: Bool {
    for index in 0..<clients.count where clients[index].session.phase == .resting { return true }
    return false
  }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("mcp")
    writeServers(to: &writer)
  }

  /// The servers with their states, an array.
  public func writeServers(to writer: inout JSONWriter) {
    writer.beginArray()
    for index in 0..<clients.count { write(clients[index], to: &writer) }
    writer.endArray()
  }

  private func write(_ client: MCPClient, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.string(client.settings.name)
    writer.key("state")
    writer.string(client.session.phase.word)
    if let revision = client.revision {
      writer.key("revision")
      writer.string(revision.name)
    }
    if client.session.trouble != .none {
      writer.key("trouble")
      writer.string(client.session.trouble.sentence)
    }
    writer.key("starts")
    writer.uint(client.session.starts)
    writer.key("tools")
    writer.int(Int64(client.tools.count))
    if let refusal = client.tools.refusal {
      writer.key("leftOut")
      writer.int(Int64(client.tools.refused))
      writer.key("why")
      writer.string(refusal.reason.sentence)
      writer.key("tool")
      writer.string(refusal.name.span)
    }
    writer.key("calls")
    writer.uint(client.counts.calls)
    writer.key("failures")
    writer.uint(client.counts.failures)
    writer.key("ignored")
    writer.uint(client.ignoredLines &+ client.counts.strangeLines &+ client.counts.strangeAnswers)
    writer.endObject()
  }

  // MARK: CommandHandler

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    let client = clients[command / Budget.mcpTools]
    let tool = command % Budget.mcpTools
    guard !parameters.isNull else {
      return client.begin(
        token.number, tool: tool, JSONView(("{}" as StaticString).utf8Bytes), deadline: deadline)
    }
    // What people at the board read (`Tool.purpose`).
    client.begin(token.number, tool: tool, parameters, deadline: deadline, added: "purpose")
  }

  public func cancel(_ token: InvokeToken) {
    for index in 0..<clients.count { clients[index].cancel(token.number) }
  }
}

extension MCPPart: MCPClientDelegate {
  public func callSucceeded(_ client: MCPClient, _ tag: Int, _ result: borrowing JSONView) {
    let token = InvokeToken(tag)
    for index in 0..<results.count where !results[index].isLent {
      guard let json = results[index].write(result) else { return fail(token, MCPFailure(.longResult)) }
      if !router.succeed(token, json: json, delegate: results[index]) { results[index].blobReleased() }
      return
    }
    fail(token, MCPFailure(.busy))
  }

  public func callFailed(_ client: MCPClient, _ tag: Int, _ failure: MCPFailure) { fail(InvokeToken(tag), failure) }

  private func fail(_ token: InvokeToken, _ failure: MCPFailure) {
    router.fail(token, code: failure.code) { failure.writeMessage(to: &$0) }
  }

  public func callProgressed(_ client: MCPClient, _ tag: Int, _ words: Span<UInt8>) {
    if words.isEmpty { router.beat(InvokeToken(tag)) } else { router.progress(InvokeToken(tag), words) }
  }

  public func toolsChanged(_ client: MCPClient) {
    log.write(.notice, "mcp") { line in
      line.add(client.settings.name)
      line.add(": the server has ")
      line.add(client.tools.count)
      line.add(client.tools.count == 1 ? " tool" : " tools")
    }
    if let refusal = client.tools.refusal {
      log.write(.warning, "mcp") { line in
        line.add(client.settings.name)
        line.add(": ")
        line.add(client.tools.refused)
        line.add(client.tools.refused == 1 ? " tool is left out: " : " tools are left out; the last one: ")
        line.quote(refusal.name.span)
        line.add(": ")
        line.add(refusal.reason.sentence)
      }
    }
    publishAgain()
  }

  public func serverFailed(_ client: MCPClient, _ words: Span<UInt8>) {
    let words = InlineText<160>(cutting: words)
    log.write(.warning, "mcp") { line in
      line.add(client.settings.name)
      line.add(": the server ")
      line.add(client.session.trouble.sentence)
      if !words.isEmpty {
        line.add(": ")
        line.quote(words.span)
      }
    }
  }

  public func serverComplained(_ client: MCPClient, _ words: Span<UInt8>) {
    let words = InlineText<160>(cutting: words)
    log.write(.info, "mcp") { line in
      line.add(client.settings.name)
      line.add(": the server writes: ")
      line.quote(words.span)
    }
  }

  public func isTaken(_ name: Span<UInt8>) -> Bool { isOwnTool(name) }
}

/// The memory of one result while it is sent.
final class MCPResultRoom: BlobDelegate {
  private let text: ReservedBuffer
  private let scratch: ReservedBuffer
  private(set) var isLent = false

  init() throws(Errno) {
    text = try ReservedBuffer(capacity: Budget.mcpResultBytes)
    scratch = try ReservedBuffer(capacity: Budget.mcpTextBytes)
  }

  /// Writes a result, whose text is lent until `blobReleased`; nil when it is too long.
  func write(_ result: borrowing JSONView) -> UnsafeBufferPointer<UInt8>? {
    var writer = JSONWriter(into: text.bytes)
    writer.beginObject()
    MCPResult(scratch: scratch.bytes).write(result, to: &writer)
    writer.endObject()
    scratch.release()
    guard writer.isComplete else {
      text.release()
      return nil
    }
    isLent = true
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<writer.count])
  }

  func blobRead(upTo count: Int) {}

  func blobReleased() {
    isLent = false
    text.release()
  }
}
