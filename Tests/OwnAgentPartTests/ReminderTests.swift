import Foundation
import Node
import OwnAgent
import Runtime
import Testing

@testable import Benches
@testable import OwnAgentPart

@Suite("Reminders of the board's own agent") struct OwnAgentReminderTests {
  private func remind(_ bench: OwnAgentBench, _ text: String) { bench.send(.remind, Array(text.utf8)) }

  @Test func `A reminder is shown and spoken, and its text is not in the log`() throws {
    let bench = try OwnAgentBench()
    remind(bench, "Take the \"bread\" out")
    #expect(bench.notifier.shown == ["Take the \"bread\" out"])
    #expect(bench.lender.begun.map(\.name) == ["say"])
    #expect(bench.lender.begun[0].arguments == #"{"text":"Take the \"bread\" out"}"#)
    #expect(!bench.lender.begun[0].isTainted)
    var log: [String] = []
    bench.desk.log.forEachLine { log.append(String(decoding: $0, as: UTF8.self)) }
    #expect(log.contains { $0.contains("a reminder of the board's own agent is due") })
    #expect(!log.contains { $0.contains("bread") })
    bench.lender.end(bench.lender.begun[0].tag)
    bench.pass(60_000)
    #expect(bench.lender.begun.count == 1)
  }

  @Test func `While people talk it is spoken later, and not for ever`() throws {
    let bench = try OwnAgentBench()
    remind(bench, "now")
    bench.lender.end(bench.lender.begun[0].tag, isError: true)
    bench.pass(Budget.spokenReminderPause - 1)
    #expect(bench.lender.begun.count == 1)
    for _ in 0..<40 {
      bench.pass(Budget.spokenReminderPause)
      bench.lender.end(bench.lender.begun.last!.tag, isError: true)
    }
    #expect(bench.lender.begun.count == Budget.spokenReminderTries)
    #expect(bench.notifier.shown.count == 1)
  }

  @Test func `Several are spoken one after the other; those beyond the room are only shown`() throws {
    let bench = try OwnAgentBench()
    for index in 0..<8 { remind(bench, "\(index)") }
    #expect(bench.notifier.shown.count == 8)
    for _ in 0..<10 {
      bench.lender.end(bench.lender.begun.last!.tag)
      bench.advance()
    }
    #expect(bench.lender.begun.count == 1 + Budget.spokenReminders)
  }

  @Test func `A board without a voice shows it, and a long text is cut between characters`() throws {
    let bench = try OwnAgentBench()
    bench.lender.known = []
    remind(bench, String(repeating: "\u{E4}", count: 300))
    #expect(bench.notifier.shown == [String(repeating: "\u{E4}", count: 120)])
    bench.pass(10_000)
    #expect(bench.lender.begun.isEmpty)
  }

  @Test func `While a person holds the board it is shown in silence`() throws {
    let bench = try OwnAgentBench()
    remind(bench, "one")
    bench.part.hold()
    #expect(bench.lender.cancelled.count == 1)
    remind(bench, "two")
    bench.part.letGo()
    bench.pass(10_000)
    #expect(bench.notifier.shown == ["one", "two"] && bench.lender.begun.count == 1)
  }
}
