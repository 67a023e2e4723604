/// Which commands callers may use. For development everything a node declares is allowed, unless a list says
/// otherwise; a real gateway starts from a short list per platform instead (`defaults`).
struct CommandPolicy: Equatable, Sendable {
  /// Nil: all.
  var allow: Set<String>?
  var deny: Set<String> = []
  /// Commands that need no entry in `allow`; nil: none, if there is a list, and all, if there is none.
  var defaults: Set<String>?
  /// Whether tools of nodes reach agents (`gateway.nodes.pluginTools.enabled`).
  var publishesTools = true

  static let fileName = "gateway.json"

  /// Deny wins over everything.
  func allows(_ command: String) -> Bool {
    if deny.contains(command) { return false }
    if allow?.contains(command) == true || defaults?.contains(command) == true { return true }
    return allow == nil && defaults == nil
  }

  /// Why a call must not reach the node, in the words of real gateways, or nil.
  func refusalReason(_ command: String, declared: [String]) -> String? {
    if command.isEmpty { return "command required" }
    if !allows(command) { return "command not allowlisted" }
    if declared.isEmpty { return "node did not declare commands" }
    return declared.contains(command) ? nil : "command not declared by node"
  }

  /// What a Linux node may do at a gateway of that age without any configuration, of what a board could declare
  /// (protocol reference, section 11.2; newer-gateways 3 and 12).
  static func linuxDefaults(_ era: Era) -> Set<String> {
    let system = ["system.notify", "system.run", "system.run.prepare", "system.which", "browser.proxy"]
    let talk = ["talk.ptt.start", "talk.ptt.stop", "talk.ptt.cancel", "talk.ptt.once"]
    let july = ["mcp.tools.call.v1", "screen.snapshot", "computer.act"]
    // The rows of October 2026 lack these.
    let host = era >= .july && era < .autumn ? ["fs.listDir", "terminal.upload"] : []
    return Set(
      system + (era >= .june ? talk : []) + (era >= .july ? july : []) + host
        + (era >= .september ? ["desktop.stream"] : []) + (era >= .next ? ["device.apps"] : []))
  }

  /// Families of commands whose cap goes when all of them are withheld (newer-gateways 3).
  private static let families = ["camera", "location", "screen", "computer"]

  /// The caps of those declared that go, because the policy allows none of the declared commands of their family.
  func withheldCaps(of surface: Surface) -> Set<String> {
    Set(
      Self.families.filter { family in
        let commands = surface.commands.filter { $0.hasPrefix(family + ".") }
        return !commands.isEmpty && !commands.contains(where: allows)
      })
  }
}

/// What the command line says of the policy, and what a file is read with again.
struct PolicyOptions: Sendable {
  /// Which commands need no entry in a list.
  enum Defaults: String, CaseIterable, Sendable {
    /// All: for development.
    case all
    /// Those that real gateways allow a Linux node.
    case linux
  }

  /// Names that are allowed beside those of the file.
  var allowing: [String] = []
  var defaults = Defaults.all
}

extension CommandPolicy {
  private static let names = Schema.array(.text)

  /// `gateway.nodes.commands.allow` and `deny` since August 2026, `gateway.nodes.allowCommands` and `denyCommands`
  /// before (protocol reference, section 11.3).
  private static func schema(_ era: Era) -> Schema {
    let nodes =
      era >= .july
      ? Schema.object([
        .optional("commands", .object([.optional("allow", names), .optional("deny", names)])),
        .optional("pluginTools", .object([.required("enabled", .bool)])),
      ])
      : .object([.optional("allowCommands", names), .optional("denyCommands", names)])
    return .object([.required("gateway", .object([.required("nodes", nodes)]))])
  }

  /// Reads the configuration entry of a real gateway of that age from `gateway.json` in the state folder. Names
  /// given on the command line are added to the allowed ones.
  init(folder: StateFolder, _ options: PolicyOptions = PolicyOptions(), era: Era = .newest) throws {
    if let data = try folder.read(Self.fileName) {
      do {
        let json = try JSON(parsing: Array(data))
        try Self.schema(era).validate(json)
        let nodes = json["gateway"]?["nodes"]
        let hasNewNames = era >= .july
        allow = (hasNewNames ? nodes?["commands"]?["allow"] : nodes?["allowCommands"]).map { Set($0.strings) }
        deny = Set((hasNewNames ? nodes?["commands"]?["deny"] : nodes?["denyCommands"])?.strings ?? [])
        publishesTools = nodes?["pluginTools"]?["enabled"]?.bool ?? true
      } catch {
        throw GatewayFailure("\(folder.path(of: Self.fileName)): \(error)")
      }
    }
    if options.defaults == .linux { defaults = Self.linuxDefaults(era) }
    if !options.allowing.isEmpty { allow = (allow ?? []).union(options.allowing) }
  }
}
