import Testing

@testable import Camera

struct ClipStreamTests {
  @Test("units are found after start codes of three bytes and of four, zeros around them left out")
  func startCodes() throws {
    let (one, two): ([UInt8], [UInt8]) = ([0x41, 1, 2], [0x65, 9, 0, 0, 3, 1, 7])
    #expect(try units([0, 0, 1] + one + [0, 0, 1] + two) == [one, two])
    #expect(try units([0, 0, 0, 0, 1] + one + [0, 0, 0, 0, 0, 1] + two + [0, 0, 0, 0]) == [one, two])
    #expect(try units([]) == [])
    #expect(try units([0, 0, 0]) == [])
  }

  @Test(
    "what no encoder writes is damaged",
    arguments: [
      [0x41, 1, 2], [0, 1, 0x41, 1], [0, 0, 2, 0x41, 1],  // no start code
      [0, 0, 1], [0, 0, 1, 0x41], [0, 0, 1, 0x41, 0, 0, 0], [0, 0, 1, 0, 0, 1, 0x41, 1],  // no bytes in the unit
      [0, 0, 1, 0xC1, 1],  // the forbidden bit
      [0, 0, 1, 0x41, 1, 0, 0, 2, 1], [0, 0, 1, 0x41, 1, 0, 0, 0, 2],  // zeros without prevention
      [0, 0, 1, 0x41, 1, 0, 0, 3, 4],  // prevention where it is none
    ] as [[UInt8]])
  func broken(bytes: [UInt8]) {
    #expect(throws: ClipError.brokenUnit) { try units(bytes) }
  }

  @Test("Exp-Golomb numbers of every length are read, and emulation prevention is left out")
  func numbers() {
    let values: [UInt64] = [0, 1, 2, 3, 7, 8, 254, 65_535, 1 << 20, UInt64(UInt32.max) - 1]
    var bits = BitWriter()
    for value in values { bits.ue(value) }
    bits.u(24, 1)
    let unit = bits.unit(0x67)
    #expect(zip(unit, unit.dropFirst()).contains { $0 == 0 && $1 == 3 })
    unit.withUnsafeBufferPointer { bytes in
      var reader = BitReader(bytes, from: 1)
      for value in values { #expect(UInt64(reader.unsigned()) == value) }
      #expect(reader.bits(24) == 1)
      #expect(!reader.isBroken)
      for _ in 0..<16 { _ = reader.bit() }
      #expect(reader.isBroken)
    }
  }

  @Test("a number of more than 32 bits is broken, not a trap")
  func endlessNumber() {
    [UInt8](repeating: 0, count: 40).withUnsafeBufferPointer { bytes in
      var reader = BitReader(bytes, from: 0)
      #expect(reader.unsigned() == 0)
      #expect(reader.isBroken)
    }
  }

  @Test("width and height follow from blocks, fields and cropping")
  func sizes() throws {
    var bits = SequenceBits()
    #expect(try parameters(bits.unit).width == 1280)
    #expect(try parameters(bits.unit).height == 720)
    (bits.blocksAcross, bits.blocksDown) = (120, 68)
    bits.crop = (0, 0, 0, 4)
    #expect(try parameters(bits.unit).height == 1080)
    (bits.blocksDown, bits.isFramesOnly, bits.crop) = (34, false, (1, 2, 0, 2))
    let fields = try parameters(bits.unit)
    #expect((fields.width, fields.height) == (1914, 1080))
    #expect(!fields.isFramesOnly)
  }

  @Test("profile and level are found, whatever stands before the size", arguments: [66, 77, 100] as [UInt64])
  func profiles(profile: UInt64) throws {
    for order in 0...2 as ClosedRange<UInt64> {
      for lists in [false, true] {
        var bits = SequenceBits(profile: profile, constraints: 0x40, level: 40, order: order)
        bits.scalingLists = lists
        let found = try parameters(bits.unit)
        #expect((found.profile, found.constraints, found.level) == (UInt8(profile), 0x40, 40))
        #expect((found.width, found.height) == (1280, 720))
      }
    }
  }

  @Test("what browsers do not play is said to be so")
  func unsupported() {
    for profile in [88, 110, 122, 244, 83, 118] as [UInt64] {
      #expect(throws: ClipError.unsupportedProfile) { try parameters(SequenceBits(profile: profile).unit) }
    }
    for chroma in [0, 2, 3] as [UInt64] {
      #expect(throws: ClipError.unsupportedProfile) {
        try parameters(SequenceBits(profile: 100, chroma: chroma).unit)
      }
    }
    #expect(throws: ClipError.unsupportedProfile) { try parameters(SequenceBits(profile: 100, depth: 2).unit) }
  }

  @Test("parameters cut anywhere, too large or impossible are damaged")
  func brokenParameters() {
    let whole = SequenceBits(profile: 100, order: 1, crop: (1, 1, 1, 1)).unit
    for count in 0..<whole.count - 1 {
      #expect(throws: ClipError.brokenParameters, "\(count) bytes") { try parameters(Array(whole[..<count])) }
    }
    var bits = SequenceBits()
    bits.blocksAcross = 1056
    #expect(throws: ClipError.brokenParameters) { try parameters(bits.unit) }
    bits = SequenceBits(crop: (320, 320, 0, 0))
    #expect(throws: ClipError.brokenParameters) { try parameters(bits.unit) }
    #expect(throws: ClipError.brokenParameters) { try parameters(SequenceBits(order: 3).unit) }
    #expect(throws: ClipError.brokenParameters) { try parameters(pictureSet()) }
  }
}
