import Codec
import Testing

@testable import Camera

/// Bayer frames on their way to a photo.
struct BayerPhotoTests {
  private let camera = ScriptedCamera()
  private let codec = ScriptedCodec()

  private func snap(_ frame: ScriptedCamera.Frame, maxWidth: Int = 1600) throws -> CaptureJob {
    camera.frames = [frame]
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: StillClock()), codec: codec,
      clock: StillClock())
    let bytes = Array(#"{"maxWidth":\#(maxWidth)}"#.utf8)
    job.prepare(try SnapParameters(JSONView(bytes.span)), deadline: 2000)
    job.run()
    return job
  }

  @Test(
    "the picture has the size asked for, and its colours, whichever way it is made",
    arguments: [(96, 96, 64), (64, 64, 42), (48, 48, 32), (40, 40, 26), (20, 20, 14)])
  func sizes(maxWidth: Int, width: Int, height: Int) throws {
    let picture = LinearPicture.flat(96, 64, (0.4, 0.4, 0.4))
    _ = try snap(picture.frame(.grbg, .bits10Packed), maxWidth: maxWidth)
    #expect(codec.attempts.map(\.width) == [width] && codec.attempts.map(\.height) == [height])
    #expect(codec.chroma == [.quarter])
    #expect(codec.planes[0].joined().allSatisfy { abs(Double($0) - LinearPicture.tone(0.4)) <= 1 })
    #expect((codec.planes[1] + codec.planes[2]).joined().allSatisfy { $0 == 128 })
  }

  @Test("sides that are odd are cut to even ones")
  func oddSides() throws {
    _ = try snap(LinearPicture.scene(97, 63).frame(.bggr, .bits12Packed))
    #expect(codec.attempts.map(\.width) == [97] && codec.attempts.map(\.height) == [62])
  }

  @Test("a torn frame is passed over, and reported when no other comes")
  func torn() throws {
    var frame = LinearPicture.scene(32, 32).frame(.rggb, .bits10)
    frame.bytes.removeLast()
    let job = try snap(frame)
    guard case .failed(let error) = job.outcome else {
      Issue.record("\(job.outcome)")
      return
    }
    #expect(error.message.hasPrefix("CAMERA_UNAVAILABLE: camera gave only damaged frames; "))
  }

  @Test("a side longer than the scratch memory is refused")
  func tooWide() throws {
    let row = BayerPacking.bits8.rowBytes(8194)
    let job = try snap(
      .init(
        format: .bayer(.rggb, .bits8), width: 8194, height: 4, rowBytes: row,
        bytes: [UInt8](repeating: 9, count: row * 4)))
    guard case .failed(.unsupportedFormat) = job.outcome else {
      Issue.record("\(job.outcome)")
      return
    }
  }

  @Test("the widest side is developed")
  func widest() throws {
    let row = BayerPacking.bits10Packed.rowBytes(8192)
    _ = try snap(
      .init(
        format: .bayer(.rggb, .bits10Packed), width: 8192, height: 4, rowBytes: row,
        bytes: [UInt8](repeating: 0xFF, count: row * 4)), maxWidth: 8192)
    #expect(codec.planes[0].map(\.count) == [8192, 8192, 8192, 8192])
    #expect(codec.planes[0].joined().allSatisfy { $0 == 255 })
  }
}
