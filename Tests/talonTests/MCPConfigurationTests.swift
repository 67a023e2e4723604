import MCP
import Runtime
import TestSupport
import Testing

@testable import talon

/// `[mcp NAME]`.
@Suite struct MCPConfigurationTests {
  @Test("sections of both kinds are read, with their words, names and times")
  func several() throws {
    let configuration = try HandConfiguration.parse(
      """
      [mcp home]
      command = /opt/home/bin/python -m "home server"  --quiet ""
      about = lamps and doors
      tools = list_lamps, set_lamp
      safe = list_lamps
      timeout = 20
      idle = 5
      [mcp db]
      network = yes
      command = /opt/db
      """)
    let (home, db) = (configuration.servers[0], configuration.servers[1])
    #expect(home.command == ["/opt/home/bin/python", "-m", "home server", "--quiet", ""] && home.name == "home")
    #expect(home.tools == ["list_lamps", "set_lamp"] && home.safe == ["list_lamps"] && home.about == "lamps and doors")
    #expect(home.timeout == 20_000 && home.idle == 300_000 && home.fileLine == 1)
    #expect(db.command == ["/opt/db"] && db.hasNetwork && !home.hasNetwork && db.fileLine == 8)
    #expect(db.timeout == Budget.mcpCallMilliseconds && db.idle == Budget.mcpIdleMilliseconds)
  }

  @Test("quotes around the first and the last word of a command are those of the words, wherever it is read")
  func quotes() throws {
    let folder = TemporaryFolder()
    let text = "[ mcp home ]\ncommand = \"/opt/my server/bin\" --name \"a b\"\n"
    let words = ["/opt/my server/bin", "--name", "a b"]
    #expect(try HandConfiguration.parse(text).servers.map(\.command) == [words])
    #expect(try MCPKeys.read(folder.put("talon.conf", text)).map(\.command) == [words])
    let one = "[mcp home]\ncommand = \"/opt/my server\"\n"
    #expect(try HandConfiguration.parse(one).servers.map(\.command) == [["/opt/my server"]])
    #expect(try MCPKeys.read(folder.put("one.conf", one)).map(\.command) == [["/opt/my server"]])
  }

  private static let address = "must be an address of this board, as http://127.0.0.1:8123/mcp"
  private static let path = "must begin with the absolute path of a program: /opt/home/bin/python -m home_server"

