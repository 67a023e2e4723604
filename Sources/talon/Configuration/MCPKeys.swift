import Codec
import Fetch
import Hands
import MCP
import Runtime
import ToolsPart

/// Sections `[mcp NAME]`: the owner's own MCP servers. Set in the file alone, for they name programs.
enum MCPKeys {
  /// Sets a value; returns what is wrong with it, or nil.
  typealias Setter = @Sendable (inout MCPSettings, String) -> String?

  private static let prefix = "mcp "
  /// Its words have quotes of their own: those of the first and the last word are none around it all.
  private static let rawKey = "command"

  /// The table of these keys.
  static let all: [(name: String, set: Setter)] = [
    (rawKey, { command($1, &$0.command) }),
    ("network", { ConfigurationKey.bool($1, &$0.hasNetwork) }),
    ("url", { url($1, &$0.url) }),
    ("about", { ConfigurationKey.text($1, limit: Budget.toolAboutBytes, &$0.about) }),
    ("tools", { names($1, &$0.tools) }),
    ("safe", { names($1, &$0.safe) }),
    ("timeout", { ConfigurationKey.seconds($1, Budget.mcpCallSeconds, &$0.timeout) }),
    ("idle", { minutes($1, &$0.idle) }),
  ]

  // MARK: Sections

  /// Begins a section; returns what is wrong with its heading `mcp NAME`, or nil. No two servers share the beginning of
  /// their tools' names.
  static func add(_ heading: String, _ line: Int, to servers: inout [MCPSettings]) -> String? {
    if let refusal { return refusal }
    let name = ConfigurationKey.trimmed(Array(heading.utf8.dropFirst(prefix.utf8.count))[...])
    guard HandKeys.isName(name), name.utf8.count <= Budget.mcpServerNameBytes else {
      return "a server's name has a to z, 0 to 9 and _, a letter first, at most \(Budget.mcpServerNameBytes)"
    }
    // [tools] publish has names of both.
    if Tool.all.contains(where: { $0.name == name }) { return "is the name of a tool of the board: take another name" }
    for server in servers {
      if server.name == name { return "appears twice" }
      if (server.name + "_").hasPrefix(name + "_") || (name + "_").hasPrefix(server.name + "_") {
        return "its tools could have names of those of [mcp \(server.name)]: take another name"
      }
    }
    guard servers.count < Budget.mcpServers else { return "there may be at most \(Budget.mcpServers) such sections" }
    servers.append(MCPSettings(name: name, fileLine: line))
    return nil
  }

  /// The name in a line `[mcp NAME]`; nil for other lines.
  static func name(ofHeading line: String) -> String? {
    guard line.utf8.first == UInt8(ascii: "["), line.utf8.last == UInt8(ascii: "]") else { return nil }
    let heading = ConfigurationKey.trimmed(Array(line.utf8.dropFirst().dropLast())[...])
    guard heading.hasPrefix(prefix) else { return nil }
    return ConfigurationKey.trimmed(Array(heading.utf8.dropFirst(prefix.utf8.count))[...])
  }

  /// The key of a name in the section that was begun last; nil for one that there is not.
  static func key(_ name: String, section: String) -> ConfigurationKey? {
    guard let found = all.first(where: { $0.name == name }) else { return nil }
    return ConfigurationKey(section: section, name: name, isFileOnly: true, isRaw: name == rawKey) {
      configuration, value in
      guard !configuration.servers.isEmpty else { return "stands outside of its section" }
      return found.set(&configuration.servers[configuration.servers.count - 1], value)
    }
  }

  /// The key that is missing or wrong in a section, and what is wrong. `hands`: the owner's own tools.
  static func complaint(_ server: MCPSettings, _ hands: [HandSettings] = []) -> (key: String, reason: String)? {
    if hands.contains(where: { $0.name == server.name }) {
      return ("command", "belongs to a section whose name a [tool \(server.name)] has as well: take another name")
    }
    if server.command.isEmpty, server.url.isEmpty {
      return ("command", "is missing: what is it? Example: command = /opt/home/bin/python -m home_server")
    }
    if !server.command.isEmpty, !server.url.isEmpty {
      return ("url", "makes no sense beside command: a server is a program of this board, or an address of it")
    }
    if !server.url.isEmpty, server.hasNetwork {
      return ("network", "makes no sense beside url: it is about the program of command")
    }
    for name in server.safe where !server.tools.isEmpty && !server.tools.contains(name) {
      return ("safe", "\(name) is not among the tools of this section")
    }
    return nil
  }

