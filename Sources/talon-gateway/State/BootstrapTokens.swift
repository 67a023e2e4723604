import Foundation

/// A credential from a setup code (protocol reference, section 5.4).
struct BootstrapToken: Codable, Equatable {
  /// What the code was made for.
  enum Profile: String, Codable {
    /// The node role, and operator tokens to hand over.
    case standard = "default"
    case nodeOnly = "node-only"
  }

  let token: String
  let profile: Profile
  let expiresAtMs: Int64
  /// The first device that presented it; others are refused.
  var deviceID: String?

  /// Whether the role and scopes lie inside the profile.
  func covers(_ claim: DeviceClaim) -> Bool {
    if claim.role == "node" { return claim.scopes.isEmpty }
    return profile == .standard && Set(claim.scopes).isSubset(of: OperatorScope.handedOver(withAdmin: true))
  }
}

/// The bootstrap tokens that can still be redeemed, kept in one file.
final class BootstrapTokens {
  /// Ten minutes.
  static let lifetimeMilliseconds: Int64 = 600_000
  /// Codes beyond this push the oldest out.
  private static let tokensMax = 64
  private static let fileName = "bootstrap.json"

  private let folder: StateFolder
  private var tokens: [BootstrapToken] = []

  init(folder: StateFolder) throws {
    self.folder = folder
    tokens = try folder.decode([BootstrapToken].self, from: Self.fileName) ?? []
  }

  func issue(
    _ profile: BootstrapToken.Profile, lifetimeMilliseconds: Int64, nowMilliseconds: Int64
  ) throws -> BootstrapToken {
    let token = BootstrapToken(
      token: Data.random(count: 32).base64URL, profile: profile,
      expiresAtMs: nowMilliseconds + lifetimeMilliseconds)
    tokens = tokens.suffix(Self.tokensMax - 1) + [token]
    try save()
    return token
  }

  /// The token, bound to the claim's device from now on; nil when it is unknown, expired, another device's, or
  /// not meant for that role.
  func present(_ text: String, by claim: DeviceClaim, nowMilliseconds: Int64) throws -> BootstrapToken? {
    tokens.removeAll { $0.expiresAtMs <= nowMilliseconds }
    guard let index = tokens.firstIndex(where: { $0.token.equalsInConstantTime(text) }) else { return nil }
    guard tokens[index].deviceID ?? claim.deviceID == claim.deviceID, tokens[index].covers(claim) else {
      return nil
    }
    if tokens[index].deviceID == nil {
      tokens[index].deviceID = claim.deviceID
      try save()
    }
    return tokens[index]
  }

  /// The token has done its work.
  func redeem(_ token: BootstrapToken) throws {
    tokens.removeAll { $0.token == token.token }
    try save()
  }

  private func save() throws { try folder.encode(tokens, to: Self.fileName) }
}
