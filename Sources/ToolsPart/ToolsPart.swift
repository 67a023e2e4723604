// ToolsPart: this board's functions as tools in the agent's list (newer-gateways 1): their publication, and the calls,
// which other parts' commands carry out. It must not know a capability: a tool is a row of a table, which names a
// command.

import Codec
import Gateway
import Node
import Runtime

/// Publishes the tools that the owner has switched on, and answers their calls.
public final class ToolsPart: Part, CommandHandler {
  /// The server that descriptors and calls name.
  private static let server: StaticString = "talon"

  private static let rows = [CommandRow("mcp.tools.call.v1", limit: Budget.toolCalls, hasSideEffects: true)]

  private let settings: ToolSettings
  private let displayName: InlineText<128>
  private let router: Router
  private let log: Log
  private let calls: ToolCalls
  private var publication: Publication! = nil
  /// The tools that exist here: bit `n` is tool `n` of the table.
  private var published: UInt32 = 0

  /// A part that publishes nothing until the node connection is open. Made after all parts that have commands.
  public init(
    settings: ToolSettings, displayName: InlineText<128>, router: Router, clock: any Clock, log: Log
  ) {
    self.settings = settings
    self.displayName = displayName
    self.router = router
    self.log = log
    calls = ToolCalls(router: router)
    super.init()
    publication = Publication(clock: clock, log: log) { [unowned(unsafe) self] in self.writeTools(to: &$0) }
  }

  // MARK: Part

  public override func addCommands(to router: Router) {
    for index in Tool.all.indices where isWanted(index) && router.has(Tool.all[index].command) {
      published |= 1 << UInt32(index)
    }
    if published != 0 { router.add(Self.rows, capability: "mcp", self) }
  }

  private func isWanted(_ tool: Int) -> Bool {
    switch settings.choice {
    case .none: false
    case .safe: Tool.all[tool].isSafe
    case .all: true
    case .named(let bits): bits >> UInt32(tool) & 1 == 1
    }
  }

  private func isPublished(_ tool: Int) -> Bool { published >> UInt32(tool) & 1 == 1 }

  public override func online(_ session: Session) {
    online(session, isKnown: session.hello.features.hasPluginTools)
  }

  /// After `hello-ok`; `isKnown`: the gateway announces the method of publication.
  func online(_ channel: any RequestChannel, isKnown: Bool) {
    if published != 0 { publication.online(channel, isKnown: isKnown) }
  }

  public override func offline() { publication.offline() }

  public override var nextDeadline: Int64? { publication.nextDeadline }

  public override func advance(to now: Int64) { publication.advance(to: now) }

  public override func writeStatus(to writer: inout JSONWriter) {
    guard published != 0 else { return }
    writer.key("tools")
    writer.beginObject()
    writer.key("state")
    writer.string(publication.state.word)
    writer.key("published")
    writer.beginArray()
    for index in Tool.all.indices where isPublished(index) { writer.string(Tool.all[index].name) }
    writer.endArray()
    if case .accepted(let count) = publication.state {
      writer.key("accepted")
      writer.int(Int64(count))
    }
    writer.key("calls")
    writer.uint(calls.count)
    writer.key("failures")
    writer.uint(calls.failures)
    if let last = calls.last {
      writer.key("last")
      writer.string(Tool.all[last].name)
    }
    if calls.failures > 0 {
      writer.key("lastFailure")
      writer.string(calls.lastFailure.span)
    }
    writer.endObject()
  }

  // MARK: Publication

  /// The descriptors, a JSON array.
  private func writeTools(to writer: inout JSONWriter) {
    writer.beginArray()
    for index in Tool.all.indices where isPublished(index) { write(Tool.all[index], to: &writer) }
    writer.endArray()
  }

  private func write(_ tool: Tool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("pluginId")
    writer.string("node-mcp")
    writer.key("name")
    writer.string(ToolName.make(displayName.span, tool.name).span)
    writer.key("description")
    writer.beginString()
    writer.stringPiece(tool.description.utf8Bytes)
    if !settings.about.isEmpty {
      writer.stringPiece((" The board: " as StaticString).utf8Bytes)
      writer.stringPiece(settings.about.utf8.span)
    }
    writer.endString()
    writer.key("parameters")
    writer.raw(tool.parameters.utf8Bytes)
    writer.key("command")
    writer.string(Self.rows[0].name)
    writer.key("mcp")
    writer.beginObject()
    writer.key("server")
    writer.string(Self.server)
    writer.key("tool")
    writer.string(tool.name)
    writer.endObject()
    writer.endObject()
  }

  // MARK: CommandHandler

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard let server = parameters.member("server"), let name = parameters.member("tool") else {
      return refuse(token, "a call needs server and tool")
    }
    guard server.equals(Self.server), let tool = Tool.all.indices.first(where: { isCalled(name, $0) }) else {
      return refuse(token, "this board has published no such tool")
    }
    guard let arguments = parameters.member("arguments"), arguments.kind == .object else {
      return calls.begin(tool, token, JSONView(("{}" as StaticString).utf8Bytes), deadline: deadline)
    }
    calls.begin(tool, token, arguments, deadline: deadline)
  }

  private func isCalled(_ name: borrowing JSONView, _ tool: Int) -> Bool {
    isPublished(tool) && name.equals(Tool.all[tool].name)
  }

  private func refuse(_ token: InvokeToken, _ reason: StaticString) {
    router.fail(token, code: "MCP_TOOL_UNAVAILABLE") { line in
      line.text("MCP_TOOL_UNAVAILABLE: ")
      line.text(reason)
    }
  }

  public func cancel(_ token: InvokeToken) { calls.cancel(token) }
}
