import Camera
import Foundation
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node

@Suite("Commands, from frame to frame")
struct CommandTests {
  @Test("camera.list names the camera")
  func list() throws {
    let answer = try #require(try AgentBench().invoke("1", "camera.list").first)
    let devices = try #require(answer.payload["devices"] as? [[String: String]])
    #expect(devices == [["id": "still", "name": "Still", "position": "unknown", "deviceType": "simulated"]])
  }

  @Test("camera.snap passes a picture that fits through untouched, with its size")
  func snap() throws {
    let bench = try AgentBench()
    let answer = try #require(try bench.invoke("1", "camera.snap").first)
    #expect(answer.payload["format"] as? String == "jpg")
    #expect(answer.payload["width"] as? Int == 64)
    #expect(answer.payload["height"] as? Int == 48)
    let text = try #require(answer.payload["base64"] as? String)
    #expect(Data(base64Encoded: text) == Data(bench.camera.picture))
  }

  @Test("two snaps at once are taken one after the other")
  func twoSnaps() throws {
    let bench = try AgentBench()
    bench.gateway.send(bench.frame("1", "camera.snap"))
    bench.gateway.send(bench.frame("2", "camera.snap"))
    var answers: [Answer] = []
    for _ in 0..<4 { answers += try bench.settle() }
    #expect(answers.map(\.id) == ["1", "2"])
    #expect(answers.allSatisfy { $0.isOK })
    #expect(bench.camera.captures == 2)
  }

  @Test("a camera that goes away is an error, device.health says so, and it recovers")
  func unplugged() throws {
    let bench = try AgentBench()
    bench.camera.failure = .disconnected
    let answer = try #require(try bench.invoke("1", "camera.snap").first)
    #expect(answer.code == "CAMERA_UNAVAILABLE")
    let health = try #require(try bench.invoke("2", "device.health").first)
    let devices = try #require(health.payload["devices"] as? [String: [String: String]])
    #expect(devices["camera"]?["state"] == "absent")
    bench.camera.failure = nil
    #expect(try bench.invoke("3", "camera.snap").first?.isOK == true)
  }

  @Test("a clip longer than the request allows names its duration, and what it may be")
  func clipTooLong() throws {
    let bench = try AgentBench()
    let answer = try #require(try bench.invoke("1", "camera.clip", params: #"{"durationMs":1e12}"#).first)
    #expect(answer.code == "INVALID_REQUEST")
    #expect(
      answer.message
        == "INVALID_REQUEST: durationMs 60000 is more than the 29500 ms that the request has; ask for a shorter clip (the "
        + "longest has 60000), or with a longer timeout")
    #expect(bench.camera.captures == 0)
  }

  @Test("a canvas that the build has and nobody configured is told as that")
  func noScreen() throws {
    let bench = try AgentBench()
    let health = try #require(try bench.invoke("1", "device.health").first)
    let devices = try #require(health.payload["devices"] as? [String: [String: String]])
    #expect(devices["canvas"] == ["state": "absent", "detail": "no screen configured"])
  }

  @Test("an error of the request does not make a good camera a bad one")
  func goodCamera() throws {
    let bench = try AgentBench()
    for error in [CameraError.unknownDevice(CameraText(cutting: "x")), .timeout, .tooLarge(9)] {
      bench.camera.failure = error
      #expect(try bench.invoke("1", "camera.snap").first?.isOK == false)
      let health = try #require(try bench.invoke("2", "device.health").first)
      let devices = try #require(health.payload["devices"] as? [String: [String: String]])
      #expect(devices["camera"]?["state"] == "ok")
    }
  }

  @Test("location.get waits for a fresh fix")
  func location() throws {
    let bench = try AgentBench()
    bench.receiver.feed(AgentBench.epoch("115959.00"), at: bench.clock.monotonic)
    bench.clock.advance(1_000)
    #expect(try bench.invoke("1", "location.get").isEmpty)
    bench.receiver.feed(AgentBench.epoch("120000.00"), at: bench.clock.monotonic)
    let answer = try #require(try bench.settle().first)
    #expect(answer.payload["lat"] as? Double == 48.1173)
    #expect(answer.payload["source"] as? String == "gps")
    #expect(answer.payload["timestamp"] as? String == "2026-11-21T12:00:00.000Z")
  }

  @Test("location.get without a fix in time is LOCATION_TIMEOUT, and without a receiver LOCATION_UNAVAILABLE")
  func noLocation() throws {
    let bench = try AgentBench()
    bench.gateway.send(bench.frame("1", "location.get", params: #"{"timeoutMs":2000}"#))
    bench.pass(2_000)
    #expect(
      try bench.settle().first?.message
        == "LOCATION_TIMEOUT: no fix in time: the receiver sends nothing; there has been no fix yet")
    bench.receiver.lose()
    #expect(try bench.invoke("2", "location.get").first?.code == "LOCATION_UNAVAILABLE")
  }

  @Test("device.info, status and health answer with what the schemas require")
  func device() throws {
    let bench = try AgentBench()
    let info = try #require(try bench.invoke("1", "device.info").first).payload
    #expect(
      Set(info.keys).isSuperset(of: [
        "deviceName", "modelIdentifier", "systemName", "systemVersion", "appVersion", "appBuild", "locale",
      ]))
    let status = try #require(try bench.invoke("2", "device.status").first).payload
    #expect(
      Set(status.keys).isSuperset(of: ["battery", "thermal", "storage", "network", "uptimeSeconds"]))
    let health = try #require(try bench.invoke("3", "device.health").first).payload
    #expect(Set(health.keys).isSuperset(of: ["memory", "battery", "power", "system"]))
  }

  @Test("system.notify writes to the log, and refuses a notification that says nothing")
  func notify() throws {
    let bench = try AgentBench()
    let answer = try #require(
      bench.invoke("1", "system.notify", params: #"{"title":"Gate","body":"left open"}"#).first)
    #expect(answer.payload["ok"] as? Bool == true)
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.contains("<5>notify: Gate - left open"))
    let refused = try #require(try bench.invoke("2", "system.notify", params: #"{"title":" "}"#).first)
    #expect(refused.message == "INVALID_REQUEST: empty notification")
  }

  @Test("a photo too large for the gateway's messages is refused, and the camera is free again")
  func tooLarge() throws {
    let bench = try AgentBench()
    // Less than any gateway is held to take (`Budget.peerMessageMinimumBytes`).
    bench.agent.camera.messageLimit = 600
    for id in ["1", "2"] {
      #expect(try bench.invoke(id, "camera.snap").first?.code == "CAMERA_TOO_LARGE")
    }
  }
}
