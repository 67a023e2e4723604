import Codec
import Runtime

/// `[update]`.
public struct UpdateSettings: Sendable {
  public enum TokenKind: Sendable { case target, gateway }

  /// Address of an update server with its tenant, and the board's id there; empty: there is none.
  public var server = ""
  public var name = ""
  public var token = ""
  public var tokenKind = TokenKind.target
  /// Files in PEM: what the server gets that asks who the board is, and the authorities that vouch for it.
  public var certificate = ""
  public var key = ""
  public var authorities = "/etc/ssl/certs"
  /// Address of a signed list of releases, its key and the channel; empty: there is none.
  public var list = ""
  public var listKey = InlineArray<32, UInt8>(repeating: 0)
  public var hasListKey = false
  public var channel = "stable"
  public var window: DayWindow?
  public var proof = UpdateProof.gateway
  /// The gateway may begin updates.
  public var hasCommand = false
  public var region = ""

  /// Nothing is configured.
  public init() {}

  /// True where something is asked for updates.
  public var isConfigured: Bool { !server.isEmpty || !list.isEmpty }

  /// The value of the header field `Authorization`; empty without a token (hawkBit's DDI API, "Authentication").
  public var authorization: String {
    if token.isEmpty { return "" }
    return (tokenKind == .target ? "TargetToken " : "GatewayToken ") + token
  }
}
