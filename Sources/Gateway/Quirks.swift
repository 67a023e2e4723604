import Codec
import Runtime

/// How the protocol of one gateway differs from the newest form (gateway reference 4.3 and 14.3). Learned from its
/// refusals, each step once, and kept with the gateway's record until its release changes.
public struct Quirks: Equatable, Sendable {
  /// The device token goes into `auth.token`: the oldest gateways know no `auth.deviceToken`.
  static let tokenInToken = Quirks(bits: 1)
  /// The proof is version 2: the oldest gateways know no version 3.
  static let olderProof = Quirks(bits: 2)

  /// Optional keys of `connect` that can be left out, bit 2 and up.
  private static let keys: [StaticString] = [
    "displayName", "modelIdentifier", "instanceId", "permissions", "caps", "locale", "userAgent",
  ]

  private(set) var bits: UInt16 = 0

  init() {}

  init(bits: UInt16) { self.bits = bits }

  func contains(_ other: Quirks) -> Bool { bits & other.bits == other.bits }

  func union(_ other: Quirks) -> Quirks { Quirks(bits: bits | other.bits) }

  mutating func insert(_ other: Quirks) { bits |= other.bits }

  /// True when `key` must be left out.
  func omits(_ key: StaticString) -> Bool {
    for index in Self.keys.indices where Self.keys[index].bytes.elementsEqual(key.bytes) {
      return bits & 4 << UInt16(index) != 0
    }
    return false
  }

  /// What to change after `invalid connect params` with this message, or nil when only a person can help.
  static func remedy(for message: Span<UInt8>) -> Quirks? {
    if message.contains("deviceToken") { return .tokenInToken }
    for index in keys.indices where message.contains(keys[index]) { return Quirks(bits: 4 << UInt16(index)) }
    return nil
  }
}
