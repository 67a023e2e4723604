import COpenSSL
import Gateway
import Runtime

/// The way from this board to its gateway, where it is not a plain one.
public struct GatewayRoute: Sendable {
  /// Makes a tunnel to the gateway; nil for a direct connection.
  public var proxy: ProxyAddress?
  /// What an edge before the gateway gets that asks who the board is (mutual TLS).
  public var certificate: ClientCertificate?

  /// A plain way, unless something is given.
  public init(proxy: ProxyAddress? = nil, certificate: ClientCertificate? = nil) {
    self.proxy = proxy
    self.certificate = certificate
  }
}

/// A client certificate with its chain, and its key: two files in PEM, read when the first connection needs them.
public struct ClientCertificate: Sendable {
  private let certificate: String
  private let key: String

  /// By their paths, which may be the same.
  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Makes OpenSSL's context use it. What is wrong with it, or nil; text that lives for ever.
  func use(in context: OpaquePointer) -> UnsafePointer<CChar>? {
    certificate.withCString { certificate in key.withCString { tl_tls_client_certificate(context, certificate, $0) } }
  }
}
