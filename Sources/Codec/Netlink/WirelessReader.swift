/// A message of the kernel about wireless devices (`<linux/nl80211.h>`). Names of networks and addresses of stations
/// would reveal where a board is, and are not read.
public enum WirelessMessage: Equatable, Sendable {
  /// The number of the nl80211 family on this system.
  case family(UInt16)
  /// An interface, and how it is used.
  case interface(WirelessInterface)
  /// The other end of a link.
  case station(WirelessStation)
  /// The dump is complete.
  case done
  /// The kernel refused the request with this errno.
  case refused(Int32)
}

/// A wireless interface.
public struct WirelessInterface: Equatable, Sendable {
  /// The kernel's number.
  public let interface: UInt32
  /// True for a client of an access point (`NL80211_IFTYPE_STATION`).
  public let isClient: Bool
  /// Megahertz of its channel; nil when it is on none.
  public let frequency: UInt32?
}

/// A peer on the air: for a client, the access point.
public struct WirelessStation: Equatable, Sendable {
  /// The kernel's number of the interface.
  public let interface: UInt32
  /// Received signal in dBm: the average where the driver computes one, else that of the last packet.
  public let signal: Int8?
  /// Transmit bit rate in units of 100 kbit/s.
  public let bitrate: UInt32?
}

/// Reads one datagram of generic netlink (`<linux/genetlink.h>`): the controller's description of the family nl80211,
/// and messages of that family. All others are skipped.
public struct WirelessReader: ~Escapable {
  // <linux/genetlink.h>: type of the controller, its command and attributes.
  private static let controller: UInt16 = 16
  private static let newFamily: UInt8 = 1
  private static let familyID: UInt16 = 1
  // <linux/nl80211.h>: commands.
  private static let (newInterface, newStation): (UInt8, UInt8) = (7, 19)
  // Attributes of them: NL80211_ATTR_IFINDEX, _IFTYPE, _STA_INFO, _WIPHY_FREQ.
  private static let (index, type, stationInfo, frequency): (UInt16, UInt16, UInt16, UInt16) = (3, 5, 21, 38)
  // NL80211_STA_INFO_SIGNAL, _TX_BITRATE, _SIGNAL_AVG; NL80211_RATE_INFO_BITRATE, _BITRATE32.
  private static let (signal, sent, average): (UInt16, UInt16, UInt16) = (7, 8, 13)
  private static let (rate16, rate32): (UInt16, UInt16) = (1, 5)
  /// `NL80211_IFTYPE_STATION`.
  private static let client: UInt32 = 2
  private static let headerBytes = 4

  private let family: UInt16
  private var messages: NetlinkMessages

  /// A reader at the start of a datagram; `family` is the controller's number for nl80211, or 0 while unknown.
  @_lifetime(copy datagram)
  public init(_ datagram: Span<UInt8>, family: UInt16) {
    self.family = family
    messages = NetlinkMessages(datagram)
  }

  /// The next message that matters, or nil at the end.
  public mutating func next() throws(NetlinkError) -> WirelessMessage? {
    while let next = try messages.next() {
      let body = messages.body(of: next)
      switch next.kind {
      case NetlinkMessages.error:
        if let errno = try NetlinkMessages.refusal(body, next.offset) { return .refused(errno) }
      case NetlinkMessages.done: return .done
      case Self.controller, family:
        if let message = try Self.message(next.kind, body, next.offset) { return message }
      default: break
      }
    }
    return nil
  }

  /// A message after its `struct genlmsghdr`.
  private static func message(
    _ kind: UInt16, _ body: Span<UInt8>, _ offset: Int
  ) throws(NetlinkError) -> WirelessMessage? {
    guard body.count >= headerBytes else { throw NetlinkError(offset: offset) }
    let attributes = NetlinkAttributes(body.extracting(headerBytes...), offset: offset)
    if kind == controller { return body[0] == newFamily ? try number(attributes) : nil }
    switch body[0] {
    case newInterface: return try interface(attributes)
    case newStation: return try station(attributes, offset)
    default: return nil
    }
  }

  private static func number(_ attributes: consuming NetlinkAttributes) throws(NetlinkError) -> WirelessMessage? {
    while let attribute = try attributes.next() {
      let value = attributes.value(attribute)
      if attribute.kind == familyID, value.count >= 2 { return .family(value.nativeUInt16(at: 0)) }
    }
    return nil
  }

  private static func interface(_ attributes: consuming NetlinkAttributes) throws(NetlinkError) -> WirelessMessage? {
    var found: UInt32?
    var isClient = false
    var megahertz: UInt32?
    while let attribute = try attributes.next() {
      let value = attributes.value(attribute)
      guard value.count >= 4 else { continue }
      switch attribute.kind {
      case index: found = value.nativeUInt32(at: 0)
      case type: isClient = value.nativeUInt32(at: 0) == client
      case frequency: megahertz = value.nativeUInt32(at: 0)
      default: break
      }
    }
    return found.map { .interface(WirelessInterface(interface: $0, isClient: isClient, frequency: megahertz)) }
  }

  private static func station(
    _ attributes: consuming NetlinkAttributes, _ offset: Int
  ) throws(NetlinkError) -> WirelessMessage? {
    var found: UInt32?
    var last: Int8?
    var mean: Int8?
    var bitrate: UInt32?
    while let attribute = try attributes.next() {
      let value = attributes.value(attribute)
      if attribute.kind == index, value.count >= 4 { found = value.nativeUInt32(at: 0) }
      guard attribute.kind == stationInfo else { continue }
      var facts = NetlinkAttributes(value, offset: offset)
      while let fact = try facts.next() {
        let value = facts.value(fact)
        switch fact.kind {
        case signal where value.count >= 1: last = Int8(bitPattern: value[0])
        case average where value.count >= 1: mean = Int8(bitPattern: value[0])
        case sent: bitrate = try rate(NetlinkAttributes(value, offset: offset))
        default: break
        }
      }
    }
    return found.map { .station(WirelessStation(interface: $0, signal: mean ?? last, bitrate: bitrate)) }
  }

  /// `struct rate_info`: the 32-bit attribute where present, else the 16-bit one. 0 is none.
  private static func rate(_ attributes: consuming NetlinkAttributes) throws(NetlinkError) -> UInt32? {
    var narrow: UInt32 = 0
    var wide: UInt32 = 0
    while let attribute = try attributes.next() {
      let value = attributes.value(attribute)
      if attribute.kind == rate32, value.count >= 4 { wide = value.nativeUInt32(at: 0) }
      if attribute.kind == rate16, value.count >= 2 { narrow = UInt32(value.nativeUInt16(at: 0)) }
    }
    let rate = wide > 0 ? wide : narrow
    return rate > 0 ? rate : nil
  }
}
