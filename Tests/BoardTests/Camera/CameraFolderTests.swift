import Camera
import Foundation
import Runtime
import Simulated
import Testing

@testable import Board

/// What the simulated camera does beyond the contract.
final class CameraFolderTests {
  private let clock = SystemClock()
  private let folder: CameraFolder

  init() throws { folder = try CameraFolder() }

  private func job() throws -> CaptureJob {
    try CaptureJob(
      stream: CameraStream(
        source: FolderCamera(folder: folder.path, clock: clock), cameraSettings: CameraSettingsTable(), clock: clock),
      codec: TurboJPEG(), clock: clock)
  }

  /// The width of the next photo, or nil.
  private func snap(_ job: CaptureJob) -> Int? {
    job.prepare(SnapParameters(), deadline: clock.monotonic + 10_000)
    job.run()
    defer { job.release() }
    if case .photo(let photo) = job.outcome { return photo.width }
    return nil
  }

  @Test("pictures come in the order of their names, from the first again after the last")
  func order() throws {
    for (name, width) in [("b.jpeg", 32), ("a.jpg", 16), ("c.JPG", 48)] {
      try folder.write(CameraPictures.bars(width, 16), as: name)
    }
    try folder.write([1, 2, 3], as: "readme.txt")
    let job = try job()
    #expect((0..<5).map { _ in snap(job) } == [16, 32, 48, 16, 32])
  }

  @Test("a damaged picture is passed over")
  func damaged() throws {
    try folder.write(Array(CameraPictures.bars(16, 16).dropLast(2)), as: "1.jpg")
    try folder.write([], as: "2.jpg")
    try folder.write(CameraPictures.bars(64, 16), as: "3.jpg")
    let job = try job()
    #expect((0..<3).map { _ in snap(job) } == [64, 64, 64])
  }

  @Test("a folder of damaged pictures only is reported as that when time is up")
  func allDamaged() throws {
    for name in ["1.jpg", "2.jpg"] { try folder.write([0xFF, 0xD8], as: name) }
    let job = try job()
    job.prepare(SnapParameters(), deadline: clock.monotonic + 300)
    job.run()
    guard case .failed(.brokenFrame) = job.outcome else { throw CameraError.noDevice }
  }

  @Test("pictures that come and go, and a folder that goes, are no camera and a camera again")
  func comeAndGo() throws {
    let job = try job()
    let list = ListJob(source: try FolderCamera(folder: folder.path, clock: clock))
    func count() -> Int {
      list.run()
      return list.failure == nil ? list.cameras.count : -1
    }
    #expect(snap(job) == nil && count() == 0)
    try folder.write(CameraPictures.bars(16, 16), as: "1.jpg")
    #expect(snap(job) == 16 && count() == 1)
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(snap(job) == nil && count() == 0)
    guard case .none = job.outcome else { throw CameraError.noDevice }
  }
}
