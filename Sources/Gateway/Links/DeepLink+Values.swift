import Codec
import Runtime

/// What the values of a link mean.
extension DeepLink {
  /// Whether the agent's reply shall be delivered: the text begins with Y, y, T, t or a digit from 1 to 9
  /// (node-commands 10).
  public var delivers: Bool { isTrue(.deliver) }

  private func isTrue(_ key: Key) -> Bool {
    guard let first = self[key]?.first else { return false }
    switch first {
    case UInt8(ascii: "Y"), UInt8(ascii: "y"), UInt8(ascii: "T"), UInt8(ascii: "t"): return true
    case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
    default: return false
    }
  }

  /// Seconds that the run may take; nil: the link names none, or what is no integer of 0 or more.
  public var timeoutSeconds: Int64? {
    guard let text = self[.timeoutSeconds], !text.isEmpty else { return nil }
    var value: Int64 = 0
    for byte in text {
      guard byte.isDigit else { return nil }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      guard !isTooLarge, !isOver else { return nil }
      value = sum
    }
    return value
  }

  /// True when the link carries this key. Takes as long for a wrong one.
  public func carries(key: Span<UInt8>) -> Bool {
    guard let given = self[.key], given.count == key.count, !key.isEmpty else { return false }
    var difference: UInt8 = 0
    for index in 0..<key.count { difference |= given[index] ^ key[index] }
    return difference == 0
  }

  /// The address of a gateway link: TLS, or a gateway on this board.
  func gateway() throws(LinkError) -> GatewayURL {
    guard let host = self[.host], !host.isEmpty else { throw LinkError(.missing, .host) }
    let port = try self.port()
    let name = String(decoding: host, as: UTF8.self)
    let isLiteral = name.utf8.contains(UInt8(ascii: ":")) && name.utf8.first != UInt8(ascii: "[")
    let url: GatewayURL
    do throws(GatewayURLError) {
      // What would end the host in a URL is none of it.
      for byte in name.utf8 where byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") { throw .host }
      url = try GatewayURL("\(isTrue(.tls) ? "wss" : "ws")://\(isLiteral ? "[\(name)]" : name):\(port)")
    } catch {
      throw LinkError(.host, at: place(.host), .host)
    }
    guard url.isSecure || url.isLoopback else { throw LinkError(.plaintext, .tls) }
    return url
  }

  private func port() throws(LinkError) -> UInt16 {
    guard let text = self[.port], !text.isEmpty else { return GatewayURL.usualPort }
    var value = 0
    for byte in text {
      guard byte.isDigit, value < 65_536 else { throw LinkError(.port, at: place(.port), .port) }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    guard value >= 1, value <= 65_535 else { throw LinkError(.port, at: place(.port), .port) }
    return UInt16(value)
  }

  /// What a gateway link connects this board to.
  public func setupCode() throws(LinkError) -> SetupCode {
    SetupCode(
      url: try gateway(), pin: nil, token: self[.token].map { Array($0) } ?? [],
      password: self[.password].map { Array($0) } ?? [])
  }
}
