import Codec
import Runtime

/// Header fields that what stands before the gateway wants to see: a service token of Cloudflare Access (newer-gateways
/// 4.4), and fields of the owner's own, for forward authentication and basic authentication. They are part of a join
/// request and of the WebSocket upgrade, and are sent encrypted, to the configured gateway and to nobody else.
public struct EdgeAccess: Sendable {
  /// A header field.
  public struct Field: Equatable, Sendable {
    public let name: String
    /// Never logged.
    public let value: String

    /// A name and a value that were checked.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// In the order in which they are sent.
  public let fields: [Field]
  /// The configured addresses of the gateway: host and port count, not the path.
  public let origins: [GatewayURL]

  /// Fields that were checked.
  public init(fields: [Field], origins: [GatewayURL]) {
    self.fields = fields
    self.origins = origins
  }

  /// The fields of a service token of Cloudflare Access.
  public static func cloudflare(id: String, secret: String) -> [Field] {
    [Field(name: "CF-Access-Client-Id", value: id), Field(name: "CF-Access-Client-Secret", value: secret)]
  }

  /// True for an address that gets them.
  public func isFor(_ url: GatewayURL) -> Bool {
    guard url.isSecure else { return false }
    for origin in origins where origin.isSecure && origin.host == url.host && origin.port == url.port { return true }
    return false
  }

  /// Adds the fields to a request to `url`, if it gets them.
  public func write(for url: GatewayURL, to writer: inout ByteWriter) {
    guard isFor(url) else { return }
    for field in fields {
      writer.text(field.name)
      writer.text(": ")
      writer.text(field.value)
      writer.text("\r\n")
    }
  }
}
