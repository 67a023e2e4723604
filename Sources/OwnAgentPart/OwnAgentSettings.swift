import OwnAgent
import Runtime

/// When the board's own agent answers people.
public struct OwnAgentSettings: Sendable {
  /// True where the board has one.
  public var isEnabled = false
  /// True when it answers although the gateway is there.
  public var answersAlways = false
  /// Milliseconds for which the gateway has to be away before it answers.
  public var patience = Budget.standInPatience

  /// Where its messages go while the gateway is there; nil: not by the gateway.
  public var route: GatewayRoute?

  /// No agent of the board's own.
  public init() {}
}

/// A way to a person by one of the gateway's channels, such as "telegram" and a number.
public struct GatewayRoute: Equatable, Sendable {
  public var channel: InlineText<32>
  public var recipient: InlineText<128>

  /// A way; both texts as the gateway writes them.
  public init(channel: InlineText<32>, recipient: InlineText<128>) {
    (self.channel, self.recipient) = (channel, recipient)
  }
}

/// What the node's side of the agent needs of the board, and what the agent is told of it.
public struct OwnAgentBoard {
  /// The way to the agent's process.
  public var link: any AgentLink
  /// The store of the record "own-agent". It must not be shared, because a worker writes there.
  public var store: any RecordStore
  /// The board's name, its language as people write it ("de", "en-GB"; empty when unknown), and this release.
  public var name: InlineText<128>
  public var language: InlineText<32>
  public var release: InlineText<32>
  /// A name of this board that no other has: the beginning of its node id.
  public var instance: InlineText<64>
  /// True where there is a camera.
  public var hasCamera: Bool
  /// Minutes by which local time is ahead of UTC, at a time in milliseconds since the Unix epoch.
  public var offset: (Int64) -> Int64

  /// A board; see the properties.
  public init(
    link: any AgentLink, store: any RecordStore, name: InlineText<128>, language: InlineText<32>,
    release: InlineText<32>, instance: InlineText<64> = InlineText(), hasCamera: Bool,
    offset: @escaping (Int64) -> Int64 = { _ in 0 }
  ) {
    self.link = link
    self.store = store
    self.name = name
    self.language = language
    self.release = release
    self.instance = instance
    self.hasCamera = hasCamera
    self.offset = offset
  }
}
