import ArgumentParser
import Foundation

struct ToolsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tools", abstract: "Show the tools that nodes publish as an agent sees them, and call one.",
    subcommands: [List.self, Call.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show the agent's tools: what a model reads of each.")

    @OptionGroup var gateway: StateOptions

    func run() throws {
      try gateway.call("tools.list") { result in
        let tools = result["tools"]?.array ?? []
        if tools.isEmpty { print("The agent has no tools of nodes.") }
        for tool in tools {
          print("\(tool["name"]?.string ?? "")\n  \(tool["description"]?.string ?? "")")
          print("  \(tool["parameters"]?.text ?? "")")
        }
      }
    }
  }

  struct Call: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Call a tool as a model does, and print what the model gets.")

    /// Milliseconds that a caller waits for a tool of `node-mcp` (newer-gateways 1.2).
    private static let timeout: Int64 = 120_000

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The tool's name, as `tools list` shows it.") var name: String
    @Argument(help: "The model's arguments, a JSON object.") var arguments = "{}"
    @Option(help: "Write the picture of the result to this file.") var out: String?

    func run() throws {
      guard let arguments = try? JSON(parsing: arguments), arguments.object != nil else {
        throw ValidationError("the arguments are not a JSON object")
      }
      try gateway.withGateway { client in
        let tool = try client.call("tools.find", ["name": .string(name)])
        let request: JSON = [
          "node": tool["nodeId"] ?? .null, "command": .string(NodeTools.command),
          "params": [
            "server": tool["mcp"]?["server"] ?? .null, "tool": tool["mcp"]?["tool"] ?? .null, "arguments": arguments,
          ],
          "timeoutMs": .integer(Self.timeout),
        ]
        let result = try client.call("nodes.invoke", request)["payload"] ?? .null
        print(gateway.json ? try shortened(result).prettyText : try text(result))
        if result["isError"]?.bool == true { throw ExitCode.failure }
      }
    }

    /// What a model reads: facts first, then the blocks in their order.
    private func text(_ result: JSON) throws -> String {
      var lines = result["structuredContent"].map { [$0.prettyText] } ?? []
      for block in result["content"]?.array ?? [] {
        if let text = block["text"]?.string { lines.append(text) }
        if let picture = try picture(block) { lines.append(picture) }
      }
      return lines.joined(separator: "\n")
    }

    /// The result without its pictures, which go to `--out`.
    private func shortened(_ result: JSON) throws -> JSON {
      let blocks = try (result["content"]?.array ?? []).map { block in
        try picture(block).map { block.with(member: "data", .string($0)) } ?? block
      }
      return result.with(member: "content", .array(blocks))
    }

    private func picture(_ block: JSON) throws -> String? {
      guard let base64 = block["data"]?.string, let data = Data(base64Encoded: base64) else { return nil }
      let words = "[\(block["mimeType"]?.string ?? "?"), \(data.count) bytes]"
      guard let out else { return words }
      try data.write(to: URL(fileURLWithPath: out))
      return words + " in \(out)"
    }
  }
}
