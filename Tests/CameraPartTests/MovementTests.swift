import Camera
import Foundation
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node

/// Cameras whose motors take their time, or need a stream.
@Suite("Cameras that move")
struct MovementTests {
  private static let turn = #"{"deviceId":"still","operation":"set","target":{"panDegrees":10}}"#

  private func bench(speed: Int = 0, needsStream: Bool = false) throws -> AgentBench {
    let bench = try AgentBench()
    bench.camera.axes.pan = AxisState(value: 0, range: ControlRange(minimum: -36_000, maximum: 36_000), home: 0)
    (bench.camera.speed, bench.camera.needsStream) = (speed, needsStream)
    return bench
  }

  /// Lets time pass, and whatever is due in it: the answers.
  private func pass(_ milliseconds: Int64, _ bench: AgentBench) throws -> [Answer] {
    var answers: [Answer] = []
    for _ in 0..<milliseconds / 100 {
      bench.pass(100)
      answers += try bench.settle()
    }
    return answers
  }

  /// Degrees of pan in the answer of `camera.ptz.control`.
  private func pan(_ answer: Answer?) -> Double? {
    let state = answer?.payload["state"] as? [String: Any]
    return (state?["axes"] as? [String: [String: Any]])?["pan"]?["current"] as? Double
  }

  @Test("the answer comes when a motor has arrived; photos are made meanwhile")
  func slow() throws {
    let bench = try bench(speed: 9_000)
    #expect(try bench.invoke("1", "camera.ptz.control", params: Self.turn).isEmpty)
    #expect(try bench.invoke("2", "camera.snap").first?.isOK == true)
    let answers = try pass(1_000, bench)
    #expect(answers.map(\.id) == ["1"])
    #expect(pan(answers.first) == 10)
    #expect(answers.first?.payload["adjusted"] as? [String] == [])
  }

  @Test("at the end of its time a request is answered with where the camera is then")
  func deadline() throws {
    let bench = try bench(speed: 100)
    #expect(try bench.invoke("1", "camera.ptz.control", params: Self.turn, timeout: 3_000).isEmpty)
    let answer = try #require(try pass(3_000, bench).first)
    let degrees = try #require(pan(answer))
    #expect(answer.isOK && degrees > 0 && degrees < 1)
    #expect(answer.payload["adjusted"] as? [String] == ["panDegrees"])
  }

  @Test("a camera that needs a stream to move is streamed, and closed like after a photo")
  func streamed() throws {
    let bench = try bench(needsStream: true)
    let answer = try #require(try bench.invoke("1", "camera.ptz.control", params: Self.turn).first)
    #expect(pan(answer) == 10 && bench.camera.orders.count == 1 && bench.camera.isStreaming)
    // It streams already.
    let back = Self.turn.replacingOccurrences(of: "10", with: "-10")
    #expect(try pan(bench.invoke("2", "camera.ptz.control", params: back).first) == -10)
    #expect(bench.camera.orders.count == 1)
    #expect(try pass(3_500, bench).isEmpty)
    #expect(!bench.camera.isStreaming)
  }

  @Test("a photo waits until a movement with a stream has ended")
  func photo() throws {
    let bench = try bench(speed: 9_000, needsStream: true)
    #expect(try bench.invoke("1", "camera.ptz.control", params: Self.turn).isEmpty)
    #expect(bench.camera.isStreaming)
    #expect(try bench.invoke("2", "camera.snap").isEmpty)
    #expect(try pass(2_000, bench).map(\.id) == ["1", "2"])
    #expect(bench.camera.axes.pan?.value == 36_000)
    #expect(try pass(4_000, bench).isEmpty)
    #expect(!bench.camera.isStreaming)
  }

  @Test("panic in the middle of a movement closes the camera")
  func panic() throws {
    let bench = try bench(speed: 9_000, needsStream: true)
    #expect(try bench.invoke("1", "camera.ptz.control", params: Self.turn).isEmpty)
    #expect(bench.camera.isStreaming)
    bench.agent.gestured(.panic)
    #expect(try bench.takeAnswers().first?.message == "UNAVAILABLE: a person holds this board (panic)")
    bench.runner.runAll()
    #expect(!bench.camera.isStreaming)
    bench.pass(5_000)
    bench.runner.runAll()
    #expect(!bench.camera.isStreaming && bench.camera.orders.count == 1)
  }

  @Test("a canceled movement gives the stream back, and the next request is served")
  func canceled() throws {
    let bench = try bench(speed: 9_000, needsStream: true)
    #expect(try bench.invoke("1", "camera.ptz.control", params: Self.turn).isEmpty)
    bench.cancelInvoke("1")
    #expect(try bench.settle().first?.message == "UNAVAILABLE: node invoke cancelled")
    #expect(try bench.invoke("2", "camera.snap").first?.isOK == true)
    #expect(try bench.invoke("3", "camera.ptz.status", params: #"{"deviceId":"still"}"#).first?.isOK == true)
    #expect(try pass(4_000, bench).isEmpty)
    #expect(!bench.camera.isStreaming)
  }
}
