import Codec
import Runtime

/// The tools of this board: what the agent sees of them, and a call as the agent would make it.
enum ToolsCommand {
  static func run(_ options: Options) throws(Failure) -> ExitCode {
    let words = options.words
    let configuration = try ConfigCommand.read(options.configurationPath)
    guard let first = words.first else { return try list(configuration) }
    guard first == "test", words.count >= 2 else {
      throw Failure(.usage, "expected: talon tools, or talon tools test NAME [JSON]")
    }
    return try test(words[1], words.count > 2 ? words[2] : "{}", configuration)
  }

  // MARK: The list

  private static func list(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let line = try BoardCommands.check(ConsoleClient(folder: configuration.runtimeDirectory).ask("tools") { _ in })
    let root = JSONView(line.span)
    guard let result = root.member("result"), let tools = result.member("tools") else {
      throw Failure(.temporary, "the agent's answer has no tools; see talon log")
    }
    Console.show(sentence(of: result))
    var elements = tools.elements()
    while let tool = elements.next() {
      Console.show("\(tool.text("tool").left(10)) \(meaning(tool.text("state")).left(34)) \(tool.text("name"))")
    }
    if let servers = result.member("servers") { show(servers: servers) }
    if result.member("last") != nil {
      Console.show(
        "\(result.number("calls")) calls, \(result.number("failures")) failed; the last: \(result.text("last"))")
    }
    if result.member("lastFailure") != nil { Console.show("last failure: \(result.text("lastFailure"))") }
    return .ok
  }

  /// The owner's MCP servers, and what is wrong with them.
  private static func show(servers: borrowing JSONView) {
    var elements = servers.elements()
    while let server = elements.next() {
      let state = server.text("state")
      var line = "[mcp \(server.text("name"))] \(Self.state(state)), \(server.number("tools")) tools,"
      line += " \(server.number("calls")) calls, \(server.number("failures")) failed"
      if state == "failed" { line += "; the server \(server.text("trouble"))" }
      Console.show(line)
      guard server.member("why") != nil else { continue }
      let name = Console.quoted(server.text("tool"))
      Console.show("  left out: \(server.number("leftOut")); the last one, \(name): \(server.text("why"))")
    }
  }

  /// What a server does.
  private static func state(_ word: String) -> String {
    switch word {
    case "asleep": "sleeps until it is called"
    case "starting": "is starting"
    case "ready": "runs"
    case "failed": "has failed, and is started again by itself"
    case "held": "is held (panic)"
    default: word
    }
  }

  /// What the gateway says of the whole list.
  private static func sentence(of result: borrowing JSONView) -> String {
    switch result.text("state") {
    case "accepted": "The agent sees \(result.number("accepted")) tools of this board."
    case "waiting":
      "Nobody has approved the tools yet; what waits shows, on the gateway's machine: openclaw nodes pending"
    case "refused": "The gateway refuses the tools: \(result.text("refusal"))"
    case "unsupported": "This gateway knows no tools of boards: it is older than 2026.7."
    default: "The tools are not published yet: the gateway is not connected, or has not answered."
    }
  }

  /// What becomes of one tool.
  private static func meaning(_ state: String) -> String {
    switch state {
    case "accepted": "the agent sees it"
    case "dropped": "the gateway has left it out"
    case "waiting": "waits for approval"
    case "off": "off: not in [tools] publish"
    case "crowded": "no room beside the other tools"
    case "missing": "this board lacks what it needs"
    case "refused": "refused with the list"
    case "unsupported": "the gateway is too old"
    default: "not published yet"
    }
  }

  // MARK: A test

  private static func test(
    _ tool: String, _ arguments: String, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    let bytes = Array(arguments.utf8)
    do throws(JSONError) {
      try JSONValidator.check(bytes.span, depthLimit: Budget.jsonDepth)
    } catch {
      throw Failure(.usage, "the arguments are no JSON: they are an object such as {\"maxWidth\":640}")
    }
    guard JSONView(bytes.span).kind == .object else {
      throw Failure(.usage, "the arguments must be a JSON object such as {\"maxWidth\":640}")
    }
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    let line = try BoardCommands.check(
      client.ask("tools-test", as: .action) { writer in
        writer.key("tool")
        writer.string(tool)
        writer.key("arguments")
        writer.raw(bytes.span)
      })
    let root = JSONView(line.span)
    guard let result = root.member("result"), let content = result.member("content") else {
      throw Failure(.temporary, "the agent's answer has no result; see talon log")
    }
    show(content)
    if let facts = result.member("structuredContent") { Console.show(text(facts)) }
    return result.member("isError")?.bool == true ? .temporary : .ok
  }

  private static func show(_ content: borrowing JSONView) {
    var blocks = content.elements()
    while let block = blocks.next() {
      switch block.text("type") {
      case "text": for line in block.text("text").split(separator: "\n") { Console.show(String(line)) }
      case "image": Console.show("[\(block.text("mimeType")), \(block.number("bytes")) bytes]")
      default: Console.show("[\(block.text("type"))]")
      }
    }
  }

  private static func text(_ value: borrowing JSONView) -> String {
    value.rawText.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
