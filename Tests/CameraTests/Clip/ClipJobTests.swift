import Codec
import Runtime
import Testing

@testable import Camera

/// A clip from stream to store, on its worker.
final class ClipJobTests {
  private let clock = StillClock()
  private lazy var camera = ScriptedCamera(clock: clock)
  private let light = ScriptedLight()
  private let encoder = LookingEncoder()
  private let memory = try! ClipMemory()
  private lazy var stream = CameraStream(
    source: camera, cameraSettings: CameraSettingsTable(), indicator: light, privacy: .lit, clock: clock)
  private lazy var job = try! ClipJob(
    stream: stream, codec: ScriptedCodec(), encoder: encoder, store: memory, clock: clock)

  private func record(_ json: String = #"{"durationMs":1000}"#, timeout: Int64 = 30_000) throws -> String {
    let bytes = Array(json.utf8)
    job.prepare(try ClipParameters(JSONView(bytes.span)), limit: Budget.clipBytes, deadline: clock.monotonic + timeout)
    job.run()
    switch job.outcome {
    case .none: return "none"
    case .failed(let error): return String(describing: error).split(separator: "(").first.map(String.init) ?? ""
    case .clip(let bytes, _): return String(decoding: bytes[4..<8], as: UTF8.self)
    }
  }

  private func frames(_ count: Int) -> [ScriptedCamera.Frame] {
    (0..<count).map { index in
      .init(
        format: .yuyv, width: 64, height: 48, rowBytes: 128, bytes: [UInt8](repeating: 100, count: 128 * 48),
        time: 5_000_000 + Int64(index) * 33_333)
    }
  }

  @Test("a clip is a file of its own, and the camera is closed after it")
  func clip() throws {
    camera.frames = frames(60)
    #expect(try record() == "ftyp")
    #expect(camera.orders.first?.purpose == .clip && camera.stops == 1 && !light.isOn)
    job.release()
    #expect(!job.isTaken)
  }

  @Test("what cannot be done in time is said before the camera is opened")
  func noTime() throws {
    #expect(try record(#"{"durationMs":20000}"#, timeout: 20_000) == "timeout")
    #expect(camera.orders.isEmpty)
  }

  @Test("a camera that goes in the middle ends the clip, the light and the memory")
  func gone() throws {
    camera.frames = frames(10)
    camera.end = .disconnected
    #expect(try record() == "disconnected")
    #expect(!light.isOn && !stream.isOpen)
    job.release()
    camera.frames = frames(60)
    #expect(try record() == "ftyp")
  }

  @Test("a camera that only sends damaged frames is said to do so")
  func damaged() throws {
    camera.frames = (0..<40).map { .init(format: .mjpeg, bytes: [1, 2, 3], time: 5_000_000 + Int64($0) * 33_333) }
    camera.end = nil
    #expect(try record() == "stalled")
    #expect(job.faults.total > 0)
  }
}
