import Crypto
import Foundation

/// The gateway's own key, of which `gateway.identity.get` tells the public half.
struct GatewayIdentity {
  private static let fileName = "identity-key"

  let publicKey: String
  let deviceID: String

  /// Reads the key, or makes and stores one on first start.
  init(folder: StateFolder) throws {
    let key: Curve25519.Signing.PrivateKey
    if let data = try folder.read(Self.fileName) {
      key = try Curve25519.Signing.PrivateKey(rawRepresentation: data)
    } else {
      key = Curve25519.Signing.PrivateKey()
      try folder.write(Self.fileName, key.rawRepresentation)
    }
    let raw = key.publicKey.rawRepresentation
    publicKey = raw.base64URL
    deviceID = SHA256.hash(data: raw).hex
  }
}
