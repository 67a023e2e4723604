import Foundation

/// Approved devices, their tokens and the requests that wait, kept in one file.
final class PairingStore {
  private struct Contents: Codable {
    var paired: [String: PairedDevice] = [:]
    var pending: [PairingRequest] = []
  }

  /// A bearer for one role of one device.
  struct Token: Equatable {
    let role: String
    let scopes: [String]
    let token: String
    let issuedAtMs: Int64
  }

  /// The answer to a device that proved its key.
  enum Decision: Equatable {
    case admitted(Token)
    case approvalNeeded(PairingRequest)
  }

  private static let fileName = "devices.json"

  private let folder: StateFolder
  private let generation: Generation
  private var contents: Contents
  /// Told of new requests, and of decisions.
  var asked: (PairingRequest) -> Void = { _ in }
  var decided: (PairingRequest, _ decision: String) -> Void = { _, _ in }

  init(folder: StateFolder, generation: Generation = .newest) throws {
    self.folder = folder
    self.generation = generation
    contents = try folder.decode(Contents.self, from: Self.fileName) ?? Contents()
  }

  var paired: [PairedDevice] { contents.paired.values.sorted { $0.deviceID < $1.deviceID } }

  func device(_ deviceID: String) -> PairedDevice? { contents.paired[deviceID] }

  func pending(nowMilliseconds: Int64) -> [PairingRequest] {
    contents.pending.removeAll {
      $0.isExpired(at: nowMilliseconds, countingRetries: generation.keepsRetriedRequests)
    }
    return contents.pending
  }

  /// Whether `token` is the one issued to this device for this role.
  func match(_ token: String, for claim: DeviceClaim) -> CredentialCheck.DeviceTokenMatch {
    guard let grant = contents.paired[claim.deviceID]?.grants[claim.role], let issued = grant.token,
      issued.equalsInConstantTime(token)
    else { return .unknown }
    return Set(claim.scopes).isSubset(of: grant.scopes) ? .valid : .narrower
  }

  /// Admits an approved device, with the token issued before or a new one; otherwise asks for approval.
  /// `automatically` stands for a person who approves a device that nobody has approved yet.
  func decide(
    _ claim: DeviceClaim, nowMilliseconds: Int64, automatically: Bool = false
  ) throws -> Decision {
    if let reason = missingApproval(claim) {
      guard automatically, reason == .notPaired else {
        return .approvalNeeded(try ask(claim, reason, nowMilliseconds))
      }
      contents.pending.removeAll { $0.claim.deviceID == claim.deviceID }
      try grant(claim, roles: [claim.role], nowMilliseconds)
    }
    return .admitted(try token(of: claim.deviceID, role: claim.role, nowMilliseconds))
  }

  /// Gives a device a role it did not ask for, as a setup code does.
  func handOver(_ role: String, scopes: [String], to deviceID: String, nowMilliseconds: Int64) throws -> Token {
    let scopes = Set(contents.paired[deviceID]?.grants[role]?.scopes ?? []).union(scopes).sorted()
    contents.paired[deviceID]?.grants[role, default: PairedDevice.Grant(scopes: [])].scopes = scopes
    return try token(of: deviceID, role: role, nowMilliseconds)
  }

  /// The token of an approved role, made now if there is none.
  private func token(of deviceID: String, role: String, _ now: Int64) throws -> Token {
    guard var grant = contents.paired[deviceID]?.grants[role] else {
      throw GatewayFailure("device \(deviceID) has no role \(role)")
    }
    if grant.token == nil || grant.issuedAtMs == nil {
      grant.token = Data.random(count: 32).base64URL
      grant.issuedAtMs = now
      contents.paired[deviceID]?.grants[role] = grant
      try save()
    }
    return Token(
      role: role, scopes: grant.scopes, token: grant.token ?? "", issuedAtMs: grant.issuedAtMs ?? now)
  }

  private func missingApproval(_ claim: DeviceClaim) -> PairingReason? {
    guard let device = contents.paired[claim.deviceID] else { return .notPaired }
    guard claim.matchesMetadata(of: device) else { return .metadataUpgrade }
    guard let grant = device.grants[claim.role] else { return .roleUpgrade }
    guard Set(claim.scopes).isSubset(of: grant.scopes) else { return .scopeUpgrade }
    return nil
  }

