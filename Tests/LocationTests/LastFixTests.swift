import Codec
import Runtime
import Simulated
import Testing

@testable import Location

@Suite struct LastFixTests {
  private let boot = LastFix.Boot(cutting: "01234567-89ab-cdef-0123-456789abcdef")
  private let otherBoot = LastFix.Boot(cutting: "fedcba98-7654-3210-fedc-ba9876543210")
  private static let instant: Int64 = 1_784_118_919_000
  private let fix = Fix(
    latitude: -47.123456789, longitude: 8.000000001, accuracy: 4.5, altitude: 540.25, instant: instant, arrival: 60_000,
    isMeasured: true)

  private var last: LastFix { LastFix(fix: fix, boot: boot) }

  @Test("within one run of the kernel its monotonic clock tells the age")
  func sameBoot() {
    #expect(last.aged(boot: boot, wall: nil, now: 90_000)?.arrival == 60_000)
    // A monotonic clock that is after is not this one.
    #expect(last.aged(boot: boot, wall: nil, now: 59_000) == nil)
  }

  @Test("after a restart of the board only a clock that was set tells it")
  func otherRun() {
    #expect(last.aged(boot: otherBoot, wall: nil, now: 90_000) == nil)
    #expect(last.aged(boot: otherBoot, wall: Self.instant + 30_000, now: 5_000)?.arrival == -25_000)
    #expect(last.aged(boot: otherBoot, wall: Self.instant - 1, now: 5_000) == nil)
    // Thirty years ahead it is as old as that, and thirty years back of an unknown age.
    let years: Int64 = 30 * 31_557_600_000
    #expect(last.aged(boot: otherBoot, wall: Self.instant + years, now: 5_000)?.arrival == 5_000 - years)
    #expect(last.aged(boot: otherBoot, wall: Self.instant - years, now: 5_000) == nil)
    // A kernel that does not tell its run is never the same.
    let nameless = LastFix(fix: fix, boot: LastFix.Boot())
    #expect(nameless.aged(boot: LastFix.Boot(), wall: nil, now: 90_000) == nil)
  }

  @Test("a record comes back as it was written")
  func roundTrip() throws {
    let buffer = FixedBuffer(capacity: Budget.fixRecordBytes)
    for altitude in [540.25, nil] {
      var written = last
      written.fix.altitude = altitude
      let count = written.encode(into: buffer.bytes)
      #expect(count <= Budget.fixRecordBytes)
      let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
      let found = LastFix(text)
      let read = try #require(found)
      #expect(read.fix == written.fix)
      let isSameBoot = read.boot.equals(boot.span)
      #expect(isSameBoot)
    }
  }

  @Test(
    "what makes no sense is no record",
    arguments: [
      "", "{}", "[]", #"{"lat":91,"lon":0,"accuracy":1,"isMeasured":true,"instant":1784118919000,"arrival":0}"#,
      #"{"lat":1,"lon":-181,"accuracy":1,"isMeasured":true,"instant":1784118919000,"arrival":0}"#,
      #"{"lat":1,"lon":1,"accuracy":-1,"isMeasured":true,"instant":1784118919000,"arrival":0}"#,
      #"{"lat":1,"lon":1,"accuracy":1,"isMeasured":true,"instant":0,"arrival":0}"#,
      #"{"lat":1,"lon":1,"accuracy":1,"instant":1784118919000,"arrival":0}"#,
      #"{"lat":1,"lon":1,"accuracy":1,"isMeasured":true,"instant":1784118919000,"arrival":-9223372036854775808}"#,
    ])
  func nonsense(text: String) {
    let found = LastFix(text.utf8.span)
    #expect(found == nil)
  }
}

@Suite struct FixKeeperTests {
  private let clock = ManualClock()
  private let runner = DeferredRunner()
  private let store = MemoryStore()
  private let log = Log(output: nil)
  private let boot = LastFix.Boot(cutting: "01234567-89ab-cdef-0123-456789abcdef")

  private func makeKeeper() -> FixKeeper { FixKeeper(store: store, runner: runner, clock: clock, boot: boot, log: log) }

  private func fix(_ latitude: Double = 47) -> Fix {
    Fix(
      latitude: latitude, longitude: 8, accuracy: 5, instant: 1_784_118_919_000, arrival: 1, isMeasured: true)
  }

  private func written() -> Double? {
    let keeper = makeKeeper()
    keeper.load()
    return keeper.restored?.fix.latitude
  }

