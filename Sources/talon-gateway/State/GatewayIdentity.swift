import Foundation

/// The gateway's own key, of which `gateway.identity.get` tells the public half.
struct GatewayIdentity {
  private static let fileName = "identity-key"

  let publicKey: String
  let deviceID: String

  /// Reads the key, or makes and stores one on first start.
  init(folder: StateFolder) throws {
    let key: SigningKey
    if let seed = try folder.read(Self.fileName) {
      key = try SigningKey(seed: seed)
    } else {
      key = try SigningKey()
      try folder.write(Self.fileName, key.seed)
    }
    publicKey = key.publicKey.base64URL
    deviceID = sha256(key.publicKey).hex
  }
}