  /// These sections alone, for the service that runs their programs: it needs no other key, and no file that another
  /// key names.
  static func read(_ path: String) throws(ConfigurationError) -> [MCPSettings] {
    var bytes: [UInt8] = []
    do throws(Errno) { bytes = EditedText.normal(try TextFile.read(path, limit: Budget.configurationBytes)) } catch {
      throw ConfigurationError(file: path, line: nil, key: nil, reason: "cannot be read: \(String(error.text))")
    }
    var servers: [MCPSettings] = []
    var isInSection = false
    for line in try ConfigurationFile.lines(bytes, file: path) {
      var complaint: String?
      var place = line.text
      if line.text.utf8.first == UInt8(ascii: "[") {
        let heading = name(ofHeading: line.text)
        isInSection = heading != nil
        if let heading { complaint = add(prefix + heading, line.number, to: &servers) }
      } else if isInSection, let (name, value) = ConfigurationFile.pair(line.text) {
        place = "[mcp \(servers[servers.count - 1].name)] \(name)"
        let key = all.first { $0.name == name }
        let raw = name == rawKey ? ConfigurationFile.rawPair(line.text)?.value : nil
        complaint = key.map { $0.set(&servers[servers.count - 1], raw ?? value) } ?? "unknown key"
      }
      if let complaint { throw ConfigurationError(file: path, line: line.number, key: place, reason: complaint) }
    }
    for server in servers {
      guard let complaint = complaint(server) else { continue }
      throw ConfigurationError(
        file: path, line: server.fileLine, key: "[mcp \(server.name)] \(complaint.key)", reason: complaint.reason)
    }
    return servers
  }

  // MARK: Values

  /// A program by its absolute path, and its words: blanks separate words, and double quotes hold one together. Never a
  /// line for a shell.
  private static func command(_ value: String, _ target: inout [String]) -> String? {
    var words: [[UInt8]] = []
    var word: [UInt8]?
    var isQuoted = false
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""):
        isQuoted.toggle()
        word = word ?? []
      case 0x20, 0x09:
        if isQuoted {
          word?.append(byte)
        } else if let whole = word {
          words.append(whole)
          word = nil
        }
      default:
        guard byte >= 0x20, byte != 0x7F else { return "has a control character" }
        word = (word ?? []) + [byte]
      }
    }
    if isQuoted { return "has a \" without its other" }
    if let whole = word { words.append(whole) }
    guard let path = words.first, path.first == UInt8(ascii: "/"), path.last != UInt8(ascii: "/") else {
      return "must begin with the absolute path of a program: /opt/home/bin/python -m home_server"
    }
    guard words.count <= Budget.mcpWords else { return "has more than \(Budget.mcpWords) words" }
    guard words.reduce(0, { $0 + $1.count + 1 }) <= Budget.mcpCommandBytes else {
      return "must have at most \(Budget.mcpCommandBytes) bytes"
    }
    target = words.map { String(decoding: $0, as: UTF8.self) }
    return nil
  }

  /// An address on this board: what is elsewhere has no business in the board's own tools.
  private static func url(_ value: String, _ target: inout String) -> String? {
    guard value.utf8.count <= Budget.mcpURLBytes else { return "must have at most \(Budget.mcpURLBytes) bytes" }
    guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      return "must have neither blanks nor control characters"
    }
    let hosts = ["127.0.0.1", "localhost", "[::1]"]
    for scheme in ["http://", "https://"] where value.hasPrefix(scheme) {
      for host in hosts where value.hasPrefix(scheme + host) {
        let next = value.utf8.dropFirst(scheme.utf8.count + host.utf8.count).first
        guard next == nil || next == UInt8(ascii: ":") || next == UInt8(ascii: "/") else { continue }
        guard (try? WebURL(value.utf8.span)) != nil else { continue }
        target = value
        return nil
      }
    }
    return "must be an address of this board, as http://127.0.0.1:8123/mcp"
  }

  /// Names of tools, as the server writes them.
  private static func names(_ value: String, _ target: inout [String]) -> String? {
    var names: [String] = []
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      let name = ConfigurationKey.trimmed(Array(part.utf8)[...])
      guard !name.isEmpty, name.utf8.count <= Budget.mcpRemoteNameBytes else {
        return "must be names of tools, with commas between"
      }
      guard names.count < Budget.mcpTools else { return "may name at most \(Budget.mcpTools) tools" }
      if !names.contains(name) { names.append(name) }
    }
    target = names
    return nil
  }

  private static func minutes(_ value: String, _ target: inout Int64) -> String? {
    var minutes: Int64 = 0
    let complaint = ConfigurationKey.number(value, Budget.mcpIdleMinutes, &minutes)
    if complaint == nil { target = minutes * 60_000 }
    return complaint
  }
}
