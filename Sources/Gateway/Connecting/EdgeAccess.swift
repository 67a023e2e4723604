import Codec
import Runtime

/// A service token of Cloudflare Access, for a gateway behind it (newer-gateways 4.4): two header
/// fields, on a join request and on the WebSocket upgrade. They are sent encrypted, to the configured gateway and to
/// nobody else.
public struct EdgeAccess: Sendable {
  /// `CF-Access-Client-Id`.
  public let id: String
  /// `CF-Access-Client-Secret`. Never logged.
  public let secret: String
  /// The configured addresses of the gateway: host and port count, not the path.
  public let origins: [GatewayURL]

  /// Values that were checked: visible ASCII.
  public init(id: String, secret: String, origins: [GatewayURL]) {
    self.id = id
    self.secret = secret
    self.origins = origins
  }

  /// True for an address that gets them.
  public func isFor(_ url: GatewayURL) -> Bool {
    guard url.isSecure else { return false }
    for origin in origins where origin.isSecure && origin.host == url.host && origin.port == url.port { return true }
    return false
  }

  /// Adds both header fields to a request to `url`, if it gets them.
  public func write(for url: GatewayURL, to writer: inout ByteWriter) {
    guard isFor(url) else { return }
    writer.text("CF-Access-Client-Id: ")
    writer.text(id)
    writer.text("\r\nCF-Access-Client-Secret: ")
    writer.text(secret)
    writer.text("\r\n")
  }
}
