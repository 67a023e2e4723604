import Codec
import Runtime

/// Methods that a gateway announces, of those that a board uses (gateway reference 3.9). A method may exist although it
/// is not announced.
public struct GatewayFeatures: Equatable, Sendable {
  private static let names: [StaticString] = [
    "node.invoke.progress", "node.pending.pull", "node.pluginSurface.refresh", "node.canvas.capability.refresh",
    "talk.speak", "voicewake.get", "node.pluginTools.update", "tts.speak",
  ]
  private var bits: UInt16 = 0

  public init() {}

  /// Reads `features.methods`.
  init(_ methods: borrowing JSONView) {
    guard methods.kind == .array else { return }
    var elements = methods.elements()
    while let element = elements.next() {
      for index in Self.names.indices where element.equals(Self.names[index]) { bits |= 1 << UInt16(index) }
    }
  }

  public var hasInvokeProgress: Bool { bits & 1 != 0 }
  public var hasPendingPull: Bool { bits & 2 != 0 }
  /// Nodes may publish tools (newer-gateways 1.1).
  public var hasPluginTools: Bool { bits & 64 != 0 }
  /// A whole text can be had as one clip, without a provider of Talk (newer-gateways 6).
  public var hasSpokenClips: Bool { bits & 128 != 0 }
}

/// The parts of `hello-ok` that a session uses (gateway reference 3.9). Missing ones get the default of all
/// generations.
public struct HelloOk {
  /// The member that had the canvas's address, which decides how it is refreshed (gateway reference 9.7).
  public enum SurfaceKind: Equatable, Sendable {
    /// There is none.
    case none
    /// `canvasHostUrl`, up to May 2026.
    case canvasHost
    /// `pluginSurfaceUrls.canvas`, since June 2026.
    case plugin
  }

  /// Bytes of the largest message that the gateway takes.
  public var maxPayload = 26_214_400
  /// Milliseconds between ticks.
  public var tickInterval: Int64 = 30_000
  /// 3 or 4.
  public var wireProtocol: Int64 = 0
  /// The gateway's release.
  public var serverVersion = InlineText<64>()
  public var features = GatewayFeatures()
  /// Scopes that the token covers.
  public var scopes = Scopes()
  /// The key of the default agent session.
  public var mainSession = SessionKey()
  /// The address of the canvas as the gateway sent it.
  public var surface = InlineText<512>()
  public var surfaceKind = SurfaceKind.none
  /// The address of the pages on which people approve, as the gateway sent it, without what may be a secret in it;
  /// empty where there is none, or one longer than this (newer-gateways 12).
  public var controlPage = InlineText<192>()
  /// Bytes of the token copied to the buffer; 0 when there is none; nil when it is too long to keep.
  var tokenCount: Int? = 0

  /// The defaults.
  init() {}

  /// Reads the payload of a successful response; nil when it is not `hello-ok`. The device token goes to `token`.
  init?(_ payload: borrowing JSONView, token: UnsafeMutableBufferPointer<UInt8>) {
    guard let type = payload.member("type"), type.equals("hello-ok") else { return nil }
    if let number = payload.member("protocol"), let value = number.int64 { wireProtocol = value }
    if let server = payload.member("server"), let version = server.member("version") {
      serverVersion.fill { version.copyString(into: $0) }
    }
    if let features = payload.member("features"), let methods = features.member("methods") {
      self.features = GatewayFeatures(methods)
    }
    if let snapshot = payload.member("snapshot"), let defaults = snapshot.member("sessionDefaults"),
      let main = defaults.member("mainSessionKey")
    {
      mainSession.fill { main.copyString(into: $0) }
    }
    if let policy = payload.member("policy") { read(policy: policy) }
    if let urls = payload.member("pluginSurfaceUrls"), let url = urls.member("canvas"), url.kind == .string {
      if surface.fill({ url.copyString(into: $0) }) { surfaceKind = .plugin }
    } else if let url = payload.member("canvasHostUrl"), url.kind == .string {
      if surface.fill({ url.copyString(into: $0) }) { surfaceKind = .canvasHost }
    }
    if let url = payload.member("controlUiUrl"), url.kind == .string { readControlPage(url) }
    if let auth = payload.member("auth") {
      if let scopes = auth.member("scopes") { self.scopes = Scopes(scopes) }
      if let text = auth.member("deviceToken"), text.kind == .string { tokenCount = text.copyString(into: token) }
    }
  }

  /// A query or a fragment may hold a token, which is for the one who opens the page.
  private mutating func readControlPage(_ url: borrowing JSONView) {
    var text = InlineText<192>()
    guard text.fill({ url.copyString(into: $0) }) else { return }
    var end = 0
    while end < text.count, text.span[end] != UInt8(ascii: "?"), text.span[end] != UInt8(ascii: "#") { end += 1 }
    controlPage = InlineText(cutting: text.span.extracting(0..<end))
  }

  private mutating func read(policy: borrowing JSONView) {
    if let limit = policy.member("maxPayload"), let value = limit.int64, value >= 1 {
      maxPayload = max(Int(clamping: value), Budget.peerMessageMinimumBytes)
    }
    if let tick = policy.member("tickIntervalMs"), let value = tick.peerMilliseconds, value >= 1 {
      // A second at least, as the watchdog of the reference.
      tickInterval = max(value, 1_000)
    }
  }
}
