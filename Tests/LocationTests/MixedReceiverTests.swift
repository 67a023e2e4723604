import TestSupport
import Testing

@testable import Location

/// A receiver of several satellite systems on the move: each talker has a fix or none in each second, sentences of its
/// own choice, and for each kind a stamp of its own. The place of a sentence is that of its stamp.
struct MixedReceiver {
  enum Stamps: CaseIterable { case equal, alternating, apart }

  struct Speaker {
    var talker: String
    var kinds: [String]
    /// Milliseconds by which a kind is ahead.
    var offsets: [String: Int] = [:]
    var hasFix = true
  }

  static let talkers = ["GN", "GP", "GL", "GA", "BD", "GQ", "GI"]
  static let kinds = ["GGA", "RMC", "GNS", "GLL"]
  /// 15 July 2026, 12:35:20 UTC.
  static let start = 1_784_118_920_000

  var speakers: [Speaker]
  let isShuffled: Bool
  let stamps: Stamps
  var random: Seeded

  init(seed: UInt64, stamps: Stamps) {
    random = Seeded(seed)
    self.stamps = stamps
    isShuffled = stamps == .equal && Bool.random(using: &random)
    let talkers = Self.talkers.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
    speakers = []
    for talker in talkers {
      let kinds = Self.kinds.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
      speakers.append(Speaker(talker: talker, kinds: Array(kinds)))
    }
    if stamps == .equal { return }
    for index in speakers.indices {
      for kind in speakers[index].kinds {
        let offsets = stamps == .alternating ? [0, 1000] : Array(stride(from: -2000, through: 2000, by: 50))
        speakers[index].offsets[kind] = offsets.randomElement(using: &random)!
      }
    }
  }

  /// The sentences of one cycle, with the place that each tells at its stamp, nil for none.
  mutating func cycle(_ number: Int) -> [(text: String, talker: String, stamp: Int, hasFix: Bool)] {
    var sentences: [(text: String, talker: String, stamp: Int, hasFix: Bool)] = []
    let period = stamps == .alternating ? 2000 : 1000
    for index in speakers.indices {
      if Int.random(in: 0..<4, using: &random) == 0 { speakers[index].hasFix.toggle() }
      let speaker = speakers[index]
      for kind in speaker.kinds {
        let stamp = Self.start + number * period + (speaker.offsets[kind] ?? 0)
        let text = Self.sentence(speaker.talker + kind, stamp, isValid: speaker.hasFix)
        sentences.append((text, speaker.talker, stamp, speaker.hasFix))
      }
    }
    if isShuffled { sentences.shuffle(using: &random) }
    return sentences
  }

  /// The latitude at a stamp, and the longitude that only this talker tells.
  static func place(_ talker: String, _ stamp: Int) -> (latitude: Int, longitude: Int) {
    (stamp / 10 % 60_000, talkers.firstIndex(of: talker)! + 10)
  }

  static func sentence(_ address: String, _ stamp: Int, isValid: Bool, date: String = "150726") -> String {
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
    let ofDay = stamp % 86_400_000
    let seconds = ofDay / 1000
    let time = two(seconds / 3600) + two(seconds / 60 % 60) + two(seconds % 60) + "." + two(ofDay % 1000 / 10)
    let (thousandths, minutes) = place(String(address.prefix(2)), stamp)
    let fraction = "\(1000 + thousandths % 1000)".dropFirst()
    let position = "48\(two(thousandths / 1000)).\(fraction),N,011\(two(minutes)).000,E"
    let (status, mode) = isValid ? ("A", "A") : ("V", "N")
    switch address.suffix(3) {
    case "GGA": return Receiver.sentence("\(address),\(time),\(position),\(isValid ? 1 : 0),08,0.9,545.4,M,46.9,M,,")
    case "RMC": return Receiver.sentence("\(address),\(time),\(status),\(position),022.4,084.4,\(date),,,\(mode)")
    case "GNS": return Receiver.sentence("\(address),\(time),\(position),\(mode),08,0.9,545.4,46.9,,,V")
    case "GLL": return Receiver.sentence("\(address),\(position),\(time),\(status),\(mode)")
    case "GST": return Receiver.sentence("\(address),\(time),1.8,,,,9.0,9.0,9.5")
    case "VTG": return Receiver.sentence("\(address),1.0,T,,M,50.0,N,,K,\(mode)")
    default: return Receiver.gsa(isValid ? 3 : 1, [70, 71], talker: String(address.prefix(2)))
    }
  }
}

