import Codec
import Runtime

/// The roles in which one device connects; each has a token of its own.
public enum Role: Int, Sendable {
  case node = 0
  case `operator` = 1

  var name: StaticString { self == .node ? "node" : "operator" }
}

/// What this installation remembers of one gateway: its certificate and the device tokens it issued.
public final class GatewayRecord {
  /// What the record is stored under: `gateway-` and the start of SHA-256 over the gateway's key.
  let name: InlineArray<25, UInt8>
  /// The gateway's key (reference 6.3), kept in the record for people.
  private let key: String
  /// The certificate seen first, or set by `talon trust`.
  public private(set) var pin: Fingerprint?
  private let tokens = [FixedBuffer(capacity: Budget.tokenBytes), FixedBuffer(capacity: Budget.tokenBytes)]
  private var tokenCounts = InlineArray<2, Int>(repeating: 0)

  /// An empty record of the gateway at `url`.
  public init(url: GatewayURL, cryptography: any Cryptography) {
    key = url.key
    let digest = Fingerprint(digest: cryptography.sha256(key.utf8.span)).hex
    var name = InlineArray<25, UInt8>(repeating: 0)
    for (index, byte) in ("gateway-" as StaticString).bytes.enumerated() { name[index] = byte }
    for index in 0..<16 { name[8 + index] = digest[index] }
    self.name = name
  }

  /// The device token for a role; empty when there is none.
  public func token(_ role: Role) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      rebasing: UnsafeBufferPointer(tokens[role.rawValue].bytes)[..<tokenCounts[role.rawValue]])
  }

  /// Remembers a token; false when it is longer than `Budget.tokenBytes`.
  func setToken(_ token: UnsafeBufferPointer<UInt8>, _ role: Role) -> Bool {
    guard token.count <= Budget.tokenBytes else { return false }
    if let start = token.baseAddress {
      tokens[role.rawValue].bytes.baseAddress!.update(from: start, count: token.count)
    }
    tokenCounts[role.rawValue] = token.count
    return true
  }

  /// Sets or forgets the pin.
  public func setPin(_ pin: Fingerprint?) { self.pin = pin }

  // MARK: Storage

  /// Reads the record from the store; true when there was one. Throws `.torn` for a record that makes no sense.
  public func load(from store: any RecordStore) throws(StoreError) -> RecordOrigin? {
    let buffer = FixedBuffer(capacity: Budget.storeRecordBytes)
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
    let buffer = FixedBuffer(capacity: Budget.storeRecordBytes)
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

  /// Writes the record as JSON; the length needed.
  func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = JSONWriter(into: buffer)
    writer.beginObject()
    writer.key("gateway")
    writer.string(key)
    if let pin {
      let hex = pin.hex
      writer.key("pin")
      writer.string(hex.span)
    }
    writer.key("tokens")
    writer.beginObject()
    encodeToken(.node, &writer)
    encodeToken(.operator, &writer)
    writer.endObject()
    writer.endObject()
    return writer.count
  }

  private func encodeToken(_ role: Role, _ writer: inout JSONWriter) {
    let token = token(role)
    guard !token.isEmpty else { return }
    writer.key(role.name)
    writer.string(Span(_unsafeElements: token))
  }

  private func decode(_ text: Span<UInt8>) -> Bool {
    guard (try? JSONValidator.check(text, depthLimit: 4)) != nil else { return false }
    let root = JSONView(text)
    if let pin = root.member("pin") {
      var hex = InlineText<64>()
      guard hex.fill({ pin.copyString(into: $0) }), let known = Fingerprint(text: hex.span) else {
        return false
      }
      self.pin = known
    }
    guard let stored = root.member("tokens") else { return false }
    return decodeToken(.node, stored) && decodeToken(.operator, stored)
  }

  private func decodeToken(_ role: Role, _ stored: borrowing JSONView) -> Bool {
    guard let token = stored.member(role.name) else { return true }
    guard let count = token.copyString(into: tokens[role.rawValue].bytes) else { return false }
    tokenCounts[role.rawValue] = count
    return true
  }
}
