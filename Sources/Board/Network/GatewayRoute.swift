import COpenSSL
import Gateway
import Runtime

/// The way from this board to its gateway, where it is not a plain one.
public struct GatewayRoute: Sendable {
  /// Makes a tunnel to the gateway; nil for a direct connection.
  public var proxy: ProxyAddress?
  /// What an edge before the gateway gets that asks who the board is (mutual TLS).
  public var certificate: ClientCertificate?
  /// A folder or a file of certificate authorities, which are asked of the gateway's certificate; what their word
  /// counts is the session's matter. Empty: those of the system.
  public var authorities: String

  /// A plain way, unless something is given.
  public init(proxy: ProxyAddress? = nil, certificate: ClientCertificate? = nil, authorities: String = "") {
    self.proxy = proxy
    self.certificate = certificate
    self.authorities = authorities
  }

  /// Gives OpenSSL's context the authorities. False where there are none.
  func giveAuthorities(to context: OpaquePointer) -> Bool {
    let path = authorities.isEmpty ? CertificateAuthorities.usualPath : authorities
    do throws(Errno) {
      let isFolder = try Syscall.status(Path(path)).isFolder
      return path.withCString { tl_tls_authorities(context, $0, isFolder ? 1 : 0) } == 1
    } catch {
      return false
    }
  }
}

/// A client certificate with its chain, and its key: two files in PEM, read when the first connection needs them.
public struct ClientCertificate: Sendable {
  /// Whose keys of the configuration name the files.
  public enum Section: Sendable { case gateway, update }

  private let certificate: String
  private let key: String
  private let section: Section

  /// By their paths, which may be the same.
  public init(certificate: String, key: String, section: Section = .gateway) {
    self.certificate = certificate
    self.key = key
    self.section = section
  }

  /// Makes OpenSSL's context use it. What is wrong with it, or nil; text that lives for ever.
  func use(in context: OpaquePointer) -> UnsafePointer<CChar>? {
    // A gateway's key was never refused for that, and no release may cost a board its gateway.
    if section == .update, isOpenToAll { return Self.isOpen.path }
    let number = certificate.withCString { certificate in
      key.withCString { tl_tls_client_certificate(context, certificate, $0) }
    }
    switch (number, section) {
    case (0, _): return nil
    case (1, .gateway): return Self.noCertificate.path
    case (1, .update): return Self.noUpdateCertificate.path
    case (2, .gateway): return Self.noKey.path
    case (2, .update): return Self.noUpdateKey.path
    case (_, .gateway): return Self.mismatch.path
    case (_, .update): return Self.updateMismatch.path
    }
  }

  /// True when users who are neither the key's owner nor of its group may read it.
  private var isOpenToAll: Bool {
    do throws(Errno) { return try Syscall.status(Path(key)).mode & 0o004 != 0 } catch { return false }
  }

  private static let noCertificate: StaticString =
    "the client certificate cannot be read ([gateway] client_certificate)"
  private static let noUpdateCertificate: StaticString = "the client certificate cannot be read ([update] certificate)"
  private static let noKey: StaticString =
    "the client certificate's key cannot be read, or has a passphrase ([gateway] client_key)"
  private static let noUpdateKey: StaticString =
    "the client certificate's key cannot be read, or has a passphrase ([update] key)"
  private static let mismatch: StaticString =
    "the client certificate and its key do not belong together ([gateway] client_key)"
  private static let updateMismatch: StaticString =
    "the client certificate and its key do not belong together ([update] key)"
  private static let isOpen: StaticString =
    "everybody on this board may read the client certificate's key ([update] key): chmod 640"
}
