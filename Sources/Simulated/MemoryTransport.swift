import Gateway
import Runtime

/// A simulated connection in memory: the node's bytes wait in a buffer for the other side, which a test controls.
public final class MemoryTransport: Transport {
  private let outgoing: FixedBuffer
  private var count = 0
  private var delegate: (any TransportDelegate)?
  /// Bytes that the node has not taken yet.
  private var held: [UInt8] = []
  /// The address that the node connects to.
  public private(set) var url: GatewayURL?
  /// Number of connections that the node opened.
  public private(set) var opens = 0
  /// True from `open` until either side closes.
  public var isOpen: Bool { delegate != nil }

  /// A connection with a buffer of `capacity` bytes.
  @export(interface)
  public init(capacity: Int = 64 * 1024) { outgoing = FixedBuffer(capacity: capacity) }

  // MARK: The node's side

  public func open(_ url: GatewayURL, _ delegate: any TransportDelegate) {
    close()
    self.url = url
    self.delegate = delegate
    opens += 1
  }

  public func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let taken = min(bytes.count, outgoing.bytes.count - count)
    guard isOpen, taken > 0 else { return 0 }
    (outgoing.bytes.baseAddress! + count).update(from: bytes.baseAddress!, count: taken)
    count += taken
    return taken
  }

  public func resumeReading() { mustResume = true }

  public func close() {
    delegate = nil
    count = 0
    held.removeAll(keepingCapacity: true)
    mustResume = false
  }

  // MARK: The other side

  private var mustResume = false

  /// The connection is ready, with TLS and these fingerprints, or without TLS. Without `key`, each certificate has a
  /// different key. `vouching` is what the board's authorities say of it.
  public func secure(leaf: Fingerprint? = nil, key: Fingerprint? = nil, vouching: Vouching = .unasked) {
    delegate?.transportSecured(
      certificate: leaf.map { PeerCertificate(leaf: $0, key: key ?? Self.ownKey(of: $0), vouching: vouching) })
  }

  private static func ownKey(of leaf: Fingerprint) -> Fingerprint {
    var digest = leaf.digest
    for index in 0..<digest.count { digest[index] = ~digest[index] }
    return Fingerprint(digest: digest)
  }

  /// The connection fails or breaks.
  public func fail(_ failure: TransportFailure) {
    let delegate = delegate
    close()
    delegate?.transportFailed(failure)
  }

  /// Delivers bytes to the node; what it does not take is kept for `deliverHeld`.
  public func deliver(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let delegate else { return }
    if !held.isEmpty { return held.append(contentsOf: bytes) }
    let taken = delegate.transportReceived(Span(_unsafeElements: bytes))
    if taken < bytes.count, isOpen { held.append(contentsOf: bytes[taken...]) }
  }

  /// Delivers kept bytes, if the node called `resumeReading`; false when nothing was delivered.
  public func deliverHeld() -> Bool {
    guard mustResume, !held.isEmpty, let delegate else { return false }
    mustResume = false
    let waiting = held
    held.removeAll(keepingCapacity: true)
    waiting.withUnsafeBufferPointer { bytes in
      let taken = delegate.transportReceived(Span(_unsafeElements: bytes))
      if taken < bytes.count, isOpen { held.append(contentsOf: bytes[taken...]) }
    }
    return held.count < waiting.count
  }

  /// Bytes kept until `resumeReading`.
  public var heldCount: Int { held.count }

  /// Passes everything that the node has written to `body`, and empties the buffer.
  public func drain(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    while count > 0 {
      let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(outgoing.bytes)[..<count])
      body(bytes)
      count = 0
      delegate?.transportWritable()
    }
  }
}
