@testable import Camera

/// Writes H.264 units bit by bit.
struct BitWriter {
  private var bits: [Bool] = []

  mutating func u(_ count: Int, _ value: UInt64) {
    for place in (0..<count).reversed() { bits.append(value >> UInt64(place) & 1 == 1) }
  }

  mutating func ue(_ value: UInt64) {
    let code = value + 1
    let length = 64 - code.leadingZeroBitCount
    u(length - 1, 0)
    u(length, code)
  }

  mutating func se(_ value: Int64) { ue(value > 0 ? UInt64(2 * value - 1) : UInt64(-2 * value)) }

  /// The unit after its header byte: stop bit, padding, emulation prevention.
  func unit(_ header: UInt8) -> [UInt8] {
    var all = bits + [true]
    while all.count % 8 != 0 { all.append(false) }
    var bytes: [UInt8] = [header]
    var zeros = 0
    for start in stride(from: 0, to: all.count, by: 8) {
      let byte = all[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      if zeros == 2, byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return bytes
  }
}

/// What a sequence parameter set shall say.
struct SequenceBits {
  var profile: UInt64 = 66
  var constraints: UInt64 = 0xC0
  var level: UInt64 = 31
  var blocksAcross: UInt64 = 80
  var blocksDown: UInt64 = 45
  var order: UInt64 = 2
  var isFramesOnly = true
  var crop: (left: UInt64, right: UInt64, top: UInt64, bottom: UInt64)?
  var chroma: UInt64 = 1
  var depth: UInt64 = 0
  var scalingLists = false

  var unit: [UInt8] {
    var bits = BitWriter()
    bits.u(8, profile)
    bits.u(8, constraints)
    bits.u(8, level)
    bits.ue(0)
    if profile == 100 { writeHigh(&bits) }
    bits.ue(0)
    bits.ue(order)
    if order == 0 { bits.ue(4) }
    if order == 1 {
      bits.u(1, 0)
      bits.se(-3)
      bits.se(2)
      bits.ue(2)
      bits.se(1)
      bits.se(-1)
    }
    bits.ue(1)
    bits.u(1, 0)
    bits.ue(blocksAcross - 1)
    bits.ue(blocksDown - 1)
    bits.u(1, isFramesOnly ? 1 : 0)
    if !isFramesOnly { bits.u(1, 0) }
    bits.u(1, 1)
    bits.u(1, crop == nil ? 0 : 1)
    if let crop { for side in [crop.left, crop.right, crop.top, crop.bottom] { bits.ue(side) } }
    bits.u(1, 0)
    return bits.unit(0x67)
  }

  private func writeHigh(_ bits: inout BitWriter) {
    bits.ue(chroma)
    if chroma == 3 { bits.u(1, 0) }
    bits.ue(depth)
    bits.ue(depth)
    bits.u(1, 0)
    bits.u(1, scalingLists ? 1 : 0)
    guard scalingLists else { return }
    // One list of 16 that changes all the way, one that stops early, five that are absent, one of 64.
    for list in 0..<8 {
      bits.u(1, list == 0 || list == 3 || list == 7 ? 1 : 0)
      if list == 0 { for _ in 0..<16 { bits.se(1) } }
      if list == 3 { bits.se(-8) }
      if list == 7 { for _ in 0..<64 { bits.se(-1 + 2) } }
    }
  }
}

/// A picture parameter set of this number; `extra` makes another one of it.
func pictureSet(_ id: UInt64 = 0, sequence: UInt64 = 0, extra: UInt64 = 0) -> [UInt8] {
  var bits = BitWriter()
  bits.ue(id)
  bits.ue(sequence)
  bits.u(2, 0)
  bits.ue(extra)
  return bits.unit(0x68)
}

/// A slice of `payload` bytes without sense after a header that makes sense.
func slice(key: Bool, first: UInt64 = 0, type: UInt64? = nil, set: UInt64 = 0, payload: [UInt8] = [0x5A]) -> [UInt8] {
  var bits = BitWriter()
  bits.ue(first)
  bits.ue(type ?? (key ? 7 : 5))
  bits.ue(set)
  for byte in payload { bits.u(8, UInt64(byte)) }
  return bits.unit(key ? 0x65 : 0x41)
}

/// Units as a byte stream.
func stream(_ units: [UInt8]..., code: [UInt8] = [0, 0, 0, 1]) -> [UInt8] { units.flatMap { code + $0 } }

/// The first access unit of a clip.
func firstUnit(_ sequence: SequenceBits = SequenceBits(), payload: [UInt8] = [0x5A]) -> [UInt8] {
  stream(sequence.unit, pictureSet(), slice(key: true, payload: payload))
}

/// Reads a sequence parameter set.
func parameters(_ unit: [UInt8]) throws -> SequenceParameters {
  try unit.withUnsafeBufferPointer { try SequenceParameters($0) }
}

/// The units of a byte stream.
func units(_ bytes: [UInt8]) throws -> [[UInt8]] {
  try bytes.withUnsafeBufferPointer { bytes in
    var reader = try UnitReader(bytes)
    var found: [[UInt8]] = []
    while let unit = try reader.next() { found.append(Array(unit)) }
    return found
  }
}
