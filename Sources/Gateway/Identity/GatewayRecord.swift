import Codec
import Runtime

/// The roles in which one device connects; each has a token of its own.
public enum Role: Int, Sendable {
  case node = 0
  case `operator` = 1

  public var name: StaticString { self == .node ? "node" : "operator" }
}

/// What is stored of one gateway: its addresses, certificate, and the tokens it issued.
public final class GatewayRecord {
  /// What the record is stored under: `gateway-` and the start of SHA-256 over the gateway's key.
  let name: InlineArray<25, UInt8>
  /// The gateway's key (reference 6.3), kept in the record for people.
  public let key: String
  /// The path of the gateway at its host; nil in what a release wrote that had one record for all gateways of a host.
  public var path: String?
  /// What is trusted since the first contact, or since `talon trust`.
  public var trust = KnownTrust.nothing
  /// Other addresses of the same gateway, from a setup code or from discovery; in the order in which to try them.
  public private(set) var urls: [GatewayURL] = []
  /// The address at which the last connection was online; empty where there is but one.
  var lastURL = ""
  /// How this gateway differs from the newest protocol.
  var quirks = Quirks()
  /// The gateway's release at the last `hello-ok`.
  public internal(set) var serverVersion = InlineText<64>()
  /// It has invoked a command since the board was paired, which shows that its configuration and the approval were
  /// right.
  var wasInvoked = false
  /// The scopes that the operator's token covers.
  var operatorScopes = Scopes()

  /// When the setup code's token ends, in milliseconds since the epoch; nil where the code does not say.
  var bootstrapExpiresAt: Int64?

  /// Members that only a newer release knows, as JSON.
  var unknown: [UInt8] = []

  /// A secret was removed but is still on flash: the previous generation of the record has it until the second save.
  var mustErase = false
  private let secrets: [FixedBuffer]
  private var counts = InlineArray<5, Int>(repeating: 0)

  /// A secret of this gateway: the tokens it issued for each role, and those of a setup code.
  enum Secret: Int {
    case nodeToken = 0
    case operatorToken = 1
    case bootstrapToken = 2
    case sharedToken = 3
    case password = 4

    var name: StaticString {
      switch self {
      case .nodeToken: "node"
      case .operatorToken: "operator"
      case .bootstrapToken: "bootstrap"
      case .sharedToken: "shared"
      case .password: "password"
      }
    }

    static let all: [Secret] = [.nodeToken, .operatorToken, .bootstrapToken, .sharedToken, .password]
  }

  /// An empty record of the gateway at `url`.
  @export(interface)
  public convenience init(url: GatewayURL, cryptography: any Cryptography) {
    self.init(key: url.key, cryptography: cryptography)
    path = url.path
  }

  /// An empty record of the gateway with this key.
  @export(interface)
  public init(key: String, cryptography: any Cryptography) {
    self.key = key
    let digest = Fingerprint(digest: cryptography.sha256(key.utf8.span)).hex
    var name = InlineArray<25, UInt8>(repeating: 0)
    for (index, byte) in ("gateway-" as StaticString).bytes.enumerated() { name[index] = byte }
    for index in 0..<16 { name[8 + index] = digest[index] }
    self.name = name
    secrets = Secret.all.map { _ in FixedBuffer(capacity: Budget.tokenBytes) }
  }

  // MARK: Secrets

