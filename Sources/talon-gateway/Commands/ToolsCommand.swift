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
      abstract: "Call a tool as a model does, and print what the model gets.",
      discussion: "With --json the node's own result is printed. Both without the bytes of pictures.")

    @OptionGroup var gateway: StateOptions
    @Argument(help: "The tool's name, as `tools list` shows it.") var name: String
    @Argument(help: "The model's arguments, a JSON object.") var arguments = "{}"
    @Option(help: "Write the picture of the result to this file; further ones to FILE.2, FILE.3 ...") var out: String?

    func run() throws {
      guard let arguments = try? JSON(parsing: arguments), arguments.object != nil else {
        throw ValidationError("the arguments are not a JSON object")
      }
      try gateway.withGateway { client in
        let answer = try client.call("tools.call", ["name": .string(name), "arguments": arguments])
        let view = answer["view"] ?? .null
        let words = try pictures(view)
        if gateway.json {
          print(Self.shortened(answer["payload"] ?? .null, words).prettyText)
        } else {
          print(Self.text(view, words))
        }
        if view["isError"]?.bool == true { throw ExitCode.failure }
      }
    }

    /// What stands for each picture, in their order, which are saved if so asked.
    private func pictures(_ view: JSON) throws -> [String] {
      var words: [String] = []
      for block in view["content"]?.array ?? [] where block["type"]?.string == "image" {
        let data = Data(base64Encoded: block["data"]?.string ?? "") ?? Data()
        let name = "[image \(block["mimeType"]?.string ?? "?"), \(data.count) bytes]"
        guard let out else {
          words.append(name)
          continue
        }
        let file = words.isEmpty ? out : "\(out).\(words.count + 1)"
        try data.write(to: URL(fileURLWithPath: file))
        words.append("\(name) in \(file)")
      }
      return words
    }

    /// What a model reads, line by line.
    private static func text(_ view: JSON, _ words: [String]) -> String {
      var rest = words[...]
      return (view["content"]?.array ?? [])
        .map { block in block["type"]?.string == "image" ? rest.popFirst() ?? "" : block["text"]?.string ?? block.text }
        .joined(separator: "\n")
    }

    /// The result, with words instead of its pictures.
    private static func shortened(_ result: JSON, _ words: [String]) -> JSON {
      guard let content = result["content"]?.array else { return result }
      var rest = words[...]
      let blocks = content.map { block in
        block["type"]?.string == "image" ? block.with(member: "data", .string(rest.popFirst() ?? "")) : block
      }
      return result.with(member: "content", .array(blocks))
    }
  }
}
