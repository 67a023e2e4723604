import Codec
import Runtime
import Testing

@testable import Camera

final class AxisTests {
  private let camera = ScriptedCamera()
  private lazy var job = AxisJob(source: camera, cameraSettings: CameraSettingsTable())

  private var axes: CameraAxes {
    var axes = CameraAxes()
    // 36,000 arc seconds are 10 degrees.
    axes.pan = AxisState(value: 0, range: ControlRange(minimum: -36_000, maximum: 36_000, step: 3600), home: 3600)
    axes.zoom = AxisState(value: 100, range: ControlRange(minimum: 100, maximum: 500), home: 100)
    return axes
  }

  private func parameters(_ json: String, moves: Bool = true) -> Result<AxisParameters, CameraError> {
    let bytes = Array(json.utf8)
    do throws(CameraError) {
      return .success(try AxisParameters(JSONView(bytes.span), moves: moves))
    } catch {
      return .failure(error)
    }
  }

  private func run(_ json: String, moves: Bool = true) throws -> String {
    job.prepare(try parameters(json, moves: moves).get())
    job.run()
    switch job.outcome {
    case .none: return "none"
    case .failed(let error): return error.message
    case .state(let axes, let adjusted):
      let bytes = [UInt8](unsafeUninitializedCapacity: 2048) { buffer, count in
        var writer = JSONWriter(into: buffer)
        moves ? axes.writeMoved(to: &writer, adjusted) : axes.writeStatus(to: &writer)
        count = writer.count
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test("status tells degrees and percent")
  func status() throws {
    camera.axes = axes
    #expect(
      try run(#"{"deviceId":"/dev/video0"}"#, moves: false) == #"{"axes":{"pan":{"current":0,"min":-10,"max":10,"#
        + #""step":1,"default":1,"unit":"degrees","canSet":true,"canMove":true},"zoom":{"current":0,"min":0,"max":100,"#
        + #""step":0.25,"default":0,"unit":"percent","canSet":true,"canMove":true}},"canHome":true}"#)
  }

  @Test(
    "wishes are cut to the range and to whole steps, and what was changed is named",
    arguments: [
      (#""operation":"set","target":{"panDegrees":5,"zoomPercent":50}"#, [18_000, 300], #""adjusted":[]"#),
      (#""operation":"set","target":{"panDegrees":5.4}"#, [18_000], #""adjusted":[]"#),
      (#""operation":"set","target":{"panDegrees":50}"#, [36_000], #""adjusted":["panDegrees"]"#),
      (#""operation":"set","target":{"zoomPercent":-1e300}"#, [100], #""adjusted":["zoomPercent"]"#),
      (#""operation":"move","delta":{"panDegrees":-3}"#, [-10_800], #""adjusted":[]"#),
      (#""operation":"move","delta":{"zoomPercent":1000}"#, [500], #""adjusted":["zoomPercent"]"#),
      (#""operation":"home""#, [3600, 100], #""adjusted":[]"#),
    ])
  func moves(request: String, values: [Int], adjusted: String) throws {
    camera.axes = axes
    let answer = try run("{\"deviceId\":\"/dev/video0\",\(request)}")
    let moved = camera.moves.map { $0.1 }
    #expect(moved == values)
    #expect(answer.hasPrefix(#"{"state":{"axes":"#) && answer.hasSuffix(adjusted + "}"), "\(answer)")
  }

  @Test("what a camera has not is refused by name, before anything moves")
  func missing() throws {
    camera.axes = axes
    let tilt = #"{"deviceId":"/dev/video0","operation":"set","target":{"panDegrees":1,"tiltDegrees":1}}"#
    #expect(try run(tilt) == "CAMERA_PTZ_AXIS_UNSUPPORTED: camera does not tilt")
    #expect(camera.moves.isEmpty)
    camera.axes = CameraAxes()
    #expect(try run(#"{"deviceId":"/dev/video0"}"#, moves: false).hasPrefix("CAMERA_PTZ_UNSUPPORTED: "))
    #expect(try run(#"{"deviceId":"other"}"#, moves: false) == "INVALID_REQUEST: camera device not found: other")
  }

  @Test("an axis that fails after one that moved is told apart from one that fails first")
  func partial() throws {
    camera.axes = axes
    camera.stuck = .zoom
    let both = #"{"deviceId":"/dev/video0","operation":"home"}"#
    #expect(try run(both) == "CAMERA_PTZ_PARTIAL: an axis moved, then this one failed: zoom")
    camera.stuck = .pan
    #expect(try run(both).hasPrefix("CAMERA_UNAVAILABLE: camera failed: "))
  }

  // MARK: Motors

  private let light = ScriptedLight()

  /// A job that may stream from the camera.
  private func streamingJob(privacy: CameraStream.Privacy = .required) -> (AxisJob, CameraStream) {
    // Frames do not come, and nothing else is wrong.
    camera.end = nil
    let stream = CameraStream(
      source: camera, cameraSettings: CameraSettingsTable(), indicator: light, privacy: privacy, clock: StillClock())
    return (AxisJob(source: camera, cameraSettings: CameraSettingsTable(), stream: stream), stream)
  }

  /// Runs a request to its end, and returns what was left to do after each submission.
  private func finish(_ job: AxisJob, _ operation: String, moves: Bool = true) throws -> [AxisJob.Step] {
    job.prepare(try parameters("{\"deviceId\":\"/dev/video0\",\(operation)}", moves: moves).get())
    var steps: [AxisJob.Step] = []
    job.run()
    while let step = job.next, steps.count < 10 * AxisJob.mostLooks {
      steps.append(step)
      job.run()
    }
    return steps
  }

  /// Where pan is by the outcome, and whether it is said to be elsewhere; nil when the outcome is an error.
  private func pan(_ job: AxisJob) -> (value: Int, isAdjusted: Bool)? {
    guard case .state(let axes, let adjusted) = job.outcome, let pan = axes.pan else { return nil }
    return (pan.value, adjusted.contains(.pan))
  }

  private static let turn = #""operation":"set","target":{"panDegrees":5}"#

  @Test("a camera that takes its time is looked at until it is there")
  func slow() throws {
    camera.axes = axes
    camera.speed = 4_000
    #expect(try finish(job, Self.turn) == [AxisJob.Step](repeating: .look, count: 5))
    #expect(pan(job)?.value == 18_000 && pan(job)?.isAdjusted == false)
  }

  @Test("where a camera stopped is told, not where it was sent")
  func short() throws {
    camera.axes = axes
    (camera.speed, camera.reach) = (4_000, 10_000)
    #expect(try finish(job, Self.turn).allSatisfy { $0 == .look })
    #expect(pan(job)?.value == 10_000 && pan(job)?.isAdjusted == true)
  }

  @Test("a camera that never arrives is looked at so often, and not more")
  func endless() throws {
    camera.axes = axes
    camera.speed = 1
    #expect(try finish(job, Self.turn).count == AxisJob.mostLooks - 1)
    #expect(pan(job)?.value == AxisJob.mostLooks - 1 && pan(job)?.isAdjusted == true)
  }

  @Test("for any motor the answer is where the camera is", arguments: 0..<50)
  func anyMotor(seed: Int) throws {
    var random = Seeded(UInt64(seed))
    camera.axes = axes
    camera.axes.pan?.value = 3600 * Int.random(in: -10...10, using: &random)
    camera.speed = Int.random(in: 0...30_000, using: &random)
    camera.reach = Int.random(in: 0...40_000, using: &random)
    camera.isDeaf = Bool.random(using: &random)
    let (job, _) = streamingJob()
    let degrees = Int.random(in: -10...10, using: &random)
    let steps = try finish(job, "\"operation\":\"set\",\"target\":{\"panDegrees\":\(degrees)}")
    #expect(steps.count <= 2 * AxisJob.mostLooks + 1)
    let (told, real) = (try #require(pan(job)), try #require(camera.axes.pan?.value))
    // It may turn on a little after the last look.
    #expect(abs(told.value - real) <= camera.speed)
    #expect(told.isAdjusted == (abs(told.value - 3600 * degrees) > 1800))
  }

  @Test("an error while it moves is not the end, unless it stays")
  func unreadable() throws {
    camera.axes = axes
    camera.speed = 18_000
    camera.lookRefusals = [nil, .io(.inputOutput), .io(.inputOutput), nil]
    #expect(try finish(job, Self.turn).count == 2)
    #expect(pan(job)?.value == 18_000)
    camera.lookRefusals = [nil] + [CameraError?](repeating: .io(.inputOutput), count: 100)
    #expect(try finish(job, #""operation":"home""#).count == AxisJob.stillLooks - 1)
    guard case .failed(.io) = job.outcome else {
      Issue.record("moved")
      return
    }
  }

  @Test(
    "a camera that refuses to move without a stream is moved while it streams, and its light is lit",
    arguments: [
      CameraError.io(.invalidArgument), .io(.brokenPipe), .io(.inputOutput), .io(.timedOut), .disconnected, .busy,
    ])
  func needsStream(refusal: CameraError) throws {
    camera.axes = axes
    camera.stillRefusal = refusal
    let (job, stream) = streamingJob()
    #expect(try finish(job, Self.turn) == [.stream])
    #expect(pan(job)?.value == 18_000 && pan(job)?.isAdjusted == false)
    #expect(stream.isOpen && light.isOn && camera.orders.count == 1)
  }

  @Test("so is one that ignores it, and one that does not tell where it is")
  func ignoring() throws {
    camera.axes = axes
    camera.isDeaf = true
    let (job, stream) = streamingJob()
    let looks = [AxisJob.Step](repeating: .look, count: AxisJob.stillLooks - 1)
    #expect(try finish(job, Self.turn) == looks + [.stream])
    #expect(pan(job)?.value == 18_000)
    stream.close()
    (camera.isDeaf, camera.isMute) = (false, true)
    #expect(try finish(job, #""operation":"home""#) == [.stream])
    #expect(pan(job)?.value == 3600)
  }

  @Test("a relative movement that had begun is not added twice")
  func relative() throws {
    camera.axes = axes
    (camera.stillRefusal, camera.stillAxis) = (.io(.brokenPipe), .zoom)
    let (job, _) = streamingJob()
    #expect(try finish(job, #""operation":"move","delta":{"panDegrees":-3,"zoomPercent":10}"#) == [.stream])
    #expect(camera.moves.map { $0.1 } == [-10_800, -10_800, 140])
  }

  @Test("a camera is streamed once for a movement, and never to look or for an axis that it has not")
  func once() throws {
    camera.axes = axes
    camera.stuck = .pan
    let (job, _) = streamingJob()
    #expect(try finish(job, Self.turn) == [.stream])
    #expect(pan(job) == nil && camera.orders.count == 1)
    camera.stop()
    #expect(try finish(job, #""operation":"set","target":{"tiltDegrees":1}"#) == [])
    camera.isMute = true
    #expect(try finish(job, #""operation":"look""#, moves: false) == [])
    #expect(pan(job) == nil && camera.orders.count == 1)
  }

  @Test("without its light a camera is not streamed; where another program streams, the first outcome stands")
  func noStream() throws {
    camera.axes = axes
    camera.stillRefusal = .io(.brokenPipe)
    light.isBroken = true
    let (job, stream) = streamingJob()
    #expect(try finish(job, Self.turn) == [.stream])
    guard case .failed(.noIndicator) = job.outcome else {
      Issue.record("streamed")
      return
    }
    light.isBroken = false
    camera.refusals = [.busy]
    #expect(try finish(job, Self.turn) == [.stream])
    guard case .failed(.io(.brokenPipe)) = job.outcome else {
      Issue.record("the refusal is lost")
      return
    }
    #expect(!stream.isOpen && !light.isOn)
  }

  // MARK: Requests

  @Test(
    "requests that say nothing are refused",
    arguments: [
      "null", "{}", #"{"deviceId":7}"#, #"{"deviceId":""}"#, #"{"deviceId":"a"}"#,
      #"{"deviceId":"a","operation":"fly"}"#, #"{"deviceId":"a","operation":"set"}"#,
      #"{"deviceId":"a","operation":"set","target":{}}"#,
      #"{"deviceId":"a","operation":"move","target":{"panDegrees":1}}"#,
      #"{"deviceId":"a","operation":"set","target":{"panDegrees":"1"}}"#,
      #"{"deviceId":"a","operation":"set","target":{"panDegrees":1e999}}"#,
    ])
  func refused(json: String) {
    guard case .failure(let error) = parameters(json) else {
      Issue.record("taken")
      return
    }
    #expect(error.code.description == "INVALID_REQUEST")
  }

  @Test("the only camera need not be named; one of several has to be, and without any that is said")
  func unnamed() throws {
    camera.axes = axes
    camera.entries = ["/dev/video0"]
    #expect(try run("{}", moves: false).hasPrefix(#"{"axes":{"pan":"#))
    #expect(try run(#"{"operation":"home"}"#).hasPrefix(#"{"state":"#))
    #expect(camera.moves.map { $0.1 } == [3600, 100])
    camera.entries = ["/dev/video0", "two"]
    #expect(
      try run(#"{"operation":"home"}"#)
        == "INVALID_REQUEST: deviceId is missing, and there are several cameras: name one of camera.list")
    #expect(camera.moves.count == 2)
    camera.entries = []
    #expect(try run("null", moves: false).hasPrefix("CAMERA_UNAVAILABLE: no camera devices found"))
  }

  @Test("an id longer than any is no camera's")
  func longID() {
    let id = String(repeating: "x", count: 100)
    guard case .failure(.unknownDevice) = parameters("{\"deviceId\":\"\(id)\"}") else {
      Issue.record("taken")
      return
    }
  }
}
