/// A message of the kernel about the network (rtnetlink(7)).
public enum NetworkMessage: Equatable, Sendable {
  /// An interface: whether it can carry traffic now.
  case link(NetworkLink)
  /// An address of an interface was added or removed.
  case address(NetworkAddress, isPresent: Bool)
  /// A default route was added or removed.
  case defaultRoute(DefaultRoute, isPresent: Bool)
  /// The dump is complete.
  case done
  /// The kernel refused the request with this errno.
  case refused(Int32)
}

/// An interface.
public struct NetworkLink: Equatable, Sendable {
  /// The kernel's number.
  public let interface: UInt32
  /// Up, with a carrier, and not the loopback.
  public let isWorking: Bool
}

/// An address of an interface.
public struct NetworkAddress: Equatable, Sendable {
  /// The kernel's number of the interface.
  public let interface: UInt32
  /// In network order; an IPv4 address uses the first 4 bytes.
  public let bytes: NetworkBytes
}

/// A default route.
public struct DefaultRoute: Equatable, Sendable {
  /// The outgoing interface.
  public let interface: UInt32
  /// True for IPv6.
  public let isIPv6: Bool
  /// The router, all zero when there is none.
  public let router: NetworkBytes
  /// Lower is preferred.
  public let metric: UInt32
}

/// 16 bytes that can be compared.
public struct NetworkBytes: Equatable, Sendable {
  /// The bytes.
  public private(set) var bytes = InlineArray<16, UInt8>(repeating: 0)

  /// Nothing but zeros.
  public init() {}

  /// Up to 16 bytes.
  public init(_ source: Span<UInt8>) {
    for index in 0..<min(source.count, 16) { bytes[index] = source[index] }
  }

  /// True for an address that is of use on its own link alone: 169.254.0.0/16 (RFC 3927), fe80::/10 (RFC 4291 2.5.6).
  public var isLinkLocal: Bool {
    (bytes[0] == 169 && bytes[1] == 254) || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
  }

  public static func == (left: NetworkBytes, right: NetworkBytes) -> Bool {
    for index in 0..<16 where left.bytes[index] != right.bytes[index] { return false }
    return true
  }
}

/// Reads one datagram of rtnetlink, in native byte order: only messages that may change how the network can be reached.
/// All others are skipped.
public struct NetlinkReader: ~Escapable {
  // <linux/netlink.h>, <linux/rtnetlink.h>
  private static let (newLink, deleteLink): (UInt16, UInt16) = (16, 17)
  private static let (newAddress, deleteAddress): (UInt16, UInt16) = (20, 21)
  private static let (newRoute, deleteRoute): (UInt16, UInt16) = (24, 25)

  private var messages: NetlinkMessages

  /// A reader at the start of a datagram.
  @_lifetime(copy datagram)
  public init(_ datagram: Span<UInt8>) { messages = NetlinkMessages(datagram) }

  /// The next message that matters, or nil at the end.
  public mutating func next() throws(NetlinkError) -> NetworkMessage? {
    while let next = try messages.next() {
      if let message = try Self.message(next.kind, messages.body(of: next), offset: next.offset) { return message }
    }
    return nil
  }

  private static func message(
    _ kind: UInt16, _ body: Span<UInt8>, offset: Int
  ) throws(NetlinkError) -> NetworkMessage? {
    switch kind {
    case NetlinkMessages.error: return try NetlinkMessages.refusal(body, offset).map { .refused($0) }
    case NetlinkMessages.done: return .done
    case newLink, deleteLink: return try link(body, isPresent: kind == newLink, offset)
    case newAddress, deleteAddress: return try address(body, isPresent: kind == newAddress, offset)
    case newRoute, deleteRoute: return try route(body, isPresent: kind == newRoute, offset)
    default: return nil
    }
  }

  /// `struct ifinfomsg`: only the flags are read.
  private static func link(
    _ body: Span<UInt8>, isPresent: Bool, _ offset: Int
  ) throws(NetlinkError) -> NetworkMessage? {
    guard body.count >= 16 else { throw NetlinkError(offset: offset) }
    let flags = body.nativeUInt32(at: 8)
    let (up, loopback, running): (UInt32, UInt32, UInt32) = (0x1, 0x8, 0x40)
    if flags & loopback != 0 { return nil }
    let isWorking = isPresent && flags & up != 0 && flags & running != 0
    return .link(NetworkLink(interface: body.nativeUInt32(at: 4), isWorking: isWorking))
  }

  /// `struct ifaddrmsg`. Tentative addresses, and those of host scope, are skipped.
  private static func address(
    _ body: Span<UInt8>, isPresent: Bool, _ offset: Int
  ) throws(NetlinkError) -> NetworkMessage? {
    guard body.count >= 8 else { throw NetlinkError(offset: offset) }
    let (failed, tentative): (UInt8, UInt8) = (0x08, 0x40)
    let (hostScope, nowhereScope): (UInt8, UInt8) = (254, 255)
    if body[3] == hostScope || body[3] == nowhereScope { return nil }
    if isPresent, body[2] & (failed | tentative) != 0 { return nil }
    var bytes = NetworkBytes()
    var hasLocal = false
    var attributes = NetlinkAttributes(body.extracting(8...), offset: offset)
    while let attribute = try attributes.next() {
      // Where both are present, IFA_LOCAL (2) is this end and IFA_ADDRESS (1) the other end of a point-to-point link.
      guard attribute.kind == 2 || (attribute.kind == 1 && !hasLocal) else { continue }
      bytes = NetworkBytes(attributes.value(attribute))
      if attribute.kind == 2 { hasLocal = true }
    }
    return .address(
      NetworkAddress(interface: body.nativeUInt32(at: 4), bytes: bytes), isPresent: isPresent)
  }

  /// `struct rtmsg`. Only unicast default routes of the main table.
  private static func route(
    _ body: Span<UInt8>, isPresent: Bool, _ offset: Int
  ) throws(NetlinkError) -> NetworkMessage? {
    guard body.count >= 12 else { throw NetlinkError(offset: offset) }
    let (mainTable, unicast, cloned): (UInt8, UInt8, UInt32) = (254, 1, 0x200)
    let isDefault = body[1] == 0 && body[4] == mainTable && body[7] == unicast
    guard isDefault, body.nativeUInt32(at: 8) & cloned == 0 else { return nil }
    var router = NetworkBytes()
    var interface: UInt32 = 0
    var metric: UInt32 = 0
    var attributes = NetlinkAttributes(body.extracting(12...), offset: offset)
    while let attribute = try attributes.next() {
      let value = attributes.value(attribute)
      switch attribute.kind {
      case 4 where value.count >= 4: interface = value.nativeUInt32(at: 0)
      case 5: router = NetworkBytes(value)
      case 6 where value.count >= 4: metric = value.nativeUInt32(at: 0)
      default: break
      }
    }
    return .defaultRoute(
      DefaultRoute(interface: interface, isIPv6: body[0] == 10, router: router, metric: metric),
      isPresent: isPresent)
  }
}
