import Glibc
import Runtime

/// Time that a test may let pass.
final class LeapingClock: Clock {
  private let real = SystemClock()
  var leap: Int64 = 0
  var monotonic: Int64 { real.monotonic + leap }
  var wall: Int64 { real.wall }
}

/// The loop on which something lives that has a process of its own.
class ChildBench: TimerHandler {
  let clock = LeapingClock()
  let loop: Loop
  let log = Log(level: .debug, output: nil)

  init() throws {
    // As `Signals` has it in the program.
    signal(SIGPIPE, SIG_IGN)
    loop = try Loop(clock: clock)
  }

  /// Runs the loop until that is so, or for many times as long as it takes.
  func wait(_ isSo: @escaping () -> Bool) throws -> Bool {
    let end = SystemClock().monotonic + 20_000
    timerFired(TimerID(0))
    try loop.run { if isSo() || SystemClock().monotonic > end { self.loop.stop() } }
    loop.cancelTimer(TimerID(0), of: self)
    return isSo()
  }

  func timerFired(_ id: TimerID) { loop.setTimer(TimerID(0), of: self, at: clock.monotonic + 10) }

  var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  static func text(_ span: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    for index in 0..<span.count { bytes.append(span[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
