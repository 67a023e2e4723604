import Board
import Camera
import Canvas
import Codec
import Foundation
import Gateway
import Graphics
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import ScreenPart
@testable import SensePart

/// The encoder in software, and how often it was asked.
private final class CountingEncoder: H264Encoder {
  private let encoder = OpenH264()
  private(set) var pictures = 0
  private(set) var isRunning = false
  private(set) var format: VideoFormat?

  func start(_ format: VideoFormat, most: Int) throws(ClipError) {
    self.format = format
    isRunning = true
    try encoder.start(format, most: most)
  }

  func encode(_ image: PlanarImage, at time: Int64, _ order: PictureOrder) throws(ClipError) -> EncodedPicture? {
    pictures += 1
    return try encoder.encode(image, at: time, order)
  }

  func drain() throws(ClipError) -> EncodedPicture? { try encoder.drain() }

  func stop() {
    isRunning = false
    encoder.stop()
  }
}

/// A canvas whose screen is recorded, and a camera beside it.
private final class RecordBench {
  let canvas: CanvasBench
  let camera: CameraCommands
  let encoder = CountingEncoder()
  let source: StillCamera
  var recordings: RecordCommands { canvas.commands.recordings! }
  private var shown = 0

  init(_ size: Size = Size(480, 320)) throws {
    canvas = try CanvasBench(size)
    source = try StillCamera(width: 64, height: 48)
    source.step = 40_000
    let log = Log(level: .error, output: nil)
    let tools = CameraTools(jpeg: try TurboJPEG(), encoder: encoder, clips: try ClipMemory())
    camera = try CameraCommands(
      stream: CameraStream(
        source: source, cameraSettings: CameraSettingsTable(), indicator: nil, privacy: .lit, clock: canvas.clock),
      tools: tools, policy: CameraPolicy(), router: canvas.router, runner: canvas.runner, clock: canvas.clock, log: log)
    let recordings = try RecordCommands(
      canvas.commands.face, camera: camera, tools: tools, router: canvas.router, runner: canvas.runner,
      clock: canvas.clock)
    canvas.router.add(CameraCommands.rows, capability: "camera", camera)
    canvas.router.add(RecordCommands.rows, capability: "screen", recordings)
    canvas.commands.recordings = recordings
  }

  func record(_ params: String = "{}", id: String = "1") { canvas.invoke(id, "screen.record", params) }

  /// Something else is on the screen.
  func change() {
    shown += 1
    canvas.invoke(
      "push", "canvas.draw",
      #"{"op":"draw","elements":[{"id":"a","type":"shape","bounds":{"x":\#(shown),"y":9,"width":80,"height":80},"style":{"color":"red"}}]}"#
    )
    canvas.settle()
  }

  /// Answers to the recordings alone.
  func answers() -> [String] { canvas.take().filter { !$0.hasPrefix("push") } }

