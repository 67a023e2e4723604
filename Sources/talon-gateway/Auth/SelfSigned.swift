import COpenSSL
import Foundation

/// A self-signed certificate and its key, in PEM.
struct SelfSigned {
  /// Critical: an authority, with chains of any length. DER of `BasicConstraints` (RFC 5280, section 4.2.1.9).
  private static let basicConstraints: [UInt8] = [0x30, 0x03, 0x01, 0x01, 0xFF]

  let certificate: Data
  let key: Data

  /// RSA-2048 with SHA-256, `CN=` the name, no alternative names, over a key that is there (PEM) or a new one.
  init(commonName: String, days: Int32, key old: Data?) throws {
    let pair = try old.map(Self.readKey) ?? Self.makeKey()
    let certificate = X509_new()
    defer {
      X509_free(certificate)
      EVP_PKEY_free(pair)
    }
    let name = X509_get_subject_name(certificate)
    guard X509_set_version(certificate, 2) == 1,
      ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), .random(in: 1...UInt64(Int64.max))) == 1,
      X509_gmtime_adj(X509_getm_notBefore(certificate), 0) != nil,
      X509_time_adj_ex(X509_getm_notAfter(certificate), days, 0, nil) != nil,
      X509_NAME_add_entry_by_txt(
        name, "CN", MBSTRING_FLAG | 1, Array(commonName.utf8), Int32(commonName.utf8.count), -1, 0) == 1,
      X509_set_issuer_name(certificate, name) == 1, X509_set_pubkey(certificate, pair) == 1,
      Self.addConstraints(certificate), X509_sign(certificate, pair, EVP_sha256()) > 0
    else { throw CryptographyFailure(operation: "making a certificate") }
    self.certificate = try Self.written("a certificate") { PEM_write_bio_X509($0, certificate) }
    key = try Self.written("a key") { PEM_write_bio_PrivateKey($0, pair, nil, nil, 0, nil, nil) }
  }

  private static func addConstraints(_ certificate: OpaquePointer?) -> Bool {
    let value = ASN1_OCTET_STRING_new()
    defer { ASN1_OCTET_STRING_free(value) }
    guard ASN1_OCTET_STRING_set(value, basicConstraints, Int32(basicConstraints.count)) == 1 else { return false }
    let constraints = X509_EXTENSION_create_by_NID(nil, NID_basic_constraints, 1, value)
    defer { X509_EXTENSION_free(constraints) }
    return X509_add_ext(certificate, constraints, -1) == 1
  }

  private static func makeKey() throws -> OpaquePointer {
    let context = EVP_PKEY_CTX_new_id(EVP_PKEY_RSA, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048) == 1,
      EVP_PKEY_keygen(context, &key) == 1, let key
    else { throw CryptographyFailure(operation: "making an RSA key") }
    return key
  }

  private static func readKey(_ pem: Data) throws -> OpaquePointer {
    let bytes = [UInt8](pem)
    let memory = BIO_new_mem_buf(bytes, Int32(bytes.count))
    defer { BIO_free(memory) }
    guard let key = PEM_read_bio_PrivateKey(memory, nil, nil, nil) else {
      throw CryptographyFailure(operation: "reading the RSA key")
    }
    return key
  }

  private static func written(_ what: String, by write: (OpaquePointer?) -> Int32) throws -> Data {
    let memory = BIO_new(BIO_s_mem())
    defer { BIO_free(memory) }
    guard write(memory) == 1 else { throw CryptographyFailure(operation: "writing \(what)") }
    var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
    guard BIO_read(memory, &bytes, Int32(bytes.count)) == Int32(bytes.count) else {
      throw CryptographyFailure(operation: "writing \(what)")
    }
    return Data(bytes)
  }
}
