/// What a node declares of itself, or what a person approved of that (protocol reference, section 3.7).
struct Surface: Codable, Equatable {
  var caps: Set<String> = []
  var commands: Set<String> = []
  /// Names of the permissions that are true.
  var permissions: Set<String> = []

  func isSubset(of other: Surface) -> Bool {
    caps.isSubset(of: other.caps) && commands.isSubset(of: other.commands)
      && permissions.isSubset(of: other.permissions)
  }

  func intersection(_ other: Surface) -> Surface {
    Surface(
      caps: caps.intersection(other.caps), commands: commands.intersection(other.commands),
      permissions: permissions.intersection(other.permissions))
  }
}

/// A surface that waits for a person.
struct SurfaceRequest: Codable, Equatable {
  static let lifetimeMilliseconds: Int64 = 300_000

  let requestID: String
  let deviceID: String
  var displayName: String?
  let declared: Surface
  /// Whether an older surface of the node stays usable meanwhile.
  let isReapproval: Bool
  let createdAtMs: Int64
  var refreshedAtMs: Int64

  func isExpired(at nowMilliseconds: Int64, countingRetries: Bool) -> Bool {
    nowMilliseconds - (countingRetries ? refreshedAtMs : createdAtMs) > Self.lifetimeMilliseconds
  }
}

/// How far a person has got with a node's surface, in the words of `node.list` (section 9.12).
enum SurfaceState: String {
  case approved
  case unapproved
  case pendingApproval = "pending-approval"
  case pendingReapproval = "pending-reapproval"
}
