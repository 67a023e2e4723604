import Codec
import Runtime

/// The identity of this installation: one Ed25519 key, made once, and the ids derived from it (gateway reference 4.1).
/// A new key is a new device that a person must approve again, so it is never replaced automatically.
public final class NodeIdentity {
  private static let record: StaticString = "identity"

  /// The private key. Never logged.
  let seed: InlineArray<32, UInt8>
  /// The raw public key.
  public let publicKey: InlineArray<32, UInt8>
  /// SHA-256 of the public key in lower-case hexadecimal: the node id everywhere.
  public let id: InlineArray<64, UInt8>
  /// A UUID of this installation, metadata only.
  public let instanceID: InlineArray<36, UInt8>

  /// The identity of a seed.
  @export(interface)
  public init(
    seed: InlineArray<32, UInt8>, instanceID: InlineArray<36, UInt8>, cryptography: any Cryptography
  ) {
    self.seed = seed
    self.instanceID = instanceID
    publicKey = cryptography.ed25519PublicKey(seed: seed)
    id = Fingerprint(digest: cryptography.sha256(publicKey.span)).hex
  }

  /// Where the identity came from.
  public enum Origin: Equatable {
    case stored, recovered, created
  }

  /// Loads the identity from the store, or creates and stores one on the first start. Throws, and replaces nothing,
  /// when a stored identity cannot be read: the flash may be repaired.
  public static func load(
    from store: any RecordStore, random: any RandomSource, cryptography: any Cryptography
  ) throws(StoreError) -> (identity: NodeIdentity, origin: Origin) {
    let buffer = FixedBuffer(capacity: Budget.storeRecordBytes)
    if let found = try store.load(record.path, into: buffer.bytes) {
      let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<found.count])
      guard let identity = decode(Span(_unsafeElements: text), cryptography) else { throw .torn }
      return (identity, found.origin == .current ? .stored : .recovered)
    }
    let identity = NodeIdentity(
      seed: randomSeed(random), instanceID: randomUUID(random), cryptography: cryptography)
    var writer = JSONWriter(into: buffer.bytes)
    identity.encode(into: &writer)
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<writer.count])
    try store.save(record.path, text)
    return (identity, .created)
  }

  private func encode(into writer: inout JSONWriter) {
    let hex = Fingerprint(digest: seed).hex
    writer.beginObject()
    writer.key("seed")
    writer.string(hex.span)
    writer.key("instanceId")
    writer.string(instanceID.span)
    writer.endObject()
  }

  private static func decode(_ text: Span<UInt8>, _ cryptography: any Cryptography) -> NodeIdentity? {
    guard (try? JSONValidator.check(text, depthLimit: 2)) != nil else { return nil }
    let root = JSONView(text)
    var seedText = InlineText<64>()
    var uuidText = InlineText<36>()
    guard let seed = root.member("seed"), seedText.fill({ seed.copyString(into: $0) }),
      let uuid = root.member("instanceId"), uuidText.fill({ uuid.copyString(into: $0) }),
      uuidText.count == 36, let digest = Fingerprint(text: seedText.span)
    else { return nil }
    var instanceID = InlineArray<36, UInt8>(repeating: 0)
    for index in 0..<36 { instanceID[index] = uuidText.span[index] }
    return NodeIdentity(seed: digest.digest, instanceID: instanceID, cryptography: cryptography)
  }

  private static func randomSeed(_ random: any RandomSource) -> InlineArray<32, UInt8> {
    var seed = InlineArray<32, UInt8>(repeating: 0)
    var span = seed.mutableSpan
    span.withUnsafeMutableBytes { random.fill($0) }
    return seed
  }

  /// A random UUID (RFC 9562 section 5.4) in its usual text form.
  private static func randomUUID(_ random: any RandomSource) -> InlineArray<36, UInt8> {
    var bits = randomSeed(random)
    bits[6] = bits[6] & 0x0F | 0x40
    bits[8] = bits[8] & 0x3F | 0x80
    let digits = Fingerprint(digest: bits).hex
    var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
    var next = 0
    for index in 0..<36 where index != 8 && index != 13 && index != 18 && index != 23 {
      text[index] = digits[next]
      next += 1
    }
    return text
  }
}
