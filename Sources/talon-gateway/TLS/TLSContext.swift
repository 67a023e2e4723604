import COpenSSL
import Foundation

/// What all TLS connections of one certificate share.
///
/// Sendable, for nobody changes it after it is made, and OpenSSL counts its users atomically (SSL_CTX_up_ref(3)).
final class TLSContext: @unchecked Sendable {
  /// An `SSL_CTX`.
  let pointer: OpaquePointer

  /// Takes an `SSL_CTX` over, which it frees. It must not be changed any more.
  init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { SSL_CTX_free(pointer) }

  /// A server with TLS 1.3 at least, as real gateways want it (protocol reference, section 6.2). Both files are PEM;
  /// the first certificate of the chain is the server's own. A key with a passphrase is refused.
  convenience init(chain: String, key: String) throws(TLSFailure) {
    ERR_clear_error()
    guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw .openSSL("making a TLS context") }
    // Owns the pointer from here, so that a throw frees it.
    self.init(owning: pointer)
    // SSL_CTX_set_min_proto_version(3) is a macro of this.
    guard SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil) == 1 else {
      throw .openSSL("asking for TLS 1.3")
    }
    // Without this, OpenSSL asks at the terminal.
    SSL_CTX_set_default_passwd_cb(pointer) { _, _, _, _ in -1 }
    guard SSL_CTX_use_certificate_chain_file(pointer, chain) == 1 else { throw .openSSL("reading \(chain)") }
    guard SSL_CTX_use_PrivateKey_file(pointer, key, X509_FILETYPE_PEM) == 1 else { throw .openSSL("reading \(key)") }
  }

  /// SHA-256 over the DER form of its own certificate, lower-case hex.
  func fingerprint() throws(TLSFailure) -> String {
    ERR_clear_error()
    var digest = [UInt8](repeating: 0, count: 32)
    guard X509_digest(SSL_CTX_get0_certificate(pointer), EVP_sha256(), &digest, nil) == 1 else {
      throw .openSSL("the fingerprint of a certificate")
    }
    return Data(digest).hex
  }
}