  /// A secret; empty when there is none.
  func secret(_ secret: Secret) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(secrets[secret.rawValue].bytes)[..<counts[secret.rawValue]])
  }

  /// Remembers a secret, or forgets it when `text` is empty; false when it is longer than `Budget.tokenBytes`.
  @discardableResult
  func set(_ secret: Secret, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count <= Budget.tokenBytes else { return false }
    if let start = text.baseAddress {
      secrets[secret.rawValue].bytes.baseAddress!.update(from: start, count: text.count)
    }
    counts[secret.rawValue] = text.count
    return true
  }

  /// Removes a secret; the next save erases it from flash.
  func forget(_ secret: Secret) {
    if counts[secret.rawValue] > 0 { mustErase = true }
    counts[secret.rawValue] = 0
  }

  /// The device token for a role; empty when there is none.
  public func token(_ role: Role) -> UnsafeBufferPointer<UInt8> {
    secret(role == .node ? .nodeToken : .operatorToken)
  }

  /// Remembers a device token; false when it is longer than `Budget.tokenBytes`.
  func setToken(_ token: UnsafeBufferPointer<UInt8>, _ role: Role) -> Bool {
    set(role == .node ? .nodeToken : .operatorToken, token)
  }

  /// Removes a setup code's token whose time is over; true when there was one.
  func forgetExpiredBootstrap(wall: Int64) -> Bool {
    guard !secret(.bootstrapToken).isEmpty, Self.isPast(bootstrapExpiresAt ?? .max, wall: wall) else { return false }
    forget(.bootstrapToken)
    return true
  }

  /// True when `instant` is over, both in milliseconds since the epoch. A board without the date cannot tell, nor one
  /// whose date is more than 366 days later: codes are used within hours, so its clock is wrong. It is left to the
  /// gateway then.
  static func isPast(_ instant: Int64, wall: Int64) -> Bool {
    BelievableDate.contains(wall) && instant <= wall && wall - instant <= 31_622_400_000
  }

  /// Nothing is known of the gateway.
  public var isEmpty: Bool { trust == .nothing && Secret.all.allSatisfy { secret($0).isEmpty } }

  /// True when this record may be the one of the gateway at `url`, of which it has the host and the port. One that
  /// several gateways shared is the one of whose address it knows, or of the first that is asked for.
  public func isRecord(of url: GatewayURL) -> Bool {
    if let path { return path == url.path }
    let known = urls.filter { $0.keyOfHost == url.keyOfHost }
    return known.isEmpty || known.contains { $0.key == url.key }
  }

  /// Copies all that another record holds: that of the same gateway under its earlier key.
  public func copy(_ other: GatewayRecord) {
    trust = other.trust
    urls = other.urls
    lastURL = other.lastURL
    quirks = other.quirks
    serverVersion = other.serverVersion
    wasInvoked = other.wasInvoked
    operatorScopes = other.operatorScopes
    bootstrapExpiresAt = other.bootstrapExpiresAt
    unknown = other.unknown
    for secret in Secret.all { set(secret, other.secret(secret)) }
  }

  // MARK: Trust and addresses

  /// SHA-256 of the certificate that is trusted; nil where none is, or authorities are.
  public var pin: Fingerprint? { if case .pin(let pin, _) = trust { pin } else { nil } }

  /// SHA-256 of that certificate's public key: what counts with `pin = key`.
  public var keyPin: Fingerprint? { if case .pin(_, let key) = trust { key } else { nil } }

  /// Sets the trusted certificate, or none. When only its fingerprint is known, its key is learned at the next
  /// connection.
  public func setPin(_ pin: Fingerprint?, key: Fingerprint? = nil) {
    trust = pin.map { .pin($0, key: key) } ?? .nothing
  }

  /// Remembers another address of this gateway; the oldest is replaced when there are too many.
  public func add(_ url: GatewayURL) {
    if urls.contains(where: { $0.text == url.text }) { return }
    if urls.count == Budget.gatewayURLs { urls.removeFirst() }
    urls.append(url)
  }

  /// Remembers an address that worked, unless it is configured or known; true when it is new.
  func learn(_ url: GatewayURL, beside configured: [GatewayURL]) -> Bool {
    for known in configured where known.text == url.text { return false }
    for known in urls where known.text == url.text { return false }
    add(url)
    return true
  }

  /// Forgets the other addresses.
  public func removeURLs() { urls.removeAll() }

  // MARK: Storage

  /// Reads the record from the store; nil when there is none. Throws `.torn` for an invalid record.
  public func load(from store: any RecordStore) throws(StoreError) -> RecordOrigin? {
    let buffer = FixedBuffer(capacity: Budget.gatewayRecordBytes)
    let found = try name.span.withUnsafeBytes { (bytes) throws(StoreError) in
      try store.load(bytes.baseAddress!.assumingMemoryBound(to: CChar.self), into: buffer.bytes)
    }
    guard let found else { return nil }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<found.count])
    guard decode(Span(_unsafeElements: text)) else { throw .torn }
    return found.origin
  }

  /// Writes the record; blocks.
  public func save(to store: any RecordStore) throws(StoreError) {
    let buffer = FixedBuffer(capacity: Budget.gatewayRecordBytes)
    let count = encode(into: buffer.bytes)
    try Self.save(name, buffer.bytes, count, to: store)
  }

  static func save(
    _ name: InlineArray<25, UInt8>, _ bytes: UnsafeMutableBufferPointer<UInt8>, _ count: Int,
    to store: any RecordStore
  ) throws(StoreError) {
    guard count <= bytes.count else { throw .tooLarge }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(bytes)[..<count])
    try name.span.withUnsafeBytes { (name) throws(StoreError) in
      try store.save(name.baseAddress!.assumingMemoryBound(to: CChar.self), text)
    }
  }
}