  /// The same question keeps its id for as long as it is repeated; a changed one supersedes it.
  private func ask(_ claim: DeviceClaim, _ reason: PairingReason, _ now: Int64) throws -> PairingRequest {
    let open = pending(nowMilliseconds: now)
    let index = open.firstIndex { $0.claim.deviceID == claim.deviceID }
    if let index, open[index].asks(claim, reason) {
      contents.pending[index].refreshedAtMs = now
      contents.pending[index].claim = claim
      return contents.pending[index]
    }
    let roles = Set(index.map { open[$0].roles } ?? []).union([claim.role]).sorted()
    let request = PairingRequest(
      requestID: UUID().uuidString.lowercased(), claim: claim, reason: reason, roles: roles, createdAtMs: now,
      refreshedAtMs: now)
    if let index { contents.pending.remove(at: index) }
    contents.pending.append(request)
    try save()
    asked(request)
    return request
  }

  /// Approves a request; nil when none with this id waits.
  func approve(_ requestID: String, nowMilliseconds: Int64) throws -> PairedDevice? {
    guard let request = take(requestID, nowMilliseconds) else { return nil }
    try grant(request.claim, roles: request.roles, nowMilliseconds)
    decided(request, "approved")
    return contents.paired[request.claim.deviceID]
  }

  private func grant(_ claim: DeviceClaim, roles: [String], _ now: Int64) throws {
    var device =
      contents.paired[claim.deviceID]
      ?? PairedDevice(deviceID: claim.deviceID, platform: claim.platform, approvedAtMs: now)
    device.displayName = claim.displayName
    device.platform = claim.platform
    device.deviceFamily = claim.deviceFamily
    device.approvedAtMs = now
    for role in roles {
      let scopes = Set(device.grants[role]?.scopes ?? []).union(role == claim.role ? claim.scopes : [])
      device.grants[role, default: PairedDevice.Grant(scopes: [])].scopes = scopes.sorted()
    }
    contents.paired[claim.deviceID] = device
    try save()
  }

  /// Drops a request; nil when none with this id waits.
  func reject(_ requestID: String, nowMilliseconds: Int64) throws -> PairingRequest? {
    guard let request = take(requestID, nowMilliseconds) else { return nil }
    try save()
    decided(request, "rejected")
    return request
  }

  /// Takes back one role or all, with their tokens. The record stays, so the device asks again with
  /// `role-upgrade`. Nil when the device, or the role, is unknown.
  func revoke(_ deviceID: String, role: String? = nil) throws -> PairedDevice? {
    guard let device = contents.paired[deviceID], role == nil || device.grants[role!] != nil else {
      return nil
    }
    contents.paired[deviceID]?.grants = role == nil ? [:] : device.grants.filter { $0.key != role }
    try save()
    return contents.paired[deviceID]
  }

  /// Replaces the tokens of one role or all. Nil when the device, or the role, is unknown.
  func rotate(_ deviceID: String, role: String? = nil, nowMilliseconds: Int64) throws -> PairedDevice? {
    guard let device = contents.paired[deviceID], role == nil || device.grants[role!] != nil else {
      return nil
    }
    for name in device.grants.keys where role == nil || name == role {
      contents.paired[deviceID]?.grants[name]?.token = nil
      _ = try token(of: deviceID, role: name, nowMilliseconds)
    }
    return contents.paired[deviceID]
  }

  /// Forgets a device and its questions altogether. Nil when it is unknown.
  func remove(_ deviceID: String) throws -> PairedDevice? {
    guard let device = contents.paired.removeValue(forKey: deviceID) else { return nil }
    contents.pending.removeAll { $0.claim.deviceID == deviceID }
    try save()
    return device
  }

  /// Notes a presence beacon.
  func noteSeen(_ deviceID: String, reason: String, nowMilliseconds: Int64) throws {
    guard contents.paired[deviceID] != nil else { return }
    contents.paired[deviceID]!.lastSeenAtMs = nowMilliseconds
    contents.paired[deviceID]!.lastSeenReason = reason
    try save()
  }

  private func take(_ requestID: String, _ now: Int64) -> PairingRequest? {
    let open = pending(nowMilliseconds: now)
    guard let index = open.firstIndex(where: { $0.requestID == requestID }) else { return nil }
    return contents.pending.remove(at: index)
  }

  private func save() throws { try folder.encode(contents, to: Self.fileName) }
}

extension PairingRequest {
  /// Whether this is the same question: role, scopes, metadata and reason unchanged.
  fileprivate func asks(_ other: DeviceClaim, _ otherReason: PairingReason) -> Bool {
    reason == otherReason && claim.role == other.role && claim.scopes == other.scopes
      && claim.platform.normalizedMetadata == other.platform.normalizedMetadata
      && (claim.deviceFamily ?? "").normalizedMetadata == (other.deviceFamily ?? "").normalizedMetadata
  }
}
