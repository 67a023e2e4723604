import Foundation
import TestSupport
import Testing

@testable import talon_gateway

private struct Vectors {
  let positive: [JSON]
  let negative: [JSON]

  init() throws {
    let file = Repository.fixtures.appendingPathComponent("device-auth.json")
    let json = try JSON(parsing: Array(Data(contentsOf: file)))
    positive = json["vectors"]?.array ?? []
    negative = json["negativeVectors"]?.array ?? []
  }

  func named(_ name: JSON?) -> JSON? { positive.first { $0["name"] == name } }
}

private func makeProof(_ input: JSON?, _ device: JSON?) -> DeviceProof? {
  guard let input, let device else { return nil }
  return DeviceProof(input.with("device", device))
}

private func verdict(_ proof: DeviceProof?, _ vector: JSON?) -> DeviceProofFailure? {
  do {
    try proof?.verify(
      challengeNonce: vector?["input"]?["nonce"]?.string ?? "",
      nowMilliseconds: vector?["input"]?["signedAtMs"]?.integer ?? 0, skewMillisecondsMax: 120_000)
    return nil
  } catch {
    return error
  }
}

@Suite struct DeviceProofTests {
  @Test("every published v2 and v3 proof verifies, and its text is the published one")
  func positiveVectors() throws {
    let vectors = try Vectors().positive.filter { $0["payloadVersion"] != "v1" }
    #expect(vectors.count >= 10)
    for vector in vectors {
      let name = vector["name"]?.string ?? ""
      let proof = try #require(makeProof(vector["input"], vector["connectDevice"]), "\(name)")
      let nonce = vector["input"]?["nonce"]?.string ?? ""
      let texts = [ProofVersion.two, .three].map { proof.payload($0, nonce: nonce) }
      #expect(texts.contains(vector["payload"]?.string ?? "-"), "\(name)")
      #expect(verdict(proof, vector) == nil, "\(name)")
    }
  }

  @Test("a v1 proof is refused")
  func versionOne() throws {
    let vectors = try Vectors().positive.filter { $0["payloadVersion"] == "v1" }
    #expect(!vectors.isEmpty)
    for vector in vectors {
      #expect(verdict(makeProof(vector["input"], vector["connectDevice"]), vector) != nil)
    }
  }

  @Test("every published bad proof gets its published code and reason")
  func negativeVectors() throws {
    let vectors = try Vectors()
    #expect(vectors.negative.count == 6)
    for vector in vectors.negative {
      let base = try #require(vectors.named(vector["basedOn"]))
      let failure = try #require(verdict(makeProof(base["input"], vector["connectDevice"]), base))
      #expect(failure.refusal.error.details?["code"] == vector["expectedDetailCode"])
      #expect(failure.refusal.error.details?["reason"] == vector["expectedReason"])
    }
  }

  @Test("keys and signatures may also come in standard base64 with padding")
  func otherAlphabet() throws {
    let vector = try #require(try Vectors().named("v3-node-shared-token"))
    var device = try #require(vector["connectDevice"])
    for key in ["publicKey", "signature"] {
      let data = try #require(Data(base64AnyAlphabet: device[key]?.string ?? ""))
      device = device.with(key, .string(data.base64EncodedString()))
    }
    #expect(verdict(makeProof(vector["input"], device), vector) == nil)
  }

  @Test("checks run in the published order: identity, clock, nonce, signature")
  func order() throws {
    let vector = try #require(try Vectors().named("v3-node-shared-token"))
    var device = try #require(vector["connectDevice"])
    func expect(_ failure: DeviceProofFailure) {
      #expect(verdict(makeProof(vector["input"], device), vector) == failure)
    }
    device = device.with("signature", "AAAA").with("nonce", " ").with("signedAt", 1).with("id", "00")
    expect(.deviceIDMismatch)
    device = device.with("id", vector["deviceId"])
    expect(.signatureExpired)
    device = device.with("signedAt", vector["input"]?["signedAtMs"])
    expect(.nonceRequired)
    device = device.with("nonce", "other")
    expect(.nonceMismatch)
    device = device.with("nonce", vector["input"]?["nonce"])
    expect(.signatureInvalid)
  }

  @Test(
    "the clocks may differ by 120 seconds and no more", arguments: [120_000, -120_000, 120_001, -120_001])
  func skew(milliseconds: Int64) throws {
    let vector = try #require(try Vectors().named("v3-node-shared-token"))
    let proof = try #require(makeProof(vector["input"], vector["connectDevice"]))
    let now = try #require(vector["input"]?["signedAtMs"]?.integer) + milliseconds
    let nonce = vector["input"]?["nonce"]?.string ?? ""
    let isAccepted =
      (try? proof.verify(challengeNonce: nonce, nowMilliseconds: now, skewMillisecondsMax: 120_000)) != nil
    #expect(isAccepted == (milliseconds.magnitude <= 120_000))
  }
}
