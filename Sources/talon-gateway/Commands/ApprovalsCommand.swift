import ArgumentParser

struct ApprovalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approvals", abstract: "Let the agent ask whether it may run a program, and see what people decided.",
    subcommands: [Ask.self, Resolve.self, List.self], defaultSubcommand: List.self)

  struct Ask: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "The agent wants to run this command line.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The command line.") var command: String
    @Option(help: "Milliseconds until the request expires.") var ms: Int64 = 120_000

    func run() throws {
      try gateway.call("approvals.ask", ["command": .string(command), "ms": .integer(ms)]) { result in
        print(result["id"]?.string ?? "")
      }
    }
  }

  struct Resolve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Decide as another client would.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The id of the request.") var id: String
    @Argument(help: "allow-once, allow-always or deny.") var decision = "deny"

    func run() throws {
      try gateway.call("approvals.resolve", ["id": .string(id), "decision": .string(decision)]) { result in
        print(result["id"]?.string ?? "")
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show what waits, and what was decided.")

    @OptionGroup var gateway: StateOptions

    func run() throws {
      try gateway.call("approvals.list") { result in
        for entry in result["waiting"]?.array ?? [] {
          print("waits    \(entry["id"]?.string ?? "")  \(entry["request"]?["command"]?.string ?? "")")
        }
        for entry in result["decisions"]?.array ?? [] {
          print("\(entry["decision"]?.string ?? "")  \(entry["id"]?.string ?? "")  by \(entry["by"]?.string ?? "")")
        }
      }
    }
  }
}
