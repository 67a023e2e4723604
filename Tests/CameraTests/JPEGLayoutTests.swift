import Testing

@testable import Camera

struct JPEGLayoutTests {
  @Test("size, length and tables are found")
  func places() throws {
    let picture = tinyJPEG(width: 640, height: 480)
    let found = try layout(picture)
    #expect((found.width, found.height, found.length) == (640, 480, picture.count))
    #expect(found.hasHuffmanTables)
    #expect(try !layout(tinyJPEG(width: 1, height: 1, tables: false)).hasHuffmanTables)
  }

  @Test("what a camera pads after the picture does not count")
  func padded() throws {
    let picture = tinyJPEG(width: 64, height: 48)
    #expect(try layout(picture + [0, 0, 0xFF, 0, 0xAA]).length == picture.count)
  }

  @Test("fill bytes before markers and restart markers in the data are fine")
  func fillAndRestart() throws {
    var picture = tinyJPEG(width: 24, height: 8, coded: [1, 0xFF, 0xD0, 2, 0xFF, 0xD1, 3, 0xFF, 0xFF])
    picture.insert(contentsOf: [0xFF, 0xFF, 0xDD, 0, 4, 0, 1], at: 2)
    #expect(try layout(picture).length == picture.count)
  }

  @Test("a picture cut anywhere is broken")
  func torn() {
    let picture = tinyJPEG(width: 64, height: 48)
    for length in 0..<picture.count {
      #expect(throws: JPEGError.broken) { try layout(Array(picture[..<length])) }
    }
  }

  @Test("two frames run into each other are broken")
  func merged() {
    let picture = tinyJPEG(width: 64, height: 48)
    #expect(throws: JPEGError.broken) { try layout(Array(picture.dropLast(2)) + picture) }
  }

  @Test(
    "structures that make no picture are broken",
    arguments: [
      [], [0xFF], [0xFF, 0xD8, 0xFF, 0xD9], [0, 0, 0, 0, 0, 0],
      [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9],  // a scan without a frame
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF, 0xD9],  // a segment shorter than its own length
      [0xFF, 0xD8, 0x12, 0xE0, 0, 2, 0xFF, 0xD9],  // no marker where one must be
    ] as [[UInt8]])
  func structures(bytes: [UInt8]) {
    #expect(throws: JPEGError.broken) { try layout(bytes) }
  }

  @Test("pictures without width or height are broken")
  func noSize() {
    #expect(throws: JPEGError.broken) { try layout(tinyJPEG(width: 0, height: 8)) }
    #expect(throws: JPEGError.broken) { try layout(tinyJPEG(width: 8, height: 0)) }
  }

  @Test(
    "arithmetic, lossless and hierarchical kinds are not supported",
    arguments: [0xC3, 0xC5, 0xC9, 0xCF] as [UInt8])
  func kinds(marker: UInt8) {
    var picture = tinyJPEG(width: 8, height: 8)
    picture[14] = marker
    #expect(throws: JPEGError.unsupported) { try layout(picture) }
  }

  @Test("standard tables are put in before the scan when there are none, and only then")
  func insertion() throws {
    let bare = tinyJPEG(width: 64, height: 48, tables: false)
    let full = copied(bare, limit: 10_000)
    let scan = try layout(bare).scanOffset
    let tables = (0..<StandardHuffmanTables.length).map { StandardHuffmanTables.segment[$0] }
    #expect(full == Array(bare[..<scan]) + tables + Array(bare[scan...]))
    #expect(try layout(#require(full)).hasHuffmanTables)
    let whole = tinyJPEG(width: 64, height: 48)
    #expect(copied(whole + [0, 0], limit: 10_000) == whole)
  }

  @Test("a copy above the limit is refused, to the byte")
  func limit() {
    let bare = tinyJPEG(width: 64, height: 48, tables: false)
    let length = bare.count + StandardHuffmanTables.length
    #expect(copied(bare, limit: length)?.count == length)
    #expect(copied(bare, limit: length - 1) == nil)
  }

  private func copied(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    var target = [UInt8](repeating: 0, count: 2000)
    let count = bytes.withUnsafeBufferPointer { bytes in
      target.withUnsafeMutableBufferPointer { target in
        (try? JPEGLayout(bytes))?.copy(bytes, into: target, limit: limit)
      }
    }
    return count.map { Array(target[..<$0]) }
  }

  @Test("damaged bytes give an error or a layout inside the bytes, never anything else", arguments: 0..<20)
  func fuzz(seed: UInt64) {
    var random = Seeded(seed)
    let picture = tinyJPEG(width: 300, height: 200, tables: seed % 2 == 0, coded: random.bytes(40))
    for _ in 0..<500 {
      var damaged = picture
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] =
          [0, 0xFF, 0xD8, 0xD9, 0xDA, 0xC4, UInt8.random(in: 0...255, using: &random)].randomElement(
            using: &random)!
      }
      guard let found = try? layout(damaged) else { continue }
      #expect(found.length <= damaged.count && found.scanOffset + 2 < found.length)
      #expect(found.width > 0 && found.height > 0)
      #expect(damaged[found.scanOffset] == 0xFF)
    }
  }
}
