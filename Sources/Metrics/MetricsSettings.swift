import Codec
import Runtime

/// `[metrics]`.
public struct MetricsSettings: Sendable {
  /// Address of a remote write receiver; empty: no metrics.
  public var url = ""
  /// The owner's labels.
  public var labels = BoardLabels()
  /// Seconds between two samples.
  public var interval: Int64 = 60
  /// Secrets: a bearer token, or a name with its password.
  public var token = ""
  public var username = ""
  public var password = ""
  /// Files in PEM: what a server gets that asks who the board is, and the authorities that vouch for it.
  public var certificate = ""
  public var key = ""
  public var authorities = "/etc/ssl/certs"
  /// The position is sent as well.
  public var hasPositions = false

  /// Nothing is configured.
  public init() {}

  public var isConfigured: Bool { !url.isEmpty }

  /// The value of the header field `Authorization` (RFC 6750 section 2.1, RFC 7617 section 2); empty without a secret.
  public var authorization: String {
    if !token.isEmpty { return "Bearer " + token }
    if username.isEmpty { return "" }
    let pair = Array((username + ":" + password).utf8)
    let text = FixedBuffer(capacity: Base64.standard.encodedLength(of: pair.count))
    let count = Base64.standard.encode(pair.span, into: text.bytes)
    return "Basic " + String(decoding: text.bytes[..<count], as: UTF8.self)
  }
}
