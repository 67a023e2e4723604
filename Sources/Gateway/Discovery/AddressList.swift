import Runtime

/// Where a DNS packet came from.
public enum PacketOrigin: Equatable, Sendable {
  /// The link of an interface, by multicast DNS.
  case link(interface: UInt32, isLoopback: Bool)
  /// A name server.
  case nameServer
}

/// The addresses of one host, in the order in which to try them (gateway reference 7.3): IPv4, then global and local
/// unicast IPv6, then link-local.
public struct AddressList: Sendable {
  private static let none = SocketAddress(bytes: InlineArray<4, UInt8>(repeating: 0).span, port: 0)

  private var slots = InlineArray<8, SocketAddress>(repeating: AddressList.none)
  /// How many there are, at most `Budget.hostAddresses`.
  public private(set) var count = 0

  /// No address.
  public init() { precondition(slots.count == Budget.hostAddresses) }

  /// The address at a place, from 0.
  public subscript(index: Int) -> SocketAddress {
    precondition(index >= 0 && index < count)
    return slots[index]
  }

  /// True when one of them is IPv4.
  public var hasIPv4: Bool {
    for index in 0..<count where slots[index].byteCount == 4 { return true }
    return false
  }

  /// Adds the 4 or 16 bytes of a record; true when the list changed. Unusable addresses are rejected: unspecified,
  /// multicast, mapped, loopback from another machine, link-local from a name server. When the list is full, a better
  /// address replaces the last.
  public mutating func add(_ bytes: Span<UInt8>, port: UInt16, from origin: PacketOrigin) -> Bool {
    guard bytes.count == 4 || bytes.count == 16 else { return false }
    var address = SocketAddress(bytes: bytes, port: port)
    guard let rank = Self.rank(of: address) else { return false }
    switch origin {
    case .nameServer:
      if rank >= Rank.linkLocalIPv4 || address.isLoopback { return false }
    case .link(let interface, let isLoopback):
      if address.isLoopback, !isLoopback { return false }
      if rank == Rank.linkLocalIPv6 { address.scope = interface }
    }
    return insert(address, rank)
  }

  private mutating func insert(_ address: SocketAddress, _ rank: Int) -> Bool {
    var place = count
    for index in 0..<count {
      if slots[index] == address { return false }
      if place == count, rank < Self.rank(of: slots[index])! { place = index }
    }
    guard place < slots.count else { return false }
    if count < slots.count { count += 1 }
    for index in stride(from: count - 1, to: place, by: -1) { slots[index] = slots[index - 1] }
    slots[place] = address
    return true
  }

  private enum Rank {
    /// The smallest is tried first.
    static let ipv4 = 0
    static let ipv6 = 1
    static let linkLocalIPv4 = 2
    static let linkLocalIPv6 = 3
  }

  /// Nil for an address that cannot be connected to.
  private static func rank(of address: SocketAddress) -> Int? {
    let first = address.bytes[0]
    let second = address.bytes[1]
    if address.byteCount == 4 {
      if first == 0 || first >= 224 { return nil }
      return first == 169 && second == 254 ? Rank.linkLocalIPv4 : Rank.ipv4
    }
    if first == 0xFF { return nil }
    if first == 0xFE, second & 0xC0 == 0x80 { return Rank.linkLocalIPv6 }
    // ::/8 holds only what is unspecified, mapped or obsolete, and the loopback.
    return first == 0 && !address.isIPv6Loopback ? nil : Rank.ipv6
  }
}

extension SocketAddress {
  fileprivate var isIPv6Loopback: Bool {
    for index in 0..<15 where bytes[index] != 0 { return false }
    return bytes[15] == 1
  }
}
