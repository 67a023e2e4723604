import ArgumentParser

/// The second gate, and work for nodes that goes on without a caller.
extension NodesCommand {
  struct Pending: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show what nodes declare and nobody has approved yet.")

    @OptionGroup var gateway: StateOptions

    func run() throws {
      try gateway.call("nodes.pending") { result in
        let requests = result["pending"]?.array ?? []
        if requests.isEmpty { print("Nothing is waiting.") }
        for request in requests {
          let id = request["requestId"]?.string ?? ""
          print("\(request["displayName"]?.string ?? "(no name)")  \(request["nodeId"]?.string ?? "")")
          print("  commands \((request["commands"]?.strings ?? []).joined(separator: " "))")
          print("  approve with: " + gateway.commandLine("nodes approve \(id)"))
        }
      }
    }
  }

  struct Approve: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Approve what a node declares; it counts at once.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The request id, as shown by `nodes pending`.") var requestID: String?
    @Flag(help: "Approve the request that was repeated last.") var latest = false

    func validate() throws {
      guard (requestID != nil) != latest else { throw ValidationError("Give a request id or --latest.") }
    }

    func run() throws {
      try gateway.call("nodes.approve", .compact(["requestId": requestID.map(JSON.string)])) { result in
        print("Approved the commands of \(result["displayName"]?.string ?? "the node")")
      }
    }
  }

  struct Reject: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Reject a waiting declaration.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The request id.") var requestID: String

    func run() throws {
      try gateway.call("nodes.reject", ["requestId": .string(requestID)]) { result in
        print("Rejected the commands of \(result["displayName"]?.string ?? "the node")")
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a device's node role and its approved commands.",
      discussion: "A device with no other role is forgotten altogether.")

    @OptionGroup var gateway: StateOptions
    @Option(help: "Device id, the beginning of one, or display name.") var node: String

    func run() throws {
      try gateway.call("nodes.remove", ["node": .string(node)]) { _ in print("Removed \(node)") }
    }
  }

  struct Cancel: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Cancel an invoke that runs, and tell the node (generation N).")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The id that `nodes invoke --no-wait` printed.") var invokeID: String

    func run() throws {
      try gateway.call("nodes.cancel", ["invokeId": .string(invokeID)]) { _ in print("Cancelled \(invokeID)")
      }
    }
  }

  struct Progress: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show the progress that a node has reported of a running invoke (generation N).")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The id that `nodes invoke --no-wait` printed.") var invokeID: String

    func run() throws {
      try gateway.call("nodes.progress", ["invokeId": .string(invokeID)]) { result in
        print((result["chunks"]?.strings ?? []).joined())
      }
    }
  }

  struct Enqueue: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a pending action, which the node fetches with node.pending.pull.")

    @OptionGroup var gateway: StateOptions
    @Option(help: "Device id, the beginning of one, or display name.") var node: String
    @Option(help: "For example camera.snap.") var command: String
    @Option(help: "Parameters as JSON text.") var params: String?

    func validate() throws {
      do {
        _ = try params.map { try JSON(parsing: $0) }
      } catch {
        throw ValidationError("--params is not JSON: \(error)")
      }
    }

    func run() throws {
      let request = JSON.compact([
        "node": .string(node), "command": .string(command),
        "params": try params.map { try JSON(parsing: $0) },
      ])
      try gateway.call("nodes.enqueue", request) { result in print(result["actionId"]?.string ?? "") }
    }
  }
}
