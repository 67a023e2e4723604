/// Bits of an H.264 unit (ITU-T H.264 clause 7.2), emulation prevention bytes left out (7.4.1). After the end it
/// returns zeros and sets `isBroken`, so that a parser checks once at its end.
struct BitReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index: Int
  private var zeros = 0
  private var current: UInt8 = 0
  private var left = 0
  /// True when more was read than there is, or a number had more than 32 bits.
  private(set) var isBroken = false

  /// Reads from the byte at `start` on.
  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    self.bytes = bytes
    index = start
  }

  mutating func bit() -> Bool {
    if left == 0 { load() }
    guard left > 0 else { return false }
    left -= 1
    return current >> UInt8(left) & 1 == 1
  }

  /// `u(n)`, up to 32 bits.
  mutating func bits(_ count: Int) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count { value = value << 1 | (bit() ? 1 : 0) }
    return value
  }

  /// `ue(v)`: Exp-Golomb (clause 9.1).
  mutating func unsigned() -> UInt32 {
    var leading = 0
    while !bit() {
      leading += 1
      guard leading < 32, !isBroken else {
        isBroken = true
        return 0
      }
    }
    return (1 << UInt32(leading)) - 1 + bits(leading)
  }

  /// `se(v)` (clause 9.1.1).
  mutating func signed() -> Int64 {
    let code = Int64(unsigned())
    return code & 1 == 1 ? (code + 1) / 2 : -code / 2
  }

  private mutating func load() {
    if zeros >= 2, index < bytes.count, bytes[index] == 3 {
      index += 1
      zeros = 0
    }
    guard index < bytes.count else {
      isBroken = true
      return
    }
    current = bytes[index]
    index += 1
    zeros = current == 0 ? zeros + 1 : 0
    left = 8
  }
}
