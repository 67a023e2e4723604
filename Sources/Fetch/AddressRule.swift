import Runtime

/// Which addresses a document or a page may make the board connect to.
///
/// This prevents server-side request forgery: the author of a document must not reach through the board what only the
/// board can reach, as the router's pages, other machines of a home, a cloud's metadata service. So only addresses of
/// the public internet are connected to, unless the configuration allows others. The resolved address is checked, not
/// the name.
extension SocketAddress {
  /// True for an address of the public internet (IANA's special-purpose registries, RFC 6890).
  public var isPublic: Bool {
    if byteCount == 4 { return Self.isPublic(bytes[0], bytes[1], bytes[2]) }
    if hasPrefix(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF) { return Self.isPublic(bytes[12], bytes[13], bytes[14]) }
    // NAT64: an IPv4 address after its prefix (RFC 6052).
    if hasPrefix(0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0) { return Self.isPublic(bytes[12], bytes[13], bytes[14]) }
    // 6to4 has the IPv4 address after its prefix (RFC 3056).
    if hasPrefix(0x20, 0x02) { return Self.isPublic(bytes[2], bytes[3], bytes[4]) }
    // All other global unicast addresses are in 2000::/3, without Teredo and the like (2001:0::/23) and examples
    // (2001:db8::/32 and 3fff::/20).
    guard bytes[0] & 0xE0 == 0x20 else { return false }
    if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] < 2 { return false }
    if hasPrefix(0x20, 0x01, 0x0D, 0xB8) { return false }
    return !(bytes[0] == 0x3F && bytes[1] == 0xFF && bytes[2] < 0x10)
  }

  private func hasPrefix(_ prefix: UInt8...) -> Bool {
    for index in 0..<prefix.count where bytes[index] != prefix[index] { return false }
    return true
  }

  /// By the first three bytes of an IPv4 address.
  private static func isPublic(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    switch (first, second) {
    case (0, _), (10, _), (127, _): false  // this network, private, loopback
    case (100, 64...127): false  // shared by carriers
    case (169, 254): false  // link-local
    case (172, 16...31), (192, 168): false  // private
    case (192, 0): third != 0 && third != 2  // protocol assignments, examples
    case (192, 88): third != 99  // 6to4 relays, given up
    case (198, 18...19): false  // benchmarks
    case (198, 51): third != 100  // examples
    case (203, 0): third != 113
    case (224..., _): false  // multicast, reserved, broadcast
    default: true
    }
  }
}

/// Configured exceptions: hosts and networks that may be fetched from although they are not public, or without TLS.
public struct AllowList: Sendable {
  private enum Entry: Sendable {
    case host(String, port: UInt16?)
    /// Addresses with the same first `bits` bits.
    case network(SocketAddress, bits: Int)
  }

  private var entries: [Entry] = []

  /// An empty list.
  public init() {}

  /// Adds `name`, `name:port`, `address`, `[address]:port` or `address/bits`; false when it is none of these, or there
  /// is no room.
  public mutating func add(_ word: String) -> Bool {
    guard entries.count < Budget.fetchAllowed, let entry = Self.entry(word) else { return false }
    entries.append(entry)
    return true
  }

  public var isEmpty: Bool { entries.isEmpty }

  private static func entry(_ word: String) -> Entry? {
    let parts = word.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let address = SocketAddress(literal: text(parts[0]), port: 0), let bits = number(parts[1]) else {
        return nil
      }
      return bits <= 8 * address.byteCount ? .network(address, bits: bits) : nil
    }
    guard parts.count == 1 else { return nil }
    if let address = SocketAddress(literal: word, port: 0) { return .network(address, bits: 8 * address.byteCount) }
    guard let url = try? WebURL(("https://" + word).utf8.span), url.target == "/" else { return nil }
    let hasPort = word.utf8.last != UInt8(ascii: "]") && word.utf8.contains(UInt8(ascii: ":"))
    return .host(url.host, port: hasPort ? url.port : nil)
  }

  private static func text(_ bytes: Substring.UTF8View) -> String { String(decoding: Array(bytes), as: UTF8.self) }

  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard (1...3).contains(digits.count) else { return nil }
    var value = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }

  /// True when the host is allowed by its name, or the address that it has.
  public func allows(_ url: WebURL, at address: SocketAddress) -> Bool {
    for entry in entries {
      switch entry {
      case .host(let host, let port):
        if host == url.host, port == nil || port == url.port { return true }
      case .network(let network, let bits):
        if Self.begin(network, address, bits) { return true }
      }
    }
    return false
  }

  private static func begin(_ network: SocketAddress, _ address: SocketAddress, _ bits: Int) -> Bool {
    guard network.byteCount == address.byteCount else { return false }
    for index in 0..<bits / 8 where network.bytes[index] != address.bytes[index] { return false }
    guard bits % 8 > 0 else { return true }
    return (network.bytes[bits / 8] ^ address.bytes[bits / 8]) >> UInt8(8 - bits % 8) == 0
  }
}

/// The policy for fetches.
public struct FetchRule: Sendable {
  /// What the configuration allows.
  public var allowed: AllowList
  /// The gateway and its canvas host, which may have any address, with or without TLS as the connection to the gateway.
  public var gateway: WebURL?
  public var canvasHost: WebURL?
  /// Every address may be fetched from: the configuration names the server.
  private var isOpen = false

  /// The rule for servers that the configuration names.
  static var anywhere: FetchRule {
    var rule = FetchRule()
    rule.isOpen = true
    return rule
  }

  /// A rule; see the properties.
  public init(allowed: AllowList = AllowList(), gateway: WebURL? = nil, canvasHost: WebURL? = nil) {
    self.allowed = allowed
    self.gateway = gateway
    self.canvasHost = canvasHost
  }

  /// True for an address of the gateway itself.
  public func isGateway(_ url: WebURL) -> Bool {
    gateway?.isSameOrigin(as: url) == true || canvasHost?.isSameOrigin(as: url) == true
  }

  /// Why `url` must not be fetched from this address; nil: it may.
  public func objection(to url: WebURL, at address: SocketAddress) -> FetchFailure.Kind? {
    if isOpen || isGateway(url) || allowed.allows(url, at: address) { return nil }
    if !address.isPublic { return .refusedAddress }
    return url.isSecure ? nil : .plaintext
  }
}
