/// Tools that nodes publish, and which of them are in effect (newer-gateways 1.1).
enum NodeTools {
  /// The plugin whose tools are those of an MCP server at the node.
  static let plugin = "node-mcp"
  /// The command of all its tools.
  static let command = "mcp.tools.call.v1"
  /// Descriptors kept of one node; the rest is dropped.
  static let descriptorsMax = 128
  /// UTF-16 units of a description; a longer one is cut.
  static let descriptionMax = 1024
  /// Characters of the longest name of a tool.
  static let nameMax = 64

  static let schema = Schema.object([
    .required(
      "tools",
      .array(
        .object([
          .required("pluginId", .text), .required("name", .string(min: 1, max: nameMax)),
          .required("description", .text), .optional("parameters", .map(.any)), .optional("command", .text),
          .optional("mcp", .object([.required("server", .text), .required("tool", .text)])),
        ])))
  ])

  /// The form of results (newer-gateways 1.2).
  static let result = Schema.object([
    .required(
      "content",
      .list(
        .object([
          .required("type", .oneOf(["text", "image"])), .optional("text", .text), .optional("data", .form(.base64)),
          .optional("mimeType", .text),
        ]), min: 1, max: 64)),
    .optional("structuredContent", .map(.any)), .optional("isError", .bool),
  ])

  /// A descriptor that is not in effect, and why.
  struct Dropped {
    let name: String
    let reason: String
  }

  /// Takes the whole list of a connection's tools; the answer has those that are in effect.
  static func update(_ call: MethodCall) throws(GatewayError) -> JSON {
    guard call.core.node(call.deviceID) === call.session else { throw .invalidRequest("unknown nodeId") }
    let tools = call.params["tools"]?.array ?? []
    for (index, tool) in tools.enumerated() where !isName(tool["name"]?.string ?? "") {
      call.core.noteViolation("node.pluginTools.update params at /tools/\(index)/name", from: call.deviceID)
      throw .invalidRequest("invalid node.pluginTools.update params: at /tools/\(index)/name: must match pattern")
    }
    call.session.tools = tools
    call.session.publications += 1
    let (kept, dropped) = sift(call.session, call.core)
    for tool in dropped {
      call.core.logger.warning("dropped the tool \(tool.name) of \(call.deviceID.prefix(12)): \(tool.reason)")
    }
    return ["nodeId": .string(call.deviceID), "tools": .array(kept)]
  }

  /// `^[A-Za-z][A-Za-z0-9_-]{0,63}$`
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= nameMax, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  // MARK: Filters

  /// What is left of a node's descriptors now.
  static func effective(_ session: Session, _ core: GatewayCore) -> [JSON] { sift(session, core).kept }

  /// Sorts a node's descriptors into those whose command is declared, allowed and approved, and the others. What was
  /// declared is sifted again whenever somebody asks, so that an approval or another policy counts at once.
  static func sift(_ session: Session, _ core: GatewayCore) -> (kept: [JSON], dropped: [Dropped]) {
    guard let admission = session.admission else { return ([], []) }
    let commands = core.effectiveCommands(admission)
    var kept: [JSON] = []
    var dropped: [Dropped] = []
    var seen: Set<String> = []
    let order = ["pluginId", "name", "command"]
    let sorted = session.tools.sorted { key($0, order) < key($1, order) }
    for tool in sorted {
      var reason = flaw(of: tool, commands)
      if !core.policy.publishesTools { reason = "gateway.nodes.pluginTools.enabled is false" }
      if reason == nil, !seen.insert(key(tool, ["pluginId", "name"])).inserted { reason = "it is there twice" }
      if reason == nil, kept.count == descriptorsMax { reason = "a node has at most \(descriptorsMax)" }
      if let reason {
        dropped.append(Dropped(name: tool["name"]?.string ?? "", reason: reason))
      } else {
        kept.append(normal(tool, core.generation))
      }
    }
    return (kept, dropped)
  }

  private static func key(_ tool: JSON, _ members: [String]) -> String {
    members.map { (tool[$0]?.string ?? "").trimmed }.joined(separator: "\u{0}")
  }

  /// Why a descriptor cannot be in effect, or nil.
  private static func flaw(of tool: JSON, _ commands: [String]) -> String? {
    let plugin = (tool["pluginId"]?.string ?? "").trimmed
    if plugin.isEmpty { return "its pluginId is empty" }
    guard let command = tool["command"]?.string else { return "it has no command" }
    if plugin == Self.plugin {
      if command != Self.command { return "tools of \(Self.plugin) have the command \(Self.command)" }
      if ["server", "tool"].contains(where: { (tool["mcp"]?[$0]?.string ?? "").trimmed.isEmpty }) {
        return "tools of \(Self.plugin) have mcp with server and tool"
      }
    }
    return commands.contains(command) ? nil : "\(command) is not among the node's approved and allowed commands"
  }

  private static func normal(_ tool: JSON, _ generation: Generation) -> JSON {
    var result = tool
    let description = Array((tool["description"]?.string ?? "").utf16)
    if description.count > descriptionMax {
      let mark = generation.marksCutDescriptions ? "..." : ""
      let cut = String(decoding: description.prefix(descriptionMax - mark.utf16.count), as: UTF16.self) + mark
      result = result.with(member: "description", .string(cut))
    }
    if result["parameters"]?.object == nil {
      result = result.with(
        member: "parameters", ["type": "object", "properties": [:], "additionalProperties": true])
    }
    return result
  }
}
