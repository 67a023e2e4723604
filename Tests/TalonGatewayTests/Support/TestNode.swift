import Foundation

@testable import talon_gateway

/// A node's identity, and the `connect` parameters it makes from a challenge.
struct TestNode {
  // A seed of 32 bytes is always a key.
  var key = try! SigningKey()
  var client: JSON = [
    "id": "node-host", "displayName": "Test board", "version": "1.0.0", "platform": "linux",
    "deviceFamily": "Linux", "mode": "node",
  ]
  var role = "node"
  var proof = ProofVersion.three
  var scopes: [String] = []
  var auth: JSON = ["token": "shared"]
  var caps = ["device"]
  var commands = ["device.info", "camera.snap", "bench.echo"]

  var deviceID: String { sha256(key.publicKey).hex }

  /// Valid parameters, signed over the v3 payload.
  func params(nonce: String, signedAtMs: Int64) throws -> JSON {
    let token = ["token", "deviceToken", "bootstrapToken"].lazy.compactMap { auth[$0]?.string }.first ?? ""
    let common = [
      proof.rawValue, deviceID, client["id"]?.string ?? "", client["mode"]?.string ?? "", role,
      scopes.joined(separator: ","), "\(signedAtMs)",
      token, nonce,
    ]
    let metadata = ["platform", "deviceFamily"].map { client[$0]?.string?.lowercased() ?? "" }
    let fields = proof == .three ? common + metadata : common
    let signature = try key.signature(for: Data(fields.joined(separator: "|").utf8))
    return [
      "minProtocol": 3, "maxProtocol": 4, "client": client, "role": .string(role), "scopes": JSON(scopes),
      "caps": JSON(caps), "commands": JSON(commands), "permissions": ["camera": true],
      "device": [
        "id": .string(deviceID), "publicKey": .string(key.publicKey.base64URL),
        "signature": .string(signature.base64URL), "signedAt": .integer(signedAtMs), "nonce": .string(nonce),
      ],
      "auth": auth,
    ]
  }

  /// Answers the challenge; returns the response to `connect`.
  func connect(_ client: TestClient) async throws -> JSON? {
    try await sendConnect(client)
    return await client.response("connect")
  }

  /// Answers the challenge without waiting for what follows.
  func sendConnect(_ client: TestClient) async throws {
    guard let challenge = await client.event("connect.challenge") else { return }
    let params = try params(
      nonce: challenge["nonce"]?.string ?? "", signedAtMs: challenge["ts"]?.integer ?? 0)
    try await client.send(["type": "req", "id": "connect", "method": "connect", "params": params])
  }
}

extension JSON {
  /// A copy of an object with one member replaced, added, or (nil) taken out; `path` is dotted.
  func with(_ path: String, _ value: JSON?) -> JSON {
    var object = object ?? JSONObject()
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    object[parts[0]] = parts.count == 1 ? value : (object[parts[0]] ?? [:]).with(parts[1], value)
    return .object(object)
  }
}
