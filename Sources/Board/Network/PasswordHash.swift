import COpenSSL
import Codec
import Runtime

/// The stored hash of a password: scrypt (RFC 7914), as a line of the PHC string format:
/// `$scrypt$ln=13,r=8,p=1$SALT$KEY`, both in base64 without padding.
public struct PasswordHash: Equatable, Sendable {
  /// The prefix of every such line, which no PIN may have.
  public static let mark = "$scrypt$"
  private static let saltBytes = 16, keyBytes = 32

  /// N is two to the power of this; r is 8 and p 1.
  let costBits: UInt8
  private let salt: [UInt8]
  private let key: [UInt8]

  /// Hashes a new password with a random salt. `Budget.passwordCostBits` sets its cost in time and memory; nil when
  /// memory is short.
  public init?(_ password: [UInt8], random: any RandomSource) {
    var salt = [UInt8](repeating: 0, count: Self.saltBytes)
    salt.withUnsafeMutableBytes { random.fill($0) }
    guard let key = Self.key(password.span, salt, Budget.passwordCostBits.lowerBound) else { return nil }
    (costBits, self.salt, self.key) = (Budget.passwordCostBits.lowerBound, salt, key)
  }

  /// Parses a line; nil when it is invalid, or its cost is outside `Budget.passwordCostBits`.
  public init?(text: String) {
    let parts = Self.parts(Array(text.utf8)[...], UInt8(ascii: "$"))
    guard parts.count == 5, parts[0].isEmpty, String(decoding: parts[1], as: UTF8.self) == "scrypt" else { return nil }
    let costs = Self.parts(parts[2], UInt8(ascii: ","))
    guard costs.count == 3, let bits = Self.bits(costs[0]), String(decoding: costs[1], as: UTF8.self) == "r=8",
      String(decoding: costs[2], as: UTF8.self) == "p=1", Budget.passwordCostBits.contains(bits),
      let salt = Self.decoded(Array(parts[3]), Self.saltBytes), let key = Self.decoded(Array(parts[4]), Self.keyBytes)
    else { return nil }
    (costBits, self.salt, self.key) = (bits, salt, key)
  }

  /// The line.
  public var text: String { "\(Self.mark)ln=\(costBits),r=8,p=1$\(Self.encoded(salt))$\(Self.encoded(key))" }

  /// True for the right password. Takes as long for a wrong one.
  public func matches(_ password: Span<UInt8>) -> Bool {
    guard let key = Self.key(password, salt, costBits) else { return false }
    var difference: UInt8 = 0
    for index in 0..<Self.keyBytes { difference |= key[index] ^ self.key[index] }
    return difference == 0
  }

  private static func key(_ password: Span<UInt8>, _ salt: [UInt8], _ bits: UInt8) -> [UInt8]? {
    var key = [UInt8](repeating: 0, count: keyBytes)
    let isDone = password.withUnsafeBufferPointer { password in
      salt.withUnsafeBufferPointer { salt in
        key.withUnsafeMutableBufferPointer { key in
          // OpenSSL would take a null pointer for a missing password.
          let none: UInt8 = 0
          return withUnsafePointer(to: none) { none in
            tl_scrypt(
              password.baseAddress ?? none, numericCast(password.count), salt.baseAddress!, UInt64(1) << UInt64(bits),
              key.baseAddress!)
          }
        }
      }
    }
    return isDone == 1 ? key : nil
  }

  private static func parts(_ text: ArraySlice<UInt8>, _ separator: UInt8) -> [ArraySlice<UInt8>] {
    text.split(separator: separator, omittingEmptySubsequences: false)
  }

  /// The number in "ln=13".
  private static func bits(_ text: ArraySlice<UInt8>) -> UInt8? {
    guard text.count == 5, String(decoding: text.prefix(3), as: UTF8.self) == "ln=" else { return nil }
    var bits: UInt8 = 0
    for byte in text.dropFirst(3) {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      bits = bits * 10 + byte - UInt8(ascii: "0")
    }
    return bits
  }

  private static func encoded(_ bytes: [UInt8]) -> String {
    let text = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count * 4 / 3 + 4)
    defer { text.deallocate() }
    var encoder = Base64Encoder(.standard)
    var count = encoder.encode(bytes.span, into: text)
    count += encoder.finish(into: UnsafeMutableBufferPointer(rebasing: text[count...]))
    while count > 0, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    return String(decoding: text[..<count], as: UTF8.self)
  }

  private static func decoded(_ text: [UInt8], _ count: Int) -> [UInt8]? {
    guard text.count <= 2 * count else { return nil }
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 2 * count)
    defer { bytes.deallocate() }
    do throws(Base64Error) {
      guard try Base64Decoder.decode(text.span, .standard, padding: .optional, into: bytes) == count else { return nil }
    } catch {
      return nil
    }
    return Array(bytes[..<count])
  }
}
