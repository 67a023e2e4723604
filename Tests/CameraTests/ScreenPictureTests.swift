import Runtime
import Testing

@testable import Camera

@Suite("Pictures of the screen for an encoder")
struct ScreenPictureTests {
  @Test("sides are even, within 1280x720 however they are turned, and never larger")
  func sizes() {
    for (width, height, wide, high) in [
      (1920, 1080, 1280, 720), (3840, 2160, 1280, 720), (480, 320, 480, 320), (481, 321, 480, 320),
      (1080, 1920, 720, 1280),
      (800, 1280, 720, 1152), (1366, 768, 1280, 718), (1, 1, 2, 2),
    ] {
      let format = VideoFormat(ofScreen: width, height, picturesPerKilosecond: 10_000)
      #expect(format.isFullRange && format.width % 2 == 0 && format.height % 2 == 0)
      #expect(abs(format.width - wide) <= 2 && abs(format.height - high) <= 2)
      #expect(max(format.width, format.height) <= 1280 && min(format.width, format.height) <= 720)
    }
  }

  /// Pixels of two rows, four across, and the picture of them.
  private func converted(_ rows: [[UInt32]]) throws -> (luma: [UInt8], blue: [UInt8], red: [UInt8]) {
    var storage = [UInt8](repeating: 0, count: 12)
    return try storage.withUnsafeMutableBufferPointer { bytes in
      let image = try #require(PlanarImage(in: bytes, width: 4, height: 2, chroma: .quarter))
      rows[0].withUnsafeBufferPointer { upper in
        rows[1].withUnsafeBufferPointer { lower in image.take(upper.baseAddress!, lower.baseAddress!, at: 0) }
      }
      return (Array(bytes[0..<8]), Array(bytes[8..<10]), Array(bytes[10..<12]))
    }
  }

  @Test("grays stay what they are, whatever stands in the unused byte")
  func grays() throws {
    let gray: [UInt32] = [0xFF00_0000, 0x00FF_FFFF, 0x8080_8080, 0x1212_1212]
    let result = try converted([gray, gray])
    #expect(result.luma == [0, 255, 128, 18, 0, 255, 128, 18])
    #expect(result.blue == [128, 128] && result.red == [128, 128])
  }

  @Test("colours are those of JPEG, and those of four pixels are averaged")
  func colors() throws {
    let (red, green, blue, white): (UInt32, UInt32, UInt32, UInt32) = (0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF)
    let plain = try converted([[red, red, blue, blue], [red, red, blue, blue]])
    #expect(plain.luma == [76, 76, 29, 29, 76, 76, 29, 29])
    #expect(plain.blue == [85, 255] && plain.red == [255, 107])
    let mixed = try converted([[red, green, white, white], [blue, white, white, white]])
    #expect(mixed.luma == [76, 150, 255, 255, 29, 255, 255, 255])
    // Twice 255 of each color in four pixels: a gray.
    #expect(mixed.blue == [128, 128] && mixed.red == [128, 128])
  }
}
