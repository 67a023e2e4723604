/// `tools ...` of the CLI: what an agent sees of its nodes.
enum ToolOperations {
  static let table: [String: ControlOperations.Operation] = [
    "tools.list": { core, _ in
      let publications = core.connectedNodes.map { node -> JSON in
        [
          "nodeId": .string(node.nodeID), "published": .integer(node.publications),
          "declared": .integer(Int64(node.tools.count)),
        ]
      }
      return ["tools": .array(NodeTools.exposed(core).map(\.json)), "nodes": .array(publications)]
    },
    "tools.find": { core, params in
      let name = params["name"]?.string ?? ""
      guard let tool = NodeTools.exposed(core).first(where: { $0.name == name }) else {
        throw GatewayError.invalidRequest("the agent has no tool \(name)")
      }
      return tool.json
    },
  ]
}
