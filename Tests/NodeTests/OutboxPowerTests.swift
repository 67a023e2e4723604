import Gateway
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

/// A life of an outbox by chance: posts, outages, refusals, bad flash, and power that goes at any moment, the middle of
/// a write included. Whatever happens: what was reported durable comes to the gateway, is counted as dropped, or waits.
@Suite("Outbox through power cuts")
struct OutboxPowerTests {
  @Test("no event that was reported durable is lost, and none comes out of order", arguments: 1...60)
  func life(seed: UInt64) throws {
    var life = try Life(seed: seed)
    for _ in 0..<400 { try life.step() }
    try life.end()
  }

  private struct Life {
    let bench: OutboxBench
    let dice: SeededRandom
    /// Texts in the order of their posts, as far as this run knows their numbers.
    var texts: [UInt64: String] = [:]
    var next = 0
    /// Texts that the gateway acknowledged, and those that were durable and not yet acknowledged when power went.
    var acknowledged: Set<String> = []
    var acknowledgedNow: Set<String> = []
    var owed: Set<String> = []
    var isOnline = false

    init(seed: UInt64) throws {
      bench = try OutboxBench(seed: seed)
      dice = SeededRandom(seed: seed &* 77)
    }

    mutating func step() throws {
      switch dice.next() % 16 {
      case 0...4: post()
      case 5...7: if dice.next() % 2 == 0 { acknowledge() }
      case 8: bench.channel.fail("node.event", .refused, code: "UNAVAILABLE")
      case 9: online()
      case 10: offline()
      case 11: bench.store.failure = dice.next() % 4 == 0 ? .system(.noSpace) : nil
      case 12: if dice.next() % 4 == 0 { try cutPower() }
      case 13:
        // Time passes, and the worker has not come to it yet.
        bench.clock.advance(2_000)
        bench.outbox.advance(to: bench.clock.monotonic)
      default: bench.pass(Int64(dice.next() % 4_000))
      }
    }

    mutating func post() {
      // Few enough that no bound is met: then nothing may go missing at all.
      guard bench.outbox.count < Budget.outboxEvents - 1 else { return }
      let text = "\(next)"
      next += 1
      guard case .accepted(let number) = bench.post(text) else { return }
      texts[number] = text
    }

    mutating func acknowledge() {
      guard let request = bench.channel.waiting.first else { return }
      let text = request.payload["text"] as? String ?? ""
      bench.channel.answer()
      #expect(acknowledgedNow.insert(text).inserted, "acknowledged, and sent again in the same run")
      acknowledged.insert(text)
      owed.remove(text)
    }

    mutating func online() {
      if !isOnline { bench.online() }
      isOnline = true
    }

    mutating func offline() {
      if isOnline { bench.outbox.offline() }
      while !bench.channel.waiting.isEmpty { bench.channel.fail("node.event", .lost) }
      isOnline = false
    }

    mutating func cutPower() throws {
      checkOrder()
      if dice.next() % 2 == 0 {
        // In the middle of the write that is due, if one is.
        bench.store.cut = dice.next() % 2 == 0 ? .old : .new
        bench.clock.advance(2_000)
        bench.outbox.advance(to: bench.clock.monotonic)
      }
      let durable = bench.outbox.durableSequence
      for (number, text) in texts where number <= durable && !acknowledged.contains(text) { owed.insert(text) }
      bench.runner.runAll()
      bench.store.cut = nil
      bench.store.failure = nil
      texts = [:]
      acknowledgedNow = []
      isOnline = false
      try bench.restart()
    }

    /// Within one run, events come in the order of their posts, repeats of the one in hand aside.
    func checkOrder() {
      let numbers = bench.sent.compactMap { Int($0) }
      #expect(numbers == numbers.sorted())
    }

    mutating func end() throws {
      bench.store.failure = nil
      online()
      for _ in 0..<200 where bench.outbox.count > 0 {
        acknowledge()
        bench.pass(300_000)
      }
      checkOrder()
      #expect(bench.outbox.count == 0)
      #expect(owed == [])
      #expect(bench.outbox.isSettled)
      try bench.restart()
      #expect(bench.outbox.count == 0)
    }
  }
}
