import Runtime
import Testing

@testable import Camera

/// An encoder that gives pictures of so many bytes, `delay` pictures late.
private final class ScriptedEncoder: H264Encoder {
  var bytes = 300
  var delay = 0
  private(set) var isRunning = false
  private(set) var orders: [PictureOrder] = []
  private var waiting: [(unit: [UInt8], time: Int64)] = []
  private var current: [UInt8] = []

  func start(_ format: VideoFormat, most: Int) throws(ClipError) { isRunning = true }

  func encode(_ image: PlanarImage, at time: Int64, _ order: PictureOrder) throws(ClipError) -> EncodedPicture? {
    orders.append(order)
    let tail = [UInt8](repeating: 0xA5, count: bytes)
    waiting.append(((order.isKeyframe ? firstUnit() : stream(slice(key: false))) + tail, time))
    return waiting.count > delay ? next() : nil
  }

  func drain() throws(ClipError) -> EncodedPicture? { waiting.isEmpty ? nil : next() }

  func stop() {
    isRunning = false
    waiting = []
  }

  private func next() -> EncodedPicture {
    let (unit, time) = waiting.removeFirst()
    current = unit
    return EncodedPicture(bytes: current.withUnsafeBufferPointer { $0 }, time: time)
  }
}

private final class Bench {
  let format = VideoFormat(width: 64, height: 48, picturesPerKilosecond: 20_000, isFullRange: true)
  let encoder = ScriptedEncoder()
  let memory = try! ClipMemory()
  let recorder: ClipRecorder
  private let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 48 * 2)
  private let image: PlanarImage

  init() throws {
    recorder = ClipRecorder(writer: try ClipWriter(sink: memory), encoder: encoder)
    image = try #require(PlanarImage(in: storage, width: 64, height: 48, chroma: .quarter))
  }

  deinit { storage.deallocate() }

  /// Feeds pictures at 20 a second until the recorder is done; how many that were.
  func record(until last: Int = 1000) throws -> Int {
    for index in 0..<last where try recorder.take(image, at: Int64(index) * 50_000) == .done { return index }
    return last
  }

  func take(_ bytes: [UInt8], _ index: Int64) throws -> ClipRecorder.Progress {
    try bytes.withUnsafeBufferPointer { try recorder.take(unit: $0, at: index * 50_000) }
  }

  func finish() throws -> (clip: Clip, file: MP4File) {
    let clip = try recorder.finish()
    return (clip, try MP4File(Array(memory.bytes(of: clip))))
  }
}

struct ClipRecorderTests {
  @Test("pictures become a clip of the asked length, however late the encoder gives them", arguments: [0, 3])
  func encoded(delay: Int) throws {
    let bench = try Bench()
    bench.encoder.delay = delay
    try bench.recorder.begin(bench.format, duration: 3_000_000, limit: 100_000, encodes: true)
    #expect(bench.encoder.isRunning)
    #expect(try bench.record() == 60)
    let (clip, file) = try bench.finish()
    #expect((clip.duration, clip.pictures) == (3_000_000, 60))
    #expect(file.keyframes == [1, 41] && !bench.encoder.isRunning)
  }

  @Test("an encoder that keeps to nothing does not pass the limit: the clip ends before")
  func limit() throws {
    let bench = try Bench()
    bench.encoder.bytes = 9_000
    try bench.recorder.begin(bench.format, duration: 60_000_000, limit: 100_000, encodes: true)
    #expect(try bench.record(until: 1_200) < 1_200)
    let (clip, _) = try bench.finish()
    #expect(clip.range.count <= 100_000 && clip.pictures > 8)
  }

  @Test("a clip that is ended early holds what there was")
  func early() throws {
    let bench = try Bench()
    try bench.recorder.begin(bench.format, duration: 3_000_000, limit: 100_000, encodes: true)
    #expect(try bench.record(until: 10) == 10)
    #expect(try bench.finish().clip.duration == 500_000)
  }

  @Test("a clip without a picture is an error, and the encoder is stopped all the same")
  func nothing() throws {
    let bench = try Bench()
    try bench.recorder.begin(bench.format, duration: 3_000_000, limit: 100_000, encodes: true)
    #expect(throws: ClipError.noPictures) { try bench.recorder.finish() }
    #expect(!bench.encoder.isRunning)
    try bench.recorder.begin(bench.format, duration: 3_000_000, limit: 100_000, encodes: true)
    bench.recorder.abandon()
    #expect(!bench.encoder.isRunning)
  }

  @Test("a camera's own video begins at a key frame and goes on at one after damage")
  func camera() throws {
    let bench = try Bench()
    try bench.recorder.begin(bench.format, duration: 600_000, limit: 100_000, encodes: false)
    #expect(!bench.encoder.isRunning)
    let (key, other) = (firstUnit(), stream(slice(key: false)))
    let units = [other, other, key, other, [1, 2, 3], other, [], other, key, other]
    for (index, unit) in units.enumerated() { #expect(try bench.take(unit, Int64(index)) == .more) }
    #expect(bench.recorder.damaged == 5)
    for index in 10..<14 { #expect(try bench.take(other, Int64(index)) == .more) }
    #expect(try bench.take(other, 14) == .done)
    let (clip, file) = try bench.finish()
    #expect((clip.pictures, clip.duration) == (8, 600_000))
    #expect(file.keyframes == [1, 3])
    #expect(file.durations == [4_500, 22_500, 4_500, 4_500, 4_500, 4_500, 4_500, 4_500])
  }

  @Test("a camera whose video changes or stalls is an error; one that fills the clip ends it")
  func cameraErrors() throws {
    let bench = try Bench()
    try bench.recorder.begin(bench.format, duration: 60_000_000, limit: 2_000, encodes: false)
    #expect(try bench.take(firstUnit(), 0) == .more)
    #expect(throws: ClipError.parametersChanged) { try bench.take(firstUnit(SequenceBits(blocksAcross: 9)), 1) }
    #expect(throws: ClipError.timestampGap) { try bench.take(stream(slice(key: true)), 1_000) }
    #expect(try bench.take(firstUnit() + [UInt8](repeating: 7, count: 1_400), 2) == .done)
    #expect(try bench.finish().clip.pictures == 1)
    try bench.recorder.begin(bench.format, duration: 60_000_000, limit: 700, encodes: false)
    #expect(throws: ClipError.full) { try bench.take(firstUnit() + [UInt8](repeating: 7, count: 1_400), 0) }
  }
}
