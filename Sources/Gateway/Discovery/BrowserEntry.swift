import Codec
import Runtime

extension GatewayBrowser {
  /// One instance, what is known of it, and what was queried.
  struct Entry {
    /// Milliseconds between two attempts to learn what is missing, and how many there are on a link.
    private static let attemptInterval: Int64 = 1_000
    private static let attempts = 3

    /// Missing parts, in the order in which they are queried.
    private struct Parts: OptionSet {
      let rawValue: UInt8
      static let service = Parts(rawValue: 1)
      static let text = Parts(rawValue: 2)
      static let ipv4 = Parts(rawValue: 4)
      static let ipv6 = Parts(rawValue: 8)
    }

    var gateway: DiscoveredGateway
    private var hasService = false
    private var hasText = false
    private var isGateway = false
    private var asked = Parts()
    private var attempt = 1
    private var nextAttempt: Int64

    init(gateway: DiscoveredGateway, at now: Int64) {
      self.gateway = gateway
      nextAttempt = now + Self.attemptInterval
    }

    /// True when it is known to be a gateway and to have an address.
    var isComplete: Bool { hasService && hasText && isGateway && gateway.addresses.count > 0 }

    private var missing: Parts {
      var parts = Parts()
      if !hasText { parts.insert(.text) }
      guard hasService else { return parts.union(.service) }
      if !gateway.addresses.hasIPv4 { parts.insert(.ipv4) }
      if gateway.addresses.count == 0 { parts.insert(.ipv6) }
      return parts
    }

    mutating func nextQuestion(at now: Int64, isMulticast: Bool) -> DNSQuestion? {
      if let deadline = deadline(isMulticast: isMulticast), now >= deadline {
        attempt += 1
        nextAttempt = now + Self.attemptInterval
        asked = Parts()
      }
      let wanted = missing.subtracting(asked)
      if wanted.contains(.service) { return ask(.service, DNSQuestion(gateway.name, .srv)) }
      if wanted.contains(.text) { return ask(.text, DNSQuestion(gateway.name, .txt)) }
      if wanted.contains(.ipv4) { return ask(.ipv4, DNSQuestion(gateway.host, .a)) }
      if wanted.contains(.ipv6) { return ask(.ipv6, DNSQuestion(gateway.host, .aaaa)) }
      return nil
    }

    private mutating func ask(_ part: Parts, _ question: DNSQuestion) -> DNSQuestion {
      asked.insert(part)
      return question
    }

    /// When to query missing parts again; nil when none are missing, or all attempts were made.
    func deadline(isMulticast: Bool) -> Int64? {
      guard isMulticast, attempt < Self.attempts, !missing.isEmpty else { return nil }
      return nextAttempt
    }

    /// Takes host and port. Port 0 and the root (RFC 2782: "not available") are rejected. The host may have any name
    /// (RFC 6762 section 16): its address counts.
    mutating func take(_ service: DNSService) -> Bool {
      guard service.port > 0, !service.target.isRoot else { return false }
      if hasService, gateway.host == service.target, gateway.port == service.port { return false }
      gateway.host = service.target
      gateway.port = service.port
      gateway.addresses = AddressList()
      asked.remove(.ipv4)
      asked.remove(.ipv6)
      hasService = true
      return true
    }

    /// Takes its TXT record (gateway reference 7.2).
    mutating func take(_ text: borrowing DNSText) -> Bool {
      hasText = true
      isGateway = Self.isGateway(text.value(of: "role")) && Self.isGateway(text.value(of: "transport"))
      if let name = text.value(of: "displayName") {
        let clean = PlainName(cleaning: name)
        if !clean.isEmpty { gateway.displayName = clean }
      }
      if let value = text.value(of: "gatewayTls"), Self.isTrue(value) { gateway.isSecure = true }
      if let value = text.value(of: "gatewayTlsSha256"), let hint = Fingerprint(text: value) {
        gateway.fingerprintHint = hint
      }
      return true
    }

    private static func isGateway(_ value: Span<UInt8>?) -> Bool {
      guard let value else { return false }
      return PlainName(cleaning: value).lowercased.equals(("gateway" as StaticString).utf8Bytes)
    }

    private static func isTrue(_ value: Span<UInt8>) -> Bool {
      let word = PlainName(cleaning: value).lowercased
      return word.equals(("1" as StaticString).utf8Bytes) || word.equals(("true" as StaticString).utf8Bytes)
        || word.equals(("yes" as StaticString).utf8Bytes)
    }

    /// Takes an address when it is that of its host.
    mutating func takeAddress(_ address: Span<UInt8>, of host: DNSName, from origin: PacketOrigin) -> Bool {
      guard hasService, gateway.host == host else { return false }
      return gateway.addresses.add(address, port: gateway.port, from: origin)
    }
  }
}
