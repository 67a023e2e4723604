/// What a person configured of the connection, and what this build declares to the gateway.
public struct SessionConfiguration: Sendable {
  /// Where the gateway is.
  public var url: GatewayURL
  /// The gateway's shared token, or empty.
  public var sharedToken: String
  /// The gateway's password, or empty. Used when there is no token.
  public var password: String
  /// A pin from the configuration: wins over first use.
  public var pin: Fingerprint?
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
  public var commands: [StaticString]
  /// Permission keys of what is configured (gateway reference 3.7).
  public var permissions: [(name: StaticString, isGranted: Bool)]
  /// Milliseconds between attempts while a person has not approved yet.
  public var pairingPoll: Int64

  public init(
    url: GatewayURL, sharedToken: String = "", password: String = "", pin: Fingerprint? = nil,
    displayName: String, version: String, model: String = "", locale: String = "en-US",
    capabilities: [StaticString] = [], commands: [StaticString] = [],
    permissions: [(name: StaticString, isGranted: Bool)] = [], pairingPoll: Int64 = 30_000
  ) {
    self.url = url
    self.sharedToken = sharedToken
    self.password = password
    self.pin = pin
    self.displayName = displayName
    self.version = version
    self.model = model
    self.locale = locale
    self.capabilities = capabilities
    self.commands = commands
    self.permissions = permissions
    self.pairingPoll = pairingPoll
  }
}

/// What identifies this kind of client to every gateway generation (gateway reference 3.5 and 11.1). Pinned by
/// the gateway at approval: never to be changed.
enum ClientKind {
  static let id: StaticString = "node-host"
  static let mode: StaticString = "node"
  static let platform: StaticString = "linux"
  static let deviceFamily: StaticString = "Linux"
  static let protocolMinimum: Int64 = 3
  static let protocolMaximum: Int64 = 4
}
