import Codec
import Runtime
import Testing

@testable import OwnAgent

/// The node's side in its shortest form: it takes each number once, and keeps the last one on flash.
private final class NodeSide {
  private var lastSerial = 0
  private(set) var taken: [String] = []

  /// Takes a summary that was sent, if power lasts until its number is on flash; the answer may be lost as well.
  func take(from bench: ServerBench, _ dice: inout PageDice) {
    guard let frame = bench.take().last(where: { $0.hasPrefix("summary ") }) else { return }
    guard let serial = Int(frame.dropFirst(8)), dice.below(4) > 0 else { return }
    if serial > lastSerial {
      lastSerial = serial
      taken.append(bench.summary)
    }
    guard dice.below(4) > 0 else { return }
    bench.give(.handedOver) { $0.littleEndian(UInt64(serial), bytes: 8) }
    bench.settle()
  }
}

@Suite struct SummaryTests {
  private func turn(_ bench: ServerBench, _ text: String, number: UInt32 = 1) {
    bench.say(text, number: number)
    bench.answer(words: "answer to \(text)")
  }

  @Test func whatHappenedWhileTheGatewayWasAwayIsHandedOverOnce() throws {
    let bench = try ServerBench()
    bench.connect()
    turn(bench, "one")
    turn(bench, "two")
    _ = bench.take()
    bench.setGateway(true)
    #expect(bench.take() == ["summary 1"])
    #expect(bench.summary.contains("Person: one") && bench.summary.contains("Board: answer to two"))
    bench.setGateway(false)
    bench.setGateway(true)
    #expect(bench.take().isEmpty)
    bench.give(.handedOver) { $0.littleEndian(1, bytes: 8) }
    bench.settle()
    bench.disconnect()
    bench.connect(isGatewayThere: true)
    #expect(!bench.take().contains { $0.hasPrefix("summary") })
  }

  @Test func whatIsAnsweredWhileTheGatewayIsThereIsNotHandedOver() throws {
    let bench = try ServerBench()
    bench.connect(isGatewayThere: true)
    turn(bench, "one")
    bench.setGateway(false)
    bench.setGateway(true)
    #expect(!bench.take().contains { $0.hasPrefix("summary") })
  }

  @Test func aSummaryIsSentWhenItsNumberIsOnFlash() throws {
    let bench = try ServerBench()
    bench.connect()
    turn(bench, "one")
    bench.records.failure = .torn
    _ = bench.take()
    bench.setGateway(true)
    #expect(bench.take().isEmpty)
    bench.records.failure = nil
    bench.pass(3_600_000)
    #expect(bench.take() == ["summary 1"])
  }

  @Test func afterAPowerCutTheSameSummaryHasTheSameNumber() throws {
    let bench = try ServerBench()
    bench.connect()
    turn(bench, "one")
    bench.setGateway(true)
    let first = bench.summary
    let next = try ServerBench(records: bench.records)
    next.connect(isGatewayThere: true)
    #expect(next.take().contains("summary 1"))
    #expect(next.summary == first)
  }

  @Test func aThousandOutagesWithPowerCutsLoseNothingAndTellNothingTwice() throws {
    var dice = PageDice(28)
    let node = NodeSide()
    let (records, table) = (MemoryRecords(), TableStore())
    var bench = try ServerBench(records: records, table: table)
    var said: [String] = []
    var number: UInt32 = 0

    for outage in 0..<1000 {
      bench.connect()
      for _ in 0..<dice.below(3) {
        number += 1
        let text = "question \(number) of outage \(outage)"
        bench.say(text, number: number)
        bench.answer(words: "yes")
        if bench.take().contains("ended \(number) answered") { said.append(text) }
      }
      if dice.below(3) > 0 { bench.setGateway(true) }
      node.take(from: bench, &dice)
      if dice.below(3) == 0 { bench = try ServerBench(records: records, table: table) }
      if dice.below(5) == 0 { bench.disconnect() }
      table.rows.removeAll()
    }
    for _ in 0..<50 {
      bench.connect(isGatewayThere: true)
      node.take(from: bench, &dice)
      bench.disconnect()
    }
    let isEmpty = bench.server.keeper.handOver.isEmpty
    #expect(isEmpty)
    var (counts, omitted) = ([String: Int](), 0)
    for line in node.taken.joined().split(separator: "\n") {
      if let text = line.firstRange(of: "Person: ").map({ String(line[$0.upperBound...]) }) {
        counts[text, default: 0] += 1
      } else if line.contains(" before these ") {
        // A summary has so much room; what does not fit is counted in it.
        omitted += line.prefix { $0.isNumber }.reduce(0) { 10 * $0 + ($1.wholeNumberValue ?? 0) }
      }
    }
    #expect(said.count > 600)
    #expect(counts.values.allSatisfy { $0 == 1 })
    #expect(Set(counts.keys).isSubset(of: said))
    #expect(counts.count + omitted == said.count)
  }
}
