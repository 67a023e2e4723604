import Foundation

/// The Ed25519 proof in `connect.params.device` (protocol reference, section 4).
struct DeviceProof {
  let clientID: String
  let clientMode: String
  let platform: String
  let deviceFamily: String
  let role: String
  let scopes: [String]
  let tokenSlot: String
  let deviceID: String
  let publicKey: String
  let signature: String
  let signedAtMilliseconds: Int64
  let nonce: String
}

extension DeviceProof {
  /// From parameters that passed the schema; nil when they carry no device.
  init?(_ params: JSON) {
    guard let device = params["device"], let client = params["client"] else { return nil }
    clientID = client["id"]?.string ?? ""
    clientMode = client["mode"]?.string ?? ""
    platform = client["platform"]?.string ?? ""
    deviceFamily = client["deviceFamily"]?.string ?? ""
    role = params["role"]?.string ?? "operator"
    scopes = params["scopes"]?.strings ?? []
    tokenSlot =
      ["token", "deviceToken", "bootstrapToken"].lazy.compactMap { params["auth"]?[$0]?.string }.first ?? ""
    deviceID = device["id"]?.string ?? ""
    publicKey = device["publicKey"]?.string ?? ""
    signature = device["signature"]?.string ?? ""
    signedAtMilliseconds = device["signedAt"]?.integer ?? 0
    nonce = device["nonce"]?.string ?? ""
  }

  /// Checks in the order of table 4.6 and throws the first failure.
  func verify(
    challengeNonce: String, nowMilliseconds: Int64, skewMillisecondsMax: Int64,
    versions: [ProofVersion] = [.three, .two]
  ) throws(DeviceProofFailure) {
    let key = Data(base64AnyAlphabet: publicKey)
    guard let key, sha256(key).hex == deviceID else { throw .deviceIDMismatch }
    let (skew, overflow) = nowMilliseconds.subtractingReportingOverflow(signedAtMilliseconds)
    guard !overflow, skew.magnitude <= UInt64(skewMillisecondsMax) else { throw .signatureExpired }
    let givenNonce = nonce.trimmed
    guard !givenNonce.isEmpty else { throw .nonceRequired }
    guard givenNonce == challengeNonce else { throw .nonceMismatch }
    let signature = Data(base64AnyAlphabet: signature) ?? Data()
    for version in versions {
      let signed = Data(payload(version, nonce: givenNonce).utf8)
      guard let isValid = isEd25519Signature(signature, of: signed, by: key) else { throw .publicKeyInvalid }
      if isValid { return }
    }
    throw .signatureInvalid
  }

  /// The text that was signed, if it was signed in this layout (table 4.2).
  func payload(_ version: ProofVersion, nonce: String) -> String {
    let common = [
      version.rawValue, deviceID, clientID, clientMode, role, scopes.joined(separator: ","),
      String(signedAtMilliseconds), tokenSlot, nonce,
    ]
    let metadata = [platform.normalizedMetadata, deviceFamily.normalizedMetadata]
    return (version == .three ? common + metadata : common).joined(separator: "|")
  }
}

/// Table 4.6.
enum DeviceProofFailure: Error, CaseIterable {
  case deviceIDMismatch
  case signatureExpired
  case nonceRequired
  case nonceMismatch
  case signatureInvalid
  case publicKeyInvalid

  var refusal: Refusal {
    let (message, code, reason) = row
    return Refusal(.invalidRequest(message, details: ["code": .string(code), "reason": .string(reason)]))
  }

  private var row: (message: String, code: String, reason: String) {
    switch self {
    case .deviceIDMismatch:
      ("device identity mismatch", "DEVICE_AUTH_DEVICE_ID_MISMATCH", "device-id-mismatch")
    case .signatureExpired:
      ("device signature expired", "DEVICE_AUTH_SIGNATURE_EXPIRED", "device-signature-stale")
    case .nonceRequired: ("device nonce required", "DEVICE_AUTH_NONCE_REQUIRED", "device-nonce-missing")
    case .nonceMismatch: ("device nonce mismatch", "DEVICE_AUTH_NONCE_MISMATCH", "device-nonce-mismatch")
    case .signatureInvalid: ("device signature invalid", "DEVICE_AUTH_SIGNATURE_INVALID", "device-signature")
    case .publicKeyInvalid:
      ("device public key invalid", "DEVICE_AUTH_PUBLIC_KEY_INVALID", "device-public-key")
    }
  }
}
