import COpenSSL
import NIOCore

/// One TLS connection without a socket: ciphertext goes in and out through buffers in memory. It calls nobody, so all
/// that it does is done when a call returns.
final class TLSConnection {
  enum Side { case server, client }

  /// The most bytes of plaintext that one record carries (RFC 8446, section 5.1).
  private static let recordBytesMax = 16_384

  private let ssl: OpaquePointer
  /// What came from the peer and was not read yet: the beginning of a record at most, after each call.
  private let incoming: OpaquePointer
  /// What is to go to the peer.
  private let outgoing: OpaquePointer

  /// Throws when memory is short.
  init(_ context: TLSContext, _ side: Side) throws(TLSFailure) {
    ERR_clear_error()
    guard let ssl = SSL_new(context.pointer) else { throw .openSSL("making a TLS connection") }
    // An empty one says "later" rather than "the end" (BIO_s_mem(3)), which SSL_get_error gives as SSL_ERROR_WANT_READ.
    guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
      SSL_free(ssl)
      throw .openSSL("making a TLS connection")
    }
    (self.ssl, self.incoming, self.outgoing) = (ssl, incoming, outgoing)
    // Both belong to the connection now.
    SSL_set_bio(ssl, incoming, outgoing)
    if side == .server { SSL_set_accept_state(ssl) } else { SSL_set_connect_state(ssl) }
  }

  deinit { SSL_free(ssl) }

  /// Takes what the peer sent.
  func feed(_ ciphertext: ByteBuffer) throws(TLSFailure) {
    guard ciphertext.readableBytes > 0 else { return }
    ERR_clear_error()
    var count = 0
    let done = ciphertext.withUnsafeReadableBytes { BIO_write_ex(incoming, $0.baseAddress, $0.count, &count) }
    guard done == 1, count == ciphertext.readableBytes else { throw .openSSL("storing what came") }
  }

  /// Goes on with the handshake; true when it is done. Also when it throws, there may be ciphertext to send: an alert.
  func shakeHands() throws(TLSFailure) -> Bool {
    ERR_clear_error()
    let result = SSL_do_handshake(ssl)
    if result == 1 { return true }
    guard SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ else { throw .openSSL("the TLS handshake") }
    return false
  }

  /// Appends all plaintext that is there; true when the peer said that no more follows (close_notify). What came
  /// before a mistake is in the buffer also when it throws.
  func decrypt(into plaintext: inout ByteBuffer) throws(TLSFailure) -> Bool {
    while true {
      ERR_clear_error()
      var (result, count): (Int32, Int) = (0, 0)
      plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordBytesMax) {
        result = SSL_read_ex(ssl, $0.baseAddress, $0.count, &count)
        return count
      }
      if result == 1 { continue }
      switch SSL_get_error(ssl, result) {
      case SSL_ERROR_WANT_READ: return false
      case SSL_ERROR_ZERO_RETURN: return true
      default: throw .openSSL("reading TLS")
      }
    }
  }

  /// Encrypts all of it; the handshake must be done.
  func encrypt(_ plaintext: ByteBuffer) throws(TLSFailure) {
    // SSL_write(3) does not say what it does with nothing.
    guard plaintext.readableBytes > 0 else { return }
    ERR_clear_error()
    var count = 0
    let done = plaintext.withUnsafeReadableBytes { SSL_write_ex(ssl, $0.baseAddress, $0.count, &count) }
    // A buffer in memory takes all, so nothing has to be written again.
    guard done == 1, count == plaintext.readableBytes else { throw .openSSL("writing TLS") }
  }

  /// Tells the peer that no more follows (close_notify). True when the peer said so before.
  func sayGoodbye() -> Bool {
    ERR_clear_error()
    let isMutual = SSL_shutdown(ssl) == 1
    ERR_clear_error()
    return isMutual
  }

  /// What is to be sent to the peer; empty when nothing is.
  func takeCiphertext() -> ByteBuffer {
    let waiting = BIO_ctrl_pending(outgoing)
    var bytes = ByteBuffer()
    guard waiting > 0 else { return bytes }
    bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: waiting) {
      var count = 0
      BIO_read_ex(outgoing, $0.baseAddress, waiting, &count)
      return count
    }
    return bytes
  }
}
