import COpenSSL

@testable import talon_gateway

extension TLSContext {
  /// A client that takes any certificate, and no version newer than `newest`.
  static func trustingClient(newest: Int32 = TLS1_3_VERSION) throws -> TLSContext {
    guard let pointer = SSL_CTX_new(TLS_client_method()),
      // SSL_CTX_set_max_proto_version(3) is a macro of this.
      SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newest), nil) == 1
    else { throw Unexpected("no TLS context") }
    SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
    return TLSContext(owning: pointer)
  }
}
