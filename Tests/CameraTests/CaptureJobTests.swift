import Codec
import Runtime
import Testing

@testable import Camera

final class CaptureJobTests {
  /// Kept, because a photo is borrowed from its job.
  private var jobs: [CaptureJob] = []
  private let camera = ScriptedCamera()
  private let codec = ScriptedCodec()
  private let clock = StillClock()

  private func snap(_ json: String = "{}") throws -> CaptureJob {
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: clock), codec: codec,
      clock: clock)
    let bytes = Array(json.utf8)
    job.prepare(try SnapParameters(JSONView(bytes.span)), deadline: 2000)
    job.run()
    jobs.append(job)
    return job
  }

  private func photo(_ job: CaptureJob) throws -> Photo {
    guard case .photo(let photo) = job.outcome else {
      Issue.record("\(job.outcome)")
      throw CameraError.noDevice
    }
    return photo
  }

  private func failure(_ job: CaptureJob) -> String? {
    if case .failed(let error) = job.outcome { error.message } else { nil }
  }

  private func plain(_ width: Int, _ height: Int) -> ScriptedCamera.Frame {
    .init(
      format: .yuyv, width: width, height: height, rowBytes: 2 * width,
      bytes: [UInt8](repeating: 128, count: 2 * width * height))
  }

  @Test("the camera is told what was asked")
  func request() throws {
    camera.frames = [.init(format: .mjpeg, bytes: tinyJPEG(width: 64, height: 48))]
    _ = try snap(#"{"deviceId":"one","maxWidth":320,"delayMs":70}"#)
    let order = try #require(camera.orders.first)
    #expect(order.device == CameraText(cutting: "one"))
    #expect((order.width, order.purpose) == (320, .photo))
  }

  @Test("a JPEG of the camera that fits goes through untouched")
  func passThrough() throws {
    let picture = tinyJPEG(width: 1600, height: 1201)
    camera.frames = [.init(format: .mjpeg, bytes: picture + [0, 0, 0])]
    let photo = try photo(snap())
    #expect(Array(photo.bytes) == picture)
    #expect((photo.width, photo.height) == (1600, 1201))
    #expect(codec.attempts.isEmpty && codec.wantedWidths.isEmpty)
  }

  @Test("a JPEG of exactly the byte limit goes through, one byte more is encoded anew")
  func byteLimit() throws {
    let bare = tinyJPEG(width: 64, height: 48, coded: [])
    codec.decoded = (64, 48, .quarter)
    for (excess, decodings) in [(0, 0), (1, 1)] {
      let coded = [UInt8](repeating: 0x5A, count: Budget.photoBytes - bare.count + 12 + excess)
      camera.frames = [.init(format: .mjpeg, bytes: tinyJPEG(width: 64, height: 48, coded: coded))]
      _ = try photo(snap())
      #expect(codec.wantedWidths.count == decodings)
    }
  }

  @Test("a JPEG that is too wide is decoded no smaller than needed, and encoded at the width asked")
  func tooWide() throws {
    camera.frames = [.init(format: .mjpeg, bytes: tinyJPEG(width: 1920, height: 1080))]
    codec.decoded = (960, 540, .halfWidth)
    let photo = try photo(snap(#"{"maxWidth":800,"quality":0.5}"#))
    #expect(codec.wantedWidths == [800])
    #expect(codec.attempts == [.init(width: 800, height: 450, quality: 0.5)])
    #expect((photo.width, photo.height) == (800, 450))
  }

  @Test("a gray picture stays gray")
  func gray() throws {
    camera.frames = [.init(format: .mjpeg, bytes: tinyJPEG(width: 1920, height: 1080))]
    codec.decoded = (1920, 1080, .gray)
    _ = try photo(snap())
    #expect(codec.chroma == [.gray])
  }

  @Test("damaged frames are passed over until a whole one comes")
  func damagedFrames() throws {
    let picture = tinyJPEG(width: 64, height: 48)
    let torn = ScriptedCamera.Frame(format: .mjpeg, bytes: Array(picture.dropLast(3)))
    let short = ScriptedCamera.Frame(format: .yuyv, width: 8, height: 8, rowBytes: 16, bytes: [1, 2, 3])
    camera.frames = [torn, short, .init(format: .mjpeg, bytes: picture), torn]
    #expect(try Array(photo(snap()).bytes) == picture)
    #expect(camera.offered == 3)
  }

  @Test("only damaged frames until the deadline are reported as that")
  func onlyDamaged() throws {
    camera.frames = [.init(format: .mjpeg, bytes: [1, 2, 3])]
    #expect(try failure(snap())?.hasPrefix("CAMERA_UNAVAILABLE: camera gave only damaged frames; ") == true)
    camera.frames = []
    #expect(try failure(snap()) == "UNAVAILABLE: the camera was not done in time")
  }

  @Test("a frame that no next one would better ends the capture at once")
  func unsupported() throws {
    camera.frames = [plain(2, 8194), plain(64, 48)]
    #expect(try failure(snap())?.hasPrefix("CAMERA_UNAVAILABLE: camera offers no usable picture format; ") == true)
    #expect(camera.offered == 1)
  }

  @Test("memory that a larger encoding took is given back before the photo is sent")
  func excess() throws {
    camera.frames = [plain(640, 480)]
    codec.sizes = [Budget.photoBytes + 100_000, Budget.photoBytes - 1000]
    let photo = try photo(snap())
    #expect(photo.bytes.count == Budget.photoBytes - 1000 && photo.bytes.last == 0xD9)
    #expect(photo.bytes.baseAddress![Budget.photoBytes + 99_999] == 0)
  }

  @Test("a photo that stays too large is refused with its smallest size")
  func tooLarge() throws {
    camera.frames = [plain(64, 48)]
    codec.sizes = [5_000_000, 4_000_000, 4_500_000]
    #expect(try failure(snap()) == "CAMERA_TOO_LARGE: 4000000 bytes > 3932160 bytes")
  }

  @Test("a limit of its own counts for one photo")
  func ownLimit() throws {
    camera.frames = [.init(format: .mjpeg, bytes: tinyJPEG(width: 64, height: 48))]
    codec.decoded = (64, 48, .quarter)
    codec.sizes = [90]
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: clock), codec: codec,
      clock: clock)
    jobs.append(job)
    job.prepare(SnapParameters(), limits: PhotoLimits(bytes: 40), deadline: 2000)
    job.run()
    #expect(failure(job) == "CAMERA_TOO_LARGE: 90 bytes > 40 bytes")
  }

  @Test("what the decoder reduced to the size asked is encoded as it is, its colours shared as they were")
  func halved() throws {
    camera.frames = [.init(format: .mjpeg, bytes: tinyJPEG(width: 1920, height: 1080))]
    codec.decoded = (960, 540, .halfWidth)
    let photo = try photo(snap(#"{"maxWidth":960}"#))
    #expect((photo.width, photo.height) == (960, 540))
    #expect(codec.chroma == [.halfWidth])
  }

  @Test("damaged frames are counted by what was wrong with them")
  func faults() throws {
    let picture = tinyJPEG(width: 64, height: 48)
    let torn = ScriptedCamera.Frame(format: .mjpeg, bytes: Array(picture.dropLast(3)))
    let other = ScriptedCamera.Frame(format: .mjpeg, width: 640, height: 480, bytes: picture)
    camera.frames = [torn, torn, other, .init(format: .mjpeg, width: 64, height: 48, bytes: picture)]
    let job = try snap()
    _ = try photo(job)
    #expect((job.faults[.cutData], job.faults[.wrongSize], job.faults.total) == (2, 1, 3))
  }

  @Test("the deadline ends the encoding too")
  func deadlineWhileEncoding() throws {
    camera.frames = [plain(64, 48)]
    clock.monotonic = 2000
    #expect(try failure(snap()) == "UNAVAILABLE: the camera was not done in time")
    #expect(codec.attempts.isEmpty)
  }

  @Test("a cancelled job ends without a photo, and the next one is not cancelled")
  func cancellation() throws {
    camera.frames = [plain(64, 48)]
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: clock), codec: codec,
      clock: clock)
    job.prepare(SnapParameters(), deadline: 2000)
    job.cancel()
    job.run()
    #expect(failure(job) == "UNAVAILABLE: cancelled")
    job.release()
    job.prepare(SnapParameters(), deadline: 2000)
    job.run()
    _ = try photo(job)
  }

  @Test("a job is taken from its preparation until its release, and leaves a clean buffer")
  func release() throws {
    let job = try CaptureJob(
      stream: CameraStream(source: camera, cameraSettings: CameraSettingsTable(), clock: clock), codec: codec,
      clock: clock)
    jobs.append(job)
    #expect(!job.isTaken)
    camera.frames = [plain(64, 48)]
    job.prepare(SnapParameters(), deadline: 2000)
    #expect(job.isTaken)
    job.run()
    let bytes = try photo(job).bytes
    #expect(bytes[0] == 0xFF)
    job.release()
    #expect(!job.isTaken)
    #expect(bytes[0] == 0)
    guard case .none = job.outcome else { throw CameraError.noDevice }
  }

  @Test("the delegate is called on finish")
  func delegate() throws {
    final class Owner: CaptureDelegate {
      var jobs: [CaptureJob] = []
      func captured(_ job: CaptureJob) { jobs.append(job) }
    }
    let delegate = Owner()
    let job = try snap()
    job.delegate = delegate
    job.finish()
    #expect(delegate.jobs.count == 1 && delegate.jobs[0] === job)
    job.delegate = nil
  }
}
