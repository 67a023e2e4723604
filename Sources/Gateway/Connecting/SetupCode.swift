import Codec
import Runtime

/// Why a setup code was refused.
public enum SetupCodeError: Error, Equatable, Sendable {
  case tooLong, base64, json, url, noURL, tooManyURLs, noSecret, manySecrets, secret, fingerprint, expiry, expired

  /// What a person reads.
  public var text: StaticString {
    switch self {
    case .tooLong: "is longer than any setup code"
    case .base64: "has characters that no setup code has; was all of it copied?"
    case .json: "does not hold what a setup code holds; was all of it copied?"
    case .url: "has an address that is not valid"
    case .noURL: "has no address of a gateway"
    case .tooManyURLs: "has more than 8 addresses"
    case .noSecret: "holds no secret to pair with"
    case .manySecrets: "holds more than one secret, and it is not clear which one counts"
    case .secret: "holds a secret that is empty or too long"
    case .fingerprint: "holds an invalid certificate fingerprint, so none of it is used; get a new one on the gateway"
    case .expiry: "holds an invalid expiry time"
    case .expired: "is expired; get a new one on the gateway: openclaw qr --setup-code-only"
    }
  }
}

/// A gateway's setup code (gateway reference 5.4): its addresses, one secret for the first connection, and perhaps its
/// certificate. Read once, at the command line.
public struct SetupCode {
  /// Addresses of the one gateway, in the order in which to try them.
  public private(set) var urls: [GatewayURL] = []
  /// The expected certificate: it comes from a person, so it is a pin.
  public private(set) var pin: Fingerprint?
  /// Authorities vouch for the gateway: the code came from it with their word.
  public private(set) var isVouched = false
  /// Milliseconds since the epoch, or nil.
  public private(set) var expiresAt: Int64?
  private var secret: [UInt8] = []
  /// The password of a gateway link, which may stand beside a token.
  private var password: [UInt8] = []
  private var kind = GatewayRecord.Secret.bootstrapToken

  private static let scheme: StaticString = "oc-pair://"
  /// Keys that can hold the secret, and its kind.
  private static let secrets: [(key: StaticString, kind: GatewayRecord.Secret)] = [
    ("bootstrapToken", .bootstrapToken), ("token", .sharedToken), ("password", .password),
  ]

  /// What was learned in another way than by a code: one address, its certificate, and the gateway's token and
  /// password, or empty ones.
  public init(url: GatewayURL, pin: Fingerprint?, token: [UInt8], password: [UInt8] = []) {
    urls = [url]
    self.pin = pin
    secret = token
    self.password = password
    kind = .sharedToken
  }

