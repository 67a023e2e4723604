/// Which commands callers may use. For development everything a node declares is allowed, unless a list says
/// otherwise; a real gateway starts from a short list per platform instead (protocol reference, section 11).
struct CommandPolicy: Equatable, Sendable {
  /// Nil: all.
  var allow: Set<String>?
  var deny: Set<String> = []

  static let fileName = "gateway.json"

  /// Deny wins over everything.
  func allows(_ command: String) -> Bool {
    !deny.contains(command) && (allow?.contains(command) ?? true)
  }

  /// Why a call must not reach the node, in the words of real gateways, or nil.
  func refusalReason(_ command: String, declared: [String]) -> String? {
    if command.isEmpty { return "command required" }
    if !allows(command) { return "command not allowlisted" }
    if declared.isEmpty { return "node did not declare commands" }
    return declared.contains(command) ? nil : "command not declared by node"
  }
}

extension CommandPolicy {
  private static let names = Schema.array(.text)

  /// `gateway.nodes.commands.allow` and `deny` on the newest gateways, `gateway.nodes.allowCommands` and
  /// `denyCommands` before (protocol reference, section 11.3).
  private static func schema(_ era: Era) -> Schema {
    let nodes =
      era == .newest
      ? Schema.object([
        .required("commands", .object([.optional("allow", names), .optional("deny", names)]))
      ])
      : .object([.optional("allowCommands", names), .optional("denyCommands", names)])
    return .object([.required("gateway", .object([.required("nodes", nodes)]))])
  }

  /// Reads the configuration entry of a real gateway of that age from `gateway.json` in the state folder. Names
  /// given on the command line are added to the allowed ones.
  init(folder: StateFolder, allowing extra: [String], era: Era = .newest) throws {
    if let data = try folder.read(Self.fileName) {
      do {
        let json = try JSON(parsing: Array(data))
        try Self.schema(era).validate(json)
        let nodes = json["gateway"]?["nodes"]
        let isNewest = era == .newest
        allow = (isNewest ? nodes?["commands"]?["allow"] : nodes?["allowCommands"]).map { Set($0.strings) }
        deny = Set((isNewest ? nodes?["commands"]?["deny"] : nodes?["denyCommands"])?.strings ?? [])
      } catch {
        throw GatewayFailure("\(folder.path(of: Self.fileName)): \(error)")
      }
    }
    if !extra.isEmpty { allow = (allow ?? []).union(extra) }
  }
}