extension Fix {
  /// Instant and place as `MixedReceiver` numbers them.
  fileprivate var told: [Int] {
    [
      Int(instant), Int(((latitude - 48) * 60_000).rounded()), Int(((longitude - 11) * 60).rounded()),
    ]
  }
}

@Suite struct MixedReceiverTests {
  private static let cycles = 40

  @Test(
    "a fix is at a place that one sentence told for its time, whoever speaks and however stamps differ",
    arguments: MixedReceiver.Stamps.allCases, 0..<10)
  func toldPlaces(_ stamps: MixedReceiver.Stamps, _ block: UInt64) {
    for seed in (block * 30)..<(block * 30 + 30) {
      var receiver = MixedReceiver(seed: seed, stamps: stamps)
      let tracker = TrackerUnderTest()
      var told: Set<[Int]> = []
      // Seconds in which somebody has a fix and the talker of all systems does not deny it.
      var expected = 0
      for number in 0..<Self.cycles {
        let sentences = receiver.cycle(number)
        let isDenied = sentences.contains { $0.talker == "GN" && !$0.hasFix }
        if !isDenied, sentences.contains(where: \.hasFix) { expected += 1 }
        for (text, talker, stamp, hasFix) in sentences {
          let place = MixedReceiver.place(talker, stamp)
          if hasFix { told.insert([stamp, place.latitude, place.longitude]) }
          tracker.read(text, at: Int64(number * 1000))
          if let fix = tracker.latest { #expect(told.contains(fix.told), "seed \(seed)") }
        }
      }
      _ = tracker.finish()
      let fixes = tracker.finished
      for fix in fixes { #expect(told.contains(fix.told), "seed \(seed)") }
      let about = "\(fixes.count) fixes for \(expected), seed \(seed): \(receiver.speakers)"
      switch stamps {
      case .equal: #expect(fixes.count == expected, "\(about)")
      // Where stamps are apart, what comes out of order has no fix; each cycle has one.
      case .alternating, .apart: break
      }
    }
  }

  @Test(
    "where kinds are stamped apart and come in the order of their stamps, each stamp has its fix", arguments: 0..<40)
  func alternating(_ seed: UInt64) {
    var random = Seeded(seed)
    let even = MixedReceiver.kinds.shuffled(using: &random)
    let split = Int.random(in: 1...3, using: &random)
    let gap = [1000, 500, 130, 50].randomElement(using: &random)!
    let tracker = TrackerUnderTest()
    var stamps: [Int64] = []
    for cycle in 0..<30 {
      for (index, kinds) in [even[..<split], even[split...]].enumerated() {
        let stamp = MixedReceiver.start + cycle * 2000 + index * gap
        stamps.append(Int64(stamp))
        for kind in kinds {
          tracker.read(MixedReceiver.sentence("GP" + kind, stamp, isValid: true), at: Int64(cycle * 2000 + index * gap))
        }
      }
    }
    _ = tracker.finish()
    #expect(tracker.finished.map(\.instant) == stamps)
    let told = tracker.finished.map(\.told)
    #expect(
      told
        == stamps.map { stamp in
          [Int(stamp), MixedReceiver.place("GP", Int(stamp)).latitude, 11]
        })
  }

  @Test("what single systems without a fix say changes no fix of GN or of another system", arguments: 0..<10)
  func voids(_ block: UInt64) {
    for seed in (block * 30)..<(block * 30 + 30) {
      var random = Seeded(seed + 10_000)
      let base = ["GN", "GP", "GL"].randomElement(using: &random)!
      let kinds = MixedReceiver.kinds.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
      let isWild = Bool.random(using: &random)
      let voids = MixedReceiver.talkers.filter { $0 != "GN" && $0 != base }.shuffled(using: &random).prefix(2)
      let (alone, mixed) = (TrackerUnderTest(), TrackerUnderTest())
      for number in 0..<Self.cycles {
        let stamp = MixedReceiver.start + number * 1000
        let hasFix = number % 10 != 9
        var texts = kinds.map { (MixedReceiver.sentence(base + $0, stamp, isValid: hasFix), true) }
        if number % 3 == 0 { texts.append((MixedReceiver.sentence(base + "GSA", stamp, isValid: hasFix), true)) }
        for talker in voids {
          let other = isWild ? MixedReceiver.start + Int.random(in: -40_000_000...40_000_000, using: &random) : stamp
          for kind in ["GGA", "RMC", "GNS", "GLL", "GSA"] where Bool.random(using: &random) {
            let date = ["060180", "150726", ""].randomElement(using: &random)!
            let place = Int.random(in: 0...texts.count, using: &random)
            let text = MixedReceiver.sentence(talker + kind, other / 10 * 10, isValid: false, date: date)
            texts.insert((text, false), at: place)
          }
        }
        for (text, isBase) in texts {
          if isBase { alone.read(text, at: Int64(number * 1000)) }
          mixed.read(text, at: Int64(number * 1000))
        }
      }
      _ = (alone.finish(), mixed.finish())
      #expect(!alone.finished.isEmpty)
      let lost = alone.finished.filter { !mixed.finished.contains($0) }
      #expect(lost.isEmpty && mixed.finished.count == alone.finished.count, "seed \(seed): \(base), \(kinds), \(voids)")
    }
  }

  @Test("a fix of one system is there from its last sentence on, and no void after it takes it back")
  func steady() {
    let tracker = TrackerUnderTest()
    for number in 0..<10 {
      let stamp = MixedReceiver.start + number * 1000
      for address in ["BDRMC", "GPRMC", "GPGGA", "BDGSA", "BDGGA"] {
        tracker.read(
          MixedReceiver.sentence(address, stamp, isValid: address.hasPrefix("GP")), at: Int64(number * 1000))
        if number > 1 { #expect(tracker.latest != nil && tracker.mode == .threeDimensions) }
      }
      if number > 1 { #expect(tracker.latest?.instant == Int64(stamp)) }
    }
  }

  @Test("a fix that is lost while another talker begins to speak is noticed")
  func talkerChanges() {
    let tracker = TrackerUnderTest()
    for number in 0..<90 {
      let stamp = MixedReceiver.start + number * 1000
      let (talker, hasFix) = number < 60 ? ("GN", true) : ("GP", false)
      for kind in ["GGA", "RMC"] {
        tracker.read(MixedReceiver.sentence(talker + kind, stamp, isValid: hasFix), at: Int64(number * 1000))
      }
      if number > 1, number < 60 { #expect(tracker.mode == .threeDimensions) }
    }
    #expect(tracker.mode == .none)
  }

  @Test("a stamp that is a little behind loses neither speed nor heading nor date", arguments: [50, 900, 1_500])
  func behind(milliseconds: Int) throws {
    let tracker = TrackerUnderTest()
    for number in 0..<10 {
      let stamp = MixedReceiver.start + number * 1000
      for (kind, stamp) in [("GGA", stamp), ("RMC", stamp - milliseconds / 10 * 10)] {
        tracker.read(MixedReceiver.sentence("GN" + kind, stamp, isValid: true), at: Int64(number * 1000))
      }
    }
    _ = tracker.finish()
    let fix = try #require(tracker.latest)
    #expect(fix.speed != nil && fix.heading == 84.4 && fix.instant >= Int64(MixedReceiver.start))
  }

  @Test("a receiver that takes its fixes back late in each epoch has none at any moment, after the first")
  func contradicting() {
    let tracker = TrackerUnderTest()
    for second in 10..<40 {
      tracker.read(Receiver.gga("1235\(second)"), at: Int64(second) * 1000)
      let isNew = tracker.read(Receiver.rmc("1235\(second)"), at: Int64(second) * 1000)
      #expect(isNew == (second == 10))
      tracker.read(Receiver.sentence("GPGLL,4807.038,N,01131.000,E,1235\(second),V,N"), at: Int64(second) * 1000)
      #expect(tracker.latest == nil && tracker.mode == .none)
    }
  }

  @Test("geometry, motion and error of a fix are of talkers that have one")
  func values() throws {
    let tracker = TrackerUnderTest()
    let stamp = MixedReceiver.start
    for address in ["BDGGA", "BDRMC", "BDGST", "BDVTG"] {
      tracker.read(
        MixedReceiver.sentence(address, stamp, isValid: false).replacing(",08,0.9,", with: ",00,99.9,"))
    }
    tracker.read(MixedReceiver.sentence("GPGGA", stamp, isValid: true))
    tracker.read(MixedReceiver.sentence("GNRMC", stamp, isValid: true))
    _ = tracker.finish()
    let fix = try #require(tracker.latest)
    #expect(fix.satellites == 8 && fix.hdop == 0.9 && fix.altitude == 545.4 && fix.heading == 84.4)
    #expect(fix.accuracy == 4.5 && fix.verticalAccuracy == nil)
    #expect(fix.told[2] == MixedReceiver.place("GP", stamp).longitude)
  }
}
