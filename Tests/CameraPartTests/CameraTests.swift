import Camera
import Foundation
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node

/// A light that obeys.
private final class Light: Indicator {
  func light(_ isOn: Bool) -> Bool { true }
}

@Suite("Cameras, from frame to frame")
struct CameraTests {
  private func policy(_ change: (inout CameraPolicy) -> Void) -> CameraPolicy {
    var policy = CameraPolicy()
    change(&policy)
    return policy
  }

  /// What the log says of cameras, without the level and the commands' own lines.
  private func lines(_ log: Log) -> [String] {
    var lines: [String] = []
    log.forEachLine { line in
      let text = String(decoding: line, as: UTF8.self)
      if let range = text.range(of: ">camera: ") { lines.append(String(text[range.upperBound...])) }
    }
    return lines
  }

  @Test("what is switched off is never opened, and says how to switch it on")
  func disabled() throws {
    let bench = try AgentBench(policy: policy { $0.isEnabled = false })
    for command in ["camera.list", "camera.snap", "camera.clip", "camera.ptz.status", "camera.ptz.control"] {
      let answer = try #require(try bench.invoke("1", command).first)
      #expect(answer.code == "CAMERA_DISABLED")
      #expect(answer.message == "CAMERA_DISABLED: the camera is switched off; set [camera] enabled = yes on the board")
    }
    bench.agent.boardChanged(.cameras)
    bench.pass(10_000)
    #expect(bench.camera.orders.isEmpty && bench.camera.listings == 0)
  }

  @Test("the camera stays open for the next photo, and is closed when none comes")
  func idle() throws {
    let bench = try AgentBench()
    _ = try bench.invoke("1", "camera.snap")
    bench.pass(2_000)
    _ = try bench.invoke("2", "camera.snap")
    #expect(bench.camera.orders.count == 1 && bench.camera.isStreaming)
    bench.pass(2_900)
    #expect(bench.camera.isStreaming)
    bench.pass(200)
    _ = try bench.settle()
    #expect(!bench.camera.isStreaming)
    #expect(try bench.invoke("3", "camera.snap").first?.isOK == true)
    #expect(bench.camera.orders.count == 2)
  }

  @Test("without an idle time it is closed behind each photo")
  func noIdle() throws {
    let bench = try AgentBench(policy: policy { $0.idle = 0 })
    _ = try bench.invoke("1", "camera.snap")
    #expect(bench.camera.orders.count == 1 && !bench.camera.isStreaming)
  }

  @Test("a warm camera is open before anybody asks, stays open, and comes back when it is plugged in again")
  func warm() throws {
    let bench = try AgentBench(policy: policy { $0.keepsWarm = true })
    _ = try bench.settle()
    #expect(bench.camera.isStreaming)
    _ = try bench.invoke("1", "camera.snap")
    bench.passAlive(60_000)
    _ = try bench.settle()
    #expect(bench.camera.orders.count == 1 && bench.camera.isStreaming)
    bench.camera.failure = .disconnected
    #expect(try bench.invoke("2", "camera.snap").first?.isOK == false)
    #expect(!bench.camera.isStreaming)
    bench.camera.failure = nil
    bench.agent.boardChanged(.cameras)
    _ = try bench.settle()
    #expect(bench.camera.isStreaming)
  }

  @Test("a camera that went away a moment ago may be asked for again, and nothing is begun; later it is not there")
  func restarting() throws {
    let bench = try AgentBench()
    let commands = ["camera.snap", "camera.clip", "camera.ptz.status"]
    func codes() throws -> [String?] { try commands.map { try bench.invoke("1", $0).first?.code } }
    func list() throws {
      bench.agent.boardChanged(.cameras)
      _ = try bench.settle()
    }
    bench.camera.failure = .noDevice
    try list()
    let orders = bench.camera.orders.count
    #expect(try codes() == Array(repeating: "NODE_NOT_READY", count: commands.count))
    #expect(bench.camera.orders.count == orders)
    #expect(try bench.invoke("2", "camera.list").first?.isOK == true)
    bench.camera.failure = nil
    try list()
    #expect(try bench.invoke("3", "camera.snap").first?.isOK == true)
    bench.camera.failure = .noDevice
    try list()
    bench.pass(Budget.cameraReturnMilliseconds)
    #expect(try codes() == Array(repeating: "CAMERA_UNAVAILABLE", count: commands.count))
  }

  @Test("a warm camera is opened whether it was found before the light was put out or after", arguments: [false, true])
  func warmWithLight(newestJobFirst: Bool) throws {
    let bench = try AgentBench(
      policy: policy { $0.keepsWarm = true }, light: Light(), newestJobFirst: newestJobFirst)
    #expect(bench.camera.isStreaming)
  }

