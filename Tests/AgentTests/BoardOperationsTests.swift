import Codec
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import Node

/// One client, whose lines are kept.
private final class OneClient: LineServer {
  var lines: [[String: Any]] = []
  private let buffer = FixedBuffer(capacity: Budget.controlOutputBytes)

  func send(to client: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int?) -> Bool {
    guard let count = write(buffer.bytes) else { return false }
    lines.append((try? AgentBench.object(Array(buffer.bytes[..<count]))) ?? [:])
    return true
  }
  func hangUp(_ client: Int) {}
}

@Suite("What people at the board may do to it")
struct BoardOperationsTests {
  private let bench: AgentBench
  private let client = OneClient()
  private let control: Control

  init() throws {
    bench = try AgentBench()
    control = Control(server: client, node: bench.agent)
  }

  /// Asks, lets everything run that needs no time, and returns the lines of the answer.
  @discardableResult
  private func ask(_ line: String) -> [[String: Any]] {
    client.lines.removeAll()
    control.lineReceived(line.utf8.span, from: 0)
    bench.runner.runAll()
    return client.lines
  }

  private func result(_ line: String) throws -> [String: Any] {
    let answer = try #require(ask(line).last)
    return try #require(answer["result"] as? [String: Any], "\(answer)")
  }

  @Test("a board without a speaker says which key is missing")
  func silent() throws {
    #expect(try refusal(#"{"op":"say","text":"hi"}"#) == "no speaker is configured: set driver in [speaker]")
  }

  private func refusal(_ line: String) throws -> String {
    try #require(ask(line).last?["message"] as? String)
  }

