import Runtime

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
  /// Name of the interface that the best route leaves by: that of IPv4, by its metric, else of IPv6.
  public var defaultInterface = DeviceName()

  /// No way out.
  public init() {}

  /// True when there is a way out.
  public var isSatisfied: Bool { !interfaces.isEmpty }

  /// True when the only way out is paid by the byte.
  public var isExpensive: Bool { interfaces == .cellular }
}

/// One network interface.
public struct LinkReading: Sendable {
  /// Its name.
  public var name = DeviceName()
  /// The kernel's number.
  public var index: UInt32 = 0
  /// What it is made of.
  public var kind: InterfaceKinds = .other
  /// True when there is somebody at the other end; false also for one that is switched off.
  public var hasCarrier = false
  /// Megabits a second of a cable, when there is a carrier.
  public var speed: Int?
  /// How many addresses it has that can be used from outside; nil when the kernel may not be asked.
  public var addresses: Int?
  /// What the air is like, for a client of an access point.
  public var air: AirReading?

  /// An interface of which nothing is known.
  public init() {}
}

/// How well a wireless client and its access point hear each other. The network's name would tell where the board is, and
/// is left out.
public struct AirReading: Equatable, Sendable {
  /// How strong the access point is heard, in dBm.
  public var signal: Int?
  /// What is sent to it, in Mbit/s.
  public var bitrate: Double?
  /// The channel, in MHz.
  public var frequency: Int?

  /// Nothing heard.
  public init() {}

  /// The signal of an interface in the text of `/proc/net/wireless` (wireless extensions): the third number of its line,
  /// followed by a point when it is new. Drivers that count otherwise give positive numbers, which are not dBm.
  public static func signal(of interface: Span<UInt8>, wireless text: Span<UInt8>) -> Int? {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      var fields = TextFields(line, separatedBy: .blank)
      guard let name = fields.next(), name.count == interface.count + 1, name.hasPrefix(interface),
        let level = fields.next(skipping: 2)
      else { continue }
      var end = level.count
      if end > 0, level[end - 1] == UInt8(ascii: ".") { end -= 1 }
      guard let signal = level.extracting(0..<end).signed, (-128 ..< 0).contains(signal) else { return nil }
      return Int(signal)
    }
    return nil
  }
}
