import Codec
import Runtime

/// A gateway found by discovery. Nothing in it is authenticated: it only says where to connect, and the pin decides
/// whether that is the gateway.
public struct DiscoveredGateway: Sendable {
  /// The full name of the instance, `instance._openclaw-gw._tcp.domain`.
  public let name: DNSName
  /// `local`, or a domain of unicast DNS-SD.
  public let domain: DNSName
  /// Its host (SRV).
  public internal(set) var host = DNSName()
  /// Its port (SRV).
  public internal(set) var port: UInt16 = 0
  /// In the order in which to try them, with the port.
  public internal(set) var addresses = AddressList()
  /// It announced TLS (`gatewayTls`). Later announcements cannot revoke that.
  public internal(set) var isSecure = false
  /// The announced certificate (`gatewayTlsSha256`): to show and to compare, never a pin.
  public internal(set) var fingerprintHint: Fingerprint?
  /// Its announced name, cleaned; else the instance.
  public internal(set) var displayName: PlainName

  init(name: DNSName, domain: DNSName) {
    self.name = name
    self.domain = domain
    displayName = PlainName(cleaning: name.firstLabel)
  }

  /// The instance, cleaned for people.
  public var instance: PlainName { PlainName(cleaning: name.firstLabel) }

  /// The id, which stays the same when everything else changes.
  public var id: GatewayID { GatewayID(domain: domain, instance: name.firstLabel) }

  /// The host as text, without the final dot. Allocates.
  public var hostText: String {
    String(unsafeUninitializedCapacity: 1024) { buffer in
      var writer = ByteWriter(into: buffer)
      host.writeText(to: &writer, isRooted: false)
      return min(writer.count, buffer.count)
    }
  }

  /// Where to connect: the host's name, or its first address where the name has characters that none has in a URL.
  /// Allocates.
  /// - Parameter requiresTLS: true when this gateway is known to speak TLS, from a pin or from before. What it
  ///   advertises may raise security, never lower it (gateway reference 7.2).
  public func url(requiresTLS: Bool) -> GatewayURL? {
    do throws(GatewayURLError) {
      return try GatewayURL(
        "\(isSecure || requiresTLS ? "wss" : "ws")://\(hasPlainName ? hostText : addressText):\(port)")
    } catch {
      return nil
    }
  }

  /// The name has letters, digits, hyphens and underscores alone.
  private var hasPlainName: Bool {
    let bytes = host.bytes
    var index = 0
    while bytes[index] > 0 {
      let end = index + 1 + Int(bytes[index])
      for place in index + 1..<end where !Self.isPlain(bytes[place]) { return false }
      index = end
    }
    return true
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z") || byte.isDigit || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }

  /// The first address, for a URL; empty before one is known.
  private var addressText: String {
    guard addresses.count > 0 else { return "" }
    let address = addresses[0]
    let text = String(unsafeUninitializedCapacity: 64) { buffer in
      var writer = ByteWriter(into: buffer)
      writer.address(address)
      return min(writer.count, buffer.count)
    }
    return address.byteCount == 16 ? "[\(text)]" : text
  }
}
