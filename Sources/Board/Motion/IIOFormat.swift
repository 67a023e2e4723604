import Codec

/// The format of a number in the records of a kernel's IIO buffer (kernel ABI sysfs-bus-iio, `in_..._type`):
/// `[be|le]:[s|u]BITS/STORAGEBITS[XREPEAT][>>SHIFT]`.
struct IIOFormat: Equatable {
  var isBigEndian = false
  var isSigned = false
  var bits = 0
  var storageBytes = 0
  var shift = 0

  /// Parses a format; nil for an invalid one, and for arrays of numbers.
  init?(_ text: Span<UInt8>) {
    var reader = Reader(text: text)
    isBigEndian = reader.take("b")
    guard isBigEndian || reader.take("l"), reader.take("e"), reader.take(":") else { return nil }
    isSigned = reader.take("s")
    guard isSigned || reader.take("u") else { return nil }
    guard let bits = reader.number(), reader.take("/"), let storage = reader.number() else { return nil }
    if reader.take("X") {
      guard let count = reader.number(), count == 1 else { return nil }
    }
    if reader.take(">") {
      guard reader.take(">"), let places = reader.number() else { return nil }
      shift = places
    }
    guard reader.isAtEnd, storage == 8 || storage == 16 || storage == 32 || storage == 64 else { return nil }
    guard bits > 0, bits + shift <= storage else { return nil }
    self.bits = bits
    storageBytes = storage / 8
  }

  /// The number at `place`.
  func number(at place: UnsafePointer<UInt8>) -> Int64 {
    var value: UInt64 = 0
    for index in 0..<storageBytes {
      value = value << 8 | UInt64(place[isBigEndian ? index : storageBytes - 1 - index])
    }
    value >>= UInt64(shift)
    // Shifts the highest significant bit to the top, and back with sign extension.
    let unused = UInt64(64 - bits)
    let shifted = value << unused
    return isSigned ? Int64(bitPattern: shifted) >> Int64(unused) : Int64(truncatingIfNeeded: shifted >> unused)
  }

  private struct Reader: ~Escapable {
    let text: Span<UInt8>
    var index = 0

    @_lifetime(copy text)
    init(text: Span<UInt8>) { self.text = text }

    var isAtEnd: Bool { index == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    /// At most 999.
    mutating func number() -> Int? {
      let start = index
      var value = 0
      while index < text.count, index - start < 3, (0x30...0x39).contains(text[index]) {
        value = 10 * value + Int(text[index] & 15)
        index += 1
      }
      return index > start ? value : nil
    }
  }
}
