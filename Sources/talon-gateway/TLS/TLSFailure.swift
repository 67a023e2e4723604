import COpenSSL

/// What ends a TLS connection, or keeps a gateway with TLS from starting.
struct TLSFailure: Error, Equatable, CustomStringConvertible {
  let description: String

  /// The peer ended TCP without close_notify (RFC 8446, section 6.1), so more may have been meant to follow.
  static let cutOff = TLSFailure(description: "TLS: the peer ended the connection without close_notify")
  /// The same before the handshake was done.
  static let cutOffInHandshake = TLSFailure(description: "TLS: the peer ended the connection during the handshake")
  /// More was written than may wait for the handshake.
  static let tooMuchWaits = TLSFailure(description: "TLS: too much waits for the handshake")

  /// The first error in OpenSSL's queue of this thread, which is emptied (ERR_peek_error(3)).
  static func openSSL(_ operation: String) -> TLSFailure {
    let reason = ERR_reason_error_string(ERR_peek_error()).map { ": " + String(cString: $0) } ?? ""
    ERR_clear_error()
    return TLSFailure(description: "OpenSSL: \(operation) failed\(reason)")
  }
}
