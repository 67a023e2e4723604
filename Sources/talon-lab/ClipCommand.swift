import ArgumentParser
import Board
import Camera
import Codec
import Foundation
import Runtime

/// Records a clip of a drawn camera's frames, or of a given H.264 stream, for independent players to judge.
struct ClipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clip",
    abstract: "Writes an MP4 clip as camera.clip makes it, and prints what it holds and took as JSON.")

  @Option(help: "The file to write.")
  var out: String

  @Option(help: "Milliseconds, from 250 to 60000.")
  var duration = 3000

  @Option(help: "What the camera gives: yu12, nv12, yuyv, gray or mjpeg; h264 with --stream.")
  var source = ClipSource.yu12

  @Option(help: "Pixels across of its frames; even, but for gray and mjpeg.")
  var width = 640

  @Option(help: "Pixels down; even for yu12 and nv12.")
  var height = 480

  @Option(help: "Pictures in a thousand seconds.")
  var rate = 30_000

  @Option(help: "Degrees clockwise by which its pictures are turned: 0, 90, 180 or 270.")
  var turn = 0

  @Option(help: "Bytes that the file may have.")
  var limit = Budget.clipBytes

  @Option(help: "Microseconds by which each picture's time may be off.")
  var jitter = 0

  @Flag(help: "Pictures that no encoder likes: noise.")
  var noise = false

  @Option(help: "The stream in Annex B form with access unit delimiters that the camera gives as h264.")
  var stream: String?

  func validate() throws {
    guard (16...4096).contains(width), (16...4096).contains(height), source.takes(width, height) else {
      throw ValidationError("--width and --height must be from 16 to 4096, and even where the source shares chroma")
    }
    guard (1000...60_000).contains(rate) else { throw ValidationError("--rate must be from 1000 to 60000") }
    guard Budget.clipMilliseconds.contains(Int64(duration)) else {
      throw ValidationError("--duration must be from 250 to 60000")
    }
    guard [0, 90, 180, 270].contains(turn) else { throw ValidationError("--turn must be 0, 90, 180 or 270") }
    guard jitter >= 0, limit > 0 else { throw ValidationError("--jitter and --limit must not be below 0") }
    guard (source == .h264) == (stream != nil) else { throw ValidationError("--source h264 needs --stream") }
  }

  func run() throws {
    let segment = ClipSegment()
    let encoder = BoardEncoder(clock: SystemClock())
    let maker = try ClipMaker(codec: try TurboJPEG(), encoder: encoder, sink: segment)
    let camera = try makeCamera()
    let before = try ProcessMemory.beginPeak()
    let facts = StreamFacts(
      camera: CameraEntry(id: CameraText(cutting: "lab"), name: CameraText(cutting: "lab")), format: source.format,
      width: width, height: height, rate: rate)
    maker.begin(facts, try parameters(), Orientation(quarters: turn / 90), limit: limit)
    let spent = try feed(maker, camera)
    let clip = try maker.finish()
    maker.release()
    try save(segment, clip)
    segment.release()
    let memory = try ProcessMemory.read()
    print(
      """
      {"bytes":\(clip.range.count),"duration":\(clip.duration),"pictures":\(clip.pictures),"width":\(clip.width),\
      "height":\(clip.height),"left_out":\(maker.leftOut),"encoder":"\(encoder.kind.text)",\
      "seconds":\(spent / .seconds(1)),"rss_growth":\(memory.peak - before),"rss_kept":\(memory.resident - before)}
      """)
  }

  private func parameters() throws -> ClipParameters {
    let text = Array("{\"durationMs\":\(duration)}".utf8)
    return try ClipParameters(JSONView(text.span))
  }

  private func makeCamera() throws -> any ClipFrames {
    if let stream { return StreamedFrames([UInt8](try Data(contentsOf: URL(fileURLWithPath: stream)))) }
    return try DrawnFrames(source, width: width, height: height, isNoise: noise)
  }

  /// Offers frames until the clip is done, or there are no more; the time that it took to take them.
  private func feed(_ maker: ClipMaker, _ camera: any ClipFrames) throws -> Duration {
    var (index, spent) = (0, Duration.zero)
    while let bytes = try camera.next() {
      let frame = RawFrame(
        format: source.format, width: width, height: height, rowBytes: source.rowBytes(width), isFullRange: true,
        bytes: bytes, time: time(index))
      let started = ContinuousClock.now
      let progress = try maker.take(frame)
      spent += started.duration(to: .now)
      if progress == .done { break }
      index += 1
    }
    return spent
  }

  /// Times as a camera gives them: on its own clock, never quite even.
  private func time(_ index: Int) -> Int64 {
    let off = jitter == 0 ? 0 : Int64(index * 7919 % (2 * jitter + 1) - jitter)
    return 8_000_000_000 + Int64(index) * 1_000_000_000 / Int64(rate) + off
  }

  /// Writes the clip as it is sent: piece by piece, and what was read is given back.
  private func save(_ segment: ClipSegment, _ clip: Clip) throws {
    let bytes = try segment.bytes(of: clip)
    guard FileManager.default.createFile(atPath: out, contents: nil), let file = FileHandle(forWritingAtPath: out)
    else { throw ValidationError("\(out) cannot be written") }
    let all = UnsafeRawBufferPointer(bytes)
    for start in stride(from: 0, to: bytes.count, by: 12_288) {
      let piece = UnsafeRawBufferPointer(rebasing: all[start..<min(start + 12_288, bytes.count)])
      try file.write(contentsOf: Data(piece))
      segment.wasRead(upTo: start + piece.count)
    }
    try file.close()
  }
}
