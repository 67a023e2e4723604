import Camera
import Runtime
import Testing

@testable import Board

/// A gray picture with a moving bar.
private final class Picture {
  let storage: FixedBuffer
  let image: PlanarImage

  init(_ width: Int, _ height: Int, chroma: ChromaLayout = .quarter) throws {
    storage = FixedBuffer(capacity: width * height * 3)
    image = try #require(PlanarImage(in: storage.bytes, width: width, height: height, chroma: chroma))
    for offset in 0..<storage.bytes.count { storage.bytes[offset] = 128 }
  }

  func move(to index: Int) {
    for y in 0..<image.height {
      let row = image.luma.base + y * image.luma.rowBytes
      for x in 0..<image.width { row[x] = (x + index * 4) % 32 < 16 ? 50 : 200 }
    }
  }
}

private let format = VideoFormat(width: 128, height: 96, picturesPerKilosecond: 25_000, isFullRange: true)

struct OpenH264Tests {
  @Test("pictures become a clip that holds all of them")
  func clip() throws {
    let memory = try ClipMemory()
    let recorder = ClipRecorder(writer: try ClipWriter(sink: memory), encoder: OpenH264())
    let picture = try Picture(128, 96)
    for round in 0..<2 {
      try recorder.begin(format, duration: 1_000_000, limit: 200_000, encodes: true)
      var index = 0
      repeat {
        picture.move(to: index)
        index += 1
      } while try recorder.take(picture.image, at: Int64(index) * 40_000) == .more
      let clip = try recorder.finish()
      #expect((clip.width, clip.height, clip.pictures) == (128, 96, 25), "round \(round)")
      #expect(clip.duration == 1_000_000)
      #expect(memory.bytes(of: clip).count < 200_000)
    }
  }

  @Test("a key frame comes when it is ordered, and only then")
  func keyframes() throws {
    let encoder = OpenH264()
    try encoder.start(format, most: 500_000)
    let writer = try ClipWriter(sink: try ClipMemory())
    writer.begin(limit: Budget.clipBytes, interval: format.interval)
    let picture = try Picture(128, 96)
    for index in 0..<20 {
      picture.move(to: index * 7)
      let order = PictureOrder(bitsPerSecond: 500_000 - index * 20_000, isKeyframe: index % 8 == 0)
      let made = try #require(try encoder.encode(picture.image, at: Int64(index) * 40_000, order))
      #expect(made.time == Int64(index) * 40_000)
      #expect(try writer.add(made.bytes, at: made.time) == .picture(isKeyframe: order.isKeyframe))
    }
    #expect(try encoder.drain()?.time == nil)
  }

  @Test("fewer bits a second make fewer bytes")
  func rate() throws {
    func bytes(_ rate: Int) throws -> Int {
      let encoder = OpenH264()
      try encoder.start(format, most: 2_000_000)
      let picture = try Picture(128, 96)
      var (sum, state) = (0, UInt32(1))
      for index in 0..<50 {
        for offset in 0..<128 * 96 {
          state = state &* 1_664_525 &+ 1_013_904_223
          picture.image.luma.base[offset] = UInt8(state >> 26) + 100
        }
        let order = PictureOrder(bitsPerSecond: rate, isKeyframe: index == 0)
        sum += try encoder.encode(picture.image, at: Int64(index) * 40_000, order)?.bytes.count ?? 0
      }
      return sum
    }
    #expect(try bytes(1_500_000) > 2 * bytes(150_000))
  }

  @Test(
    "sizes and rates that it cannot do are refused",
    arguments: [
      (0, 96, 25_000), (127, 96, 25_000), (128, 8, 25_000), (4096, 4096, 25_000), (128, 96, 999), (128, 96, 90_000),
    ])
  func refused(width: Int, height: Int, rate: Int) {
    let encoder = OpenH264()
    let format = VideoFormat(width: width, height: height, picturesPerKilosecond: rate, isFullRange: false)
    #expect(throws: ClipError.encoder) { try encoder.start(format, most: 1_000_000) }
  }

  @Test("a picture of another size or layout, or before the start, is refused")
  func mismatch() throws {
    let encoder = OpenH264()
    let order = PictureOrder(bitsPerSecond: 100_000, isKeyframe: true)
    let right = try Picture(128, 96)
    #expect(throws: ClipError.encoder) { try encoder.encode(right.image, at: 0, order) }
    try encoder.start(format, most: 500_000)
    for wrong in [try Picture(64, 96), try Picture(128, 48), try Picture(128, 96, chroma: .full)] {
      #expect(throws: ClipError.encoder) { try encoder.encode(wrong.image, at: 0, order) }
    }
    #expect(try encoder.encode(right.image, at: 0, order)?.time == 0)
    encoder.stop()
    encoder.stop()
    #expect(throws: ClipError.encoder) { try encoder.encode(right.image, at: 0, order) }
  }
}
