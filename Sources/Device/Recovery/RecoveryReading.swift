import Codec
import Runtime

/// Reads what shows that a board hangs, from sysfs, procfs and netlink, or simulated.
public protocol RecoveryReadings: AnyObject {
  /// Reads everything again. Called on a worker, by one thread at a time; may block; never fails.
  func readRecovery() -> RecoveryReading
}

/// Hands a request over to root's side. Called on a worker; may block.
public protocol RecoveryRequests: AnyObject {
  /// Replaces the request by this one, whole or not at all.
  func send(_ request: UnsafeBufferPointer<UInt8>) throws(Errno)
}

/// What recovery needs of the board.
public struct RecoveryDevices {
  public var readings: any RecoveryReadings
  public var requests: any RecoveryRequests

  /// The devices; see the properties.
  public init(readings: any RecoveryReadings, requests: any RecoveryRequests) {
    self.readings = readings
    self.requests = requests
  }
}

/// What is wrong with a board that hangs.
public enum RecoveryReason: UInt8, Equatable, Sendable {
  case noAddress = 1, routerSilent, memoryFull

  /// The reason for the log, the request and the next start; below 40 bytes.
  public var text: StaticString {
    switch self {
    case .noAddress: "the link has a carrier and no address"
    case .routerSilent: "the link has a carrier and no router"
    case .memoryFull: "the memory is full"
    }
  }
}

/// An interface with a carrier that leads nowhere.
public struct DeadLink: Equatable, Sendable {
  /// Its name.
  public var name = DeviceName()
  /// True for Wi-Fi, whose driver may be loaded again.
  public var isWireless = false
  /// What it lacks.
  public var reason = RecoveryReason.noAddress

  /// A link; see the properties.
  public init(name: DeviceName, isWireless: Bool, reason: RecoveryReason) {
    self.name = name
    self.isWireless = isWireless
    self.reason = reason
  }
}

/// What shows that a board hangs.
public struct RecoveryReading: Equatable, Sendable {
  /// The first link with a carrier that leads nowhere, when no other link leads anywhere.
  public var deadLink: DeadLink?
  /// Nearly no memory is available.
  public var isMemoryFull = false

  /// A board that does not hang.
  public init(deadLink: DeadLink? = nil, isMemoryFull: Bool = false) {
    self.deadLink = deadLink
    self.isMemoryFull = isMemoryFull
  }

  /// Judges the links of a board.
  ///
  /// A link without a carrier is not judged: a cable may be unplugged, and an access point switched off. Neither is one
  /// with an address and no default route, which may be meant so.
  /// - Parameter silent: the interface whose default router does not answer; empty without one.
  public init(links: DeviceLinks, silent: DeviceName, memory: MemoryReading?) {
    if let memory { isMemoryFull = memory.availableBytes < memory.totalBytes / 100 * Budget.fullMemoryPercent }
    for index in 0..<links.count where links[index].hasCarrier {
      let (link, isSilent) = (links[index], links[index].name == silent)
      // What the kernel does not tell is no fault.
      guard isSilent || link.reachable == 0 else {
        deadLink = nil
        return
      }
      guard deadLink == nil else { continue }
      deadLink = DeadLink(
        name: link.name, isWireless: link.kind == .wifi, reason: isSilent ? .routerSilent : .noAddress)
    }
  }
}

/// The kernel's table of neighbours of IPv4 as text (`/proc/net/arp`, proc(5)).
public enum NeighborTable {
  /// `ATF_COM` of `<linux/if_arp.h>`: the hardware address is known.
  private static let complete: UInt64 = 0x2

  /// True when the table says that this neighbour does not answer; false also when it does not know it.
  /// - Parameter address: as in `/proc/net/route`, the bytes in network order read as a number of this machine.
  public static func isSilent(_ address: UInt32, on interface: Span<UInt8>, in text: Span<UInt8>) -> Bool {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      // address type flags hardware-address mask device
      var fields = TextFields(line, separatedBy: .blank)
      guard let found = fields.next(), number(ofDotted: found) == address,
        let flags = fields.next(skipping: 1)?.dropping("0x")?.hexadecimal, let device = fields.next(skipping: 2),
        device.count == interface.count, device.hasPrefix(interface)
      else { continue }
      return flags & complete == 0
    }
    return false
  }

  private static func number(ofDotted text: Span<UInt8>) -> UInt32? {
    var (value, part, parts, digits) = (UInt32(0), UInt32(0), UInt32(0), 0)
    for index in 0...text.count {
      if index == text.count || text[index] == UInt8(ascii: ".") {
        guard digits > 0, part <= 255, parts < 4 else { return nil }
        value |= part << (8 * parts)
        (part, digits) = (0, 0)
        parts += 1
      } else {
        let digit = text[index] &- UInt8(ascii: "0")
        guard digit < 10, digits < 3 else { return nil }
        part = part * 10 + UInt32(digit)
        digits += 1
      }
    }
    return parts == 4 ? UInt32(littleEndian: value) : nil
  }
}