  /// Reads a code or an `oc-pair://` link, white space around it allowed.
  public init(_ text: Span<UInt8>) throws(SetupCodeError) {
    guard text.count <= Budget.setupCodeBytes else { throw .tooLong }
    let body = Self.body(of: text)
    let buffer = FixedBuffer(capacity: Base64Decoder.decodedLengthMax(of: body.count) + 1)
    defer { withExtendedLifetime(buffer) {} }
    let count: Int
    do throws(Base64Error) {
      count = try Base64Decoder.decode(body, .url, padding: .optional, into: buffer.bytes)
    } catch {
      throw .base64
    }
    let json = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])
    try self.init(json: Span(_unsafeElements: json))
  }

  /// Reads what a code holds, as a join URL answers with it: the payload as plain JSON.
  public init(json: Span<UInt8>) throws(SetupCodeError) {
    do throws(JSONError) {
      try JSONValidator.check(json, depthLimit: 4)
    } catch {
      throw .json
    }
    let root = JSONView(json)
    guard root.kind == .object else { throw .json }
    try readURLs(root)
    try readSecret(root)
    try readTrust(root)
  }

  /// True when the code has expired. A board without the date (before 2026) leaves that to the gateway.
  public func isExpired(wall: Int64) -> Bool {
    GatewayRecord.isPast(expiresAt ?? .max, wall: wall)
  }

  @_lifetime(copy text)
  private static func body(of text: Span<UInt8>) -> Span<UInt8> {
    var start = 0
    var end = text.count
    while start < end, text[start] <= 0x20 { start += 1 }
    while start < end, text[end - 1] <= 0x20 { end -= 1 }
    var length = 0
    while length < scheme.utf8CodeUnitCount, start + length < end,
      text[start + length] == scheme.bytes[length] || text[start + length] | 0x20 == scheme.bytes[length]
    { length += 1 }
    if length == scheme.utf8CodeUnitCount { start += length }
    return text.extracting(start..<end)
  }

  private mutating func readURLs(_ root: borrowing JSONView) throws(SetupCodeError) {
    if let url = root.member("url") { try add(url) }
    if let list = root.member("urls") {
      guard list.kind == .array else { throw .url }
      var elements = list.elements()
      while let element = elements.next() { try add(element) }
    }
    if urls.isEmpty { throw .noURL }
  }

  private mutating func add(_ member: borrowing JSONView) throws(SetupCodeError) {
    let buffer = FixedBuffer(capacity: Budget.urlBytes)
    guard let count = member.copyString(into: buffer.bytes) else { throw .url }
    let url: GatewayURL
    do throws(GatewayURLError) {
      url = try GatewayURL(String(decoding: buffer.bytes[..<count], as: UTF8.self))
    } catch {
      throw .url
    }
    for known in urls where known.text == url.text { return }
    guard urls.count < Budget.gatewayURLs else { throw .tooManyURLs }
    urls.append(url)
  }

  private mutating func readSecret(_ root: borrowing JSONView) throws(SetupCodeError) {
    let buffer = FixedBuffer(capacity: Budget.tokenBytes)
    for entry in Self.secrets {
      guard let member = root.member(entry.key) else { continue }
      guard secret.isEmpty else { throw .manySecrets }
      guard let count = member.copyString(into: buffer.bytes), count > 0 else { throw .secret }
      for index in 0..<count {
        guard buffer.bytes[index] >= 0x20, buffer.bytes[index] != 0x7F else { throw .secret }
        secret.append(buffer.bytes[index])
      }
      kind = entry.kind
    }
    if secret.isEmpty { throw .noSecret }
  }

  private mutating func readTrust(_ root: borrowing JSONView) throws(SetupCodeError) {
    if let member = root.member("tlsFingerprint"), !member.isNull {
      var text = InlineText<128>()
      guard text.fill({ member.copyString(into: $0) }), let pin = Fingerprint(text: text.span) else {
        throw .fingerprint
      }
      self.pin = pin
    }
    if let member = root.member("expiresAtMs"), !member.isNull {
      guard let value = member.int64, value > 0 else { throw .expiry }
      expiresAt = value
    }
  }

  /// Removes the addresses that must not be used.
  public mutating func keepURLs(_ isAllowed: (GatewayURL) -> Bool) { urls = urls.filter(isAllowed) }

  /// The code came from this host by TLS, with the word of the board's authorities: the gateway is known by them from
  /// now on, and not by one certificate, whose renewal would end the connection. Nothing changes where the code has an
  /// address of another host, for which they may not vouch.
  public mutating func keepVerification(by host: String) {
    guard !urls.isEmpty, urls.allSatisfy({ $0.isSecure && $0.isName && $0.host == host }) else { return }
    isVouched = true
    pin = nil
  }

  /// Writes the code into the record of its gateway. The tokens of an earlier pairing stay: if they are refused, the
  /// code is tried next.
  public func adopt(into record: GatewayRecord) {
    record.removeURLs()
    for url in urls { record.add(url) }
    if let pin { record.setPin(pin) }
    if isVouched { record.trust = .authorities }
    for other in Self.secrets { record.forget(other.kind) }
    _ = secret.withUnsafeBufferPointer { record.set(kind, $0) }
    if !password.isEmpty { _ = password.withUnsafeBufferPointer { record.set(.password, $0) } }
    record.bootstrapExpiresAt = kind == .bootstrapToken ? expiresAt : nil
  }
}
