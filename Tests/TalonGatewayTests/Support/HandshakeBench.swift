import Foundation
import Testing

@testable import talon_gateway

/// The checks on `connect` without a socket.
struct HandshakeBench {
  let folder: StateFolder
  let pairing: PairingStore
  let bootstraps: BootstrapTokens
  let generation: Generation
  var authMode = AuthMode.token("shared")
  var limiter = FailureLimiter()
  var remoteAddress = "127.0.0.1"
  var sentOrigin = false
  var isTrustedAddress = false
  var now: Int64 = 1_767_225_600_000

  init(_ era: Era = .newest) throws {
    folder = try TestGateway.temporaryFolder()
    generation = Generation(era)
    pairing = try PairingStore(folder: folder, generation: generation)
    bootstraps = try BootstrapTokens(folder: folder)
  }

  func remove() { try? FileManager.default.removeItem(at: folder.url) }

  mutating func admit(_ node: TestNode, _ change: (JSON) -> JSON = { $0 }) throws -> Result<
    Admission, Refusal
  > {
    let handshake = Handshake(
      generation: generation, authMode: authMode, pairing: pairing, challengeNonce: "nonce",
      sentOrigin: sentOrigin,
      remoteAddress: remoteAddress, nowMilliseconds: now,
      bootstraps: bootstraps, isTrustedAddress: isTrustedAddress)
    let params = change(try node.params(nonce: "nonce", signedAtMs: now))
    do {
      return .success(try handshake.admit(params, limiter: &limiter))
    } catch {
      return .failure(error)
    }
  }

  mutating func refusal(_ node: TestNode, _ change: (JSON) -> JSON = { $0 }) throws -> Refusal {
    guard case .failure(let refusal) = try admit(node, change) else { throw Unexpected("admitted") }
    return refusal
  }

  mutating func admission(_ node: TestNode, _ change: (JSON) -> JSON = { $0 }) throws -> Admission {
    switch try admit(node, change) {
    case .success(let admission): return admission
    case .failure(let refusal): throw Unexpected(refusal.closeReason)
    }
  }

  mutating func approve(_ node: TestNode) throws {
    let id = try refusal(node).error.details?["requestId"]?.string
    _ = try pairing.approve(#require(id), nowMilliseconds: now)
  }
}

struct Unexpected: Error {
  let what: String
  init(_ what: String) { self.what = what }
}
