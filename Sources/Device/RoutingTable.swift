import Codec

/// The kernel's routing tables as text (proc(5), and net/ipv6/route.c for the second).
public enum RoutingTable {
  /// `RTF_UP` and `RTF_REJECT` of `<linux/route.h>`.
  private static let up: UInt64 = 0x1
  private static let reject: UInt64 = 0x200

  /// Calls `body` with the interface and the metric of every default route of `/proc/net/route`.
  public static func forEachDefaultIPv4(in text: Span<UInt8>, _ body: (Span<UInt8>, UInt64) -> Void) {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      // Iface Destination Gateway Flags RefCnt Use Metric Mask
      var fields = TextFields(line, separatedBy: .blank)
      guard let name = fields.next(), fields.next()?.hexadecimal == 0,
        let flags = fields.next(skipping: 1)?.hexadecimal, isUsable(flags),
        let metric = fields.next(skipping: 2)?.unsigned, fields.next()?.hexadecimal == 0
      else { continue }
      body(name, metric)
    }
  }

  /// Calls `body` with the interface and the router of every default route of `/proc/net/route`: the router's bytes in
  /// network order read as a number of this machine.
  public static func forEachRouterIPv4(in text: Span<UInt8>, _ body: (Span<UInt8>, UInt32) -> Void) {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      var fields = TextFields(line, separatedBy: .blank)
      guard let name = fields.next(), fields.next()?.hexadecimal == 0, let router = fields.next()?.hexadecimal,
        let address = UInt32(exactly: router), address != 0, let flags = fields.next()?.hexadecimal, isUsable(flags),
        fields.next(skipping: 3)?.hexadecimal == 0
      else { continue }
      body(name, address)
    }
  }

  /// Calls `body` with the interface and the metric of every default route of `/proc/net/ipv6_route`.
  public static func forEachDefaultIPv6(in text: Span<UInt8>, _ body: (Span<UInt8>, UInt64) -> Void) {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      // destination prefix source prefix next-hop metric references use flags interface
      var fields = TextFields(line, separatedBy: .blank)
      guard let destination = fields.next(), isZero(destination), fields.next()?.hexadecimal == 0,
        let metric = fields.next(skipping: 3)?.hexadecimal, let flags = fields.next(skipping: 2)?.hexadecimal,
        isUsable(flags), let name = fields.next(), !name.matches("lo")
      else { continue }
      body(name, metric)
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
