import Runtime

/// Compresses with snappy's block format, without a frame (format_description.txt of google/snappy): the length of the
/// whole, then literals and copies. Copies reach back within blocks of 64 KiB; a table of positions by a hash of four
/// bytes finds them.
public final class SnappyEncoder {
  /// Bits of the hash: 4,096 positions of two bytes.
  private static let hashBits = 12
  private static let blockBytes = 64 * 1024
  /// Shortest copy.
  private static let leastMatch = 4

  private let memory: ReservedBuffer
  private let table: UnsafeMutableBufferPointer<UInt16>

  /// Reserves the table; throws when the address space is full.
  @export(interface)
  public init() throws(Errno) {
    let count = 1 << Self.hashBits
    memory = try ReservedBuffer(capacity: count * 2)
    table = UnsafeMutableRawBufferPointer(memory.bytes).bindMemory(to: UInt16.self)
  }

  /// Bytes that any input of `count` bytes fits into.
  public static func bound(_ count: Int) -> Int { 32 + count + count / 6 }

  /// Lets the pages of the table go.
  public func release() { memory.release() }

  /// Compresses; the number of bytes written, or nil when there is no room for them.
  public func encode(
    _ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int? {
    guard output.count >= Self.bound(input.count) else { return nil }
    var out = Output(bytes: output)
    var length = UInt32(clamping: input.count)
    while length >= 0x80 {
      out.put(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    out.put(UInt8(truncatingIfNeeded: length))
    var start = 0
    while start < input.count {
      let end = min(start + Self.blockBytes, input.count)
      block(UnsafeBufferPointer(rebasing: input[start..<end]), &out)
      start = end
    }
    return out.count
  }

  private func block(_ input: UnsafeBufferPointer<UInt8>, _ out: inout Output) {
    table.update(repeating: 0)
    let raw = UnsafeRawBufferPointer(input)
    var (position, literal) = (0, 0)
    while position + Self.leastMatch <= input.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      let slot = Self.slot(word)
      let candidate = Int(table[slot])
      table[slot] = UInt16(truncatingIfNeeded: position)
      guard candidate < position, raw.loadUnaligned(fromByteOffset: candidate, as: UInt32.self) == word else {
        position += 1
        continue
      }
      var length = Self.leastMatch
      while position + length < input.count, input[candidate + length] == input[position + length] { length += 1 }
      out.literal(input, literal..<position)
      out.copy(length, from: position - candidate)
      literal = position + length
      // Positions inside of a copy as well: a near repeat takes fewer bytes than a far one.
      position += 1
      while position < literal, position + Self.leastMatch <= input.count {
        table[Self.slot(raw.loadUnaligned(fromByteOffset: position, as: UInt32.self))] = UInt16(
          truncatingIfNeeded: position)
        position += 1
      }
      position = literal
    }
    out.literal(input, literal..<input.count)
  }

  private static func slot(_ word: UInt32) -> Int { Int((word &* 0x1E35_A7BD) >> UInt32(32 - hashBits)) }

  /// Writes the elements of the format. `bound` is room for all of them.
  private struct Output {
    let bytes: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    mutating func put(_ byte: UInt8) {
      bytes[count] = byte
      count += 1
    }

    /// Tag 00: bytes as they are. A block has at most 65,536 of them.
    mutating func literal(_ input: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
      if range.isEmpty { return }
      let length = range.count - 1
      if length < 60 {
        put(UInt8(truncatingIfNeeded: length << 2))
      } else if length < 256 {
        put(60 << 2)
        put(UInt8(truncatingIfNeeded: length))
      } else {
        put(61 << 2)
        put(UInt8(truncatingIfNeeded: length))
        put(UInt8(truncatingIfNeeded: length >> 8))
      }
      for index in range { put(input[index]) }
    }

    /// Tag 01 (4 to 11 bytes, from at most 2,047 before) and tag 10 (1 to 64 bytes, from at most 65,535 before). What
    /// is left after a copy of 64 has 4 bytes or more, so that it may be a short one.
    mutating func copy(_ length: Int, from offset: Int) {
      var left = length
      while left >= 68 {
        copy2(64, offset)
        left -= 64
      }
      if left > 64 {
        copy2(60, offset)
        left -= 60
      }
      guard left < 12, offset < 2048 else { return copy2(left, offset) }
      put(UInt8(truncatingIfNeeded: 1 | (left - 4) << 2 | (offset >> 8) << 5))
      put(UInt8(truncatingIfNeeded: offset))
    }

    private mutating func copy2(_ length: Int, _ offset: Int) {
      put(UInt8(truncatingIfNeeded: 2 | (length - 1) << 2))
      put(UInt8(truncatingIfNeeded: offset))
      put(UInt8(truncatingIfNeeded: offset >> 8))
    }
  }
}
