import Codec
import Runtime
import Simulated
import Testing

@testable import Board
@testable import Camera

/// From a frame to the photo that is sent, with the real codec.
struct CameraPhotoTests {
  private let folder: CameraFolder
  private let clock = SystemClock()

  init() throws { folder = try CameraFolder() }

  private func photo(of picture: [UInt8], _ json: String) throws -> [UInt8] {
    try folder.write(picture, as: "1.jpg")
    let device = try FolderCamera(folder: folder.path, clock: clock)
    let job = try CaptureJob(
      stream: CameraStream(source: device, cameraSettings: CameraSettingsTable(), clock: clock), codec: TurboJPEG(),
      clock: clock)
    let bytes = Array(json.utf8)
    job.prepare(try SnapParameters(JSONView(bytes.span)), deadline: clock.monotonic + 60_000)
    job.run()
    guard case .photo(let photo) = job.outcome else { throw CameraError.noDevice }
    let result = Array(photo.bytes)
    let seen = try CameraPictures.look(result)
    #expect((seen.width, seen.height) == (photo.width, photo.height))
    job.release()
    return result
  }

  @Test("a wide picture comes out at the width asked with its colours", arguments: [640, 641, 320, 100])
  func reduced(maxWidth: Int) throws {
    let seen = try CameraPictures.look(
      photo(of: CameraPictures.bars(1280, 720, chroma: .halfWidth), #"{"maxWidth":\#(maxWidth)}"#))
    #expect((seen.width, seen.height % 2) == (maxWidth, 0))
    #expect(abs(seen.height * 16 - maxWidth * 9) <= 16)
    #expect(CameraPictures.isBars(seen.colors))
  }

  @Test("a lower quality gives fewer bytes")
  func quality() throws {
    let picture = try CameraPictures.noise(400, 300)
    let sizes = try [0.1, 0.5, 0.9].map {
      try photo(of: picture, #"{"maxWidth":320,"quality":\#($0)}"#).count
    }
    #expect(sizes[0] < sizes[1] && sizes[1] < sizes[2])
  }

  @Test("a picture above the byte limit comes out below it, at its own width when quality is enough")
  func limited() throws {
    let picture = try CameraPictures.noise(2400, 1400)
    #expect(picture.count > Budget.photoBytes)
    let result = try photo(of: picture, #"{"maxWidth":4000,"quality":1}"#)
    #expect(result.count <= Budget.photoBytes)
    #expect(try CameraPictures.look(result).width == 2400)
  }

  @Test("whatever every JPEG of a camera lacks, what the decoder makes of it becomes a whole photo", arguments: 0..<8)
  func odd(index: Int) throws {
    let whole = try CameraPictures.bars(640, 360, chroma: .halfWidth)
    let bare = Array(whole.dropLast(2))
    var application = whole
    // A segment two bytes shorter than what it holds.
    application.insert(contentsOf: [0xFF, 0xE1, 0, 4, 0x41, 0x56, 0x49, 0x31], at: 2)
    let zeros = [UInt8](repeating: 0, count: 5000)
    let frames: [[UInt8]] = [
      bare, bare + zeros, bare + zeros + [0xFF, 0xD9],
      whole + Array("leftover".utf8), whole + [0xFF, 0xD9], Array(CameraPictures.withoutTables(whole).dropLast(2)),
      application, bare + whole,
    ]
    for json in ["{}", #"{"maxWidth":320}"#] {
      let result = try photo(of: frames[index], json)
      #expect(result.suffix(2) == [0xFF, 0xD9])
      #expect(CameraPictures.isBars(try CameraPictures.look(result).colors))
    }
  }

  @Test("of a camera whose JPEGs are all cut in the middle there is no photo", arguments: 0..<3)
  func cut(index: Int) throws {
    let whole = try CameraPictures.noise(400, 300)
    for part in [2, 9] {
      let start = Array(whole[..<(whole.count - whole.count / part)])
      let frames: [[UInt8]] = [start, start + [UInt8](repeating: 0, count: 5000), start + whole]
      try folder.write(frames[index], as: "1.jpg")
      let device = try FolderCamera(folder: folder.path, clock: clock)
      let job = try CaptureJob(
        stream: CameraStream(source: device, cameraSettings: CameraSettingsTable(), clock: clock), codec: TurboJPEG(),
        clock: clock)
      job.prepare(SnapParameters(), deadline: clock.monotonic + 1000)
      job.run()
      guard case .failed(.brokenFrame) = job.outcome else { throw CameraError.noDevice }
      #expect(job.habit != nil)
    }
  }
}
