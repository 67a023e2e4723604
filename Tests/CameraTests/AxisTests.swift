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
