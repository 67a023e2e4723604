/// The cryptographic operations of the protocol; OpenSSL implements them on a board.
public protocol Cryptography: AnyObject {
  /// SHA-256 (FIPS 180-4).
  func sha256(_ message: Span<UInt8>) -> InlineArray<32, UInt8>
  /// SHA-1 (FIPS 180-4), for the WebSocket handshake alone (RFC 6455 section 4.2.2).
  func sha1(_ message: Span<UInt8>) -> InlineArray<20, UInt8>
  /// The Ed25519 public key of a 32-byte seed (RFC 8032 section 5.1.5).
  func ed25519PublicKey(seed: InlineArray<32, UInt8>) -> InlineArray<32, UInt8>
  /// The Ed25519 signature over `message`: pure, without prehash or context (RFC 8032 section 5.1.6).
  func ed25519Signature(
    _ message: Span<UInt8>, seed: InlineArray<32, UInt8>
  ) -> InlineArray<64, UInt8>
}
