/// What an interface of the network is made of.
public struct InterfaceKinds: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let wired = InterfaceKinds(rawValue: 1)
  public static let wifi = InterfaceKinds(rawValue: 2)
  public static let cellular = InterfaceKinds(rawValue: 4)
  public static let other = InterfaceKinds(rawValue: 8)

  /// The kind that `/sys/class/net/NAME/uevent` names; nil when the driver did not name one.
  public init?(uevent: Span<UInt8>) {
    var lines = TextFields(uevent, separatedBy: .lineFeed)
    while let line = lines.next() {
      guard let device = line.dropping("DEVTYPE=")?.trimmed else { continue }
      if device.matches("wwan") {
        self = .cellular
        return
      }
      if device.matches("wlan") {
        self = .wifi
        return
      }
    }
    return nil
  }

  /// The kind by `/sys/class/net/NAME/type`, a number of `<linux/if_arp.h>`. PPP counts as cellular: on boards it is
  /// a modem's.
  public init(type: Span<UInt8>) {
    switch type.trimmed.unsigned {
    case Self.ethernet: self = .wired
    case Self.ppp: self = .cellular
    default: self = .other
    }
  }

  /// `ARPHRD_ETHER` and `ARPHRD_PPP`.
  private static let ethernet: UInt64 = 1
  private static let ppp: UInt64 = 512
}

/// How the board reaches the world: by its default routes.
public struct NetworkReading: Equatable, Sendable {
  /// Kinds of the interfaces that have a default route; empty without any.
  public var interfaces: InterfaceKinds = []

  /// No way out.
  public init() {}

  /// True when there is a way out.
  public var isSatisfied: Bool { !interfaces.isEmpty }

  /// True when the only way out is paid by the byte.
  public var isExpensive: Bool { interfaces == .cellular }
}

/// The kernel's routing tables as text (proc(5), and net/ipv6/route.c for the second).
public enum RoutingTable {
  /// `RTF_UP` and `RTF_REJECT` of `<linux/route.h>`.
  private static let up: UInt64 = 0x1
  private static let reject: UInt64 = 0x200

  /// Calls `body` with the interface of every default route of `/proc/net/route`.
  public static func forEachDefaultIPv4(in text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      // Iface Destination Gateway Flags RefCnt Use Metric Mask
      var fields = TextFields(line, separatedBy: .blank)
      guard let name = fields.next(), fields.next()?.hexadecimal == 0,
        let flags = fields.next(skipping: 1)?.hexadecimal, isUsable(flags),
        fields.next(skipping: 3)?.hexadecimal == 0
      else { continue }
      body(name)
    }
  }

  /// Calls `body` with the interface of every default route of `/proc/net/ipv6_route`.
  public static func forEachDefaultIPv6(in text: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      // destination prefix source prefix next-hop metric references use flags interface
      var fields = TextFields(line, separatedBy: .blank)
      guard let destination = fields.next(), isZero(destination), fields.next()?.hexadecimal == 0,
        let flags = fields.next(skipping: 6)?.hexadecimal, isUsable(flags), let name = fields.next(),
        !name.matches("lo")
      else { continue }
      body(name)
    }
  }

  private static func isUsable(_ flags: UInt64) -> Bool { flags & (up | reject) == up }

  /// True for 32 digits 0: an address of 128 bits fits no integer here.
  private static func isZero(_ address: Span<UInt8>) -> Bool {
    guard address.count == 32 else { return false }
    for index in 0..<address.count where address[index] != UInt8(ascii: "0") { return false }
    return true
  }
}
