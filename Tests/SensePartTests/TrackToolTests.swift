import Consent
import Foundation
import Location
import Runtime
import Simulated
import Testing

@testable import Agent
@testable import Benches
@testable import SensePart

/// The track of a whole agent: its tool, its consent, and its operations at the board.
@Suite struct TrackToolTests {
  private func bench(
    track: Int64? = 86_400_000, store: (any RecordStore)? = MemoryStore(), cell: Double = 0, isEnabled: Bool = true,
    consent: ConsentSettings? = nil
  ) throws -> AgentBench {
    var settings = LocationSettings()
    settings.track = track
    settings.precision = LocationPrecision(cell: cell)
    settings.isEnabled = isEnabled
    return try AgentBench(trackStore: store, location: settings, tools: .all, consent: consent)
  }

  private func call(_ bench: AgentBench, _ arguments: String = "{}", id: String = "1") throws -> Answer {
    let answers = try bench.invoke(
      id, "mcp.tools.call.v1", params: #"{"server":"talon","tool":"where_was","arguments":\#(arguments)}"#)
    return try #require(answers.first { $0.id == id })
  }

  private func text(_ answer: Answer) -> String? {
    (answer.payload["content"] as? [[String: Any]])?.first?["text"] as? String
  }

  /// Fixes of so many seconds from 12:00:00 on.
  private func feed(_ bench: AgentBench, _ seconds: Range<Int>, latitude: String = "4807.0380") {
    for second in seconds {
      let time = String(format: "12%02d%02d.00", second / 60, second % 60)
      bench.passAlive(1_000)
      bench.receiver.feed(AgentBench.epoch(time, latitude: latitude), at: bench.clock.monotonic)
      bench.runner.runAll()
    }
  }

  @Test("the tool tells an agent where the board was: a stay, and the leg after it")
  func tool() throws {
    let bench = try bench()
    #expect(text(try call(bench))?.contains("no position is known: ") == true)
    feed(bench, 0..<400)
    feed(bench, 400..<410, latitude: "4808.0380")
    let answer = try call(bench, id: "2")
    #expect(answer.isOK && answer.payload["isError"] == nil)
    #expect(text(answer) == "Where this board was, the oldest first.")
    let facts = try #require(answer.payload["structuredContent"] as? [String: Any])
    let segments = try #require(facts["segments"] as? [[String: Any]])
    #expect(segments.map { $0["what"] as? String } == ["stay", "leg"])
    #expect(segments[0]["from"] as? String == "2026-11-21T12:00:00.000Z")
    #expect(segments[0]["until"] as? String == "2026-11-21T12:06:39.000Z")
    #expect(abs(try #require(segments[0]["lat"] as? Double) - 48.1173) < 1e-5)
    // A minute of latitude.
    #expect(abs(try #require(segments[1]["distanceMeters"] as? Double) - 1853) < 5)
    let early = try call(bench, #"{"at":"2026-11-21T11:00:00Z"}"#, id: "3")
    #expect(early.payload["isError"] as? Bool == true)
    #expect(text(early)?.contains("no position is known before 2026-11-21T12:00:00.000Z") == true)
    let wrong = try call(bench, #"{"at":"noon"}"#, id: "4")
    #expect(text(wrong)?.contains("at must be an ISO 8601 date and time with its zone") == true)
  }

  @Test("without the key, without its store, without a right to the position there is no track and no tool")
  func off() throws {
    let store = MemoryStore()
    for bench in [try bench(track: nil, store: store), try bench(store: nil), try bench(isEnabled: false)] {
      feed(bench, 0..<20)
      #expect(try call(bench).code == "MCP_TOOL_UNAVAILABLE")
      #expect(!bench.agent.router.has("tool.where_was"))
    }
    #expect(store.saves == 0)
  }

  @Test("a gateway cannot begin the tool's command by itself")
  func hidden() throws {
    let bench = try bench()
    feed(bench, 0..<20)
    #expect(try bench.invoke("1", "tool.where_was").first?.isOK == false)
    #expect(!bench.agent.router.names.contains("tool.where_was"))
  }

  @Test("the tool is as exact as the owner allows")
  func precision() throws {
    let bench = try bench(cell: 10_000)
    feed(bench, 0..<400)
    let facts = try #require(try call(bench).payload["structuredContent"] as? [String: Any])
    let stay = try #require((facts["segments"] as? [[String: Any]])?.first)
    let middle = try #require(
      try bench.invoke("2", "location.get", params: #"{"maxAgeMs":600000}"#).first { $0.id == "2" })
    #expect(
      abs(try #require(stay["lat"] as? Double) - (try #require(middle.payload["lat"] as? Double))) < 1e-5)
    #expect(try #require(stay["accuracyMeters"] as? Double) > 7_000 && stay["altitudeMeters"] == nil)
  }

  @Test("the tool needs the consent of location.get")
  func consent() throws {
    var settings = ConsentSettings()
    settings.rules[.location] = .deny
    let bench = try bench(consent: settings)
    feed(bench, 0..<20)
    let refused = try call(bench)
    #expect(refused.code != nil || refused.payload["isError"] as? Bool == true)
    #expect(refused.payload["structuredContent"] == nil)
  }

  @Test("the track outlives a restart, and ends when it has left its window")
  func restart() throws {
    let store = MemoryStore()
    let first = try bench(store: store)
    feed(first, 0..<20)
    first.agent.location.flush()
    first.runner.runAll()
    let second = try bench(track: 3_600_000, store: store)
    #expect((try call(second).payload["structuredContent"] as? [String: Any])?["segments"] != nil)
    feed(second, 100..<180)
    second.passAlive(3_700_000)
    #expect(text(try call(second, id: "2"))?.contains("no position is known: ") == true)
  }
}
