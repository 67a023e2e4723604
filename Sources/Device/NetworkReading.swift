import Codec
import Runtime

/// The kinds of network interfaces.
public struct InterfaceKinds: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  public static let wired = InterfaceKinds(rawValue: 1)
  public static let wifi = InterfaceKinds(rawValue: 2)
  public static let cellular = InterfaceKinds(rawValue: 4)
  public static let other = InterfaceKinds(rawValue: 8)

  /// The kind in `/sys/class/net/NAME/uevent`; nil when the driver sets none.
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
    case Self.ppp, Self.rawIP: self = .cellular
    default: self = .other
    }
  }

  /// `ARPHRD_ETHER`, `ARPHRD_PPP`, and `ARPHRD_RAWIP` of modems that carry packets without Ethernet's header.
  private static let ethernet: UInt64 = 1, ppp: UInt64 = 512, rawIP: UInt64 = 519
}

/// The board's default routes.
public struct NetworkReading: Equatable, Sendable {
  /// Kinds of the interfaces that have a default route; empty without any.
  public var interfaces: InterfaceKinds = []
  /// Name of the interface of the best default route: by metric, IPv4 before IPv6.
  public var defaultInterface = DeviceName()

  /// No default route.
  public init() {}

  /// True when there is a default route.
  public var isSatisfied: Bool { !interfaces.isEmpty }

  /// True when all default routes are cellular.
  public var isExpensive: Bool { interfaces == .cellular }
}

/// One network interface.
public struct LinkReading: Sendable {
  /// Its name.
  public var name = DeviceName()
  /// The kernel's number.
  public var index: UInt32 = 0
  /// Its kind.
  public var kind: InterfaceKinds = .other
  /// True when it has a carrier; false also when it is down.
  public var hasCarrier = false
  /// Megabits a second of a cable, when there is a carrier.
  public var speed: Int?
  /// Number of its addresses of more than host scope; nil when the kernel cannot be queried.
  public var addresses: Int?
  /// Number of those that are of use beyond the link; nil when the kernel cannot be queried.
  public var reachable: Int?
  /// The radio link, for a client of an access point.
  public var air: AirReading?

  /// An interface without readings.
  public init() {}
}

/// The radio link between a wireless client and its access point. The network's name would reveal where the board is,
/// and is left out.
public struct AirReading: Equatable, Sendable {
  /// Received signal of the access point in dBm.
  public var signal: Int?
  /// Transmit bit rate in Mbit/s.
  public var bitrate: Double?
  /// The channel, in MHz.
  public var frequency: Int?

  /// Nothing known.
  public init() {}

  /// The signal of an interface in the text of `/proc/net/wireless` (wireless extensions): the third number of its
  /// line, followed by a point when it is new. Some drivers use another unit with positive numbers, which are not dBm.
  public static func signal(of interface: Span<UInt8>, wireless text: Span<UInt8>) -> Int? {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      var fields = TextFields(line, separatedBy: .blank)
      guard let name = fields.next(), name.count == interface.count + 1, name.hasPrefix(interface),
        let level = fields.next(skipping: 2)
      else { continue }
      var end = level.count
      if end > 0, level[end - 1] == UInt8(ascii: ".") { end -= 1 }
      guard let signal = level.extracting(0..<end).signed, (-128..<0).contains(signal) else { return nil }
      return Int(signal)
    }
    return nil
  }
}
