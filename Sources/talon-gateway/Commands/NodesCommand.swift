import ArgumentParser

struct NodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes", abstract: "Show and approve nodes, invoke their commands, read their events.",
    subcommands: [
      Status.self, Pending.self, Approve.self, Reject.self, Remove.self, InvokeCommand.self, Cancel.self,
      Progress.self, Enqueue.self, Events.self,
    ], defaultSubcommand: Status.self)

  struct Status: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show approved nodes and what they can do now.")

    @OptionGroup var gateway: StateOptions

    func run() throws {
      try gateway.call("nodes.status") { result in
        let nodes = result["nodes"]?.array ?? []
        if nodes.isEmpty { print("No nodes are approved.") }
        nodes.forEach(describe)
      }
    }

    private func describe(_ node: JSON) {
      let name = node["displayName"]?.string ?? "(no name)"
      let isConnected = node["connected"]?.bool == true
      print("\(name)  \(isConnected ? "connected from \(node["remoteIp"]?.string ?? "?")" : "not connected")")
      print("  device   \(node["nodeId"]?.string ?? "")")
      print("  surface  \(node["approvalState"]?.string ?? "")")
      guard isConnected else { return }
      print("  version  \(node["version"]?.string ?? "")  \(node["modelIdentifier"]?.string ?? "")")
      print("  commands \((node["commands"]?.strings ?? []).joined(separator: " "))")
    }
  }

  struct Events: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the last events that nodes sent.")

    @OptionGroup var gateway: StateOptions

    func run() throws {
      try gateway.call("nodes.events") { result in
        for event in result["events"]?.array ?? [] {
          let node = event["nodeId"]?.string?.prefix(12) ?? ""
          let payload = event["payload"]?.text ?? ""
          let mark = event["repeated"]?.bool == true ? "  (repeated: no effect)" : ""
          print("\(event["atMs"]?.integer ?? 0)  \(node)  \(event["event"]?.string ?? "")  \(payload)\(mark)")
        }
      }
    }
  }
}
