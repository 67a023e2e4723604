import Runtime
import Testing

@testable import Metrics

/// Values of an interval by its number, some of which change each time.
func values(_ number: Int) -> MetricValues {
  var values = MetricValues()
  values.set(.info, 1.0)
  values.set(.uptime, Double(number) * 60)
  values.set(.wakeups, UInt64(number * 37))
  if number % 3 != 0 { values.set(.roundTrip, Double(number % 100) / 1000) }
  return values
}

extension SampleRing {
  /// The numbers of the intervals that can be lent, by their uptime, and their times.
  func lend(_ limit: Int) -> [(number: Int, time: Int64)] {
    var list: [(Int, Int64)] = []
    _ = lend(limit) { _, values, time in list.append((Int(values.value(.uptime)! / 60), time)) }
    return list
  }

  /// All that wait, taken in batches.
  func drain() -> [Int] {
    var all: [Int] = []
    while true {
      let some = lend(Budget.metricBatch)
      if some.isEmpty { return all }
      all += some.map(\.number)
      settle(isDone: true)
    }
  }
}

@Suite("The queue of samples")
struct SampleRingTests {
  @Test("intervals come out as they went in, in order, with their times")
  func order() throws {
    let ring = try SampleRing()
    for number in 0..<1000 { #expect(ring.append(values(number), at: Int64(number) * 60_000, isDated: true)) }
    #expect(ring.count == 1000)
    let some = ring.lend(7)
    #expect(some.map(\.number) == Array(0..<7))
    #expect(some.map(\.time) == (0..<7).map { $0 * 60_000 })
    ring.settle(isDone: false)
    #expect(ring.count == 1000)
    #expect(ring.lend(7).map(\.number) == Array(0..<7))
    #expect(ring.settle(isDone: true) == 7)
    #expect(ring.drain() == Array(7..<1000))
    #expect(ring.count == 0)
    ring.append(values(2000), at: 1_000_000_000, isDated: true)
    #expect(ring.drain() == [2000])
  }

  @Test("an absent value stays absent, and comes back")
  func absence() throws {
    let ring = try SampleRing()
    for number in 0..<9 { ring.append(values(number), at: Int64(number), isDated: true) }
    var known: [Bool] = []
    _ = ring.lend(9) { _, values, _ in known.append(values.value(.roundTrip) != nil) }
    #expect(known == (0..<9).map { $0 % 3 != 0 })
  }

  @Test("a day at one a minute fits, with many values that change")
  func day() throws {
    let ring = try SampleRing()
    for number in 0..<1440 {
      var sample = values(number)
      // About as many as a busy board has: 25 counters, and readings with noise.
      for index in 30..<55 where index != Metric.wakeups.rawValue { sample[index] = Int64(number * (index * 7) * 1000) }
      ring.append(sample, at: Int64(number) * 60_000, isDated: true)
    }
    #expect(ring.dropped == 0)
    #expect(ring.drain() == Array(0..<1440))
  }

  @Test("the oldest are dropped when it is full, and counted")
  func full() throws {
    let ring = try SampleRing()
    var number = 0
    while ring.dropped == 0 {
      ring.append(values(number), at: Int64(number) * 60_000, isDated: true)
      number += 1
    }
    let dropped = Int(ring.dropped)
    #expect(ring.count == number - dropped)
    #expect(ring.segments.count == Budget.metricSegments)
    #expect(ring.drain() == Array(dropped..<number))
  }

  @Test("what is on its way while the oldest are dropped is not taken twice")
  func lentAndDropped() throws {
    let ring = try SampleRing()
    var number = 0
    while ring.segments.count < Budget.metricSegments {
      ring.append(values(number), at: Int64(number) * 60_000, isDated: true)
      number += 1
    }
    #expect(ring.lend(20).map(\.number) == Array(0..<20))
    while ring.dropped == 0 {
      ring.append(values(number), at: Int64(number) * 60_000, isDated: true)
      number += 1
    }
    // All that were lent are gone with their segment.
    #expect(ring.settle(isDone: true) == 0)
    #expect(ring.drain() == Array(Int(ring.dropped)..<number))
  }

  @Test("intervals wait for the date, and get it")
  func dates() throws {
    let ring = try SampleRing()
    ring.append(values(1), at: 1000, isDated: false)
    ring.append(values(2), at: 61_000, isDated: false)
    #expect(ring.lend(20).isEmpty)
    ring.date(offset: 1_780_000_000_000)
    ring.append(values(3), at: 1_780_000_121_000, isDated: true)
    #expect(ring.lend(20).map(\.time) == [1_780_000_001_000, 1_780_000_061_000, 1_780_000_121_000])
    #expect(ring.lend(20).map(\.number) == [1, 2, 3])
    // Told again, nothing changes, and no segment begins for it.
    for number in 4..<40 {
      ring.date(offset: 1_780_000_000_000)
      ring.append(values(number), at: 1_780_000_121_000 + Int64(number), isDated: true)
    }
    #expect(ring.segments.count == 2)
  }

  @Test("a clock that is set back a little costs intervals; one that was wrong by more does not stop them")
  func backwards() throws {
    let ring = try SampleRing()
    ring.append(values(1), at: 10_000_000, isDated: true)
    #expect(!ring.append(values(2), at: 9_999_999, isDated: true))
    #expect(!ring.append(values(3), at: 10_000_000, isDated: true))
    #expect(ring.dropped == 2)
    #expect(ring.append(values(4), at: 5_000_000, isDated: true))
    #expect(ring.append(values(5), at: 5_060_000, isDated: true))
    #expect(ring.drain() == [1, 4, 5])
  }

  @Test("a segment has room for an interval in which every value changes by as much as can be")
  func largest() throws {
    let ring = try SampleRing()
    for number in 0..<100 {
      var sample = MetricValues()
      for index in 0..<MetricCatalogue.rows.count { sample[index] = number % 2 == 0 ? .max : .min + 1 }
      #expect(ring.append(sample, at: number % 2 == 0 ? .max / 2 : 0, isDated: true))
    }
    var count = 0
    _ = ring.lend(Budget.metricBatch) { interval, values, _ in
      if values[5] == (interval % 2 == 0 ? .max : .min + 1) { count += 1 }
    }
    #expect(count == Budget.metricBatch)
  }
}

@Suite("Samples on flash")
struct SampleSegmentTests {
  /// What a ring has, as flash keeps it.
  private static func kept(_ ring: SampleRing) -> [(index: Int, bytes: [UInt8])] {
    let buffer = FixedBuffer(capacity: Budget.metricSegmentBytes)
    return ring.segments.compactMap { sequence in
      ring.copy(sequence, into: buffer.bytes).map { (SampleRing.index(sequence), Array(buffer.bytes[..<$0])) }
    }
  }

