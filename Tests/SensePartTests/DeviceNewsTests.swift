import Foundation
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import SensePart

/// The gateway's agent hears of devices that come, go or fail.
@Suite struct DeviceNewsTests {
  private let bench: AgentBench
  private let channel = FakeChannel()

  init() throws {
    bench = try AgentBench()
    bench.replaceChannel(channel)
  }

  /// Lets time pass with a receiver that works, unless it is gone.
  private func pass(_ milliseconds: Int64) {
    for _ in 0..<milliseconds / 1_000 {
      if bench.receiver.state == .open { bench.receiver.feed(AgentBench.epoch(), at: bench.clock.monotonic) }
      bench.passAlive(1_000)
    }
  }

  private func hears() -> [String] {
    while channel.waiting.contains(where: { $0.method == "node.event" }) {
      channel.answer("node.event", #"{"ok":true,"handled":true}"#)
      bench.pass(10)
    }
    return channel.asked.filter { $0.event == "notifications.changed" }.compactMap { $0.payload["title"] as? String }
  }

  @Test("a receiver that goes is told of once, after a while, and again when it is back")
  func comesAndGoes() {
    pass(Budget.deviceNewsGrace + 1_000)
    #expect(hears().isEmpty)
    bench.receiver.lose()
    pass(Budget.deviceNewsPatience - 2_000)
    #expect(hears().isEmpty)
    pass(4_000)
    #expect(hears() == ["The receiver fails"])
    pass(60_000)
    #expect(hears().count == 1)
    bench.receiver.reopen()
    pass(Budget.deviceNewsPatience + 1_000)
    #expect(hears().last == "The receiver works again")
  }

  @Test("what is not there from the start is no news")
  func grace() {
    bench.receiver.lose()
    pass(Budget.deviceNewsGrace + 60_000)
    #expect(hears().isEmpty)
  }

  @Test("a short absence is no news")
  func shortAbsence() {
    pass(Budget.deviceNewsGrace + 1_000)
    bench.receiver.lose()
    pass(3_000)
    bench.receiver.reopen()
    pass(60_000)
    #expect(hears().isEmpty)
  }

  @Test("a loose cable is told of no more often than the limit of an hour")
  func looseCable() {
    pass(Budget.deviceNewsGrace + 1_000)
    for _ in 0..<10 {
      bench.receiver.lose()
      pass(Budget.deviceNewsPatience + 1_000)
      bench.receiver.reopen()
      pass(Budget.deviceNewsPatience + 1_000)
    }
    #expect(hears().count == Budget.deviceNewsPerHour)
  }

  @Test("a board that a person holds tells nothing of its devices")
  func held() {
    pass(Budget.deviceNewsGrace + 1_000)
    bench.agent.table.hold()
    bench.receiver.lose()
    pass(60_000)
    #expect(hears().isEmpty)
  }
}
