import Runtime
import Testing

@testable import Camera

struct FrameStatisticsTests {
  private func measure(_ frame: ScriptedCamera.Frame) throws -> FrameStatistics {
    let maker = try PhotoMaker(codec: ScriptedCodec())
    return try frame.bytes.withUnsafeBufferPointer { bytes in
      try maker.measure(
        RawFrame(
          format: frame.format, width: frame.width, height: frame.height, rowBytes: frame.rowBytes,
          isFullRange: frame.isFullRange, bytes: bytes, sensor: frame.sensor))
    }
  }

  private func isNear(_ seen: Int, _ wanted: Double, _ tolerance: Double) -> Bool {
    abs(Double(seen) - wanted) <= tolerance
  }

  @Test("a raw frame: light in proportion, colours apart, black taken away", arguments: BayerOrder.allCases)
  func raw(order: BayerOrder) throws {
    let picture = LinearPicture.flat(200, 150, (0.3, 0.5, 0.1))
    let seen = try measure(picture.frame(order, .bits12, sensor: .imx477, black: 256))
    #expect(
      isNear(seen.red, 0.3 * 4095, 2) && isNear(seen.green, 0.5 * 4095, 2) && isNear(seen.blue, 0.1 * 4095, 2)
    )
    #expect(isNear(seen.luma, 0.5 * 4095, 2) && seen.clipped == 0)
  }

  @Test("what is in the middle counts three times, and overexposed pixels are told apart")
  func weights() throws {
    let middle = LinearPicture(width: 256, height: 256) { x, y in
      let isMiddle = x >= 64 && x < 192 && y >= 64 && y < 192
      return isMiddle ? (1, 1, 1) : (0.2, 0.2, 0.2)
    }
    let seen = try measure(middle.frame(.rggb, .bits8))
    // A quarter of the picture with the weight 3 against three quarters with the weight 1.
    #expect(isNear(seen.luma, 0.6 * 4095, 40))
    #expect(isNear(seen.clipped, 250, 15))
    #expect(isNear(seen.green, 0.2 * 4095, 8))
  }

  @Test("other frames: brightness as shown, and colours by BT.601, in both ranges")
  func shown() throws {
    // Red of full strength: Y 76, Cb 85, Cr 255 (JFIF); in video's range Y 81, Cb 90, Cr 240.
    for (isFullRange, bytes) in [(true, [76, 85, 76, 255]), (false, [81, 90, 81, 240])] as [(Bool, [UInt8])] {
      let frame = ScriptedCamera.Frame(
        format: .yuyv, width: 64, height: 48, rowBytes: 128, isFullRange: isFullRange,
        bytes: Array((0..<32 * 48).map { _ in bytes }.joined()))
      let seen = try measure(frame)
      #expect(isNear(seen.red, 255 * 16, 48) && isNear(seen.green, 0, 48) && isNear(seen.blue, 0, 48))
      #expect(isNear(seen.luma, 76 * 16, 24))
    }
    for (format, pixel) in [(PixelFormat.rgb24, [252, 100, 10]), (.bgr24, [10, 100, 252])]
      as [(PixelFormat, [UInt8])]
    {
      let frame = ScriptedCamera.Frame(
        format: format, width: 32, height: 32, rowBytes: 96,
        bytes: Array((0..<1024).map { _ in pixel }.joined()))
      let seen = try measure(frame)
      #expect((seen.red, seen.green, seen.blue, seen.clipped) == (0, 0, 0, 1000))
      let dimmed = try measure(
        .init(format: format, width: 32, height: 32, rowBytes: 96, bytes: frame.bytes.map { $0 / 2 }))
      #expect((dimmed.red, dimmed.green, dimmed.blue, dimmed.clipped) == (2016, 800, 80, 0))
    }
  }

  @Test("gray frames have the same of every colour")
  func gray() throws {
    let gray = ScriptedCamera.Frame(
      format: .gray, width: 32, height: 32, rowBytes: 32, bytes: [UInt8](repeating: 90, count: 1024))
    let seen = try measure(gray)
    #expect((seen.luma, seen.red, seen.green, seen.blue) == (1440, 1440, 1440, 1440))
    let words = ScriptedCamera.Frame(
      format: .y10, width: 32, height: 32, rowBytes: 64,
      bytes: Array((0..<1024).map { _ in [0x68, 0x01] as [UInt8] }.joined()))
    #expect(try measure(words) == seen)
  }

  @Test("a JPEG is looked at as small as it decodes")
  func compressed() throws {
    let codec = ScriptedCodec()
    codec.decoded = (8, 6, .quarter)
    let maker = try PhotoMaker(codec: codec)
    let seen = try tinyJPEG(width: 64, height: 48).withUnsafeBufferPointer { bytes in
      try maker.measure(
        RawFrame(format: .mjpeg, width: 64, height: 48, rowBytes: 0, isFullRange: true, bytes: bytes))
    }
    #expect(codec.wantedWidths == [1])
    // All samples are 0: no luma, and the green that Cb and Cr of 0 leave.
    #expect(seen.luma == 0 && seen.clipped == 0 && seen.green > 0)
  }

  @Test("torn frames have none")
  func torn() {
    let frames: [ScriptedCamera.Frame] = [
      .init(format: .bayer(.rggb, .bits8), width: 8, height: 8, rowBytes: 8, bytes: [1, 2]),
      .init(format: .mjpeg, bytes: [1, 2]),
      .init(format: .y10, width: 8, height: 8, rowBytes: 16, bytes: [1]),
      .init(format: .nv12, width: 8, height: 8, rowBytes: 8, bytes: [1]),
    ]
    for frame in frames { #expect(throws: CameraError.self) { try measure(frame) } }
  }
}