  @Test("the log comes in lines, oldest first, no more than asked for, and with an end")
  func log() throws {
    for number in 1...5 { bench.log.write(number == 3 ? .info : .warning, "test") { $0.add("line \(number)") } }
    let lines = ask(#"{"op":"log","id":7,"lines":3,"level":"warning"}"#)
    #expect(lines.map { $0["type"] as? String } == ["line", "line", "line", "end"])
    #expect(lines.prefix(3).map { $0["text"] as? String } == ["test: line 2", "test: line 4", "test: line 5"])
    #expect(lines.allSatisfy { $0["id"] as? Int == 7 })
  }

  @Test("a follower gets new lines of its weight until it hangs up")
  func follow() throws {
    ask(#"{"op":"log","id":7,"lines":1,"level":"warning","follow":true}"#)
    client.lines.removeAll()
    bench.log.write(.info, "test", "not this")
    bench.log.write(.error, "test", "but this")
    #expect(client.lines.map { $0["text"] as? String } == ["test: but this"])
    #expect(client.lines.first?["level"] as? String == "error")
    #expect(control.isAwaited(by: 0))
    control.lineClientDisconnected(0)
    bench.log.write(.error, "test", "nobody hears")
    #expect(client.lines.count == 1)
    #expect(bench.log.observer == nil)
  }

  @Test("more lines than are kept, and levels that do not exist, are refused")
  func badLog() throws {
    #expect(try refusal(#"{"op":"log","lines":\#(Budget.logLines + 1)}"#) == #""lines" is a number from 1 to 256"#)
    #expect(try refusal(#"{"op":"log","level":"loud"}"#) == #""level" is error, warning, notice, info or debug"#)
    #expect(try refusal(#"{"op":"log-level"}"#) == #""level" is error, warning, notice, info or debug"#)
  }

  @Test("the level of the log is changed")
  func level() throws {
    _ = try result(#"{"op":"log-level","level":"debug"}"#)
    #expect(bench.log.level == .debug)
  }

  @Test("a photo is written where it is wanted, whole")
  func snap() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "talon-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "photo.jpg")
    let result = try result(#"{"op":"snap","path":"\#(file.path)","width":64}"#)
    let picture = try Data(contentsOf: file)
    #expect(result["bytes"] as? Int == picture.count)
    #expect(result["width"] as? Int == 64)
    #expect(picture.starts(with: [0xFF, 0xD8]))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["photo.jpg"])
    // The camera serves the gateway as before.
    #expect(try bench.invoke("1", "camera.snap", params: #"{"delayMs":0}"#).first?.isOK == true)
  }

  @Test("where a photo cannot be written, nothing is left, and the reason is said")
  func snapNowhere() throws {
    #expect(
      try refusal(#"{"op":"snap","path":"/proc/photo.jpg"}"#).hasPrefix(
        "the photo was taken, but could not be written: "))
    #expect(try refusal(#"{"op":"snap","path":"photo.jpg"}"#) == #""path" is an absolute path of at most 1024 bytes"#)
    bench.camera.failure = .noDevice
    // The code stands beside, and not in the message as well.
    let answer = try #require(ask(#"{"op":"snap","path":"/tmp/photo.jpg"}"#).last)
    #expect(answer["code"] as? String == "CAMERA_UNAVAILABLE")
    #expect((answer["message"] as? String)?.hasPrefix("CAMERA_UNAVAILABLE") == false)
  }

  @Test("a client that goes away leaves no photo's answer behind")
  func snapForgotten() throws {
    control.lineReceived(#"{"op":"snap","path":"/proc/photo.jpg"}"#.utf8.span, from: 0)
    control.lineClientDisconnected(0)
    client.lines.removeAll()
    bench.runner.runAll()
    #expect(client.lines.isEmpty)
    #expect(try refusal(#"{"op":"snap","path":"/proc/photo.jpg"}"#).hasPrefix("the photo was taken"))
  }

  @Test("a self-test writes to flash, takes a photo, and looks at the rest")
  func selfTest() throws {
    let checks = try #require(try result(#"{"op":"selftest"}"#)["checks"] as? [[String: Any]])
    #expect(
      checks.map { $0["name"] as? String } == ["flash", "camera", "receiver", "motion", "light", "button", "gateway"])
    #expect(checks.allSatisfy { $0["isGood"] as? Bool == true }, "\(checks)")
    #expect(checks.count <= Budget.selfTestChecks)
    bench.camera.failure = .noDevice
    let later = try #require(try result(#"{"op":"selftest"}"#)["checks"] as? [[String: Any]])
    #expect(later[1]["isGood"] as? Bool == false)
  }

  @Test("the board is held and let go")
  func panic() throws {
    #expect(try result(#"{"op":"panic","hold":true}"#)["held"] as? Bool == true)
    #expect(try result(#"{"op":"status"}"#)["panic"] as? Bool == true)
    #expect(try refusal(#"{"op":"snap","path":"/tmp/photo.jpg"}"#) == "a person holds this board (panic)")
    #expect(try result(#"{"op":"panic","hold":false}"#)["held"] as? Bool == false)
    #expect(try refusal(#"{"op":"panic"}"#) == #""hold" is true or false"#)
  }

  @Test("a reset wants the node's id")
  func reset() throws {
    final class Owner: AgentDelegate {
      var resets = 0
      func agentWantsReset() { resets += 1 }
      func agentWantsReload() -> Bool { false }
    }
    let delegate = Owner()
    bench.agent.delegate = delegate
    #expect(try refusal(#"{"op":"reset","confirm":"yes"}"#) == #""confirm" is not this board's node id"#)
    #expect(delegate.resets == 0)
    let id = try #require(try result(#"{"op":"status"}"#)["nodeId"] as? String)
    _ = try result(#"{"op":"reset","confirm":"\#(id)"}"#)
    #expect(delegate.resets == 1)
  }

  @Test("a reload is refused when the configuration has a mistake, or nobody carries it out")
  func reload() throws {
    final class Owner: AgentDelegate {
      var isRight = false
      func agentWantsReset() {}
      func agentWantsReload() -> Bool { isRight }
    }
    let delegate = Owner()
    let mistake = "the configuration has a mistake, so nothing changes: talon config check shows it"
    #expect(try refusal(#"{"op":"reload"}"#) == mistake)
    bench.agent.delegate = delegate
    #expect(try refusal(#"{"op":"reload"}"#) == mistake)
    delegate.isRight = true
    _ = try result(#"{"op":"reload"}"#)
  }

  @Test("what stands before a person goes once they have seen it")
  func acknowledge() throws {
    _ = try bench.invoke("1", "system.notify", params: #"{"title":"Gate","attention":"urgent"}"#)
    let attention = try #require(try result(#"{"op":"status"}"#)["attention"] as? [String: Any])
    #expect(attention["text"] as? String == "Gate")
    #expect(attention["level"] as? String == "urgent")
    _ = try result(#"{"op":"acknowledge"}"#)
    #expect(try result(#"{"op":"status"}"#)["attention"] == nil)
  }

  @Test("health is what device.health says")
  func health() throws {
    let health = try result(#"{"op":"health"}"#)
    let answers = try bench.invoke("1", "device.health")
    #expect(Set(health.keys) == Set(try #require(answers.first).payload.keys))
  }
}