  @Test("what is wrong with a camera is logged once, with what to do, and again when it is something else")
  func loggedOnce() throws {
    let bench = try AgentBench()
    func snap(_ failure: CameraError?) throws {
      bench.camera.failure = failure
      _ = try bench.invoke("1", "camera.snap")
      bench.pass(5_000)
      _ = try bench.settle()
    }
    for failure in [CameraError.busy, .busy, .stalled, .stalled, nil, nil, .busy] as [CameraError?] {
      try snap(failure)
    }
    #expect(
      lines(bench.log) == [
        "1 camera is there",
        "camera is in use by another program; stop the other program",
        "camera stopped sending frames; check its cable and power; a hub of its own helps where several cameras share one",
        "the camera works", "camera is in use by another program; stop the other program",
      ])
  }

  @Test("a dark scene is photographed when the delay is over, with a warning that the log has once")
  func dark() throws {
    let bench = try AgentBench(policy: policy { $0.idle = 0 })
    bench.camera.isSteady = false
    bench.camera.whenAsked = { bench.clock.advance(33) }
    let bright = try StillCamera.jpeg(width: 64, height: 48, gray: 120)
    for gray: UInt8? in [0, 0, nil, 255] {
      bench.camera.picture = try gray.map { try StillCamera.jpeg(width: 64, height: 48, gray: $0) } ?? bright
      let begin = bench.clock.monotonic
      let answer = try #require(try bench.invoke("1", "camera.snap", params: #"{"delayMs":1000}"#).first)
      let warning = answer.payload["warning"] as? String
      #expect(answer.isOK && (warning == nil) == (gray == nil))
      #expect((bench.clock.monotonic - begin >= 1000) == (gray != nil))
    }
    bench.camera.whenAsked = nil
    let told = lines(bench.log).filter { $0.hasPrefix("the photo is nearly ") }
    #expect(told.map { $0.prefix(25) } == ["the photo is nearly black", "the photo is nearly white"])
  }

  @Test("that every frame of a camera lacks its end is logged once, for photos and clips")
  func habit() throws {
    let bench = try AgentBench(policy: policy { $0.idle = 0 })
    bench.camera.step = 40_000
    bench.camera.picture.removeLast(2)
    for command in ["camera.snap", "camera.snap", "camera.clip"] {
      #expect(try bench.invoke("1", command, params: #"{"durationMs":500}"#).first?.isOK == true)
    }
    #expect(
      lines(bench.log).filter { $0.hasPrefix("every frame") } == [
        "every frame of the camera has the same fault (ends without end marker): frames are used if they can be decoded"
      ])
  }

  @Test("a clip is an MP4 file, says its length and that it has no sound, and the camera is closed behind it")
  func clip() throws {
    let bench = try AgentBench()
    bench.camera.step = 40_000
    let request = #"{"durationMs":500,"includeAudio":true}"#
    let answer = try #require(try bench.invoke("1", "camera.clip", params: request).first)
    #expect(answer.payload["format"] as? String == "mp4")
    #expect(answer.payload["durationMs"] as? Int == 500 && answer.payload["hasAudio"] as? Bool == false)
    let text = try #require(answer.payload["base64"] as? String)
    let file = try #require(Data(base64Encoded: text))
    #expect(file[4..<8] == Data("ftyp".utf8) && !bench.camera.isStreaming)
    #expect(try bench.invoke("2", "camera.snap").first?.isOK == true)
  }

  @Test("photos and clips wait for each other, in their order")
  func inOrder() throws {
    let bench = try AgentBench()
    bench.camera.step = 40_000
    for (id, command) in [("1", "camera.snap"), ("2", "camera.clip"), ("3", "camera.snap")] {
      bench.gateway.send(bench.frame(id, command))
    }
    var answers: [Answer] = []
    for _ in 0..<6 { answers += try bench.settle() }
    #expect(answers.map(\.id) == ["1", "2", "3"] && answers.allSatisfy { $0.isOK })
  }

  @Test("more clips, or questions about axes, than may wait are answered node busy")
  func busy() throws {
    for (command, limit) in [("camera.clip", Budget.clipInvokes), ("camera.ptz.status", Budget.axisInvokes)] {
      let bench = try AgentBench()
      for number in 0...limit {
        bench.gateway.send(bench.frame("\(number)", command, params: #"{"deviceId":"still"}"#))
      }
      let refused = try bench.settle().filter { $0.message == "UNAVAILABLE: node busy" }
      #expect(refused.map(\.id) == ["\(limit)"])
    }
  }

  @Test("the end of the program waits until an open camera is closed, but not for ever")
  func end() throws {
    let bench = try AgentBench()
    _ = try bench.invoke("1", "camera.snap")
    #expect(bench.camera.isStreaming)
    bench.agent.stop()
    bench.gateway.pump()
    #expect(!bench.agent.isStopped)
    bench.runner.runAll()
    #expect(!bench.camera.isStreaming)
    let stuck = try AgentBench()
    _ = try stuck.invoke("1", "camera.snap")
    stuck.agent.stop()
    stuck.pass(Budget.cameraStopMilliseconds + 10_000)
    #expect(stuck.camera.isStreaming && stuck.agent.isStopped)
  }

  @Test("a photo keeps to what the gateway's messages have room for")
  func messageLimit() {
    #expect(CameraCommands.bytes(inMessage: 26_214_400) == 19_611_648)
    #expect(CameraCommands.bytes(inMessage: 16_000) == 11_232)
    #expect(CameraCommands.bytes(inMessage: 600) == 0)
  }

  @Test("a camera that moves tells where it is, and moves")
  func axes() throws {
    let bench = try AgentBench()
    bench.camera.axes.pan = AxisState(value: 0, range: ControlRange(minimum: -36_000, maximum: 36_000), home: 0)
    let status = try #require(try bench.invoke("1", "camera.ptz.status", params: #"{"deviceId":"still"}"#).first)
    let pan = (status.payload["axes"] as? [String: [String: Any]])?["pan"]
    #expect(pan?["max"] as? Double == 10 && pan?["unit"] as? String == "degrees")
    let request = #"{"deviceId":"still","operation":"set","target":{"panDegrees":30}}"#
    let moved = try #require(try bench.invoke("2", "camera.ptz.control", params: request).first)
    #expect(moved.payload["adjusted"] as? [String] == ["panDegrees"])
    #expect(bench.camera.axes.pan?.value == 36_000)
    #expect(try bench.invoke("3", "camera.ptz.status").first?.payload["axes"] != nil)
  }
}
