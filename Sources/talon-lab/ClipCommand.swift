import ArgumentParser
import Board
import Camera
import Foundation
import Runtime

/// Records a clip of moving bars, or of a given H.264 stream, for independent players to judge.
struct ClipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clip",
    abstract: "Writes an MP4 clip as camera.clip makes it, and prints what it holds as JSON.")

  @Option(help: "The file to write.")
  var out: String

  @Option(help: "Milliseconds.")
  var duration = 3000

  @Option(help: "Pixels across, even.")
  var width = 640

  @Option(help: "Pixels down, even.")
  var height = 480

  @Option(help: "Pictures in a thousand seconds.")
  var rate = 30_000

  @Option(help: "Bytes that the file may have.")
  var limit = Budget.clipBytes

  @Option(help: "Microseconds by which each picture's time may be off.")
  var jitter = 0

  @Flag(help: "Pictures that no encoder likes: noise.")
  var noise = false

  @Option(help: "A stream in Annex B form with access unit delimiters, taken as a camera's own, instead of bars.")
  var stream: String?

  func validate() throws {
    guard (16...4096).contains(width), (16...4096).contains(height), width % 2 == 0, height % 2 == 0 else {
      throw ValidationError("--width and --height must be even, from 16 to 4096")
    }
    guard (1000...60_000).contains(rate) else { throw ValidationError("--rate must be from 1000 to 60000") }
    guard (1...120_000).contains(duration) else { throw ValidationError("--duration must be from 1 to 120000") }
    guard jitter >= 0, limit > 0 else { throw ValidationError("--jitter and --limit must not be below 0") }
  }

  func run() throws {
    let segment = ClipSegment()
    let recorder = ClipRecorder(writer: try ClipWriter(sink: segment), encoder: OpenH264())
    let format = VideoFormat(width: width, height: height, picturesPerKilosecond: rate, isFullRange: true)
    try recorder.begin(format, duration: Int64(duration) * 1000, limit: limit, encodes: stream == nil)
    let started = ContinuousClock.now
    if let stream { try feed(recorder, format, path: stream) } else { try draw(recorder, format) }
    let clip = try recorder.finish()
    let spent = started.duration(to: .now)
    let bytes = try segment.bytes(of: clip)
    try Data(buffer: bytes).write(to: URL(fileURLWithPath: out))
    print(
      """
      {"bytes":\(bytes.count),"duration":\(clip.duration),"pictures":\(clip.pictures),"width":\(clip.width),\
      "height":\(clip.height),"damaged":\(recorder.damaged),"seconds":\(spent / .seconds(1))}
      """)
  }

  /// Times as a camera gives them: on its own clock, never quite even.
  private func time(_ index: Int, _ format: VideoFormat) -> Int64 {
    let off = jitter == 0 ? 0 : Int64(index * 7919 % (2 * jitter + 1) - jitter)
    return 8_000_000_000 + Int64(index) * 1_000_000_000 / Int64(format.picturesPerKilosecond) + off
  }

  private func draw(_ recorder: ClipRecorder, _ format: VideoFormat) throws {
    let storage = FixedBuffer(capacity: width * height * 3 / 2)
    guard let image = PlanarImage(in: storage.bytes, width: width, height: height, chroma: .quarter) else {
      throw ClipError.encoder
    }
    var index = 0
    repeat {
      paint(image, index)
      index += 1
    } while try recorder.take(image, at: time(index - 1, format)) == .more
  }

  /// Bars that move to the side over a slope that moves down, in colours that turn; or noise.
  private func paint(_ image: PlanarImage, _ index: Int) {
    if noise {
      var state = UInt32(truncatingIfNeeded: index) &* 2_654_435_761 | 1
      for offset in 0..<width * height * 3 / 2 {
        state = state &* 1_664_525 &+ 1_013_904_223
        image.luma.base[offset] = UInt8(state >> 24)
      }
      return
    }
    for y in 0..<height {
      let row = image.luma.base + y * image.luma.rowBytes
      for x in 0..<width {
        let bar = (x + 4 * index) / 40 % 2 == 0 ? 60 : 0
        row[x] = UInt8((bar + 40 + (y * 2 + x + index) * 120 / (height * 2 + width) + (x ^ y) % 9) & 255)
      }
    }
    for y in 0..<height / 2 {
      for x in 0..<width / 2 {
        image.blue.base[y * image.blue.rowBytes + x] = UInt8((x * 200 / width + index) & 255)
        image.red.base[y * image.red.rowBytes + x] = UInt8((y * 200 / height + 255 - index & 255) & 255)
      }
    }
  }

  private func feed(_ recorder: ClipRecorder, _ format: VideoFormat, path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    var starts = bytes.indices.dropLast(4).filter { bytes[$0...].starts(with: [0, 0, 0, 1, 9]) }
    starts.append(bytes.count)
    for (index, (start, end)) in zip(starts, starts.dropFirst()).enumerated() {
      let progress = try bytes.withUnsafeBufferPointer {
        try recorder.take(unit: UnsafeBufferPointer(rebasing: $0[start..<end]), at: time(index, format))
      }
      if progress == .done { return }
    }
  }
}
