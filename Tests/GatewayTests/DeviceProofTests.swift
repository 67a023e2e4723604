import Board
import Codec
import Foundation
import TestSupport
import Testing

@testable import Gateway

/// Against the published vectors: payload, signature and device id, byte for byte.
@Suite("Device proof")
struct DeviceProofTests {
  private static func vectors() throws -> [[String: Any]] {
    let file = Repository.fixtures.appendingPathComponent("device-auth.json")
    let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    return try #require(root?["vectors"] as? [[String: Any]])
  }

  @Test("every v3 vector gives the same payload, signature, key and id")
  func vectors() throws {
    let cryptography = OpenSSLCryptography()
    var checked = 0
    for vector in try Self.vectors() where vector["payloadVersion"] as? String == "v3" {
      let input = try #require(vector["input"] as? [String: Any])
      let client = try #require(input["client"] as? [String: Any])
      let parsed = Fingerprint(text: (vector["seedHex"] as! String).utf8.span)
      let seed = try #require(parsed).digest
      let identity = NodeIdentity(
        seed: seed, instanceID: InlineArray(repeating: 0x30), cryptography: cryptography)
      let id = identity.id.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
      #expect(id == vector["deviceId"] as? String)

      var bytes = [UInt8](repeating: 0, count: 4096)
      let scopes = (input["scopes"] as? [String] ?? []).joined(separator: ",")
      let role = input["role"] as? String ?? "operator"
      let payload = bytes.withUnsafeMutableBufferPointer { buffer in
        var writer = ByteWriter(into: buffer)
        DeviceProof.write(
          deviceID: id.utf8.span, clientID: (client["id"] as! String).utf8.span,
          clientMode: (client["mode"] as! String).utf8.span, role: role.utf8.span,
          scopes: scopes.utf8.span, signedAt: (input["signedAtMs"] as! NSNumber).int64Value,
          token: (vector["signedToken"] as? String ?? "").utf8.span,
          nonce: (input["nonce"] as? String ?? "").trimmingCharacters(in: .whitespaces).utf8.span,
          platform: (client["platform"] as? String ?? "").utf8.span,
          deviceFamily: (client["deviceFamily"] as? String ?? "").utf8.span, into: &writer)
        return String(decoding: buffer[..<writer.count], as: UTF8.self)
      }
      #expect(payload == vector["payload"] as? String, "\(vector["name"]!)")
      let signature = cryptography.ed25519Signature(payload.utf8.span, seed: seed)
      let hex = signature.span.withUnsafeBufferPointer { $0.map { String(format: "%02x", $0) }.joined() }
      #expect(hex == vector["signatureHex"] as? String)
      checked += 1
    }
    #expect(checked >= 5)
  }
}
