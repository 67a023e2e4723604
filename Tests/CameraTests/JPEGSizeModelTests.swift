import Runtime
import Testing

@testable import Camera

/// What can be said of a picture's bytes without an encoder.
struct JPEGSizeModelTests {
  private func model(
    _ width: Int, _ height: Int, _ chroma: ChromaLayout, value: (Int, Int) -> UInt8
  ) throws -> JPEGSizeModel {
    let storage = FixedBuffer(capacity: 3 * (width + 16) * (height + 16))
    let image = try #require(PlanarImage(in: storage.bytes, width: width, height: height, chroma: chroma))
    for plane in [image.luma, image.blue, image.red] {
      for y in 0..<plane.height { for x in 0..<plane.rowBytes { plane.base[y * plane.rowBytes + x] = value(x, y) } }
    }
    let model = try JPEGSizeModel()
    model.sample(image, upTo: 100)
    return model
  }

  @Test("an even picture takes six bits for each block of Y and four for each of colour, however large it is")
  func even() throws {
    // 30,000 and 15,000 blocks: ten times as many as are looked at.
    let large = try model(1600, 1200, .quarter) { _, _ in 128 }
    let coded = (30_000 * 6 + 15_000 * 4) / 8
    #expect(large.bytes(quality: 90, coding: .standard) == 623 + coded * 257 / 256)
    let gray = try model(64, 64, .gray) { _, _ in 128 }
    #expect(gray.bytes(quality: 10, coding: .standard) == 331 + 64 * 6 / 8)
  }

  @Test("blocks that only fill up a unit are counted as empty ones")
  func filling() throws {
    let odd = try model(8, 8, .quarter) { _, _ in 128 }
    #expect(odd.bytes(quality: 50, coding: .standard) == 623 + (4 * 6 + 2 * 4) / 8)
  }

  @Test("more quality never takes fewer bytes of noise, and a quality is found for any of them")
  func quality() throws {
    var random = Seeded(3)
    let noise = try model(128, 128, .quarter) { _, _ in UInt8.random(in: 0...255, using: &random) }
    for coding in [JPEGCoding.standard, .optimized, .progressive] {
      let sizes = (1...100).map { noise.bytes(quality: $0, coding: coding) }
      #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 <= $1 } && sizes[0] * 4 < sizes[99])
      for quality in [20, 21, 50, 77, 95] {
        let bytes = Double(sizes[quality - 1])
        let found = noise.quality(for: bytes, in: 20...95, coding: coding)
        #expect(sizes[try #require(found) - 1] == sizes[quality - 1])
      }
      #expect(noise.quality(for: Double(sizes[19]) - 1, in: 20...95, coding: coding) == nil)
      #expect(noise.quality(for: 1e9, in: 20...95, coding: coding) == 95)
    }
  }

  @Test("the transform keeps the energy of a block, and finds a wave where it is")
  func transform() {
    let block = FixedBuffer(capacity: 64 * 4)
    block.bytes.withMemoryRebound(to: Float.self) { block in
      // The basis function of two half waves across and none down: coefficient 2 of the first column of coefficients.
      let half: [Float] = [0.92387953, 0.38268343, -0.38268343, -0.92387953]
      let wave = half + half.reversed()
      for index in 0..<64 { block[index] = 100 * wave[index % 8] }
      BlockTransform.transform(block.baseAddress!)
      for index in 0..<64 { #expect(abs(block[index] - (index == 16 ? 565.685 : 0)) < 0.01) }
    }
  }
}
