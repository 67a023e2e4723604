import Glibc

/// A range of addresses in CIDR notation (RFC 4632, section 3.1; RFC 4291, section 2.3), such as `192.168.7.0/24`.
struct AddressRange: Equatable, Sendable {
  /// The bytes of the network's address, in network order: 4 or 16.
  private let network: [UInt8]
  /// Bits that an address has in common with it.
  private let bits: Int

  /// Nil when the text is no range, or no address, which is a range of one.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let network = Self.bytes(String(parts[0])) else { return nil }
    let bits = parts.count == 2 ? Int(parts[1]) : network.count * 8
    guard let bits, (0...network.count * 8).contains(bits) else { return nil }
    (self.network, self.bits) = (network, bits)
  }

  /// Whether a numeric address is in it. One that is IPv4 within IPv6 counts as IPv4.
  func contains(_ address: String) -> Bool {
    let mapped = "::ffff:"
    let isMapped = address.lowercased().hasPrefix(mapped) && address.contains(".")
    guard let bytes = Self.bytes(isMapped ? String(address.dropFirst(mapped.count)) : address),
      bytes.count == network.count
    else { return false }
    return (0..<bits).allSatisfy { bit in
      let mask = UInt8(0x80) >> UInt8(bit % 8)
      return bytes[bit / 8] & mask == network[bit / 8] & mask
    }
  }

  private static func bytes(_ address: String) -> [UInt8]? {
    var room = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &room) == 1 { return Array(room[..<4]) }
    if inet_pton(AF_INET6, address, &room) == 1 { return room }
    return nil
  }
}
