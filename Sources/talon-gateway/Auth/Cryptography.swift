import COpenSSL
import Foundation

// The system's OpenSSL, and none of Talon's own functions around it: this gateway is a peer that must not share Talon's
// mistakes.

/// OpenSSL refused what cannot fail but for want of memory, or a stored key.
struct CryptographyFailure: Error, CustomStringConvertible {
  let operation: String
  var description: String { "OpenSSL: \(operation) failed" }
}

/// SHA-256 (FIPS 180-4).
func sha256(_ bytes: some ContiguousBytes) -> Data {
  var digest = [UInt8](repeating: 0, count: 32)
  let done = bytes.withUnsafeBytes { EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
  precondition(done == 1, "OpenSSL without SHA-256")
  return Data(digest)
}

/// An Ed25519 key (RFC 8032).
struct SigningKey: Sendable {
  /// 32 bytes: the private half.
  let seed: Data
  /// 32 bytes.
  let publicKey: Data

  /// A new key.
  init() throws {
    try self.init(seed: .random(count: 32))
  }

  init(seed: Data) throws {
    let key = Self.load(seed)
    defer { EVP_PKEY_free(key) }
    var bytes = [UInt8](repeating: 0, count: 32)
    var count = bytes.count
    guard key != nil, EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else {
      throw CryptographyFailure(operation: "reading an Ed25519 key")
    }
    self.seed = seed
    publicKey = Data(bytes)
  }

  /// 64 bytes.
  func signature(for message: Data) throws -> Data {
    let key = Self.load(seed)
    let context = EVP_MD_CTX_new()
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
    }
    var signature = [UInt8](repeating: 0, count: 64)
    var count = signature.count
    let message = [UInt8](message)
    guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
      EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    else { throw CryptographyFailure(operation: "signing") }
    return Data(signature)
  }

  /// nil when 32 bytes are not what it got. The caller frees it.
  private static func load(_ seed: Data) -> OpaquePointer? {
    seed.withUnsafeBytes {
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
    }
  }
}

/// Whether a key of 32 bytes made a signature (RFC 8032). nil: this is no key.
func isEd25519Signature(_ signature: Data, of message: Data, by publicKey: Data) -> Bool? {
  let key = publicKey.withUnsafeBytes {
    EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
  }
  guard let key else { return nil }
  let context = EVP_MD_CTX_new()
  defer {
    EVP_MD_CTX_free(context)
    EVP_PKEY_free(key)
  }
  let signature = [UInt8](signature)
  let message = [UInt8](message)
  return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
    && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
}
