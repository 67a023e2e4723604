import Testing

@testable import Camera

/// What is wrong with a camera's JPEG frame, and what only looks odd.
struct FrameFaultTests {
  private func fault(_ bytes: [UInt8], _ width: Int = 0, _ height: Int = 0) -> FrameFault? {
    bytes.withUnsafeBufferPointer { bytes in
      do throws(FrameFault) {
        try JPEGLayout(checking: bytes).checkSize(width, height)
        return nil
      } catch {
        return error
      }
    }
  }

  /// A 16 x 8 picture of three components as webcams make it (4:2:2), with restart markers after each unit when asked.
  private func color(
    width: Int = 64, height: Int = 8, restart: Int = 0, tables: [UInt8] = [], coded: [UInt8]
  ) -> [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    if restart > 0 { bytes += [0xFF, 0xDD, 0, 4, UInt8(restart >> 8), UInt8(restart & 255)] }
    bytes += tables
    bytes += [0xFF, 0xC0, 0, 17, 8, UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255)]
    bytes += [3, 1, 0x21, 0, 2, 0x11, 1, 3, 0x11, 1]
    bytes += [0xFF, 0xDA, 0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]
    return bytes + coded + [0xFF, 0xD9]
  }

  private let unit: [UInt8] = [0x12, 0x34]

  @Test("what cameras send is taken: no tables, padding, odd segments, fill bytes")
  func legitimate() {
    let picture = color(coded: unit + unit + unit + unit)
    #expect(fault(picture) == nil)
    #expect(fault(picture + [UInt8](repeating: 0, count: 4096)) == nil)
    #expect(fault(picture + picture) == nil)
    var odd = picture
    odd.insert(contentsOf: [0xFF, 0xE0, 0, 7, 0x41, 0x56, 0x49, 0x31, 0xFF], at: 2)
    odd.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xE4, 0, 2, 0xFF, 0xFE, 0, 4, 0xFF, 0xD8], at: 2)
    #expect(fault(odd) == nil)
  }

  @Test("a frame cut anywhere says that it ends too early")
  func cut() {
    let picture = color(coded: unit + unit + unit + unit)
    let data = picture.count - 10
    for length in 5..<picture.count {
      #expect(fault(Array(picture[..<length])) == (length < data ? .cutHeader : .cutData))
    }
    for length in 0..<5 { #expect(fault(Array(picture[..<length])) == .noStart) }
  }

  @Test("a tail or a stretch of zeros is a buffer that was not filled")
  func zeros() {
    let zeros = [UInt8](repeating: 0, count: 100)
    #expect(fault(color(coded: unit + unit + zeros)) == .zeros)
    #expect(fault(color(coded: unit + zeros + unit)) == .zeros)
    #expect(fault(Array(color(coded: unit + unit).dropLast(2)) + zeros) == .zeros)
    #expect(fault(color(coded: unit + [UInt8](repeating: 0, count: 40) + unit)) == nil)
  }

  @Test("zeros are fine where a table codes empty blocks so")
  func codedZeros() {
    // One code of one bit, for the end of a block, in both tables of further coefficients.
    let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0x00]
    let tables: [UInt8] = [0xFF, 0xC4, 0, 38, 0x10] + one + [0x11] + one
    let zeros = [UInt8](repeating: 0, count: 100)
    #expect(fault(color(tables: tables, coded: zeros)) == nil)
    #expect(fault(color(coded: zeros)) == .zeros)
  }

  @Test("another picture inside the coded data is two frames in one")
  func merged() {
    let picture = color(coded: unit + unit + unit + unit)
    #expect(fault(Array(picture.dropLast(6)) + picture) == .merged)
  }

  @Test("markers that cannot stand in coded data are strays", arguments: [0x01, 0xBF, 0xC0, 0xC4, 0xDA, 0xDB, 0xF7])
  func strays(marker: Int) {
    #expect(fault(color(coded: unit + unit + [0xFF, UInt8(marker), 0, 4, 1, 2] + unit)) == .strayMarker)
  }

  @Test("restart markers come in order, as many as announced; one more at the end does no harm")
  func restarts() {
    func coded(_ numbers: [UInt8]) -> [UInt8] { unit + numbers.flatMap { [0xFF, 0xD0 + $0] + unit } }
    #expect(fault(color(restart: 1, coded: coded([0, 1, 2]))) == nil)
    #expect(fault(color(restart: 1, coded: coded([0, 1, 2, 3]))) == nil)
    #expect(fault(color(width: 160, restart: 1, coded: coded([0, 1, 2, 3, 4, 5, 6, 7, 0]))) == nil)
    #expect(fault(color(restart: 1, coded: coded([0, 1, 2, 3, 4]))) == .restartOrder)
    #expect(fault(color(restart: 1, coded: coded([0, 2, 3]))) == .restartOrder)
    #expect(fault(color(restart: 1, coded: coded([1, 2, 3]))) == .restartOrder)
    #expect(fault(color(restart: 1, coded: coded([0, 1]))) == .missingData)
    #expect(fault(color(coded: coded([0]))) == .restartOrder)
    #expect(fault(color(restart: 2, coded: coded([0]))) == nil)
  }

  @Test("coded data too short for its blocks is missing some")
  func tooShort() {
    // 160 units of four blocks, of two bits each at the least.
    #expect(fault(color(width: 640, height: 32, coded: [UInt8](repeating: 0x5A, count: 159))) == .missingData)
    #expect(fault(color(width: 640, height: 32, coded: [UInt8](repeating: 0x5A, count: 160))) == nil)
  }

  @Test("the size agreed with the camera counts, with rows up to a whole unit")
  func size() {
    let picture = color(width: 64, height: 16, coded: [UInt8](repeating: 0x5A, count: 32))
    #expect(fault(picture, 64, 16) == nil && fault(picture, 0, 0) == nil && fault(picture, 64, 9) == nil)
    #expect(fault(picture, 64, 17) == .wrongSize && fault(picture, 32, 16) == .wrongSize)
    #expect(fault(picture, 16, 64) == .wrongSize)
  }

  @Test("headers of invalid pictures and of unsupported kinds give different errors")
  func headers() {
    let picture = color(coded: unit + unit + unit + unit)
    let frame = 2
    for (offset, value, expected) in [
      (frame + 1, 0xC3, .unsupported), (frame + 4, 12, .unsupported), (frame + 9, 4, .unsupported),
      (frame + 6, 0, .badHeader), (frame + 11, 0x01, .badHeader), (frame + 11, 0x25, .badHeader),
      (frame + 19 + 5, 9, .badHeader), (frame + 19 + 4, 4, .badHeader), (frame, 0, .noMarker),
    ] as [(Int, UInt8, FrameFault)] {
      var damaged = picture
      damaged[offset] = value
      #expect(fault(damaged) == expected, "at \(offset)")
    }
  }

  @Test("counts are kept by kind, and every kind has words")
  func counts() {
    var faults = FrameFaults()
    for fault in FrameFault.allCases {
      faults.count(fault)
      faults.count(fault)
    }
    #expect(faults.total == 2 * FrameFault.allCases.count && faults[.merged] == 2)
    #expect(Set(FrameFault.allCases.map { "\($0.text)" }).count == FrameFault.allCases.count)
  }
}
