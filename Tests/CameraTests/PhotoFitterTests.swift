import Runtime
import Testing

@testable import Camera

/// How the fitter goes on after what an encoder says, whatever that says.
struct PhotoFitterTests {
  private let codec = ScriptedCodec()

  private func fit(
    _ limits: PhotoLimits, width: Int = 640, height: Int = 480
  ) throws -> FittedPhoto {
    let (source, spare) = (FixedBuffer(capacity: 2 * width * height), FixedBuffer(capacity: 2 * width * height))
    let output = FixedBuffer(capacity: 4_000_000)
    var random = Seeded(7)
    for index in source.bytes.indices { source.bytes[index] = UInt8.random(in: 0...255, using: &random) }
    let image = try #require(PlanarImage(in: source.bytes, width: width, height: height, chroma: .quarter))
    return try PhotoFitter(codec: codec).fit(
      image, quality: 90, limits, spare: spare.bytes, into: output.bytes
    ) {}
  }

  @Test("what fits at once is encoded once, at the quality asked")
  func atOnce() throws {
    codec.sizes = [700]
    let photo = try fit(PhotoLimits(bytes: 1_000_000))
    #expect((photo.encodings, photo.quality, photo.width, photo.height) == (1, 90, 640, 480))
  }

  @Test("an encoding above the limit is followed by one at the quality that its bytes ask for")
  func corrected() throws {
    codec.sizes = [1_300_000, 950_000]
    let photo = try fit(PhotoLimits(bytes: 1_000_000))
    #expect(photo.encodings == 2 && photo.count == 950_000)
    #expect(photo.quality < 90 && photo.quality > 75 && photo.width == 640)
  }

  @Test("an encoder that never gets below the limit ends in an error with the smallest size, after six")
  func hopeless() {
    codec.sizes = [3_000_000, 2_000_000, 2_500_000]
    let error = #expect(throws: CameraError.self) { try fit(PhotoLimits(bytes: 100_000)) }
    #expect(error?.message == "CAMERA_TOO_LARGE: 2000000 bytes > 100000 bytes")
    #expect(codec.attempts.count <= 6)
    #expect(codec.attempts.allSatisfy { max($0.width, $0.height) >= PhotoLimits.shortestLongEdge })
    #expect(codec.attempts.allSatisfy { $0.quality >= 0.32 })
  }

  @Test("no encoder, however it behaves, makes a photo above the limit, or more than six encodings", arguments: 0..<40)
  func anyEncoder(seed: UInt64) {
    var random = Seeded(seed)
    codec.sizes = (0..<12).map { _ in Int.random(in: 2_000...200_000, using: &random) }
    let limit = Int.random(in: 2_000...200_000, using: &random)
    let policy: PhotoLimits.Progressive = [.never, .whenNeeded, .always][Int(seed % 3)]
    if let photo = try? fit(PhotoLimits(bytes: limit, progressive: policy), width: 320, height: 240) {
      #expect(photo.count <= limit)
      #expect(max(photo.width, photo.height) >= 256 && photo.quality >= 32 && photo.quality <= 90)
    }
    #expect((1...6).contains(codec.attempts.count))
    if policy == .never { #expect(codec.attempts.allSatisfy { $0.coding != .progressive }) }
    if policy == .always { #expect(codec.attempts.allSatisfy { $0.coding == .progressive }) }
  }
}
