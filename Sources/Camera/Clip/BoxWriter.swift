import Runtime

/// Writes the boxes of an MP4 file (ISO/IEC 14496-12, clause 4.2). The buffer must be large enough.
struct BoxWriter: ~Copyable {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  /// Bytes written.
  private(set) var count = 0

  init(into buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  mutating func byte(_ value: UInt8) {
    buffer[count] = value
    count += 1
  }

  mutating func short(_ value: Int) {
    byte(UInt8(truncatingIfNeeded: value >> 8))
    byte(UInt8(truncatingIfNeeded: value))
  }

  mutating func word(_ value: UInt32) {
    short(Int(value >> 16))
    short(Int(value & 0xFFFF))
  }

  mutating func zeros(_ bytes: Int) { for _ in 0..<bytes { byte(0) } }

  mutating func bytes(_ bytes: UnsafeBufferPointer<UInt8>) { for index in 0..<bytes.count { byte(bytes[index]) } }

  /// Four characters.
  mutating func code(_ code: StaticString) { bytes(code.bytes) }

  /// Begins a box; returns its start, for `end`.
  mutating func begin(_ type: StaticString) -> Int {
    let start = count
    word(0)
    code(type)
    return start
  }

  /// Begins a box with version 0 and flags.
  mutating func beginFull(_ type: StaticString, flags: UInt32 = 0) -> Int {
    let start = begin(type)
    word(flags)
    return start
  }

  /// Ends the box that began at `start`, and writes its size.
  mutating func end(_ start: Int) {
    let end = count
    count = start
    word(UInt32(end - start))
    count = end
  }

  // MARK: Boxes that all tracks have

  /// The identity matrix (clause 8.3.2).
  mutating func plainMatrix() {
    word(0x0001_0000)
    zeros(12)
    word(0x0001_0000)
    zeros(12)
    word(0x4000_0000)
  }

  /// `hdlr`, of media of this type, without a name.
  mutating func handler(_ type: StaticString) {
    let box = beginFull("hdlr")
    word(0)
    code(type)
    zeros(12)
    byte(0)
    end(box)
  }

  /// `dinf`: the media is in this file.
  mutating func dataReference() {
    let place = begin("dinf")
    let references = beginFull("dref")
    word(1)
    let same = beginFull("url ", flags: 1)
    end(same)
    end(references)
    end(place)
  }
}
