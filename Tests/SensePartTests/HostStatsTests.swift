import Device
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import SensePart

@Suite("Host stats")
struct HostStatsTests {
  private let bench: AgentBench
  private let channel = FakeChannel()
  init() throws {
    bench = try AgentBench()
    bench.replaceChannel(channel)
    bench.runner.runAll()
  }

  private var stats: [FakeChannel.Request] { channel.asked.filter { $0.event == "node.host.stats" } }

  /// Answers the beacon first, which was asked first.
  private func answer(_ text: String) {
    while let first = channel.waiting.first(where: { $0.method == "node.event" }) {
      if first.event == "node.host.stats" { return channel.answer("node.event", text) }
      channel.answer("node.event", #"{"ok":true}"#)
    }
  }

  private func pass(_ milliseconds: Int64) { bench.passAlive(milliseconds) }

  @Test("the board's figures are told after connecting")
  func figures() {
    let payload = stats[0].payload
    #expect(payload["cpuCount"] as? Int == 4)
    #expect(payload["loadAverage"] as? [Double] == [0.25, 0.5, 1])
    #expect(payload["memoryTotalBytes"] as? Int == 512 << 20)
    #expect(payload["memoryFreeBytes"] as? Int == 384 << 20)
    #expect(payload["diskTotalBytes"] as? Int == 8_000_000_000)
    #expect(payload["diskAvailableBytes"] as? Int == 6_000_000_000)
  }

  @Test("what is free is never more than there is, whatever the kernel says")
  func bounded() throws {
    var snapshot = FixedReadings.fieldBoard
    snapshot.memory = MemoryReading(totalBytes: 100, availableBytes: 101)
    snapshot.storage = StorageReading(totalBytes: 7, freeBytes: 8)
    let runner = DeferredRunner()
    let clock = VirtualClock()
    let identity = DeviceIdentity(
      name: DeviceText(cutting: "Test"), appVersion: DeviceText(cutting: "1"), appBuild: DeviceText(cutting: "2"))
    let device = DeviceService(readings: FixedReadings(snapshot), identity: identity, runner: runner)
    let stats = HostStats(device: device, clock: clock)
    stats.online(channel)
    runner.runAll()
    let payload = try #require(self.stats.last).payload
    #expect(payload["memoryFreeBytes"] as? Int == 100 && payload["diskAvailableBytes"] as? Int == 7)
  }

  @Test("a gateway that handles them hears them every minute")
  func everyMinute() {
    for count in 1...3 {
      #expect(stats.count == count)
      answer(#"{"ok":true,"event":"node.host.stats","handled":true,"reason":"updated"}"#)
      pass(59_999)
      #expect(stats.count == count)
      pass(1)
    }
    bench.agent.sessionLost()
    pass(600_000)
    #expect(stats.count == 4)
  }

  @Test(
    "others hear them once for each connection",
    arguments: [#"{"ok":true}"#, #"{"ok":true,"handled":false,"reason":"stale_connection"}"#])
  func once(text: String) {
    answer(text)
    pass(600_000)
    #expect(stats.count == 1)
    bench.replaceChannel(channel)
    bench.runner.runAll()
    #expect(stats.count == 2)
  }
}
