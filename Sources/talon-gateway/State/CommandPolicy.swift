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
  private static let schema = Schema.object([
    .required(
      "gateway",
      .object([
        .required(
          "nodes",
          .object([
            .required(
              "commands", .object([.optional("allow", .array(.text)), .optional("deny", .array(.text))]))
          ]))
      ]))
  ])

  /// Reads the configuration entry of a real gateway, `gateway.nodes.commands.allow` and `deny`, from
  /// `gateway.json` in the state folder. Names given on the command line are added to the allowed ones.
  init(folder: StateFolder, allowing extra: [String]) throws {
    if let data = try folder.read(Self.fileName) {
      do {
        let json = try JSON(parsing: Array(data))
        try Self.schema.validate(json)
        let commands = json["gateway"]?["nodes"]?["commands"]
        allow = (commands?["allow"]?.strings).map(Set.init)
        deny = Set(commands?["deny"]?.strings ?? [])
      } catch {
        throw GatewayFailure("\(folder.path(of: Self.fileName)): \(error)")
      }
    }
    if !extra.isEmpty { allow = (allow ?? []).union(extra) }
  }
}
