import Board
import Camera
import Codec
import Runtime

/// Ten seconds of 1280 x 720 from YUYV to a finished MP4 file, read as it is sent.
enum ClipBench {
  private static let (width, height, rate) = (1280, 720, 30_000)

  static func measurements() throws -> [Measurement] {
    // The first one also fills the C libraries' own pools.
    _ = try record(milliseconds: 250)
    let before = try ProcessMemory.beginPeak()
    let clip = try record(milliseconds: 10_000)
    let after = try ProcessMemory.read()
    return [
      Measurement(
        name: "YUYV 1280x720 to a picture of a clip", value: clip.seconds * 1e3 / Double(clip.pictures), unit: "ms",
        yardstick: ("libjpeg-turbo alone", try jpegSeconds() * 1e3)),
      Measurement(
        name: "10 s clip of it: bytes", value: Double(clip.bytes) / 1e6, unit: "MB", bar: .clipBytes),
      Measurement(
        name: "memory of that at its height", value: Double(after.peak - before) / 1e6, unit: "MB", bar: .clipPeak),
      Measurement(name: "the same, when it was sent", value: Double(after.resident - before) / 1e6, unit: "MB"),
    ]
  }

  private static func record(milliseconds: Int) throws -> (pictures: Int, bytes: Int, seconds: Double) {
    let segment = ClipSegment()
    let maker = try ClipMaker(codec: try TurboJPEG(), encoder: OpenH264(), sink: segment)
    let camera = try DrawnFrames(.yuyv, width: width, height: height, isNoise: false)
    let facts = StreamFacts(
      camera: CameraEntry(id: CameraText(cutting: "lab"), name: CameraText(cutting: "lab")), format: .yuyv,
      width: width, height: height, rate: rate)
    let text = Array("{\"durationMs\":\(milliseconds)}".utf8)
    maker.begin(facts, try ClipParameters(JSONView(text.span)), Orientation(), limit: Budget.clipBytes)
    var (seconds, index, progress) = (0.0, 0, ClipRecorder.Progress.more)
    while progress == .more, let bytes = try camera.next() {
      let frame = RawFrame(
        format: .yuyv, width: width, height: height, rowBytes: 2 * width, isFullRange: true, bytes: bytes,
        time: 8_000_000 + Int64(index) * 33_333)
      seconds += try Stopwatch.bestOfThread(of: 1) { progress = try maker.take(frame) }
      index += 1
    }
    let clip = try maker.finish()
    maker.release()
    send(try segment.bytes(of: clip), segment)
    segment.release()
    return (clip.pictures, clip.range.count, seconds)
  }

  /// Reads the clip as the agent does: piece by piece, as base64.
  private static func send(_ clip: UnsafeBufferPointer<UInt8>, _ segment: ClipSegment) {
    let (piece, room) = (12_288, FixedBuffer(capacity: 16_384))
    for start in stride(from: 0, to: clip.count, by: piece) {
      let end = min(start + piece, clip.count)
      let bytes = UnsafeBufferPointer(rebasing: clip[start..<end])
      _ = Base64.standard.encode(Span(_unsafeElements: bytes), into: room.bytes)
      segment.wasRead(upTo: end)
    }
  }

  /// What a JPEG of the same pixels takes.
  private static func jpegSeconds() throws -> Double {
    let camera = try DrawnFrames(.mjpeg, width: width, height: height, isNoise: false)
    let codec = try TurboJPEG()
    let (storage, output) = (FixedBuffer(capacity: width * height * 3), FixedBuffer(capacity: width * height * 4))
    guard let bytes = try camera.next() else { throw BenchError("no frame") }
    let image = try codec.decode(bytes, atLeast: .max, into: storage.bytes)
    return try Stopwatch.bestOfThread { _ = try codec.encode(image, quality: 90, into: output.bytes) }
  }
}
