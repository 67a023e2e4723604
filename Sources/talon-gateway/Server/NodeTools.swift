import Foundation

/// Tools that nodes publish, and what an agent makes of them (newer-gateways 1.1 and 1.2).
enum NodeTools {
  /// A tool of one node as an agent sees it.
  struct Exposed {
    let name: String
    let nodeID: String
    let description: String
    let descriptor: JSON

    var json: JSON {
      .compact([
        "name": .string(name), "nodeId": .string(nodeID), "description": .string(description),
        "parameters": descriptor["parameters"], "mcp": descriptor["mcp"],
      ])
    }
  }

  /// The command of all tools of `node-mcp`.
  static let command = "mcp.tools.call.v1"
  /// Descriptors kept of one node; the rest is dropped.
  static let descriptorsMax = 128
  /// UTF-16 units of a description; a longer one is cut.
  static let descriptionMax = 1024
  /// Characters of the longest name of a tool.
  private static let nameMax = 64
  /// Tools of the gateway itself: a node's tool of such a name gets the node's id before it.
  private static let coreTools: Set<String> = ["exec", "read", "write", "nodes", "message", "canvas", "process"]

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

  /// Takes the whole list of a connection's tools; the answer has those that are in effect.
  static func update(_ call: MethodCall) throws(GatewayError) -> JSON {
    let tools = call.params["tools"]?.array ?? []
    for (index, tool) in tools.enumerated() where !isName(tool["name"]?.string ?? "") {
      call.core.noteViolation("node.pluginTools.update params at /tools/\(index)/name", from: call.deviceID)
      throw .invalidRequest("invalid node.pluginTools.update params: at /tools/\(index)/name: must match pattern")
    }
    call.session.tools = tools
    call.session.publications += 1
    return ["nodeId": .string(call.deviceID), "tools": .array(effective(call.session, call.core))]
  }

  /// `^[A-Za-z][A-Za-z0-9_-]{0,63}$`
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= nameMax, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// What is left of a node's descriptors: those whose command is declared, allowed and approved.
  static func effective(_ session: Session, _ core: GatewayCore) -> [JSON] {
    guard let admission = session.admission else { return [] }
    let commands = core.effectiveCommands(admission)
    var seen: Set<String> = []
    let sorted = session.tools.compactMap { normal($0, commands) }.sorted { key($0) < key($1) }
    return Array(sorted.filter { seen.insert(key($0, withCommand: false)).inserted }.prefix(descriptorsMax))
  }

  private static func key(_ tool: JSON, withCommand: Bool = true) -> String {
    let keys = withCommand ? ["pluginId", "name", "command"] : ["pluginId", "name"]
    return keys.map { tool[$0]?.string ?? "" }.joined(separator: "\u{0}")
  }

  private static func normal(_ tool: JSON, _ commands: [String]) -> JSON? {
    guard let command = tool["command"]?.string, commands.contains(command) else { return nil }
    if tool["pluginId"]?.string?.trimmed == "node-mcp", command != Self.command || tool["mcp"] == nil { return nil }
    var result = tool
    let description = Array((tool["description"]?.string ?? "").utf16)
    if description.count > descriptionMax {
      let cut = String(decoding: description.prefix(descriptionMax - 3), as: UTF16.self) + "..."
      result = result.with(member: "description", .string(cut))
    }
    if result["parameters"]?.object == nil {
      result = result.with(
        member: "parameters", ["type": "object", "properties": [:], "additionalProperties": true])
    }
    return result
  }

  // MARK: The agent

  /// All tools of connected nodes, as an agent's model reads them.
  static func exposed(_ core: GatewayCore) -> [Exposed] {
    let all = core.connectedNodes.flatMap { node in effective(node, core).map { (node, $0) } }
    var count: [String: Int] = [:]
    for (_, tool) in all { count[(tool["name"]?.string ?? "").lowercased(), default: 0] += 1 }
    var taken: Set<String> = []
    return all.compactMap { node, tool in
      let name = tool["name"]?.string ?? ""
      let isClear = count[name.lowercased()] == 1 && !coreTools.contains(name.lowercased())
      guard let free = isClear ? name : free("\(sanitised(node.nodeID))_\(name)", taken) else { return nil }
      taken.insert(free)
      let display = node.admission?.claim.displayName ?? node.nodeID
      return Exposed(
        name: free, nodeID: node.nodeID, description: (tool["description"]?.string ?? "") + " (node: \(display))",
        descriptor: tool)
    }
  }

  private static func free(_ name: String, _ taken: Set<String>) -> String? {
    let base = String(name.prefix(nameMax))
    if !taken.contains(base) { return base }
    return (2...100).lazy.map { "\(base.prefix(nameMax - 4))_\($0)" }.first { !taken.contains($0) }
  }

  /// Lower case, anything but letters and digits as `_`, at most 32 characters, a letter first.
  private static func sanitised(_ id: String) -> String {
    let text = String(id.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(32))
    return text.first?.isLetter == true ? text : "node_" + text
  }
}
