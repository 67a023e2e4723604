/// One Unicode scalar in UTF-8 (RFC 3629 section 3).
struct UTF8Scalar {
  private var storage = InlineArray<4, UInt8>(repeating: 0)
  private let count: Int

  init(_ scalar: UInt32) {
    guard scalar >= 0x80 else {
      count = 1
      storage[0] = UInt8(truncatingIfNeeded: scalar)
      return
    }
    count = scalar < 0x800 ? 2 : scalar < 0x1_0000 ? 3 : 4
    var rest = scalar
    for place in stride(from: count - 1, to: 0, by: -1) {
      storage[place] = UInt8(truncatingIfNeeded: 0x80 | rest & 0x3F)
      rest >>= 6
    }
    // As many leading ones as there are bytes.
    storage[0] = UInt8(truncatingIfNeeded: 0xF00 >> UInt32(count) | rest)
  }

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(..<count) }
  }
}
