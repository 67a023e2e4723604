/// A device that a person approved. The device id is the hash of its key, so the key needs no place of its own.
struct PairedDevice: Codable, Equatable {
  /// What one role of the device may do, and the token it connects with.
  struct Grant: Codable, Equatable {
    var scopes: [String]
    var token: String?
    var issuedAtMs: Int64?
  }

  let deviceID: String
  var displayName: String?
  /// Pinned at approval in the spelling sent then; compared after normalization.
  var platform: String
  var deviceFamily: String?
  var approvedAtMs: Int64
  var grants: [String: Grant] = [:]
  var lastSeenAtMs: Int64?
  var lastSeenReason: String?

  var approvedScopes: [String] { Set(grants.values.flatMap(\.scopes)).sorted() }
}

/// What a connecting device says it is and wants to be.
struct DeviceClaim: Codable, Equatable {
  let deviceID: String
  let displayName: String?
  let platform: String
  let deviceFamily: String?
  let role: String
  let scopes: [String]

  /// Whether the pinned metadata still fits (protocol reference, section 5.7).
  func matchesMetadata(of device: PairedDevice) -> Bool {
    platform.normalizedMetadata == device.platform.normalizedMetadata
      && (deviceFamily ?? "").normalizedMetadata == (device.deviceFamily ?? "").normalizedMetadata
  }
}

/// Why a device has to be approved (protocol reference, section 5.2).
enum PairingReason: String, Codable {
  case notPaired = "not-paired"
  case metadataUpgrade = "metadata-upgrade"
  case roleUpgrade = "role-upgrade"
  case scopeUpgrade = "scope-upgrade"

  var explanation: String {
    switch self {
    case .notPaired: "device is not approved yet"
    case .metadataUpgrade: "platform or device family changed"
    case .roleUpgrade: "this role is not approved yet"
    case .scopeUpgrade: "these scopes are not approved yet"
    }
  }
}

/// An approval that waits for a person.
struct PairingRequest: Codable, Equatable {
  /// Real gateways keep a request this long.
  static let lifetimeMilliseconds: Int64 = 300_000

  let requestID: String
  var claim: DeviceClaim
  let reason: PairingReason
  /// The claim's role, and those of the requests that this one superseded.
  let roles: [String]
  let createdAtMs: Int64
  var refreshedAtMs: Int64

  /// A retry prolongs a request's life since July 2026 only.
  func isExpired(at nowMilliseconds: Int64, countingRetries: Bool) -> Bool {
    nowMilliseconds - (countingRetries ? refreshedAtMs : createdAtMs) > Self.lifetimeMilliseconds
  }
}
