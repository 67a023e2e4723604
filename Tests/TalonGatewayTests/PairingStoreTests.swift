import Foundation
import Testing

@testable import talon_gateway

private func claim(
  _ id: String = "device", platform: String = "linux", family: String? = "Linux", role: String = "node",
  scopes: [String] = []
) -> DeviceClaim {
  DeviceClaim(
    deviceID: id, displayName: "Board", platform: platform, deviceFamily: family, role: role, scopes: scopes)
}

extension PairingStore {
  fileprivate func request(_ claim: DeviceClaim, at now: Int64) throws -> PairingRequest {
    guard case .approvalNeeded(let request) = try decide(claim, nowMilliseconds: now) else {
      throw GatewayFailure("admitted")
    }
    return request
  }

  fileprivate func token(_ claim: DeviceClaim) throws -> String {
    guard case .admitted(let token) = try decide(claim, nowMilliseconds: 0) else {
      throw GatewayFailure("not admitted")
    }
    return token.token
  }

  fileprivate func approve(_ claim: DeviceClaim) throws {
    _ = try approve(request(claim, at: 0).requestID, nowMilliseconds: 0)
  }
}

@Suite struct PairingStoreTests {
  private let folder: StateFolder
  private let store: PairingStore

  init() throws {
    folder = try TestGateway.temporaryFolder()
    store = try PairingStore(folder: folder)
  }

  private func finish() { try? FileManager.default.removeItem(at: folder.url) }

  @Test("a repeated question keeps its id, a changed one supersedes it")
  func requestIdentity() throws {
    defer { finish() }
    let first = try store.request(claim(), at: 0)
    #expect(first.reason == .notPaired)
    #expect(try store.request(claim(), at: 200_000).requestID == first.requestID)
    #expect(try store.request(claim(), at: 400_000).requestID == first.requestID)
    let changed = try store.request(claim(platform: "darwin"), at: 400_001)
    #expect(changed.requestID != first.requestID)
    #expect(store.pending(nowMilliseconds: 400_001).map(\.requestID) == [changed.requestID])
    #expect(try store.approve(first.requestID, nowMilliseconds: 400_001) == nil)
  }

  @Test("a question that nobody repeats is forgotten after five minutes")
  func expiry() throws {
    defer { finish() }
    let first = try store.request(claim(), at: 0)
    #expect(store.pending(nowMilliseconds: 300_000).count == 1)
    #expect(store.pending(nowMilliseconds: 300_001).isEmpty)
    #expect(try store.request(claim(), at: 300_002).requestID != first.requestID)
  }

  @Test("a superseding question keeps the roles of the one before it")
  func mergedRoles() throws {
    defer { finish() }
    _ = try store.request(claim(), at: 0)
    let second = try store.request(claim(role: "operator", scopes: ["operator.read"]), at: 1)
    #expect(second.roles == ["node", "operator"])
    let device = try #require(try store.approve(second.requestID, nowMilliseconds: 2))
    #expect(device.grants["node"]?.scopes == [])
    #expect(device.grants["operator"]?.scopes == ["operator.read"])
  }

  @Test("the token is 32 random bytes, stays the same, and differs between devices")
  func tokens() throws {
    defer { finish() }
    try store.approve(claim())
    try store.approve(claim("other"))
    let token = try store.token(claim())
    #expect(Data(base64AnyAlphabet: token)?.count == 32)
    #expect(try store.token(claim()) == token)
    #expect(try store.token(claim("other")) != token)
    #expect(store.match(token, for: claim()) == .valid)
    #expect(store.match(token, for: claim("other")) == .unknown)
    #expect(store.match(token, for: claim(role: "operator")) == .unknown)
  }

  @Test("approvals and tokens survive a restart, in a file that only its owner can read")
  func persistence() throws {
    defer { finish() }
    try store.approve(claim())
    let token = try store.token(claim())
    #expect(try PairingStore(folder: folder).token(claim()) == token)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(of: "devices.json"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("another platform or family asks again, another spelling does not")
  func metadata() throws {
    defer { finish() }
    try store.approve(claim())
    let token = try store.token(claim())
    #expect(try store.token(claim(platform: " LINUX", family: "linux")) == token)
    #expect(try store.request(claim(platform: "linux 6.6"), at: 0).reason == .metadataUpgrade)
    #expect(try store.request(claim(family: nil), at: 0).reason == .metadataUpgrade)
    try store.approve(claim(family: nil))
    #expect(try store.token(claim(family: nil)) == token)
  }

  @Test("another role or more scopes ask again")
  func upgrades() throws {
    defer { finish() }
    try store.approve(claim())
    #expect(try store.request(claim(role: "operator"), at: 0).reason == .roleUpgrade)
    #expect(try store.request(claim(scopes: ["operator.read"]), at: 0).reason == .scopeUpgrade)
  }

  @Test("after a revocation the token is dead and the device asks for its role again")
  func revocation() throws {
    defer { finish() }
    try store.approve(claim())
    let token = try store.token(claim())
    #expect(try store.revoke("device") != nil)
    #expect(store.match(token, for: claim()) == .unknown)
    #expect(try store.request(claim(), at: 0).reason == .roleUpgrade)
    try store.approve(claim())
    #expect(try store.token(claim()) != token)
    #expect(try store.revoke("nobody") == nil)
  }

  @Test("a rejected question is gone and comes back under a new id")
  func rejection() throws {
    defer { finish() }
    let first = try store.request(claim(), at: 0)
    #expect(try store.reject(first.requestID, nowMilliseconds: 0) != nil)
    #expect(try store.reject(first.requestID, nowMilliseconds: 0) == nil)
    #expect(try store.request(claim(), at: 1).requestID != first.requestID)
  }
}
