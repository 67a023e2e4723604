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
  let clock: any Clock
  let calls: ToolCalls
  private(set) var publication: Publication! = nil
  /// All tools that a board with this configuration may have.
  private(set) var tools: [Tool]
  /// Tools of the board itself, which stand first.
  private let ownTools: Int
  /// Those that exist here and are switched on, as indices of `tools`.
  private(set) var published: [Int] = []
  /// Called when the tools of servers are others than before: the board's own agent has them as well.
  public var toolsChanged: () -> Void = {}
  /// Writes the owner's servers with their states, an array, for a report; nil: there are none.
  public var writeServers: ((inout JSONWriter) -> Void)?

  /// A part that publishes nothing until the node connection is open. Made after all parts that have commands.
  /// `tools`: those of the board and those of the configuration. `lends`: this board's own agent has all of them.
  @export(interface)
  public init(
    settings: ToolSettings, tools: [Tool] = Tool.all, lends: Bool = false, displayName: InlineText<128>,
    router: Router, clock: any Clock, log: Log
  ) throws(Errno) {
    self.settings = settings
    self.tools = tools
    ownTools = tools.count
    self.displayName = displayName
    self.router = router
    self.clock = clock
    calls = try ToolCalls(tools, lends: lends, router: router, clock: clock)
    super.init()
    publication = Publication(
      clock: clock, log: log, place: { [unowned(unsafe) self] in self.place(of: $0) }
    ) { [unowned(unsafe) self] in self.writeTools(to: &$0) }
  }

  // MARK: Part

  /// Calls are declared also where the owner lets the agent have no tool: switching some on later needs no second
  /// approval.
  public override func addCommands(to router: Router) {
    calls.questions.canListen = isSwitchedOn("listen", isSafe: false, server: "") && router.has(Questions.listening)
    router.add(Self.rows, capability: "mcp", self)
    choose()
  }

  /// True when the board itself has a tool of this name, which no server's may hide.
  public func hasOwnTool(_ name: Span<UInt8>) -> Bool {
    for index in 0..<ownTools where tools[index].name.utf8.span.isSame(as: name) { return true }
    return false
  }

  /// The tools of the owner's servers are others than before: they stand behind those of the board, and the gateway is
  /// told, and the board's own agent. Those that have the name of one of the board are left out.
  public func replaceServerTools(_ others: [Tool]) {
    tools = Array(tools.prefix(ownTools)) + others.filter { !hasOwnTool($0.name.utf8.span) }
    choose()
    calls.replace(tools)
    publication.changed()
    toolsChanged()
  }

  /// Those that exist now: a camera may have come since.
  private func choose() {
    published.removeAll(keepingCapacity: true)
    defer { publication.isEmpty = published.isEmpty }
    var bytes = 0
    // What cannot be called is of no use in the agent's list.
    guard isCallable else { return }
    for (index, tool) in tools.enumerated() where isSwitchedOn(tool) && exists(tool) {
      guard published.count < Budget.publishedTools else { return }
      var measure = JSONWriter()
      write(tool, to: &measure)
      // Those of servers are as long as servers like; one that is shorter may still fit.
      if tool.isWhole, bytes + measure.count + 1 > Budget.publishedBytes { continue }
      bytes += measure.count + 1
      published.append(index)
    }
  }

  /// True when the gateway may call tools at all.
  var isCallable: Bool { router.declares(Self.rows[0].name) }

  /// True when the gateway may call a tool that sees, hears, moves something or says where the board is.
  public var needsPermissions: Bool { isCallable && tools.contains { isSwitchedOn($0) && !$0.isSafe } }

  /// True when this board has what the tool needs.
  func exists(_ tool: Tool) -> Bool {
    tool.command == Questions.command ? calls.questions.canBeAnswered : router.hasNeeds(of: tool.command)
  }

  /// True when the owner lets the agent have it.
  func isSwitchedOn(_ tool: Tool) -> Bool { isSwitchedOn(tool.name, isSafe: tool.isSafe, server: tool.server) }

  private func isSwitchedOn(_ tool: String, isSafe: Bool, server: String) -> Bool {
    switch settings.choice {
    case .none: false
    case .safe: isSafe
    case .all: true
    case .named(let names): names.contains(tool) || names.contains(server)
    }
  }

  public override func online(_ session: Session) {
    choose()
    online(session, isKnown: session.hello.features.hasPluginTools)
  }

  /// After `hello-ok`; `isKnown`: the gateway announces the method of publication.
  func online(_ channel: any RequestChannel, isKnown: Bool) {
    publication.online(channel, isKnown: isKnown)
  }

  public override func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("node.pair.resolved") { publication.decided() }
  }

  public override func offline() {
    publication.offline()
    calls.offline()
  }

  public override var nextDeadline: Int64? { earliest(publication.nextDeadline, calls.questions.nextDeadline) }

  public override func advance(to now: Int64) {
    publication.advance(to: now)
    calls.questions.advance(to: now)
  }

  public override var operations: [ControlRow] {
    [
      ControlRow("tools") { (control, call, _) in control.finish(call) { self.writeReport(to: &$0) } },
      ControlRow("tools-test") { self.test($0, $1, $2) },
    ]
  }

  public override func forget(_ control: Control, _ call: Int) { calls.cancel(.program(call)) }

  public override func writeStatus(to writer: inout JSONWriter) {
    guard !published.isEmpty else { return }
    writer.key("tools")
    writer.beginObject()
    writeState(to: &writer)
    writer.key("published")
    writer.beginArray()
    for index in published { writer.string(tools[index].name) }
    writer.endArray()
    writer.endObject()
  }

  /// Where nobody asked for tools, nobody waits for them.
  public override var awaitsApproval: Bool { publication.state == .waiting && settings.isAskedFor }

  // MARK: Publication

  /// The descriptors, a JSON array.
  private func writeTools(to writer: inout JSONWriter) {
    writer.beginArray()
    for place in 0..<published.count { write(tools[published[place]], to: &writer) }
    writer.endArray()
  }

  private func write(_ tool: Tool, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("pluginId")
    writer.string("node-mcp")
    writer.key("name")
    writer.string(name(of: tool).span)
    writer.key("description")
    writer.beginString()
    writer.stringPiece(tool.description.utf8.span)
    if !settings.about.isEmpty {
      writer.stringPiece((" The board: " as StaticString).utf8Bytes)
      writer.stringPiece(settings.about.utf8.span)
    }
    writer.endString()
    writer.key("parameters")
    writeParameters(tool, to: &writer)
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

  /// What people are asked about has one more argument, which they read, unless the tool has it already.
  func writeParameters(_ tool: Tool, isAsked: Bool = false, to writer: inout JSONWriter) {
    let own = tool.parameters.utf8.span
    let (begin, empty) = (Tool.begin.utf8CodeUnitCount, UInt8(ascii: "}"))
    guard isAsked || router.asks(about: Self.rows[0].name) || router.asks(about: tool.command),
      own.hasPrefix(Tool.begin), own.count > begin, JSONView(own).member("properties")?.member("purpose") == nil
    else { return writer.raw(own) }
    writer.raw(Tool.begin.utf8Bytes)
    writer.escapedPiece(Tool.purpose.utf8Bytes)
    if own[begin] != empty { writer.escapedPiece(("," as StaticString).utf8Bytes) }
    writer.escapedPiece(own.extracting(begin..<own.count))
  }

  /// The name under which the agent knows it.
  func name(of tool: Tool) -> InlineText<64> { ToolName.make(displayName.span, tool.name) }

  /// The place in the list of the tool that the gateway calls `name`.
  private func place(of name: borrowing JSONView) -> Int? {
    for place in 0..<published.count where name.equals(self.name(of: tools[published[place]]).span) { return place }
    return nil
  }

  // MARK: CommandHandler

  public func begin(_ command: Int, _ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard parameters.kind == .object else {
      return router.fail(token, code: "INVALID_REQUEST") {
        $0.text("INVALID_REQUEST: the parameters must be an object")
      }
    }
    guard let server = parameters.member("server"), let name = parameters.member("tool") else {
      return refuse(token, "a call needs server and tool")
    }
    guard server.equals(Self.server), let tool = publishedTool(name) else {
      return refuse(token, "this board has published no such tool")
    }
    guard let arguments = parameters.member("arguments"), arguments.kind == .object else {
      return calls.begin(tool, .gateway(token), JSONView(("{}" as StaticString).utf8Bytes), deadline: deadline)
    }
    calls.begin(tool, .gateway(token), arguments, deadline: deadline)
  }

  /// The published tool of this name.
  func publishedTool(_ name: borrowing JSONView) -> Int? {
    for place in 0..<published.count where name.equals(tools[published[place]].name.utf8.span) {
      return published[place]
    }
    return nil
  }

  private func refuse(_ token: InvokeToken, _ reason: StaticString) {
    router.fail(token, code: "MCP_TOOL_UNAVAILABLE") { line in
      line.text("MCP_TOOL_UNAVAILABLE: ")
      line.text(reason)
    }
  }

  public func cancel(_ token: InvokeToken) { calls.cancel(.gateway(token)) }
}
