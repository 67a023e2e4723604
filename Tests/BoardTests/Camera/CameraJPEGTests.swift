import Runtime
import Testing

@testable import Board
@testable import Camera

struct CameraJPEGTests {
  @Test(
    "what is encoded decodes to the same colours, in every chroma layout", arguments: ChromaLayout.allCases)
  func roundTrip(chroma: ChromaLayout) throws {
    for (width, height) in [(160, 32), (161, 33), (640, 480)] {
      let seen = try CameraPictures.look(CameraPictures.bars(width, height, chroma: chroma))
      #expect((seen.width, seen.height) == (width, height))
      if chroma != .gray { #expect(CameraPictures.isBars(seen.colors)) }
    }
  }

  @Test(
    "decoding reduces by 2, 4 or 8 while the width asked remains",
    arguments: [(640, 640), (639, 640), (321, 640), (320, 320), (161, 320), (160, 160), (80, 80), (1, 80)])
  func reduction(wanted: Int, expected: Int) throws {
    let jpeg = try CameraPictures.bars(640, 480)
    var storage = CameraPictures.storage(640, 480)
    let width = try storage.withUnsafeMutableBufferPointer { storage in
      try jpeg.withUnsafeBufferPointer { try TurboJPEG().decode($0, atLeast: wanted, into: storage).width }
    }
    #expect(width == expected)
  }

  @Test("decoding reduces further when the storage is short, and refuses when nothing fits")
  func shortStorage() throws {
    let jpeg = try CameraPictures.bars(640, 480)
    func decodedWidth(_ bytes: Int) throws -> Int {
      var storage = [UInt8](repeating: 0, count: bytes)
      return try storage.withUnsafeMutableBufferPointer { storage in
        try jpeg.withUnsafeBufferPointer { try TurboJPEG().decode($0, atLeast: 640, into: storage).width }
      }
    }
    #expect(try decodedWidth(640 * 480 * 3 / 2) == 640)
    #expect(try decodedWidth(640 * 480 * 3 / 2 - 1) == 320)
    #expect(throws: JPEGError.unsupported) { try decodedWidth(80 * 60 * 3 / 2 - 1) }
  }

  @Test("an encoding into less than the longest possible length is refused before a byte is written")
  func shortBuffer() throws {
    var storage = CameraPictures.storage(64, 48)
    try storage.withUnsafeMutableBufferPointer { storage in
      let image = try #require(PlanarImage(in: storage, width: 64, height: 48, chroma: .quarter))
      let needed = 64 * 48 * 3 + 2048
      var buffer = [UInt8](repeating: 0, count: needed)
      #expect(throws: JPEGError.doesNotFit) {
        try buffer.withUnsafeMutableBufferPointer {
          try TurboJPEG().encode(
            image, quality: 90, into: UnsafeMutableBufferPointer(rebasing: $0.dropLast()))
        }
      }
      #expect(buffer.allSatisfy { $0 == 0 })
      let count = try buffer.withUnsafeMutableBufferPointer {
        try TurboJPEG().encode(image, quality: 90, into: $0)
      }
      #expect(buffer[..<2] == [0xFF, 0xD8] && buffer[count - 2..<count] == [0xFF, 0xD9])
    }
  }

  @Test("the standard tables are those that libjpeg writes")
  func tables() throws {
    let jpeg = try CameraPictures.bars(16, 16)
    let theirs = CameraPictures.segments(jpeg, marker: 0xC4).flatMap { jpeg[$0].dropFirst(4) }
    let ours = (4..<StandardHuffmanTables.length).map { StandardHuffmanTables.segment[$0] }
    #expect(Set([theirs.count, ours.count, 416]).count == 1)
    #expect(theirs == ours)
  }

  @Test("a picture without tables decodes, by itself and after they were put in")
  func withoutTables() throws {
    let bare = CameraPictures.withoutTables(try CameraPictures.bars(160, 64))
    #expect(CameraPictures.isBars(try CameraPictures.look(bare).colors))
    let full = [UInt8](unsafeUninitializedCapacity: bare.count + 420) { buffer, count in
      count =
        bare.withUnsafeBufferPointer { (try? JPEGLayout($0))?.copy($0, into: buffer, limit: 1 << 20) } ?? 0
    }
    #expect(CameraPictures.segments(full, marker: 0xC4).count == 1)
    #expect(CameraPictures.isBars(try CameraPictures.look(full).colors))
  }

  @Test("damaged pictures give an error or a picture, never more than the storage", arguments: 0..<8)
  func hostile(seed: Int) throws {
    var random = SystemRandomNumberGenerator()
    let jpeg = try CameraPictures.bars(
      96, 64, chroma: ChromaLayout.allCases[seed % ChromaLayout.allCases.count])
    let codec = try TurboJPEG()
    let guardByte: UInt8 = 0xA5
    var storage = [UInt8](repeating: guardByte, count: 96 * 64 * 3 + 64)
    for _ in 0..<300 {
      var damaged = jpeg
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: 2..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        damaged.removeLast(Int.random(in: 0..<damaged.count - 4, using: &random))
      }
      storage.withUnsafeMutableBufferPointer { storage in
        damaged.withUnsafeBufferPointer { damaged in
          let room = UnsafeMutableBufferPointer(rebasing: storage[..<(storage.count - 64)])
          _ = try? codec.decode(damaged, atLeast: 1, into: room)
        }
      }
      #expect(storage.suffix(64).allSatisfy { $0 == guardByte })
    }
    // It still works for the next one.
    _ = try jpeg.withUnsafeBufferPointer { jpeg in
      try storage.withUnsafeMutableBufferPointer { try codec.decode(jpeg, atLeast: 96, into: $0).width }
    }
  }

  @Test("a header that claims more pixels than the budget is refused before memory is taken")
  func hugeHeader() throws {
    var jpeg = try CameraPictures.bars(16, 16)
    let frame = try #require(CameraPictures.segments(jpeg, marker: 0xC0).first).lowerBound
    jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0, 0xFF, 0])
    var storage = [UInt8](repeating: 0, count: 1024)
    #expect(throws: JPEGError.unsupported) {
      try storage.withUnsafeMutableBufferPointer { storage in
        try jpeg.withUnsafeBufferPointer { try TurboJPEG().decode($0, atLeast: 1, into: storage).width }
      }
    }
  }
}
