import COpenSSL
import Runtime

/// The trusted certificate authorities: a folder or a file of the board.
public final class CertificateAuthorities {
  /// The usual folder, with each certificate under the hash of its name.
  public static let usualPath = "/etc/ssl/certs"

  private let path: String
  private let certificate: ClientCertificate?
  private let absence: StaticString
  /// Why there is no context; text that lives for ever.
  private(set) var objection: UnsafePointer<CChar>
  private var made: OpaquePointer?

  /// A folder (see openssl-rehash(1)), of which only the needed certificates are read, or a PEM file, which is read as
  /// a whole at its first use. `certificate` is what servers get that ask who the board is.
  /// `absence` is said where there are no authorities.
  @export(interface)
  public init(
    path: String, certificate: ClientCertificate? = nil, absence: StaticString = CertificateAuthorities.noAuthorities
  ) {
    self.path = path
    self.certificate = certificate
    self.absence = absence
    objection = absence.path
  }

  deinit { if let made { SSL_CTX_free(made) } }

  /// True when the folder or file exists now.
  public var exists: Bool { kind != nil }

  /// True for a folder, false for a file.
  private var kind: Bool? {
    do throws(Errno) { return try Syscall.status(Path(path)).isFolder } catch { return nil }
  }

  /// What to do about absent authorities of the canvas, and of updates.
  public static let noAuthorities: StaticString =
    "this board has no certificate authorities: install ca-certificates, or set authorities in [canvas]"
  public static let noUpdateAuthorities: StaticString =
    "this board has no certificate authorities: install ca-certificates, or set ca_file in [update]"

  /// OpenSSL's context, created at first use; nil while there are no authorities.
  var context: OpaquePointer? {
    if let made { return made }
    objection = absence.path
    guard let isFolder = kind, let context = tl_tls_context(Budget.certificateChainBytes) else { return nil }
    guard path.withCString({ tl_tls_authorities(context, $0, isFolder ? 1 : 0) }) == 1 else {
      SSL_CTX_free(context)
      return nil
    }
    if let refused = certificate?.use(in: context) {
      objection = refused
      SSL_CTX_free(context)
      return nil
    }
    made = context
    return context
  }
}
