import TestSupport
import Testing

@testable import Location

/// A receiver whose kinds of sentence without a position are stamped apart from those with one, always by the same
/// amount.
private struct OffsetReceiver {
  static let positions = ["GGA", "RMC", "GNS", "GLL"]
  static let others = ["ZDA", "GST", "GBS", "GSA", "GSV", "VTG"]

  var order: [String]
  /// Milliseconds by which a kind is ahead.
  var offsets: [String: Int]
  /// Milliseconds from one cycle to the next.
  let period: Int
  /// Milliseconds since the Unix epoch.
  let start: Int
  /// True when each cycle has an order of its own.
  let isShuffled: Bool
  var random: Seeded

  /// Kinds, order, offsets within two seconds, rate and hour by chance; often close to midnight.
  init(seed: UInt64) {
    random = Seeded(seed)
    period = [1000, 500, 250, 200, 125, 100].randomElement(using: &random)!
    let positions = Self.positions.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
    let others = Self.others.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
    order = (positions + others).shuffled(using: &random)
    offsets = [:]
    for kind in order where Self.others.contains(kind) && Bool.random(using: &random) {
      offsets[kind] = Int.random(in: -200...200, using: &random) * 10
    }
    isShuffled = Int.random(in: 0..<3, using: &random) == 0
    let midnight = 1_784_160_000_000
    start = midnight + [-3000, 0, 40_000_000].randomElement(using: &random)!
  }

  /// The sentences of one cycle, each with its place in it.
  mutating func cycle(_ number: Int) -> [(text: String, arrival: Int64)] {
    if isShuffled { order.shuffle(using: &random) }
    return order.enumerated().map { index, kind in
      let stamp = start + number * period + (offsets[kind] ?? 0)
      return (Self.text(kind, stamp), Int64(number * period + index * period / (2 * order.count)))
    }
  }

  private static func text(_ kind: String, _ stamp: Int) -> String {
    let ofDay = (stamp % 86_400_000) / 1000
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let hundredths = stamp % 1000 / 10
    // 125 ms are told to the millisecond.
    let fraction = stamp % 10 == 0 ? two(hundredths) : two(hundredths) + "\(stamp % 10)"
    let time = two(ofDay / 3600) + two(ofDay / 60 % 60) + two(ofDay % 60) + "." + fraction
    let day = stamp >= 1_784_160_000_000 ? "16" : "15"
    switch kind {
    case "GGA": return Receiver.gga(time)
    case "RMC": return Receiver.rmc(time, "\(day)0726")
    case "GNS": return Receiver.sentence("GNGNS,\(time),4807.038,N,01131.000,E,AAN,08,0.9,545.4,46.9,,,V")
    case "GLL": return Receiver.sentence("GPGLL,4807.038,N,01131.000,E,\(time),A,A")
    case "ZDA": return Receiver.sentence("GPZDA,\(time),\(day),07,2026,00,00")
    case "GST": return Receiver.gst(time)
    case "GBS": return Receiver.sentence("GPGBS,\(time),1.6,1.4,3.2,,,,")
    case "GSA": return Receiver.gsa(3, [1, 2, 3, 4])
    case "GSV": return Receiver.gsv([(1, 40), (2, 41), (3, 42), (4, 43)]).joined()
    default: return Receiver.vtg()
    }
  }
}

/// What a receiver does once a cycle gives a fix once a cycle.
@Suite struct CycleTests {
  /// The cycles in which a receiver's habits are learned.
  private static let learning = 5
  private static let cycles = 60

  @Test(
    "any order of sentences, and any constant offsets of those without a position, give one fix a cycle",
    arguments: 0..<20)
  func oneFixACycle(_ block: UInt64) {
    for seed in (block * 30)..<(block * 30 + 30) { check(OffsetReceiver(seed: seed), "seed \(seed)") }
  }

  private func check(_ receiver: OffsetReceiver, _ name: String) {
    var receiver = receiver
    let tracker = TrackerUnderTest()
    var (learned, told) = (0, 0)
    for number in 0..<Self.cycles {
      if number == Self.learning { learned = tracker.finished.count }
      for (text, arrival) in receiver.cycle(number) {
        tracker.wall = Int64(receiver.start) + arrival
        if tracker.read(text, at: arrival) { told += 1 }
      }
    }
    if tracker.finish() { told += 1 }
    let fixes = tracker.finished
    let about =
      "\(name): \(receiver.order) \(receiver.offsets) every \(receiver.period) ms, shuffled \(receiver.isShuffled)"
    #expect((Self.cycles - 1...Self.cycles + 1).contains(fixes.count), "\(fixes.count) fixes of \(about)")
    // From then on each fix comes one period after the one before.
    let steady = fixes.dropFirst(learned + 1)
    for (earlier, later) in zip(steady, steady.dropFirst()) {
      guard later.instant - earlier.instant != receiver.period else { continue }
      Issue.record("\(earlier.instant), \(later.instant) of \(about)")
      return
    }
    // Where the order changes, a fix may be late by a cycle, when the next one is told in its place, and errors may
    // come too late.
    if receiver.isShuffled { return }
    #expect(told >= Self.cycles - 1, "\(told) told of \(about)")
    let kinds = Set(steady.map { "\($0.accuracy) \($0.mode) \($0.altitude ?? 0)" })
    #expect(kinds.count == 1, "\(kinds) of \(about)")
  }

