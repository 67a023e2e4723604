import Foundation

/// Approved devices, their tokens and the requests that wait, kept in one file.
final class PairingStore {
  private struct Contents: Codable {
    var paired: [String: PairedDevice] = [:]
    var pending: [PairingRequest] = []
  }

  /// The answer to a device that proved its key.
  enum Decision: Equatable {
    case admitted(token: String, issuedAtMs: Int64)
    case approvalNeeded(PairingRequest)
  }

  private static let fileName = "devices.json"

  private let folder: StateFolder
  private var contents = Contents()

  init(folder: StateFolder) throws {
    self.folder = folder
    guard let data = try folder.read(Self.fileName) else { return }
    do {
      contents = try JSONDecoder().decode(Contents.self, from: data)
    } catch {
      throw GatewayFailure("\(folder.path(of: Self.fileName)) is damaged: \(error)")
    }
  }

  var paired: [PairedDevice] { contents.paired.values.sorted { $0.deviceID < $1.deviceID } }

  func device(_ deviceID: String) -> PairedDevice? { contents.paired[deviceID] }

  func pending(nowMilliseconds: Int64) -> [PairingRequest] {
    contents.pending.removeAll { $0.isExpired(at: nowMilliseconds) }
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
  func decide(_ claim: DeviceClaim, nowMilliseconds: Int64) throws -> Decision {
    if let reason = missingApproval(claim) {
      return .approvalNeeded(try ask(claim, reason, nowMilliseconds))
    }
    var grant = contents.paired[claim.deviceID]!.grants[claim.role]!
    if let token = grant.token, let issuedAtMs = grant.issuedAtMs {
      return .admitted(token: token, issuedAtMs: issuedAtMs)
    }
    let token = Data.random(count: 32).base64URL
    grant.token = token
    grant.issuedAtMs = nowMilliseconds
    contents.paired[claim.deviceID]!.grants[claim.role] = grant
    try save()
    return .admitted(token: token, issuedAtMs: nowMilliseconds)
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
    return request
  }

  /// Approves a request; nil when none with this id waits.
  func approve(_ requestID: String, nowMilliseconds: Int64) throws -> PairedDevice? {
    guard let request = take(requestID, nowMilliseconds) else { return nil }
    let claim = request.claim
    var device =
      contents.paired[claim.deviceID]
      ?? PairedDevice(deviceID: claim.deviceID, platform: claim.platform, approvedAtMs: nowMilliseconds)
    device.displayName = claim.displayName
    device.platform = claim.platform
    device.deviceFamily = claim.deviceFamily
    device.approvedAtMs = nowMilliseconds
    for role in request.roles {
      let scopes = Set(device.grants[role]?.scopes ?? []).union(role == claim.role ? claim.scopes : [])
      device.grants[role, default: PairedDevice.Grant(scopes: [])].scopes = scopes.sorted()
    }
    contents.paired[claim.deviceID] = device
    try save()
    return device
  }

  /// Drops a request; nil when none with this id waits.
  func reject(_ requestID: String, nowMilliseconds: Int64) throws -> PairingRequest? {
    guard let request = take(requestID, nowMilliseconds) else { return nil }
    try save()
    return request
  }

  /// Takes back every role and token. The record stays, so the device asks again with `role-upgrade`.
  func revoke(_ deviceID: String) throws -> PairedDevice? {
    guard contents.paired[deviceID] != nil else { return nil }
    contents.paired[deviceID]!.grants = [:]
    try save()
    return contents.paired[deviceID]
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

  private func save() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try folder.write(Self.fileName, encoder.encode(contents))
  }
}

extension PairingRequest {
  /// Whether this is the same question: role, scopes, metadata and reason unchanged.
  fileprivate func asks(_ other: DeviceClaim, _ otherReason: PairingReason) -> Bool {
    reason == otherReason && claim.role == other.role && claim.scopes == other.scopes
      && claim.platform.normalizedMetadata == other.platform.normalizedMetadata
      && (claim.deviceFamily ?? "").normalizedMetadata == (other.deviceFamily ?? "").normalizedMetadata
  }
}
