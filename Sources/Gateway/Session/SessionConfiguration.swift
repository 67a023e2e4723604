/// The configuration of a connection, and what this build declares to the gateway.
public struct SessionConfiguration: Sendable {
  /// Configured addresses of the one gateway, in the order in which to try them.
  public var urls: [GatewayURL]
  /// Addresses from the record (a setup code, discovery), tried after those.
  public var learnedURLs: [GatewayURL] = []
  /// The role to connect in.
  public var role: Role = .node
  /// Largest message that is kept, in bytes; nil: the role's default.
  public var messageBytes: Int?
  /// Scopes that an operator requests; none for a node.
  public var scopes = Scopes()
  /// The gateway's shared token, or empty.
  public var sharedToken: String
  /// The gateway's password, or empty. Used when there is no token.
  public var password: String
  /// How the owner wants the gateway to be known.
  public var trust = TrustRule()
  /// What an edge before the gateway wants to see.
  public var access: EdgeAccess?
  /// Shown to the person who approves.
  public var displayName: String
  /// Talon's version.
  public var version: String
  /// The board, or empty.
  public var model: String
  /// BCP 47.
  public var locale: String
  /// Capabilities and commands, in the order in which they are sent.
  public var capabilities: [StaticString]
  public var commands: [String]
  /// Permission keys of what is configured (gateway reference 3.7).
  public var permissions: [(name: StaticString, isGranted: Bool)]
  /// Milliseconds between attempts while a person has not approved yet.
  public var pairingPoll: Int64

  public init(
    urls: [GatewayURL], sharedToken: String = "", password: String = "", pin: Fingerprint? = nil,
    displayName: String, version: String, model: String = "", locale: String = "en-US",
    capabilities: [StaticString] = [], commands: [String] = [],
    permissions: [(name: StaticString, isGranted: Bool)] = [], pairingPoll: Int64 = 30_000
  ) {
    self.urls = urls
    self.sharedToken = sharedToken
    self.password = password
    trust.pins = pin.map { [$0] } ?? []
    self.displayName = displayName
    self.version = version
    self.model = model
    self.locale = locale
    self.capabilities = capabilities
    self.commands = commands
    self.permissions = permissions
    self.pairingPoll = pairingPoll
  }

  /// The same board as an operator: what the gateway pinned at approval stays (gateway reference 5.7).
  public func asOperator(_ scopes: Scopes) -> SessionConfiguration {
    var other = self
    other.role = .operator
    other.scopes = scopes
    other.displayName = displayName + " (console)"
    // What this client understands: no approval depends on it (gateway reference 3.7).
    other.capabilities = ["tool-events"]
    other.commands = []
    other.permissions = []
    return other
  }
}

/// What identifies this kind of client to every gateway generation (gateway reference 3.5 and 11.1). Pinned by
/// the gateway at approval: never to be changed.
enum ClientKind {
  static let id: StaticString = "node-host"
  static let mode: StaticString = "node"
  static let platform: StaticString = "linux"
  static let deviceFamily: StaticString = "Linux"
  /// Versions of the protocol that this node speaks (gateway reference 0).
  static let protocolMinimum: Int64 = 3
  static let protocolMaximum: Int64 = 4
}
