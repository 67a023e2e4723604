import Codec
import Runtime

extension ByteWriter {
  /// Writes an address without its port, as RFC 5952 section 4 spells it: `192.0.2.1`, `2001:db8::1`, and the number of
  /// the interface behind a link-local one: `fe80::1%2`.
  public mutating func address(_ address: SocketAddress) {
    guard address.byteCount == 16 else {
      for index in 0..<4 {
        if index > 0 { byte(UInt8(ascii: ".")) }
        decimal(UInt64(address.bytes[index]))
      }
      return
    }
    let zeros = Self.longestZeros(address)
    var index = 0
    while index < 8 {
      if index == zeros.lowerBound, !zeros.isEmpty {
        text("::")
        index = zeros.upperBound
        continue
      }
      if index > 0, index != zeros.upperBound || zeros.isEmpty { byte(UInt8(ascii: ":")) }
      group(address, index)
      index += 1
    }
    if address.scope != 0 {
      byte(UInt8(ascii: "%"))
      decimal(UInt64(address.scope))
    }
  }

  /// The first of the longest runs of two or more groups that are zero.
  private static func longestZeros(_ address: SocketAddress) -> Range<Int> {
    var longest = 0..<0
    var start = 0
    for index in 0..<8 {
      let isZero = address.bytes[2 * index] == 0 && address.bytes[2 * index + 1] == 0
      if !isZero { start = index + 1 }
      if index + 1 - start > max(longest.count, 1) { longest = start..<index + 1 }
    }
    return longest
  }

  /// Four hexadecimal digits without leading zeros.
  private mutating func group(_ address: SocketAddress, _ index: Int) {
    let value = UInt16(address.bytes[2 * index]) << 8 | UInt16(address.bytes[2 * index + 1])
    var isLeading = true
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(value >> UInt16(shift) & 15)
      if digit == 0, isLeading, shift > 0 { continue }
      isLeading = false
      byte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
