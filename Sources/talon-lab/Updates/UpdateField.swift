import Fetch
import Foundation
import Runtime
import Simulated
import Updates

/// A field of boards of which each is its schedule alone: it asks a real server when `PollSchedule` says so, over a
/// real connection. The boards' time passes faster than the server's; connections have the server's.
final class UpdateField: TimerHandler {
  /// How long the parts of a run last, in seconds of the boards' time, and what makes the server go and come back.
  struct Course {
    var pace: Int64
    var calm: Int64
    var away: Int64
    var after: Int64
    var stop: String
    var start: String

    var end: Int64 { calm + away + after }
  }

  private struct Board {
    var schedule: PollSchedule
    let random: SeededRandom
    var isAsking = false
    var isRegistered = false
  }

  /// Connections at a time: a loop has timers for so many.
  static let lines = 16

  private let loop: Loop
  private let clock = SystemClock()
  private let course: Course
  private var boards: [Board] = []
  private var lines: [FieldLine] = []
  /// When the boards got their power; nil before the first one is known.
  private var begun: Int64?
  private var hasStopped = false
  private var hasStarted = false
  private(set) var counts: PollCounts
  /// The second in which the server first answered again; nil: it did not.
  private(set) var backAt: Int?
  private(set) var failures = 0
  /// The longest time for which a board waited for a free connection, in its own milliseconds.
  private(set) var longestWait: Int64 = 0

  init(boards count: Int, server: WebURL, _ course: Course) throws(Errno) {
    loop = try Loop(clock: clock)
    self.course = course
    counts = PollCounts(seconds: Int(course.end))
    for number in 0..<count {
      let random = SeededRandom(seed: UInt64(number) &* 0x9E37_79B9_7F4A_7C15 ^ 0x5DEE_CE66)
      boards.append(Board(schedule: PollSchedule(at: 0, random), random: random))
    }
    for _ in 0..<Self.lines { lines.append(try FieldLine(self, server: server, loop: loop, clock: clock)) }
  }

  /// A board's id at the server.
  static func name(_ board: Int) -> String { "field-\(board)" }

  /// Runs the whole course. The first board is introduced alone: gooseBit 0.2.12 makes two entries of a kind of board
  /// that two tell it of at once, and answers nobody of that kind from then on.
  func run() throws(Errno) {
    try loop.run { self.work() }
    loop.cancelTimer(TimerID(0), of: self)
  }

  /// Boards that the server has answered and knows by their attributes.
  var registered: Int { boards.count { $0.isRegistered } }

  func timerFired(_ id: TimerID) {}

  // MARK: Time

  /// Milliseconds of the boards' time.
  private var now: Int64 { begun.map { (clock.monotonic - $0) * course.pace } ?? 0 }

  private func introduce() {
    if boards[0].isRegistered {
      begun = clock.monotonic
    } else if lines[0].board == nil {
      // Once: a server that does not answer now is none to measure.
      if boards[0].isAsking || failures > 0 { return loop.stop() }
      boards[0].isAsking = true
      lines[0].ask(for: 0)
    }
    lines[0].advance(to: clock.monotonic)
    loop.setTimer(TimerID(0), of: self, at: lines[0].nextDeadline ?? clock.monotonic)
  }

  private func work() {
    guard let begun else { return introduce() }
    let now = now
    if now >= course.end * 1000 { return loop.stop() }
    if !hasStopped, now >= course.calm * 1000 {
      hasStopped = true
      Self.shell(course.stop)
    }
    if !hasStarted, now >= (course.calm + course.away) * 1000 {
      hasStarted = true
      Self.shell(course.start)
    }
    for line in lines where line.board != nil { line.advance(to: clock.monotonic) }
    askForDue(now)
    loop.setTimer(TimerID(0), of: self, at: nextWake(begun))
  }

  private func askForDue(_ now: Int64) {
    var free = lines.indices.filter { lines[$0].board == nil }
    // Who has waited longest comes first.
    let due = boards.indices.filter { !boards[$0].isAsking && boards[$0].schedule.dueAt <= now }
      .sorted { boards[$0].schedule.dueAt < boards[$1].schedule.dueAt }
    for board in due {
      guard let line = free.popLast() else { return }
      let dueAt = boards[board].schedule.dueAt
      longestWait = max(longestWait, now - dueAt)
      // A board of its own would have asked at that moment.
      counts.add(at: dueAt)
      boards[board].isAsking = true
      lines[line].ask(for: board)
    }
  }

  private func nextWake(_ begun: Int64) -> Int64 {
    var next = begun + course.end * 1000 / course.pace + 1
    for line in lines where line.board != nil { next = min(next, line.nextDeadline ?? next) }
    guard lines.contains(where: { $0.board == nil }) else { return next }
    for board in boards where !board.isAsking { next = min(next, begun + board.schedule.dueAt / course.pace + 1) }
    return next
  }

  private static func shell(_ command: String) {
    let process = Foundation.Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    do { try process.run() } catch { LabOutput.note("\(command): \(LabFailure.reason(error))") }
  }

  // MARK: Answers

  func answered(_ board: Int, seconds: Int64?) {
    boards[board].isAsking = false
    boards[board].schedule.answered(at: now, seconds: seconds, boards[board].random)
    if hasStarted, backAt == nil { backAt = Int(now / 1000) }
  }

  func failed(_ board: Int, retryAfter seconds: UInt32?) {
    failures += 1
    boards[board].isAsking = false
    boards[board].schedule.failed(at: now, retryAfter: seconds, boards[board].random)
  }

  func isRegistered(_ board: Int) -> Bool { boards[board].isRegistered }

  func registered(_ board: Int) { boards[board].isRegistered = true }
}
