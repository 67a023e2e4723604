import Codec
import Foundation
import Location
import Motion
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import SensePart

/// What senses do for a gateway, whether it asks or not.
@Suite struct SensesTests {
  private func feed(_ bench: AgentBench, _ time: String, latitude: String = "4807.0380") {
    bench.receiver.feed(AgentBench.epoch(time, latitude: latitude), at: bench.clock.monotonic)
  }

  private func isDeclared(_ bench: AgentBench, _ command: String) -> Bool {
    let params = bench.connect["params"] as? [String: Any]
    return (params?["commands"] as? [String])?.contains(command) ?? false
  }

  @Test("a board without a motion sensor declares none of its commands")
  func undeclared() throws {
    #expect(!isDeclared(try AgentBench(), "motion.activity"))
    #expect(isDeclared(try AgentBench(motion: ScriptedSensor()), "motion.activity"))
  }

  @Test("motion.pedometer and motion.activity answer, and refuse what makes no sense")
  func motion() throws {
    let bench = try AgentBench(motion: ScriptedSensor())
    let steps = try #require(try bench.invoke("1", "motion.pedometer").first)
    #expect(steps.payload["steps"] as? Int == 0)
    let activity = try #require(try bench.invoke("2", "motion.activity", params: #"{"limit":5}"#).first)
    #expect((activity.payload["activities"] as? [Any])?.isEmpty == true)
    #expect(try bench.invoke("3", "motion.activity", params: #"{"limit":"all"}"#).first?.code == "INVALID_REQUEST")
  }

  @Test("a sensor that is not there is an error of the command and a finding of device.health")
  func absent() throws {
    let sensor = ScriptedSensor()
    sensor.failure = .absent
    let bench = try AgentBench(motion: sensor)
    #expect(try bench.invoke("1", "motion.pedometer").first?.code == "MOTION_UNAVAILABLE")
    let health = try #require(try bench.invoke("2", "device.health").first)
    let devices = try #require(health.payload["devices"] as? [String: [String: String]])
    #expect(devices["motion"]?["state"] == "absent")
  }