  static let mistakes: [(String, String)] = [
    ("[mcp A]", "f:1: [mcp A]: a server's name has a to z, 0 to 9 and _, a letter first, at most 12"),
    (
      "[mcp abcdefghijklm]",
      "f:1: [mcp abcdefghijklm]: a server's name has a to z, 0 to 9 and _, a letter first, at most 12"
    ),
    ("[mcp a]\ncommand = /a\n[mcp a]", "f:3: [mcp a]: appears twice"),
    (
      "[mcp a]\ncommand = /a\n[mcp a_b]",
      "f:3: [mcp a_b]: its tools could have names of those of [mcp a]: take another name"
    ),
    (
      "abcde".map { "[mcp \($0)]\ncommand = /a\n" }.joined(),
      "f:9: [mcp e]: there may be at most 4 such sections"
    ),
    (
      "[mcp a]", "f:1: [mcp a] command: is missing: what is it? Example: command = /opt/home/bin/python -m home_server"
    ),
    (
      "[mcp a]\ncommand = /a\nurl = http://localhost/",
      "f:1: [mcp a] url: makes no sense beside command: a server is a program of this board, or an address of it"
    ),
    (
      "[mcp a]\nurl = http://localhost/\nnetwork = yes",
      "f:1: [mcp a] network: makes no sense beside url: it is about the program of command"
    ),
    ("[mcp a]\nurl = http://127.0.0.1:99999/", "f:2: [mcp a] url: \(address)"),
    ("[mcp photo]", "f:1: [mcp photo]: is the name of a tool of the board: take another name"),
    ("[mcp a]\ncommand = python -m x", "f:2: [mcp a] command: \(path)"),
    ("[mcp a]\ncommand = /a \"b", "f:2: [mcp a] command: has a \" without its other"),
    ("[mcp a]\nurl = http://example.org/", "f:2: [mcp a] url: \(address)"),
    ("[mcp a]\nurl = http://127.0.0.1.example.org/", "f:2: [mcp a] url: \(address)"),
    ("[mcp a]\nurl = http://127.0.0.1@example.org/", "f:2: [mcp a] url: \(address)"),
    ("[mcp a]\nurl = ftp://127.0.0.1/", "f:2: [mcp a] url: \(address)"),
    ("[mcp a]\ncommand = /a\ntools = a,,b", "f:3: [mcp a] tools: must be names of tools, with commas between"),
    ("[mcp a]\ncommand = /a\ntools = b\nsafe = c", "f:1: [mcp a] safe: c is not among the tools of this section"),
    (
      "[mcp a]\ncommand = /a\ntools = \(String(repeating: "n", count: Budget.mcpRemoteNameBytes + 1))",
      "f:3: [mcp a] tools: must be names of tools, with commas between"
    ),
    (
      "[mcp a]\ncommand = /a\ntools = \((0...Budget.mcpTools).map { "t\($0)" }.joined(separator: ","))",
      "f:3: [mcp a] tools: may name at most \(Budget.mcpTools) tools"
    ),
    (
      "[mcp a]\ncommand = /a\(String(repeating: " b", count: Budget.mcpWords))",
      "f:2: [mcp a] command: has more than \(Budget.mcpWords) words"
    ),
    (
      "[mcp a]\ncommand = /\(String(repeating: "a", count: Budget.mcpCommandBytes))",
      "f:2: [mcp a] command: must have at most \(Budget.mcpCommandBytes) bytes"
    ),
    (
      "[mcp a]\nurl = http://localhost/\(String(repeating: "a", count: Budget.mcpURLBytes))",
      "f:2: [mcp a] url: must have at most \(Budget.mcpURLBytes) bytes"
    ),
    (
      "[mcp \(String(repeating: "a", count: Budget.mcpServerNameBytes + 1))]",
      "f:1: [mcp \(String(repeating: "a", count: Budget.mcpServerNameBytes + 1))]: "
        + "a server's name has a to z, 0 to 9 and _, a letter first, at most \(Budget.mcpServerNameBytes)"
    ),
    ("[mcp a]\ncommand = /a\ntimeout = 111", "f:3: [mcp a] timeout: must be a whole number from 1 to 110"),
    ("[mcp a]\ncommand = /a\nidle = 0", "f:3: [mcp a] idle: must be a whole number from 1 to 1440"),
  ]

  @Test("an address of this board is taken, with and without a port and a path")
  func addresses() throws {
    for url in ["http://127.0.0.1:8123/mcp", "http://localhost", "https://[::1]:8443/a/b?c=d"] {
      #expect(try HandConfiguration.parse("[mcp a]\nurl = \(url)\n").servers.first?.url == url)
    }
  }

  @Test("the service reads these sections alone, and nothing that only the agent can read")
  func alone() throws {
    let folder = TemporaryFolder()
    let path = folder.put(
      "talon.conf", "[gateway]\ntoken_file = /nowhere\n[mcp home]\ncommand = /opt/home \"a b\"\n[run]\nprograms = x\n")
    #expect(try MCPKeys.read(path).map(\.command) == [["/opt/home", "a b"]])
    let wrong = folder.put("wrong.conf", "[mcp home]\ncommand = home\n")
    #expect(throws: ConfigurationError.self) { try MCPKeys.read(wrong) }
    let empty = folder.put("empty.conf", "[mcp home]\n")
    #expect(throws: ConfigurationError.self) { try MCPKeys.read(empty) }
    #expect(try MCPKeys.read(folder.put("none.conf", "[node]\nname = x\n")).isEmpty)
  }

  @Test("servers whose tools nobody may call are told of")
  func idle() throws {
    let text = "[mcp home]\ncommand = /a\nabout = x\n[tools]\npublish = none\n"
    #expect(
      IdleSettings.warnings(try HandConfiguration.parse(text)) == [
        "line 2: [mcp home] command, about without effect: nobody may call the tools of MCP servers: "
          + "set publish in [tools]"
      ])
    let published = text.replacing("none", with: "home")
    #expect(IdleSettings.warnings(try HandConfiguration.parse(published)).isEmpty)
  }

  @Test("what is wrong is told with its line", arguments: mistakes)
  func wrong(text: String, complaint: String) { #expect(HandConfiguration.complaint(text) == complaint) }
}