  /// Seconds that the file says it lasts, and its pictures.
  func length() throws -> Double {
    let file = Data(canvas.file)
    let box = try #require(file.range(of: Data("mvhd".utf8)))
    func word(_ offset: Int) -> Double {
      Double(file[(box.upperBound + offset)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
    return word(16) / word(12)
  }
}

@Suite("Recordings of the screen")
struct RecordTests {
  @Test("a still screen is recorded with few pictures, and the file lasts as long as was asked")
  func still() throws {
    let bench = try RecordBench()
    bench.record()
    bench.canvas.settle()
    bench.canvas.pass(11_000)
    #expect(bench.answers() == ["1: picture"])
    #expect(
      bench.canvas.fileWords
        == #"{"format":"mp4","durationMs":10000,"fps":10,"screenIndex":0,"hasAudio":false}"#)
    #expect(bench.canvas.file[4..<8].elementsEqual("ftyp".utf8))
    #expect(try bench.length() == 10)
    // The first, its repetitions, and one every four seconds.
    #expect((5...8).contains(bench.encoder.pictures))
    #expect(!bench.encoder.isRunning && bench.recordings.nextDeadline == nil)
  }

  @Test("what moves is recorded at the rate that was asked for", arguments: [5, 10, 25])
  func moving(rate: Int) throws {
    let bench = try RecordBench()
    bench.record(#"{"durationMs":2000,"fps":\#(rate),"includeAudio":true,"screenIndex":0,"format":"mp4"}"#)
    for _ in 0..<210 {
      bench.change()
      bench.canvas.pass(10)
    }
    #expect(bench.answers() == ["1: picture"])
    #expect(bench.encoder.pictures == 2 * rate)
    #expect(try bench.length() == 2)
  }

  @Test("a large screen is made smaller, and odd sides even")
  func sizes() throws {
    for (screen, width, height) in [
      (Size(1920, 1080), 1280, 720), (Size(481, 321), 480, 320), (Size(480, 800), 480, 800),
    ] {
      let bench = try RecordBench(screen)
      bench.record(#"{"durationMs":250}"#)
      bench.canvas.pass(400)
      #expect(bench.answers() == ["1: picture"])
      #expect(bench.encoder.format?.width == width && bench.encoder.format?.height == height)
    }
  }

  @Test("lengths and rates are moved to their bounds, and told")
  func clamps() throws {
    for (asked, told) in [
      (#"{"durationMs":1,"fps":0}"#, #""durationMs":250,"fps":1,"#),
      (#"{"durationMs":250,"fps":1e9}"#, #""durationMs":250,"fps":30,"#),
      (#"{"durationMs":251.9,"fps":12.6,"format":null,"screenIndex":null}"#, #""durationMs":251,"fps":13,"#),
    ] {
      let bench = try RecordBench()
      bench.record(asked)
      bench.canvas.pass(600)
      #expect(bench.canvas.fileWords.contains(told))
      #expect(try abs(bench.length() - 0.25) < 0.0021)
    }
    #expect(try RecordParameters(JSONView(#"{"durationMs":9e99}"#.utf8.span)).duration == 60_000)
  }

  @Test(
    "what cannot be is refused",
    arguments: [
      #"{"format":"gif"}"#, #"{"format":7}"#, #"{"screenIndex":1}"#, #"{"monitor":2}"#, #"{"durationMs":"10"}"#,
      #"{"fps":true}"#,
      #"{"includeAudio":1}"#,
    ])
  func refused(params: String) throws {
    let bench = try RecordBench()
    bench.record(params)
    bench.canvas.settle()
    #expect(bench.answers() == ["1: INVALID_REQUEST"])
    #expect(!bench.recordings.isRecording && bench.camera.lendEncoder())
  }

  @Test("a longer one than the invoke lasts is refused at once")
  func noTime() throws {
    let bench = try RecordBench()
    bench.record(#"{"durationMs":29500}"#)
    #expect(bench.answers() == ["1: UNAVAILABLE"])
  }

  @Test("there is one at a time, until its file was sent")
  func oneAtATime() throws {
    let bench = try RecordBench()
    bench.canvas.keepsFiles = true
    bench.record(#"{"durationMs":500}"#)
    bench.canvas.pass(100)
    bench.record(id: "2")
    #expect(bench.answers() == ["2: UNAVAILABLE"])
    bench.canvas.pass(600)
    #expect(bench.answers() == ["1: picture"])
    #expect(!bench.recordings.isRecording)
    bench.record(id: "3")
    #expect(bench.answers() == ["3: UNAVAILABLE"])
    bench.canvas.fileOwner?.blobReleased()
    bench.record(#"{"durationMs":500}"#, id: "4")
    bench.canvas.pass(700)
    #expect(bench.answers() == ["4: picture"])
  }

  @Test("cancelled, it ends, and the next one may begin", arguments: [0, 50, 350] as [Int64])
  func cancelled(after milliseconds: Int64) throws {
    let bench = try RecordBench()
    bench.record()
    bench.canvas.pass(milliseconds)
    let node = String(repeating: "n", count: 64)
    bench.canvas.router.cancel(JSONView(#"{"invokeId":"1","nodeId":"\#(node)"}"#.utf8.span))
    #expect(!bench.recordings.isRecording)
    bench.canvas.settle()
    #expect(bench.recordings.isAtRest && !bench.encoder.isRunning && bench.recordings.nextDeadline == nil)
    _ = bench.answers()
    bench.record(#"{"durationMs":250}"#, id: "2")
    bench.canvas.pass(400)
    #expect(bench.answers() == ["2: picture"])
  }

  @Test("a camera's clip and a recording take turns with the encoder")
  func turns() throws {
    let bench = try RecordBench()
    bench.record(#"{"durationMs":1000}"#)
    bench.canvas.invoke("clip", "camera.clip", #"{"durationMs":500}"#)
    bench.canvas.settle()
    #expect(bench.answers() == ["clip: UNAVAILABLE"])
    bench.canvas.pass(1_200)
    #expect(bench.answers() == ["1: picture"])
    bench.canvas.keepsFiles = true
    bench.canvas.invoke("clip", "camera.clip", #"{"durationMs":500}"#)
    bench.record(id: "2")
    #expect(bench.answers() == ["2: UNAVAILABLE"])
    bench.canvas.settle()
    #expect(bench.answers() == ["clip: picture"])
    bench.canvas.fileOwner?.blobReleased()
    bench.record(#"{"durationMs":250}"#, id: "3")
    bench.canvas.pass(400)
    #expect(bench.answers() == ["3: picture"])
  }

  @Test("a gateway whose messages have no room for a picture is told so")
  func tooLarge() throws {
    let bench = try RecordBench()
    bench.camera.messageLimit = 2_000
    bench.record()
    bench.canvas.pass(200)
    #expect(bench.answers() == ["1: PAYLOAD_TOO_LARGE"])
    #expect(bench.recordings.isAtRest)
  }

  @Test("a picture of the screen may be taken meanwhile, and both give it back")
  func besidesPictures() throws {
    let bench = try RecordBench()
    bench.record(#"{"durationMs":1000}"#)
    bench.canvas.invoke("s", "canvas.snapshot")
    bench.canvas.pass(1_200)
    #expect(Set(bench.answers()) == ["s: picture", "1: picture"])
    #expect(bench.canvas.commands.face.pump.lend() != nil)
  }

  @Test("the program's end waits for the worker, and answers nobody")
  func ends() throws {
    let bench = try RecordBench()
    bench.record()
    bench.canvas.pass(150)
    bench.recordings.stop()
    #expect(!bench.recordings.isAtRest)
    bench.canvas.settle()
    #expect(bench.recordings.isAtRest && !bench.encoder.isRunning)
    #expect(bench.answers().isEmpty)
  }
}
