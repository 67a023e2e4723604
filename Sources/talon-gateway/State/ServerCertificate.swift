import Crypto
import CryptoExtras
import Foundation
import NIOSSL
import X509

/// The gateway's self-signed certificate: RSA-2048, `CN=openclaw-gateway`, no alternative names, ten years,
/// as real gateways make theirs (protocol reference, section 6.2). Clients can only pin it.
struct ServerCertificate {
  private static let certificateFile = "gateway-cert.pem"
  private static let keyFile = "gateway-key.pem"
  private static let validityDays = 3650

  let tls: NIOSSLContext
  /// SHA-256 over the DER form, lower-case hex.
  let fingerprint: String

  /// Reads the certificate, or makes and stores one on first start.
  init(folder: StateFolder) throws {
    if try folder.read(Self.certificateFile) == nil {
      try Self.make(in: folder, _RSA.Signing.PrivateKey(keySize: .bits2048))
    }
    let certificates = try NIOSSLCertificate.fromPEMFile(folder.path(of: Self.certificateFile))
    let key = try NIOSSLPrivateKey(file: folder.path(of: Self.keyFile), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv13
    tls = try NIOSSLContext(configuration: configuration)
    fingerprint = try SHA256.hash(data: certificates[0].toDERBytes()).hex
  }

  /// Replaces the stored certificate by a new one, over the same key or a new one.
  static func renewed(in folder: StateFolder, keepsKey: Bool) throws -> ServerCertificate {
    let old = keepsKey ? try folder.read(keyFile) : nil
    let key = try old.map {
      try _RSA.Signing.PrivateKey(pemRepresentation: String(decoding: $0, as: UTF8.self))
    }
    try make(in: folder, key ?? _RSA.Signing.PrivateKey(keySize: .bits2048))
    return try ServerCertificate(folder: folder)
  }

  private static func make(in folder: StateFolder, _ key: _RSA.Signing.PrivateKey) throws {
    let name = try DistinguishedName { CommonName("openclaw-gateway") }
    let now = Date()
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
      notValidBefore: now, notValidAfter: now.addingTimeInterval(TimeInterval(validityDays) * 86_400),
      issuer: name, subject: name, signatureAlgorithm: .sha256WithRSAEncryption,
      extensions: try Certificate.Extensions {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      }, issuerPrivateKey: .init(key))
    // The certificate is written last: it is what says that both are there.
    try folder.write(keyFile, Data(key.pemRepresentation.utf8))
    try folder.write(certificateFile, Data(certificate.serializeAsPEM().pemString.utf8))
  }
}
