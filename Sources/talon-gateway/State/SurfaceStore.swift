import Foundation

/// How the surface of a node is approved.
enum SurfaceApproval: String, CaseIterable, Sendable {
  /// Whoever approved the device: for benches that are about something else.
  case auto
  /// A person, with `nodes approve`, as at real gateways.
  case manual
}

/// The second gate (protocol reference, section 5.8): approved surfaces and the requests that wait, in one file.
final class SurfaceStore {
  private struct Contents: Codable {
    var approved: [String: Surface] = [:]
    var pending: [SurfaceRequest] = []
  }

  private static let fileName = "surfaces.json"

  private let folder: StateFolder
  private let generation: Generation
  private let approval: SurfaceApproval
  private var contents: Contents

  init(folder: StateFolder, generation: Generation = .newest, approval: SurfaceApproval = .manual) throws {
    self.folder = folder
    self.generation = generation
    self.approval = approval
    contents = try folder.decode(Contents.self, from: Self.fileName) ?? Contents()
  }

  private var isReviewed: Bool { approval == .manual && generation.reviewsSurfaces }

  func pending(nowMilliseconds: Int64) -> [SurfaceRequest] {
    guard !generation.keepsSurfaceRequests else { return contents.pending }
    contents.pending.removeAll {
      $0.isExpired(at: nowMilliseconds, countingRetries: generation.keepsRetriedRequests)
    }
    return contents.pending
  }

  func request(of deviceID: String, nowMilliseconds: Int64) -> SurfaceRequest? {
    pending(nowMilliseconds: nowMilliseconds).first { $0.deviceID == deviceID }
  }

  /// What of the declared surface can be used now.
  func live(_ declared: Surface, of deviceID: String) -> Surface {
    guard isReviewed else { return declared }
    guard let approved = contents.approved[deviceID] else {
      return generation.unapprovedSurfaceIsLive ? declared : Surface()
    }
    return declared.intersection(approved)
  }

  func state(of deviceID: String, nowMilliseconds: Int64) -> SurfaceState {
    guard isReviewed else { return .approved }
    let isPending = request(of: deviceID, nowMilliseconds: nowMilliseconds) != nil
    if contents.approved[deviceID] != nil { return isPending ? .pendingReapproval : .approved }
    return isPending ? .pendingApproval : .unapproved
  }

  /// Compares what a connecting node declares with what was approved, and asks when that is not enough.
  /// `automatically` approves a first surface, as after a setup code.
  func reconcile(
    _ declared: Surface, of claim: DeviceClaim, nowMilliseconds: Int64, automatically: Bool
  ) throws {
    guard isReviewed else { return }
    let approved = contents.approved[claim.deviceID]
    if approved == nil, automatically { return try approve(declared, of: claim.deviceID) }
    guard needsReview(declared, approved) else {
      if generation.keepsRetriedRequests { try forget(claim.deviceID) }
      return
    }
    try ask(declared, claim, isReapproval: approved != nil, nowMilliseconds)
  }

  private func needsReview(_ declared: Surface, _ approved: Surface?) -> Bool {
    guard let approved else { return true }
    if !declared.commands.isSubset(of: approved.commands) { return true }
    guard generation.era >= .june else { return false }
    if generation.reviewsNarrowerSurfaces {
      return declared.caps != approved.caps || declared.permissions != approved.permissions
    }
    return !declared.isSubset(of: approved)
  }

  /// The same surface keeps its request; another one takes its place.
  private func ask(_ declared: Surface, _ claim: DeviceClaim, isReapproval: Bool, _ now: Int64) throws {
    let open = pending(nowMilliseconds: now)
    if let index = open.firstIndex(where: { $0.deviceID == claim.deviceID && $0.declared == declared }) {
      contents.pending[index].refreshedAtMs = now
      contents.pending[index].displayName = claim.displayName
    } else {
      contents.pending.removeAll { $0.deviceID == claim.deviceID }
      contents.pending.append(
        SurfaceRequest(
          requestID: UUID().uuidString.lowercased(), deviceID: claim.deviceID, displayName: claim.displayName,
          declared: declared, isReapproval: isReapproval, createdAtMs: now, refreshedAtMs: now))
    }
    try save()
  }

  /// Approves a request; nil when none with this id waits.
  func approve(_ requestID: String, nowMilliseconds: Int64) throws -> SurfaceRequest? {
    guard let request = pending(nowMilliseconds: nowMilliseconds).first(where: { $0.requestID == requestID })
    else {
      return nil
    }
    try approve(request.declared, of: request.deviceID)
    return request
  }

  private func approve(_ surface: Surface, of deviceID: String) throws {
    contents.approved[deviceID] = surface
    contents.pending.removeAll { $0.deviceID == deviceID }
    try save()
  }

  /// Drops a request; nil when none with this id waits.
  func reject(_ requestID: String, nowMilliseconds: Int64) throws -> SurfaceRequest? {
    let open = pending(nowMilliseconds: nowMilliseconds)
    guard let index = open.firstIndex(where: { $0.requestID == requestID }) else { return nil }
    let request = contents.pending.remove(at: index)
    try save()
    return request
  }

  /// Takes back the approval of a node's surface.
  func remove(_ deviceID: String) throws {
    contents.approved[deviceID] = nil
    contents.pending.removeAll { $0.deviceID == deviceID }
    try save()
  }

  /// Each node that comes back is here: without a request of its own nothing is written.
  private func forget(_ deviceID: String) throws {
    guard contents.pending.contains(where: { $0.deviceID == deviceID }) else { return }
    contents.pending.removeAll { $0.deviceID == deviceID }
    try save()
  }

  private func save() throws { try folder.encode(contents, to: Self.fileName) }
}