  @Test("the first fix is written, then one a quarter of an hour later; a move makes it a minute")
  func pace() {
    let keeper = makeKeeper()
    keeper.load()
    #expect(keeper.restored == nil)
    keeper.take(fix(47), now: 0)
    runner.runAll()
    #expect(written() == 47)
    keeper.take(fix(47.0001), now: FixKeeper.standingSpacing - 1)
    runner.runAll()
    #expect(written() == 47)
    keeper.take(fix(47.0002), now: FixKeeper.standingSpacing)
    runner.runAll()
    #expect(written() == 47.0002)
    // 111 m.
    keeper.take(fix(47.0012), now: FixKeeper.standingSpacing + FixKeeper.movingSpacing - 1)
    runner.runAll()
    #expect(written() == 47.0002)
    keeper.take(fix(47.0012), now: FixKeeper.standingSpacing + FixKeeper.movingSpacing)
    runner.runAll()
    #expect(written() == 47.0012)
  }

  @Test("what is not on flash yet is written at the end")
  func flush() {
    let keeper = makeKeeper()
    keeper.take(fix(47), now: 0)
    runner.runAll()
    keeper.take(fix(48), now: 10)
    keeper.flush()
    #expect(!keeper.isSettled)
    runner.runAll()
    #expect(keeper.isSettled)
    #expect(written() == 48)
  }
}

@Suite struct MoveWatchTests {
  private func fix(_ latitude: Double, accuracy: Double = 5, isMeasured: Bool = true) -> Fix {
    Fix(
      latitude: latitude, longitude: 8, accuracy: accuracy, instant: 1_784_118_919_000, arrival: 1,
      isMeasured: isMeasured)
  }

  @Test("a move counts from where the last one was told, and only when it is certain")
  func moves() {
    var watch = MoveWatch(threshold: 500)
    var told: [Bool] = []
    // 0.001 degrees are 111 m.
    for latitude in [47.0, 47.004, 47.005, 47.009, 47.0101] { told.append(watch.hasMoved(fix(latitude))) }
    #expect(told == [false, false, true, false, true])
    let vague = watch.hasMoved(fix(47.02, accuracy: 800))
    let invented = watch.hasMoved(fix(48, isMeasured: false))
    #expect(!vague)
    #expect(!invented)
  }

  @Test("a board that was carried away while it was off has moved")
  func restart() {
    var watch = MoveWatch(threshold: 500)
    watch.begin(at: Place(latitude: 46, longitude: 8))
    let isMoved = watch.hasMoved(fix(47))
    #expect(isMoved)
  }

  @Test("0 switches it off")
  func off() {
    var watch = MoveWatch(threshold: 0)
    watch.begin(at: Place(latitude: 46, longitude: 8))
    let isMoved = watch.hasMoved(fix(47))
    #expect(!isMoved)
  }
}

@Suite struct ClockKeeperTests {
  private let clock = ManualClock()
  private let date = FixedDate()
  private let log = Log(output: nil)
  private static let right: Int64 = 1_784_118_919_000

  private func time(_ offset: Int64, arrival: Int64, isFullyResolved: Bool = true) -> GNSSTime {
    GNSSTime(instant: Self.right + offset, arrival: arrival, isFullyResolved: isFullyResolved)
  }

  private func keeper() -> ClockKeeper {
    clock.monotonic = 10_000
    clock.wall = 0
    return ClockKeeper(clock: clock, setter: date, log: log)
  }

  @Test("two instants that agree with the monotonic clock set the date")
  func sets() {
    let keeper = keeper()
    keeper.take(time(0, arrival: 10_000))
    #expect(date.wall == nil)
    clock.monotonic = 12_100
    keeper.take(time(2_000, arrival: 12_000))
    // 100 ms passed since it arrived.
    #expect(date.wall == Self.right + 2_100)
  }

  @Test("time that jumps is not believed")
  func jumps() {
    let keeper = keeper()
    keeper.take(time(0, arrival: 10_000))
    keeper.take(time(60_000, arrival: 12_000))
    #expect(date.wall == nil)
    keeper.take(time(62_000, arrival: 14_000))
    #expect(date.wall != nil)
  }

  @Test("a receiver that does not know the leap seconds yet sets nothing")
  func unresolved() {
    let keeper = keeper()
    keeper.take(time(0, arrival: 10_000, isFullyResolved: false))
    keeper.take(time(2_000, arrival: 12_000, isFullyResolved: false))
    #expect(date.wall == nil)
  }

  @Test("what something else keeps is left alone, and so is a clock that is right")
  func kept() {
    let keeper = keeper()
    date.isKept = true
    keeper.take(time(0, arrival: 10_000))
    keeper.take(time(2_000, arrival: 12_000))
    date.isKept = false
    clock.monotonic = 14_000
    clock.wall = Self.right + 4_000 + 1_500
    keeper.take(time(4_000, arrival: 14_000))
    #expect(date.wall == nil)
  }

  @Test("without the right to set it, that is said once")
  func refused() {
    let keeper = keeper()
    date.failure = .notPermitted
    for second in 0..<5 { keeper.take(time(Int64(second) * 2000, arrival: 10_000 + Int64(second) * 2000)) }
    var lines = 0
    log.forEachLine { _ in lines += 1 }
    #expect(lines == 1)
  }
}
