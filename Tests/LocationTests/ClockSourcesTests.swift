import Codec
import Runtime
import Simulated
import TestSupport
import Testing

@testable import Location

/// The board's clock by a receiver without a fix, from each source.
@Suite struct ClockSourcesTests {
  /// What a receiver without a fix sends about the time.
  enum Told: CaseIterable, Sendable {
    case minimum, minimumWithPlace, time, fixAndTime, mixed, frameOfTime, frameOfPosition, daemon

    /// The report of a second of 15 July 2026, 12:35.
    func bytes(_ second: Int, date: String = "150726") -> [UInt8] {
      let time = "1235\(second)"
      let empty = Receiver.sentence("GPRMC,\(time),V,,,,,,,\(date),,,N")
      let zda = Receiver.sentence("GPZDA,\(time),15,07,2026,00,00")
      let gga = Receiver.sentence("GPGGA,\(time),,,,,0,00,,,M,,M,,")
      switch self {
      case .minimum: return Array(empty.utf8)
      case .minimumWithPlace: return Array(Receiver.rmc(time, date, status: "V").utf8)
      case .time: return Array(zda.utf8)
      case .fixAndTime: return Array((gga + zda).utf8)
      case .mixed: return Array((gga + empty + zda).utf8)
      case .frameOfTime: return Receiver.timeUTC(UInt8(second), valid: 3)
      case .frameOfPosition: return Receiver.pvt(UInt8(second), valid: 3, kind: 0, flags: 0)
      case .daemon: return Array("{\"class\":\"TPV\",\"mode\":1,\"time\":\"2026-07-15T12:35:\(second).000Z\"}\n".utf8)
      }
    }
  }

  private final class Source: PositionSource {
    let language: PositionLanguage
    private(set) var state = PositionSourceState.absent
    var line: (any ReceiverLine)? { nil }
    init(_ language: PositionLanguage) { self.language = language }
    func start(_ sink: any PositionSourceDelegate) {
      state = .open
      sink.positionSourceOpened()
    }
    func retry() {}
    func stop() { state = .absent }
  }

  /// A board whose clock was never set, with a receiver.
  private final class Board: LocationUpdateDelegate {
    let clock = ManualClock()
    let date = FixedDate()
    private let keeper: ClockKeeper
    private let service: LocationService

    init(_ language: PositionLanguage = .receiver) {
      let log = Log(output: nil)
      clock.wall = 0
      keeper = ClockKeeper(clock: clock, setter: date, log: log)
      service = LocationService(clock: clock, log: log)
      service.observer = self
      service.start(Source(language))
    }

    func located(_ fix: Fix) {}
    func timeReceived(_ time: GNSSTime) { keeper.take(time) }

    /// Delivers what the receiver sends in the second that begins now. The board's clock shows what was set.
    func read(_ bytes: [UInt8]) {
      let before = date.wall
      service.positionSourceReceived(bytes.span, at: clock.monotonic)
      if let wall = date.wall, wall != before { clock.wall = wall }
      clock.monotonic += 1000
      clock.wall += 1000
    }
  }

  /// 15 July 2026, 12:35:00 UTC.
  private static let minute: Int64 = 1_784_118_900_000

  @Test("a clock that jumps by years, in both directions, is set to the receiver's date and to no other")
  func jumps() {
    let random = SeededRandom(seed: 7)
    for told in [Told.minimum, .frameOfTime] {
      let board = Board()
      for round in 0..<40 {
        let years = Int64(randomNumber(below: 101, random)) - 50
        board.clock.wall += years * 365 * 86_400_000
        let before = board.date.wall
        for second in 10..<40 { board.read(told.bytes(second)) }
        guard let wall = board.date.wall, wall != before else { continue }
        #expect(abs(wall - Self.minute) < 100_000, "round \(round)")
      }
      #expect(board.date.wall != nil)
    }
  }

  @Test("a time without a fix sets the clock once it has agreed for ten seconds", arguments: Told.allCases)
  func sets(_ told: Told) {
    let board = Board(told == .daemon ? .gpsd : .receiver)
    for second in 10..<20 { board.read(told.bytes(second)) }
    #expect(board.date.wall == nil)
    for second in 20..<25 { board.read(told.bytes(second)) }
    let error = board.clock.wall - (Self.minute + 25_000)
    #expect(board.date.wall != nil && abs(error) <= 1000)
  }

  @Test(
    "a date before Talon was made, or beyond a rollover of the week number, sets nothing",
    arguments: ["060180", "291106", "060419", "311225", "150746", "311279", ""])
  func implausible(_ date: String) {
    for told in [Told.minimum, .minimumWithPlace] {
      let board = Board()
      for second in 10..<50 { board.read(told.bytes(second, date: date)) }
      #expect(board.date.wall == nil)
    }
  }

  /// The second that a receiver tells in the n-th second of its time.
  enum Course: CaseIterable, Sendable {
    case frozen, twice, back, leaps

