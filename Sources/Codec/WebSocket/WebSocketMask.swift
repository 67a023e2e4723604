/// The key that a client's frame is masked with (RFC 6455 section 5.3). Each frame needs a fresh one from a
/// source that nobody can predict (section 10.3).
public struct WebSocketMask: Sendable {
  /// The four bytes in the order of the wire, first byte highest.
  private let key: UInt32

  /// A key from 32 random bits.
  public init(_ random: UInt32) {
    key = random
  }

  /// The byte of the key for a place in the payload.
  func byte(at place: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * (place & 3)))
  }

  /// Masks, or unmasks, bytes in place.
  /// - Parameters:
  ///   - bytes: a piece of the frame's payload.
  ///   - offset: how many bytes of the payload stand before the piece.
  public func apply(to bytes: UnsafeMutableBufferPointer<UInt8>, at offset: Int) {
    guard let base = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
    var repeated: UInt64 = 0
    for place in 0..<8 { repeated = repeated << 8 | UInt64(byte(at: offset &+ place)) }
    let word = UInt64(bigEndian: repeated)
    var index = 0
    while index &+ 8 <= bytes.count {
      let masked = base.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
      base.storeBytes(of: masked, toByteOffset: index, as: UInt64.self)
      index &+= 8
    }
    while index < bytes.count {
      bytes[index] ^= byte(at: offset &+ index)
      index &+= 1
    }
  }
}
