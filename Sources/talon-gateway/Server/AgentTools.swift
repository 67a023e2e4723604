/// What an agent makes of the tools of nodes (newer-gateways 1.2).
enum AgentTools {
  /// A tool of one node as an agent sees it.
  struct Tool {
    let name: String
    let nodeID: String
    let description: String
    let descriptor: JSON

    /// True for a tool of an MCP server at the node.
    var isMCP: Bool { descriptor["command"]?.string == NodeTools.command && descriptor["mcp"] != nil }

    var json: JSON {
      .compact([
        "name": .string(name), "nodeId": .string(nodeID), "description": .string(description),
        "parameters": descriptor["parameters"], "mcp": descriptor["mcp"],
      ])
    }
  }

  /// Tools of the gateway itself: a node's tool of such a name gets the node's id before it.
  private static let coreTools: Set<String> = [
    "exec", "process", "read", "write", "edit", "apply_patch", "nodes", "message", "canvas", "browser", "cron",
    "gateway", "image", "memory_get", "memory_search", "sessions_list", "sessions_send", "sessions_spawn",
    "session_status",
    "show_widget", "tts", "web_fetch", "web_search",
  ]

  /// Characters of a node's id in a name.
  private static let idMax = 32
  /// The highest number that tells names apart.
  private static let copiesMax = 100

  /// All tools of connected nodes, as an agent's model reads them.
  static func all(_ core: GatewayCore) -> [Tool] {
    let all = core.connectedNodes.flatMap { node in NodeTools.effective(node, core).map { (node, $0) } }
    var count: [String: Int] = [:]
    for (_, tool) in all { count[(tool["name"]?.string ?? "").lowercased(), default: 0] += 1 }
    var taken = coreTools
    return all.compactMap { node, tool in
      let name = tool["name"]?.string ?? ""
      let isClear = count[name.lowercased()] == 1 && !coreTools.contains(name.lowercased())
      guard let free = isClear ? name : free("\(sanitised(node.nodeID))_\(name)", taken) else { return nil }
      taken.insert(free.lowercased())
      let display = node.admission?.claim.displayName ?? node.nodeID
      return Tool(
        name: free, nodeID: node.nodeID, description: (tool["description"]?.string ?? "") + " (node: \(display))",
        descriptor: tool)
    }
  }

  static func find(_ name: String, _ core: GatewayCore) throws(GatewayError) -> Tool {
    guard let tool = all(core).first(where: { $0.name == name }) else {
      throw .invalidRequest("the agent has no tool \(name)")
    }
    return tool
  }

  private static func free(_ name: String, _ taken: Set<String>) -> String? {
    let base = String(name.prefix(NodeTools.nameMax))
    if !taken.contains(base.lowercased()) { return base }
    return (2...copiesMax).lazy
      .map { number in "\(base.prefix(NodeTools.nameMax - "_\(number)".count))_\(number)" }
      .first { !taken.contains($0.lowercased()) }
  }

  /// Lower case, anything but letters and digits as `_`, at most 32 characters, a letter first.
  static func sanitised(_ id: String) -> String {
    let text = String(id.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(idMax))
    if text.isEmpty { return "node" }
    return text.first?.isLetter == true ? text : "node_" + text
  }
}