  private static func restored(
    _ segments: [(index: Int, bytes: [UInt8])], first: UInt64 = 0, consumed: Int = 0
  ) throws -> SampleRing {
    let ring = try SampleRing()
    for segment in segments { segment.bytes.withUnsafeBufferPointer { ring.restore($0, at: segment.index) } }
    ring.begin(first: first, consumed: consumed)
    return ring
  }

  @Test("come back in order, whatever order flash gives them in")
  func restore() throws {
    let ring = try SampleRing()
    for number in 0..<600 { ring.append(values(number), at: Int64(number) * 60_000, isDated: true) }
    let segments = Self.kept(ring)
    #expect(segments.count > 2)
    #expect(try Self.restored(segments).drain() == Array(0..<600))
    #expect(try Self.restored(segments.reversed()).drain() == Array(0..<600))
    let again = try Self.restored(segments)
    again.append(values(600), at: 600 * 60_000, isDated: true)
    #expect(again.drain() == Array(0...600))
  }

  @Test("that were taken do not come back")
  func mark() throws {
    let ring = try SampleRing()
    for number in 0..<600 { ring.append(values(number), at: Int64(number) * 60_000, isDated: true) }
    let segments = Self.kept(ring)
    for _ in 0..<10 {
      _ = ring.lend(20)
      ring.settle(isDone: true)
    }
    let again = try Self.restored(segments, first: ring.segments.lowerBound, consumed: ring.consumed)
    #expect(again.drain() == Array(200..<600))
    #expect(try Self.restored(segments, first: ring.segments.upperBound).drain() == [])
  }

  @Test("of another turn of the ring, of another catalogue, or damaged, are left out", arguments: 0..<4)
  func strange(_ kind: Int) throws {
    let ring = try SampleRing()
    for number in 0..<600 { ring.append(values(number), at: Int64(number) * 60_000, isDated: true) }
    var segments = Self.kept(ring)
    let counts = segments.map { Int($0.bytes[22]) | Int($0.bytes[23]) << 8 }
    switch kind {
    case 0: segments[1].bytes[2] ^= 1
    case 1: segments[1].bytes[0] = 9
    case 2: segments[1].bytes[6] = 200
    default: segments[1].bytes[30] = 0xFF
    }
    if kind == 3 { segments[1].bytes[25] = 0xFF }
    let all = try Self.restored(segments).drain()
    #expect(all == Array(0..<counts[0]) + Array((counts[0] + counts[1])..<600))
  }

  @Test("reading survives any bytes", arguments: 0..<300)
  func noise(_ seed: Int) throws {
    var state = UInt64(seed) | 1 << 40
    func byte() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let ring = try SampleRing()
    for number in 0..<200 { ring.append(values(number), at: Int64(number) * 60_000, isDated: true) }
    var segments = Self.kept(ring)
    for index in segments.indices {
      for _ in 0..<(1 + Int(byte()) % 8) {
        segments[index].bytes[(Int(byte()) << 8 | Int(byte())) % segments[index].bytes.count] = byte()
      }
    }
    let again = try Self.restored(segments, first: UInt64(byte() % 4), consumed: Int(byte()))
    again.append(values(7), at: .max, isDated: true)
    while again.lend(20, { _, _, _ in }) > 0 { again.settle(isDone: true) }
    #expect(again.count == 0 || again.lend(20).isEmpty)
  }
}
