import Runtime

/// A pixel format of the kernel: four characters, the first in the lowest byte (`v4l2_fourcc`).
public struct FourCC: Equatable, Sendable {
  public let value: UInt32

  /// A code as the kernel gives it.
  public init(_ value: UInt32) { self.value = value }

  /// The code of up to four characters; missing ones are spaces ("Y10").
  public init(_ text: StaticString) { self.init(Span(_unsafeElements: text.bytes)) }

  /// The same of bytes, of which the first four count.
  public init(_ text: Span<UInt8>) {
    var value: UInt32 = 0
    for index in 0..<4 {
      let byte = index < text.count ? text[index] : UInt8(ascii: " ")
      value |= UInt32(byte) << UInt32(8 * index)
    }
    self.value = value
  }

  /// Its character at `index`, 0...3; "?" for a non-printable one. The kernel marks big-endian formats in the highest
  /// bit, which is not part of the character.
  public func character(_ index: Int) -> UInt8 {
    let byte = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) & 0x7F
    return (0x20..<0x7F).contains(byte) ? byte : UInt8(ascii: "?")
  }
}
