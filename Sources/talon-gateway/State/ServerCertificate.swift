import Foundation

/// The gateway's self-signed certificate: RSA-2048, `CN=openclaw-gateway`, no alternative names, ten years,
/// as real gateways make theirs (protocol reference, section 6.2). Clients can only pin it.
struct ServerCertificate {
  private static let certificateFile = "gateway-cert.pem"
  private static let keyFile = "gateway-key.pem"
  private static let validityDays: Int32 = 3650

  let tls: TLSContext
  /// SHA-256 over the DER form, lower-case hex.
  let fingerprint: String

  /// Reads the certificate, or makes and stores one on first start.
  init(folder: StateFolder) throws {
    if try folder.read(Self.certificateFile) == nil {
      try Self.make(in: folder, key: nil)
    }
    tls = try TLSContext(chain: folder.path(of: Self.certificateFile), key: folder.path(of: Self.keyFile))
    fingerprint = try tls.fingerprint()
  }

  /// Replaces the stored certificate by a new one, over the same key or a new one.
  static func renewed(in folder: StateFolder, keepsKey: Bool) throws -> ServerCertificate {
    try make(in: folder, key: keepsKey ? folder.read(keyFile) : nil)
    return try ServerCertificate(folder: folder)
  }

  private static func make(in folder: StateFolder, key: Data?) throws {
    let made = try SelfSigned(commonName: "openclaw-gateway", days: validityDays, key: key)
    // The certificate is written last: it is what says that both are there.
    try folder.write(keyFile, made.key)
    try folder.write(certificateFile, made.certificate)
  }
}
