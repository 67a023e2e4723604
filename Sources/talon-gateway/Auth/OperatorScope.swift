/// Operator scopes (protocol reference, section 3.6).
enum OperatorScope {
  static let read = "operator.read"
  static let write = "operator.write"
  static let admin = "operator.admin"
  static let talk = "operator.talk"
  static let approvals = "operator.approvals"
  static let pairing = "operator.pairing"
  static let talkSecrets = "operator.talk.secrets"

  /// Whether the granted scopes satisfy `wanted`: admin is everything, write implies read and talk.
  static func satisfied(_ wanted: String, by granted: [String]) -> Bool {
    if granted.contains(admin) || granted.contains(wanted) { return true }
    return (wanted == read || wanted == talk) && granted.contains(write)
  }

  /// What a setup code hands over beside the node token (section 5.4).
  static func handedOver(withAdmin: Bool) -> [String] {
    let limited = ["operator.approvals", read, talkSecrets, write]
    return withAdmin ? [admin] + limited : limited
  }

  /// The error of a caller that lacks one (section 2.2).
  static func missing(_ scope: String, in generation: Generation) -> GatewayError {
    let message = "missing scope: \(scope)"
    guard generation.forbidsMissingScopes else { return .invalidRequest(message) }
    return GatewayError(
      code: "FORBIDDEN", message: message,
      details: [
        "code": "MISSING_SCOPE", "missingScope": .string(scope), "requiredScopes": [.string(scope)],
      ])
  }
}
