import Hands
import Runtime
import Testing

/// Pulses of a contact. Instants in milliseconds.
@Suite("Counters")
struct PulseCounterTests {
  private func counter(_ change: (inout CounterSettings) -> Void = { _ in }, total: UInt64 = 0) -> PulseCounter {
    var settings = CounterSettings()
    change(&settings)
    return PulseCounter(settings, total: total, at: 0)
  }

  @Test("each closing is one pulse, and a total goes on where it was")
  func counts() {
    var counter = counter({ $0.scale = 0.25 }, total: 100)
    for start in [Int64(10), 20, 30] {
      _ = counter.edge(true, at: start)
      _ = counter.edge(false, at: start + 5)
    }
    #expect(counter.total == 103 && counter.amount == 25.75)
  }

  @Test("a contact that bounces, closing and opening, is one pulse")
  func bounces() {
    var counter = counter { $0.debounce = 5 }
    for instant in [Int64(100), 101, 102, 103, 104] { _ = counter.edge(instant % 2 == 0, at: instant) }
    for instant in [Int64(200), 201, 202] { _ = counter.edge(instant % 2 == 1, at: instant) }
    _ = counter.settle(by: 300)
    #expect(counter.total == 1)
  }

  @Test("a pulse that was closed at the start was counted before")
  func closedAtStart() {
    var counter = counter()
    counter.begin(true)
    _ = counter.edge(false, at: 50)
    _ = counter.settle(by: 100)
    #expect(counter.total == 0)
  }

  @Test("without debouncing every rising edge counts")
  func raw() {
    var counter = counter { $0.debounce = 0 }
    for instant in Int64(0)..<1_000 { _ = counter.edge(instant % 2 == 0, at: 100) }
    #expect(counter.total == 500)
  }

  @Test("the rate is that of the window, in units for each period")
  func rate() {
    var counter = counter { ($0.scale, $0.window, $0.period) = (0.5, 60_000, .minute) }
    // Ten a second for two minutes: 600 a minute, of half a unit.
    for step in Int64(0)..<1_200 {
      _ = counter.edge(true, at: step * 100)
      _ = counter.edge(false, at: step * 100 + 50)
    }
    let rate = counter.rate(at: 120_000)
    #expect((rate - 300).magnitude < 3)
    let later = counter.rate(at: 240_000)
    #expect(later == 0)
    #expect(counter.amount == 600)
  }

  @Test("right after the start the rate is that of the time since then")
  func young() {
    var counter = counter { $0.period = .second }
    for step in Int64(0)..<50 {
      _ = counter.edge(true, at: step * 100)
      _ = counter.edge(false, at: step * 100 + 50)
    }
    let rate = counter.rate(at: 5_000)
    #expect((rate - 10).magnitude < 0.01)
  }

  @Test("the parts of the window are those of the budget")
  func parts() { #expect(Budget.counterWindowParts == 12) }

  @Test("a record on flash is read as it was written, and others are none")
  func record() {
    var bytes = [UInt8](repeating: 0, count: Budget.handRecordBytes)
    let record = HandRecord(1, -2, .max, .min)
    let count = bytes.withUnsafeMutableBufferPointer { record.encode(into: $0) }
    #expect(count == Budget.handRecordBytes)
    #expect(bytes.withUnsafeBufferPointer { HandRecord($0) } == record)
    #expect(bytes[..<32].withUnsafeBufferPointer { HandRecord($0) } == nil)
    bytes[0] = 0
    #expect(bytes.withUnsafeBufferPointer { HandRecord($0) } == nil)
  }

  @Test("so many in a period, counted from the first")
  func limits() {
    var limit = CallLimit(2, in: 60_000)
    var waits: [Int64?] = []
    for instant in [Int64(100), 200, 10_100, 60_100] { waits.append(limit.take(at: instant)) }
    #expect(waits == [nil, nil, 50_000, nil])
  }
}