  @Test("a list of activities that is longer than a message's text arrives whole")
  func longList() throws {
    let sensor = ScriptedSensor()
    let bench = try AgentBench(motion: sensor)
    // Turns that nobody walks: rest and being moved about change every half minute.
    for minute in 0..<120 {
      for _ in 0..<60 {
        let still = minute % 2 == 0
        sensor.waiting = (0..<25).map { index in
          let swing: Float = still ? 0 : Float((index * 7919 + minute * 31) % 13) / 13
          return MotionSample(acceleration: Vector3(swing, 0, 1 - swing / 2))
        }
        bench.pass(500)
        bench.runner.runAll()
      }
      bench.gateway.send(#"{"type":"event","event":"tick","payload":{"ts":1}}"#)
    }
    _ = try bench.settle()
    let start = ISO8601.text(bench.clock.wall - 86_400_000)
    let answer = try #require(
      try bench.invoke("1", "motion.activity", params: #"{"startISO":"\#(start)","limit":1000}"#).first)
    let activities = try #require(answer.payload["activities"] as? [[String: Any]])
    #expect(activities.count > 60)
    #expect(activities.allSatisfy { $0.count == 9 })
    // The text is free again for the next one.
    #expect(try bench.invoke("2", "motion.activity").first?.isOK == true)
  }

  @Test("as many activities as may be asked for fit their text")
  func longestList() {
    let buffer = FixedBuffer(capacity: 512)
    var writer = JSONWriter(into: buffer.bytes)
    let moment: Int64 = 1_795_262_402_000
    ActivityInterval(start: moment, end: moment, reading: ActivityReading(.unknown, .medium)).write(to: &writer)
    #expect((writer.count + 1) * 1000 + 64 <= Budget.activityListBytes)
  }

  @Test("a move by more than the configured distance is told at once")
  func move() throws {
    let bench = try AgentBench()
    let channel = FakeChannel()
    bench.replaceChannel(channel)
    // Beacons are a minute apart at least.
    bench.passAlive(61_000)
    while channel.waiting.contains(where: { $0.method == "node.event" }) {
      channel.answer("node.event", #"{"ok":true,"handled":true}"#)
    }
    bench.passAlive(61_000)
    feed(bench, "120000.00")
    feed(bench, "120001.00", latitude: "4807.1000")
    #expect(!triggers(channel).contains("significant_location"))
    feed(bench, "120002.00", latitude: "4807.5000")
    #expect(triggers(channel).last == "significant_location")
  }

  private func triggers(_ channel: FakeChannel) -> [String] {
    channel.asked.filter { $0.event == "node.presence.alive" }.compactMap { $0.payload["trigger"] as? String }
  }

  @Test("the clock is set by satellites")
  func clock() throws {
    let bench = try AgentBench()
    for second in 0..<4 {
      feed(bench, "12000\(second).00")
      bench.clock.advance(1_000)
    }
    // 21 November 2026, 12:00:02.
    #expect(bench.date.wall == 1_795_262_402_000)
  }

  @Test("after a restart the last fix is given to those whose maxAgeMs allows it")
  func restart() throws {
    let store = MemoryStore()
    let first = try AgentBench(fixStore: store)
    feed(first, "120000.00")
    first.runner.runAll()
    let second = try AgentBench(fixStore: store)
    let answer = try #require(try second.invoke("1", "location.get", params: #"{"maxAgeMs":60000}"#).first)
    #expect(answer.payload["timestamp"] as? String == "2026-11-21T12:00:00.000Z")
    #expect(answer.payload["lat"] as? Double == 48.1173)
    #expect(try second.invoke("2", "location.get", params: #"{"timeoutMs":1000}"#).isEmpty)
  }

  @Test(
    "a fall reaches the gateway as a notification, when the configuration says so", arguments: [JoltNews.none, .falls])
  func fall(news: JoltNews) throws {
    let sensor = ScriptedSensor()
    let bench = try AgentBench(motion: sensor, jolts: news)
    func feel(_ acceleration: Vector3, _ count: Int) {
      sensor.waiting += Array(repeating: MotionSample(acceleration: acceleration), count: count)
    }
    feel(Vector3(0, 0, 1), 50)
    feel(Vector3(0, 0, 0.1), 15)
    feel(Vector3(0, 0, 5), 3)
    feel(Vector3(0, 0, 1), 200)
    bench.pass(500)
    bench.runner.runAll()
    _ = try bench.settle()
    bench.pass(3_000)
    bench.runner.runAll()
    let told = bench.gateway.take().map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.contains("talon.motion.fall") }
    #expect(bench.agent.outbox.count + told.count == (news == .none ? 0 : 1))
  }
}

extension SensesTests {
  /// Rest, and two seconds of a hard shake along one axis.
  private static var shaking: [MotionSample] {
    let rest = Array(repeating: MotionSample(acceleration: Vector3(0, 0, 1)), count: 100)
    let strokes = (0..<100).map { MotionSample(acceleration: Vector3($0 / 6 % 2 == 0 ? 3 : -3, 0, 1)) }
    return rest + strokes + rest
  }

  @Test("a hard shake is panic where the owner wants that, and another one does not end it", arguments: [false, true])
  func shake(isWanted: Bool) throws {
    let sensor = ScriptedSensor()
    let bench = try AgentBench(motion: sensor, shake: isWanted ? ShakeThresholds() : nil)
    for _ in 0..<2 {
      sensor.waiting += Self.shaking
      bench.pass(1_000)
      bench.runner.runAll()
      #expect(bench.agent.isHeld == isWanted)
    }
    bench.agent.letGo("by a test")
    bench.pass(5_000)
    bench.runner.runAll()
    #expect(!bench.agent.isHeld)
    var lines: [String] = []
    bench.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.filter { $0.contains("panic by a hard shake") }.count == (isWanted ? 1 : 0))
  }
}

extension ISO8601 {
  /// The text of a moment.
  fileprivate static func text(_ milliseconds: Int64) -> String {
    ISO8601(unixMilliseconds: milliseconds).text.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