    func second(_ number: Int) -> Int {
      switch self {
      case .frozen: 10
      case .twice: 10 + 2 * number
      case .back: 59 - number
      case .leaps: 10 + number + number / 8 * 2
      }
    }
  }

  @Test("a time that does not keep step with the monotonic clock sets nothing", arguments: Course.allCases)
  func outOfStep(_ course: Course) {
    for told in Told.allCases {
      let board = Board(told == .daemon ? .gpsd : .receiver)
      for number in 0..<24 { board.read(told.bytes(course.second(number))) }
      #expect(board.date.wall == nil, "\(told)")
    }
  }

  @Test("a time of a fix that no satellite measured is no better than one without a fix", arguments: [6, 7, 8])
  func computed(_ quality: Int) {
    let board = Board()
    func bytes(_ second: Int) -> [UInt8] {
      Array((Receiver.gga("1235\(second)", quality: quality) + Receiver.rmc("1235\(second)")).utf8)
    }
    for second in 10..<20 { board.read(bytes(second)) }
    #expect(board.date.wall == nil)
    for second in 20..<25 { board.read(bytes(second)) }
    #expect(board.date.wall != nil)
  }

  @Test("a fix corrects what was set without one, forward and back", arguments: [-18_000, -3_000, 5_000] as [Int64])
  func corrected(_ offset: Int64) {
    let (board, keeper) = makeKeeper()
    func tell(_ second: Int64, _ offset: Int64, isFullyResolved: Bool) {
      let before = board.date.wall
      board.clock.monotonic = 1_000_000 + second * 1000
      board.clock.wall += 1000
      keeper.take(
        GNSSTime(
          instant: Self.minute + second * 1000 + offset, arrival: board.clock.monotonic,
          isFullyResolved: isFullyResolved))
      if let wall = board.date.wall, wall != before { board.clock.wall = wall }
    }
    for second in 0...10 { tell(Int64(second), 0, isFullyResolved: false) }
    #expect(board.date.wall == Self.minute + 10_000)
    for second in 11...13 { tell(Int64(second), offset, isFullyResolved: true) }
    #expect(board.date.wall == Self.minute + 13_000 + offset)
    // From then on only resolved times count.
    for second in 14..<40 { tell(Int64(second), 60_000, isFullyResolved: false) }
    #expect(board.date.wall == Self.minute + 13_000 + offset)
  }

  @Test("without a fix a plausible clock is only set forward, and one that NTP has set not at all")
  func plausibleClock() {
    for (ahead, isKept, isSet) in [(60_000, false, false), (-60_000, false, true), (-60_000, true, false)] {
      let (board, keeper) = makeKeeper()
      board.date.isKept = isKept
      for second in 0..<30 {
        // NTP ends, and the clock that it has set remains.
        if second == 15 { board.date.isKept = false }
        board.clock.monotonic = 1_000_000 + Int64(second) * 1000
        board.clock.wall = Self.minute + Int64(second) * 1000 + Int64(ahead)
        keeper.take(
          GNSSTime(
            instant: Self.minute + Int64(second) * 1000, arrival: board.clock.monotonic, isFullyResolved: false))
      }
      #expect((board.date.wall != nil) == isSet)
    }
  }

  private func makeKeeper() -> (board: (clock: ManualClock, date: FixedDate), keeper: ClockKeeper) {
    let (clock, date) = (ManualClock(), FixedDate())
    clock.wall = 0
    return ((clock, date), ClockKeeper(clock: clock, setter: date, log: Log(output: nil)))
  }

  @Test("whatever a receiver tells, only ten seconds in step set the clock, and they do", arguments: 0..<100)
  func property(seed: Int) {
    var random = Seeded(UInt64(seed))
    let (board, keeper) = makeKeeper()
    var told: [(arrival: Int64, offset: Int64)] = []
    var (offset, steadySince): (Int64, Int64) = (0, board.clock.monotonic)
    var lastSet = board.clock.monotonic
    for _ in 0..<150 {
      board.clock.monotonic += Int64.random(in: 200...3_000, using: &random)
      let now = board.clock.monotonic
      if Int.random(in: 0..<15, using: &random) == 0 {
        offset += Int64.random(in: -20_000...20_000, using: &random)
        steadySince = now
      }
      let reported = offset + Int64.random(in: 0...200, using: &random)
      told.append((now, reported))
      let before = board.date.wall
      keeper.take(GNSSTime(instant: Self.minute + now + reported, arrival: now, isFullyResolved: false))
      if board.date.wall != before {
        lastSet = now
        let recent = told.filter { $0.arrival >= now - ClockKeeper.unresolvedProof }
        #expect(told[0].arrival <= now - ClockKeeper.unresolvedProof)
        #expect(recent.allSatisfy { abs($0.offset - reported) <= 2 * ClockKeeper.tolerance })
      }
      // Two proofs of up to 15 s: the first may have begun before the last jump.
      #expect(now - max(lastSet, steadySince) <= 40_000)
    }
  }
}
