import Foundation

/// Prints frames to standard error, without secrets and without long strings.
struct FrameTrace: Sendable {
  let isOn: Bool

  private static let stringCharactersMax = 96

  private static let secrets: Set<String> = [
    "token", "deviceToken", "bootstrapToken", "password", "signature", "nonce", "approvalRuntimeToken",
    "agentRuntimeIdentityToken",
  ]

  func inbound(_ connectionID: String, _ frame: @autoclosure () -> JSON) {
    if isOn { print(connectionID, "<-", Self.redacted(frame()).text) }
  }

  func outbound(_ connectionID: String, _ frame: @autoclosure () -> JSON) {
    if isOn { print(connectionID, "->", Self.redacted(frame()).text) }
  }

  func note(_ connectionID: String, _ text: @autoclosure () -> String) {
    if isOn { print(connectionID, "--", text()) }
  }

  private func print(_ connectionID: String, _ arrow: String, _ text: String) {
    FileHandle.standardError.write(Data("\(connectionID.prefix(8)) \(arrow) \(text)\n".utf8))
  }

  static func redacted(_ value: JSON) -> JSON {
    switch value {
    case .string(let string): .string(redacted(string))
    case .array(let elements): .array(elements.map(redacted))
    case .object(let object): .object(redacted(object))
    default: value
    }
  }

  private static func redacted(_ object: JSONObject) -> JSONObject {
    var result = JSONObject()
    for member in object.members {
      result.append(member.key, secrets.contains(member.key) ? "(redacted)" : redacted(member.value))
    }
    return result
  }

  /// A string may itself be JSON (`paramsJSON`, `payloadJSON`) and hold secrets.
  private static func redacted(_ string: String) -> String {
    guard string.hasPrefix("{"), let inner = try? JSON(parsing: string) else { return shortened(string) }
    return shortened(redacted(inner).text)
  }

  private static func shortened(_ string: String) -> String {
    guard string.utf8.count > stringCharactersMax else { return string }
    return "\(string.prefix(stringCharactersMax))... (\(string.utf8.count) bytes)"
  }
}
