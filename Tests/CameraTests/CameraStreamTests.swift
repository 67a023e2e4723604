import Codec
import Runtime
import Testing

@testable import Camera

/// What a photo asks of the stream: which camera, for how long, with which light.
final class CameraStreamTests {
  private let clock = StillClock()
  private lazy var camera = ScriptedCamera(clock: clock)
  private let light = ScriptedLight()
  private let codec = ScriptedCodec()
  private var cameraSettings = CameraSettingsTable()
  private var privacy = CameraStream.Privacy.unlit
  private lazy var stream = CameraStream(
    source: camera, cameraSettings: cameraSettings, indicator: light, privacy: privacy, clock: clock)
  private lazy var job = try! CaptureJob(stream: stream, codec: codec, clock: clock)

  /// The error of a photo, by its first word of `String(describing:)`; nil: there was one.
  private func snap(_ json: String = "{}", keepsOpen: Bool = false, timeout: Int64 = 60_000) throws -> String? {
    let bytes = Array(json.utf8)
    job.prepare(
      try SnapParameters(JSONView(bytes.span)), deadline: clock.monotonic + timeout, keepsOpen: keepsOpen)
    job.run()
    defer { job.release() }
    guard case .failed(let error) = job.outcome else { return nil }
    return String(describing: error).split(separator: "(").first.map(String.init)
  }

  private func gray(_ luma: UInt8, time: Int64 = 0) -> ScriptedCamera.Frame {
    .init(
      format: .yuyv, width: 64, height: 48, rowBytes: 128,
      bytes: (0..<128 * 48).map { $0 % 2 == 0 ? luma : 128 }, time: time)
  }

  private func add(_ name: StaticString, _ device: StaticString, _ position: CameraPosition = .unknown) {
    var settings = CameraSettings()
    settings.name = CameraText(cutting: name)
    settings.device = CameraText(cutting: device)
    settings.position = position
    let isAdded = cameraSettings.append(settings)
    #expect(isAdded)
  }

  private var devices: [String] {
    camera.orders.map {
      $0.device.map { String(decoding: $0.span.withUnsafeBufferPointer { Array($0) }, as: UTF8.self) } ?? "any"
    }
  }

  // MARK: Which camera