  @Test(
    "a time that comes ahead of the positions, by 10 ms or by seconds, keeps no position back",
    arguments: [10, 1990, -10, -1990])
  func aheadZDA(_ offset: Int) {
    var receiver = OffsetReceiver(seed: 0)
    receiver.order = ["ZDA", "GST", "GGA", "RMC"]
    receiver.offsets = ["ZDA": offset, "GST": -offset]
    check(receiver, "ZDA first")
  }

  @Test("what tells no position does not move the clock past a fix, whatever it says")
  func wildTimes() {
    let tracker = TrackerUnderTest()
    var fixes = 0
    for second in 10..<40 {
      let wild = ["ZDA", "GST"].map { kind in
        let time = "\((second * 7) % 24 + 100)".suffix(2) + "00\(second)"
        return kind == "ZDA"
          ? Receiver.sentence("GPZDA,\(time),15,07,2026,00,00") : Receiver.gst(String(time))
      }
      let text = wild[0] + Receiver.gga("1235\(second)") + wild[1] + Receiver.rmc("1235\(second)")
      if tracker.read(text, at: Int64(second) * 1000) { fixes += 1 }
    }
    #expect(fixes == 30)
  }

  @Test("accuracy, dimensions and height hold where GGA comes with every second position only", arguments: [2, 5, 10])
  func seldomGeometry(_ spacing: Int) {
    let tracker = TrackerUnderTest()
    var kinds: [String] = []
    for second in 0..<50 {
      let time = "1235" + (second < 10 ? "0" : "") + "\(second)"
      let text =
        second % spacing == 0 ? Receiver.gga(time) + Receiver.rmc(time) + Receiver.gst(time) : Receiver.rmc(time)
      if tracker.read(text, at: Int64(second) * 1000), let fix = tracker.latest, second > 2 * spacing {
        kinds.append(
          "\(fix.accuracy) \(fix.mode) \(fix.altitude ?? 0) \(fix.satellites ?? 0) \(fix.verticalAccuracy ?? 0)")
      }
    }
    #expect(kinds.count >= 49 - 2 * spacing)
    #expect(Set(kinds) == ["5.0 threeDimensions 545.4 8 5.5"])
  }

  @Test("geometry that is reported no more is forgotten after the receiver's rhythm, and after a fix is lost")
  func forgottenGeometry() {
    let tracker = TrackerUnderTest()
    for second in 10..<20 { tracker.read(Receiver.gga("1235\(second)") + Receiver.rmc("1235\(second)")) }
    let accuracies = (20..<24).map { second in
      tracker.read(Receiver.rmc("1235\(second)"))
      tracker.read(Receiver.vtg())
      return tracker.latest?.accuracy
    }
    #expect(accuracies.last == 150)
    for second in 30..<40 { tracker.read(Receiver.gga("1235\(second)") + Receiver.rmc("1235\(second)")) }
    #expect(tracker.latest?.accuracy == 4.5)
    tracker.read(Receiver.gga("123540", quality: 0) + Receiver.rmc("123540", status: "V"))
    tracker.read(Receiver.rmc("123541") + Receiver.rmc("123542"))
    #expect(tracker.latest?.accuracy == 150 && tracker.latest?.altitude == nil)
  }

  @Test("a clock that jumps back loses one epoch at most, in any order of sentences", arguments: [1, 18, 3600, 40_000])
  func setBack(_ seconds: Int) {
    for order in [["GGA", "RMC"], ["RMC", "GGA"], ["ZDA", "GGA", "RMC"], ["RMC", "ZDA", "GGA", "GST"]] {
      let tracker = TrackerUnderTest()
      var fixes = 0
      for cycle in 0..<20 {
        let second = 43_000 + cycle - (cycle >= 10 ? seconds : 0)
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
        let time = two(second / 3600) + two(second / 60 % 60) + two(second % 60)
        for kind in order {
          let text =
            switch kind {
            case "GGA": Receiver.gga(time)
            case "RMC": Receiver.rmc(time)
            case "GST": Receiver.gst(time)
            default: Receiver.sentence("GPZDA,\(time),15,07,2026,00,00")
            }
          if tracker.read(text, at: Int64(cycle) * 1000) { fixes += 1 }
        }
      }
      if tracker.finish() { fixes += 1 }
      #expect(fixes >= 19, "\(order)")
    }
  }

  @Test("a position of quality 1 without a satellite is not one of three dimensions, unless GSA says so")
  func noSatellites() {
    let tracker = TrackerUnderTest()
    func gga(_ time: String) -> String {
      Receiver.sentence("GPGGA,\(time),4807.038,N,01131.000,E,1,00,0.9,545.4,M,46.9,M,,")
    }
    tracker.read(gga("123519") + Receiver.rmc("123519"))
    #expect(tracker.latest?.mode == .twoDimensions)
    tracker.read(gga("123520") + Receiver.rmc("123520") + Receiver.gsa(3, [1, 2, 3, 4]))
    #expect(tracker.latest?.mode == .threeDimensions)
  }
}
