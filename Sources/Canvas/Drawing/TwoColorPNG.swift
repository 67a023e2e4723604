import Codec
import Runtime

/// A PNG picture of two colors, for codes, gauges and sketches: one bit a pixel, in a palette, not compressed. Written
/// on the loop without taking memory, which the library's encoder of snapshots cannot: it is for workers. (Portable
/// Network Graphics, third edition, sections 5 and 11; RFC 1950; RFC 1951 section 3.2.4.)
public struct TwoColorPNG {
  /// Pixels.
  public let width: Int
  public let height: Int
  /// The colors of pixels that are off and on, as 0xRRGGBB.
  let off: UInt32
  let on: UInt32

  /// A picture of so many pixels; see the properties.
  public init(width: Int, height: Int, off: UInt32, on: UInt32) {
    (self.width, self.height, self.off, self.on) = (width, height, off, on)
  }

  /// The pixels of its one uncompressed block, in bytes: each row has its filter's type before it.
  private var blockCount: Int { height * (1 + (width + 7) / 8) }

  /// Bytes of the file: the signature, and the chunks IHDR, PLTE, IDAT and IEND.
  public var count: Int { 8 + (12 + 13) + (12 + 6) + (12 + 2 + 5 + blockCount + 4) + 12 }

  /// Writes the file. Nil when `buffer` has too little room, or the picture is larger than one block.
  public func write(into buffer: UnsafeMutableBufferPointer<UInt8>, _ isOn: (_ x: Int, _ y: Int) -> Bool) -> Int? {
    guard width > 0, height > 0, blockCount <= 0xFFFF, count <= buffer.count else { return nil }
    var file = Writer(into: buffer)
    file.word(0x8950_4E47)
    file.word(0x0D0A_1A0A)
    file.begin("IHDR", count: 13)
    file.word(UInt32(width))
    file.word(UInt32(height))
    // One bit a pixel, a palette, and the only methods there are.
    file.word(0x0103_0000)
    file.byte(0)
    file.end()
    file.begin("PLTE", count: 6)
    file.color(off)
    file.color(on)
    file.end()
    file.begin("IDAT", count: 2 + 5 + blockCount + 4)
    // Deflate with a window of 32 KiB; the last block, stored.
    file.short(0x0178)
    file.byte(1)
    file.short(UInt16(blockCount))
    file.short(~UInt16(blockCount))
    writeRows(&file, isOn)
    file.end()
    file.begin("IEND", count: 0)
    file.end()
    return file.count
  }

  private func writeRows(_ file: inout Writer, _ isOn: (_ x: Int, _ y: Int) -> Bool) {
    var (a, b): (UInt32, UInt32) = (1, 0)
    func add(_ byte: UInt8, _ file: inout Writer) {
      file.byte(byte)
      // Adler-32 (RFC 1950, section 9).
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    for y in 0..<height {
      add(0, &file)
      for start in stride(from: 0, to: width, by: 8) {
        var byte: UInt8 = 0
        for x in start..<min(start + 8, width) where isOn(x, y) { byte |= 0x80 >> UInt8(x - start) }
        add(byte, &file)
      }
    }
    file.word(b << 16 | a)
  }

  /// Writes chunks.
  private struct Writer {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0
    private var chunk = 0

    init(into buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func byte(_ byte: UInt8) {
      buffer[count] = byte
      count += 1
    }

    /// The lower byte first, as in deflate.
    mutating func short(_ value: UInt16) {
      byte(UInt8(truncatingIfNeeded: value))
      byte(UInt8(truncatingIfNeeded: value >> 8))
    }

    mutating func color(_ value: UInt32) {
      for shift in stride(from: UInt32(16), through: 0, by: -8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func word(_ value: UInt32) {
      for shift in stride(from: UInt32(24), through: 0, by: -8) { byte(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func begin(_ type: StaticString, count: Int) {
      word(UInt32(count))
      chunk = self.count
      for index in 0..<type.utf8CodeUnitCount { byte(type.utf8Start[index]) }
    }

    /// The chunk's checksum, from its type on: CRC-32 with the polynomial 0xEDB88320, reflected (section 5.5).
    mutating func end() {
      var remainder = UInt32.max
      for index in chunk..<count {
        remainder ^= UInt32(buffer[index])
        for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1 }
      }
      word(~remainder)
    }
  }
}
