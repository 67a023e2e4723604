import Codec
import Runtime
import Simulated
import Testing

@testable import Board
@testable import Camera

/// JPEG pictures turned without decoding them.
struct JPEGTurnTests {
  private func turned(_ jpeg: [UInt8], _ orientation: Orientation) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: 1 << 22) { buffer, count in
      count = try jpeg.withUnsafeBufferPointer { try TurboJPEG().transform($0, orientation, into: buffer) }
    }
  }

  /// All samples of Y, row by row.
  private func luma(_ jpeg: [UInt8]) throws -> [[UInt8]] {
    var storage = CameraPictures.storage(512, 512)
    return try storage.withUnsafeMutableBufferPointer { storage in
      try jpeg.withUnsafeBufferPointer {
        let plane = try TurboJPEG().decode($0, atLeast: .max, into: storage).luma
        return (0..<plane.height).map { y in (0..<plane.width).map { plane.base[y * plane.rowBytes + $0] } }
      }
    }
  }

  @Test(
    "four turns give the first picture back, sample by sample, in every chroma layout that can stand",
    arguments: ChromaLayout.allCases.filter { $0 != .quarterWidth })
  func around(chroma: ChromaLayout) throws {
    let first = try CameraPictures.withoutTables(CameraPictures.bars(128, 96, chroma: chroma))
    var jpeg = first
    for _ in 0..<4 { jpeg = try turned(jpeg, Orientation(quarters: 1)) }
    #expect(try luma(jpeg) == luma(first))
  }

  @Test("every way lays the samples where the same way lays those of a plain picture", arguments: 0..<16)
  func everyWay(number: Int) throws {
    let (quarters, isMirrored, isFlipped) = (number & 3, number & 4 != 0, number & 8 != 0)
    let orientation = Orientation(quarters: quarters, isMirrored: isMirrored, isFlipped: isFlipped)
    let jpeg = try CameraPictures.bars(128, 96)
    var rows = try luma(jpeg)
    if isMirrored { rows = rows.map { $0.reversed() } }
    if isFlipped { rows.reverse() }
    for _ in 0..<quarters { rows = rows[0].indices.map { column in rows.reversed().map { $0[column] } } }
    let seen = try luma(turned(jpeg, orientation))
    #expect(seen.count == rows.count && seen[0].count == rows[0].count)
    // The coefficients are the same; the inverse transform rounds rows before columns.
    let worst = zip(seen, rows).flatMap { zip($0, $1).map { abs(Int($0) - Int($1)) } }.max() ?? 255
    #expect(worst <= 3)
  }

  @Test("a side that is no whole number of blocks loses its edge, and nothing else")
  func trimmed() throws {
    let seen = try luma(turned(CameraPictures.bars(130, 100), Orientation(quarters: 2)))
    #expect((seen[0].count, seen.count) == (128, 96))
  }

  @Test("4:1:1 is not transposed, because decoders do not read the result")
  func quarterWidth() throws {
    let jpeg = try CameraPictures.bars(128, 96, chroma: .quarterWidth)
    #expect(throws: JPEGError.unsupported) { try turned(jpeg, Orientation(quarters: 1)) }
    #expect(try luma(turned(jpeg, Orientation(quarters: 2))).count == 96)
  }

  @Test("what is no JPEG is refused, and so is a buffer that is too small")
  func refused() throws {
    #expect(throws: JPEGError.broken) { try turned([0xFF, 0xD8, 1, 2, 3], Orientation(quarters: 1)) }
    let jpeg = try CameraPictures.bars(64, 64)
    var room = [UInt8](repeating: 0, count: 1000)
    #expect(throws: JPEGError.doesNotFit) {
      _ = try room.withUnsafeMutableBufferPointer { room in
        try jpeg.withUnsafeBufferPointer { try TurboJPEG().transform($0, Orientation(quarters: 1), into: room) }
      }
    }
  }

  /// The photo of a camera that hangs askew.
  private func snap(_ picture: [UInt8], quarters: Int, _ json: String) throws -> (
    photo: [UInt8], width: Int, height: Int
  ) {
    let clock = SystemClock()
    let folder = try CameraFolder()
    try folder.write(picture, as: "1.jpg")
    var cameraSettings = CameraSettingsTable()
    cameraSettings.others.quarters = quarters
    let source = try FolderCamera(folder: folder.path, clock: clock)
    let job = try CaptureJob(
      stream: CameraStream(source: source, cameraSettings: cameraSettings, clock: clock), codec: TurboJPEG(),
      clock: clock)
    let bytes = Array(json.utf8)
    job.prepare(try SnapParameters(JSONView(bytes.span)), deadline: clock.monotonic + 60_000)
    job.run()
    defer { job.release() }
    guard case .photo(let photo) = job.outcome else { throw CameraError.noDevice }
    return (Array(photo.bytes), photo.width, photo.height)
  }

  @Test("a camera on its side gives upright photos: without loss when they fit, encoded anew when not")
  func snapped() throws {
    let picture = try CameraPictures.bars(640, 480)
    let whole = try snap(picture, quarters: 1, "{}")
    #expect((whole.width, whole.height) == (480, 640))
    #expect(try luma(whole.photo) == luma(turned(picture, Orientation(quarters: 1))))
    let small = try snap(picture, quarters: 1, #"{"maxWidth":240}"#)
    #expect((small.width, small.height) == (240, 320))
    // White was on the left, and is at the top.
    let rows = try luma(small.photo)
    #expect(rows[10][120] > 240 && rows[310][120] < 15)
  }
}