  @Test("what a photo took of memory stays for the next one, and is given back when the camera is closed")
  func memory() throws {
    let memory = CountedMemory()
    // Made first, because it names its own memory.
    _ = job
    stream.memory = memory
    camera.frames = (0..<8).map { _ in gray(100) }
    for _ in 0..<2 { #expect(try snap(keepsOpen: true) == nil) }
    #expect(memory.releases == 0)
    stream.close()
    #expect(memory.releases == 1)
    stream.close()
    #expect(memory.releases == 1)
    // A photo that closes the camera still has to be encoded then.
    camera.frames = (0..<8).map { _ in gray(100) }
    #expect(try snap(keepsOpen: false) == nil)
    #expect(memory.releases == 1 && !stream.isOpen)
  }

  @Test("a name of the configuration stands for where that camera is plugged in; other ids are taken as they are")
  func byName() throws {
    add("door", "usb-1.2")
    camera.frames = [gray(100), gray(100)]
    #expect(try snap(#"{"deviceId":"door"}"#) == nil)
    #expect(try snap(#"{"deviceId":"/dev/video3"}"#) == nil)
    #expect(devices == ["usb-1.2", "/dev/video3"])
  }

  @Test("without a wish the configured cameras come first, in their order, and then any that is there")
  func byDefault() throws {
    add("door", "usb-1.2")
    add("yard", "usb-1.3")
    camera.frames = [gray(100), gray(100), gray(100)]
    #expect(try snap() == nil)
    camera.missing = [CameraText(cutting: "usb-1.2")]
    #expect(try snap() == nil)
    camera.missing += [CameraText(cutting: "usb-1.3")]
    #expect(try snap() == nil)
    #expect(devices == ["usb-1.2", "usb-1.2", "usb-1.3", "usb-1.2", "usb-1.3", "any"])
  }

  @Test("a facing takes the camera that looks there; where none is said to, any will do")
  func byFacing() throws {
    add("door", "usb-1.2", .front)
    add("yard", "usb-1.3", .back)
    camera.frames = [gray(100), gray(100)]
    #expect(try snap(#"{"facing":"back"}"#) == nil)
    #expect(devices == ["usb-1.3"])
    camera.missing = [CameraText(cutting: "usb-1.3")]
    #expect(try snap(#"{"facing":"back"}"#) == "disconnected")
    cameraSettings = CameraSettingsTable()
    stream = CameraStream(source: camera, cameraSettings: cameraSettings, clock: clock)
    job = try CaptureJob(stream: stream, codec: codec, clock: clock)
    #expect(try snap(#"{"facing":"back"}"#) == nil)
    #expect(devices.last == "any")
  }

  @Test("what is wrong with the first configured camera is said, not hidden after the next one")
  func faultOfFirst() throws {
    add("door", "usb-1.2")
    camera.refusals = [.busy]
    #expect(try snap() == "busy")
    #expect(devices == ["usb-1.2"])
  }

  // MARK: How long

  @Test("warm-up ends when three frames are alike, and not before")
  func settles() throws {
    camera.isSteady = false
    camera.frames = [20, 60, 100, 140, 141, 141, 141].map { gray($0) }
    #expect(try snap() == nil)
    #expect(camera.offered == 6)
  }

  @Test("warm-up ends when its time has passed, whatever the frames look like")
  func delayPasses() throws {
    camera.isSteady = false
    camera.frames = (0..<20).map { gray($0 % 2 == 0 ? 20 : 200) }
    camera.end = nil
    #expect(try snap(#"{"delayMs":0}"#) == nil)
    #expect(camera.offered == 1)
  }

  @Test("a camera that stays open is used again without warm-up, and frames from before are left out")
  func reuse() throws {
    camera.isSteady = false
    camera.frames = [gray(100), gray(100), gray(100), gray(50, time: 999_000), gray(90, time: 1_000_001)]
    #expect(try snap(keepsOpen: true) == nil)
    #expect(camera.offered == 3 && stream.isOpen && camera.stops == 0)
    #expect(try snap() == nil)
    #expect(camera.offered == 5 && !stream.isOpen && camera.orders.count == 1 && camera.stops == 1)
  }

  @Test("another camera or width closes the open one first")
  func otherOrder() throws {
    camera.frames = [gray(100), gray(100)]
    #expect(try snap(keepsOpen: true) == nil)
    #expect(try snap(#"{"maxWidth":320}"#, keepsOpen: true) == nil)
    #expect(camera.orders.count == 2 && camera.stops == 1)
  }

  @Test("a camera that went while it was kept open is opened anew, once")
  func goneMeanwhile() throws {
    camera.frames = [gray(100)]
    #expect(try snap(keepsOpen: true) == nil)
    camera.end = .disconnected
    camera.refusals = [nil]
    #expect(try snap(keepsOpen: true) == "disconnected")
    #expect(camera.orders.count == 2 && !stream.isOpen)
    #expect(try snap() == "disconnected")
    #expect(camera.orders.count == 3)
  }

  @Test("a stream without frames has stalled after its time, and is closed")
  func stalls() throws {
    camera.end = nil
    #expect(try snap(keepsOpen: true) == "stalled")
    #expect(clock.monotonic == 1000 + Budget.cameraStall && !stream.isOpen)
  }

  @Test("the deadline comes before the stall when it is nearer")
  func deadline() throws {
    camera.end = nil
    #expect(try snap(timeout: 1000) == "timeout")
  }

  @Test("a raw sensor is exposed here until it has settled")
  func exposes() throws {
    camera.isSteady = false
    camera.exposure = ExposureControls(
      lines: ControlRange(minimum: 1, maximum: 1000), gain: ControlRange(minimum: 16, maximum: 256),
      law: .linear(one: 16))
    let dark = ScriptedCamera.Frame(
      format: .bayer(.rggb, .bits8), width: 64, height: 48, rowBytes: 64, bytes: [UInt8](repeating: 4, count: 64 * 48))
    camera.frames = [ScriptedCamera.Frame](repeating: dark, count: 12)
    #expect(try snap() == nil)
    let first = try #require(camera.settings.first)
    let last = try #require(camera.settings.last)
    #expect(last.lines * last.gain > first.lines * first.gain)
    #expect((3..<12).contains(camera.offered))
  }

  @Test("a sensor that refuses its exposure gives photos with the one that it has")
  func exposureRefused() throws {
    camera.isSteady = false
    camera.exposure = ExposureControls(
      lines: ControlRange(minimum: 1, maximum: 1000), gain: ControlRange(minimum: 16, maximum: 256), law: nil)
    camera.exposureRefusal = .io(.invalidArgument)
    camera.frames = [ScriptedCamera.Frame](repeating: gray(100), count: 8)
    #expect(try snap() == nil)
    #expect(camera.offered == 3)
    camera.exposureRefusal = .disconnected
    #expect(try snap() == "disconnected")
  }

  @Test("frames whose times are of another clock are used after as many as a driver has buffers")
  func foreignClock() throws {
    camera.frames = (0..<30).map { gray(100, time: Int64($0 + 1)) }
    #expect(try snap(keepsOpen: true) == nil)
    #expect(try snap() == nil)
    #expect(camera.offered == 10)
  }

  @Test("a dark photo waits for the whole delay, and the next one waits as well")
  func darkScene() throws {
    camera.isSteady = false
    camera.frames = [ScriptedCamera.Frame](repeating: gray(0), count: 8)
    camera.end = nil
    camera.pace = 300
    #expect(try snap(#"{"delayMs":1000}"#, keepsOpen: true) == nil)
    #expect(job.exposure == .black && camera.offered == 4)
    camera.frames = [ScriptedCamera.Frame](repeating: gray(120), count: 8)
    #expect(try snap(#"{"delayMs":1000}"#) == nil)
    #expect(job.exposure == .right && camera.offered == 3)
  }

  @Test("a first frame after the delay is measured: what shows nothing is waited for once more, and then told")
  func lateFrames() throws {
    camera.isSteady = false
    camera.end = nil
    camera.pace = 1200
    for (frames, exposure) in [
      ([gray(120), gray(120)], .right), ([gray(0), gray(120), gray(120)], .right),
      ([gray(0), gray(0), gray(0)], .black),
    ] as [([ScriptedCamera.Frame], FrameExposure)] {
      camera.frames = frames
      #expect(try snap(#"{"delayMs":1000}"#) == nil)
      #expect(job.exposure == exposure && camera.offered == frames.count - 1)
    }
  }

  @Test("without a delay the first frame is taken unmeasured")
  func unmeasured() throws {
    camera.isSteady = false
    camera.frames = [gray(0), gray(0)]
    #expect(try snap(#"{"delayMs":0}"#) == nil)
    #expect(job.exposure == nil && camera.offered == 1)
  }

  // MARK: Light

  @Test("the light goes on before the sensor, and out after it")
  func order() throws {
    privacy = .required
    var journal: [String] = []
    camera.journal = { journal.append($0) }
    light.journal = { journal.append($0) }
    camera.frames = [gray(100)]
    #expect(try snap() == nil)
    #expect(journal == ["light", "start", "stop", "dark"])
  }

  @Test("no light, no photo, where it is required; elsewhere it is only known")
  func brokenLight() throws {
    privacy = .required
    light.isBroken = true
    #expect(try snap() == "noIndicator")
    #expect(camera.orders.isEmpty)
    stream = CameraStream(source: camera, cameraSettings: cameraSettings, indicator: light, privacy: .lit, clock: clock)
    job = try CaptureJob(stream: stream, codec: codec, clock: clock)
    camera.frames = [gray(100)]
    #expect(try snap() == nil)
    #expect(stream.isLightBroken)
  }

  @Test("a light that was left on is put out, though no camera is open")
  func leftOn() {
    privacy = .lit
    _ = light.light(true)
    let closing = StreamJob(stream: stream)
    closing.prepare(.close)
    closing.run()
    #expect(!light.isOn && camera.stops == 0)
  }

  @Test("the light goes out when the camera cannot be opened, and when it goes")
  func lightOut() throws {
    privacy = .lit
    camera.refusals = [.busy]
    #expect(try snap() == "busy")
    #expect(!light.isOn)
    camera.end = .disconnected
    #expect(try snap(keepsOpen: true) == "disconnected")
    #expect(!light.isOn)
  }
}

/// Counts how often it is given back.
private final class CountedMemory: StreamMemory {
  private(set) var releases = 0

  func releaseWork() { releases += 1 }
}
