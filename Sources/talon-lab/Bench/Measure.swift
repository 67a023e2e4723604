import Foundation

/// One row of the bench: a figure of Talon's beside the same work done by a yardstick.
struct Measurement {
  var name: String
  var value: Double
  var unit: String
  /// The yardstick's name and its value in the same unit.
  var yardstick: (name: String, value: Double)?
  /// What the figure must keep, where a bar was set.
  var bar: Bar?

  /// True when the figure does not keep its bar, or nothing says that it does: in another unit, or without a yardstick.
  var isMissed: Bool {
    guard let bar else { return false }
    if bar.row.unit == Bar.times { return !bar.holds(yardstick.map { value / $0.value } ?? .nan) }
    return bar.row.unit != unit || !bar.holds(value)
  }

  var line: String {
    var line = name.padding(toLength: max(50, name.count), withPad: " ", startingAt: 0)
    let digits = value == value.rounded() ? 0 : value.magnitude < 10 ? 3 : 1
    line += String(format: "%12.\(digits)f ", value) + unit.padding(toLength: 10, withPad: " ", startingAt: 0)
    if let yardstick {
      line += String(format: " %7.2f x ", value / yardstick.value) + yardstick.name
    }
    if let bar { line += "   (bar: \(bar.words)\(isMissed ? ", MISSED" : ""))" }
    return line
  }
}

enum Stopwatch {
  /// Seconds that `work` takes: the best of `rounds`, which is what the machine can do undisturbed.
  static func best(of rounds: Int = 5, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = DispatchTime.now().uptimeNanoseconds
      try work()
      best = min(best, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
    }
    return best
  }

  /// Seconds of this thread's processor time that `work` takes, the best of `rounds`.
  static func bestOfThread(of rounds: Int = 15, _ work: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = threadSeconds()
      try work()
      best = min(best, threadSeconds() - start)
    }
    return best
  }

  private static func threadSeconds() -> Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}

/// What went wrong with a measurement.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// What this process has in memory, in bytes (`proc(5)`).
enum ProcessMemory {
  /// The peak counts from now on; what there is now.
  static func beginPeak() throws -> Int {
    try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
    return try read().resident
  }

  /// What there is now, and what there was at most.
  static func read() throws -> (resident: Int, peak: Int) {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    func field(_ name: String) throws -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      guard let value = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
        throw BenchError("no \(name) in /proc/self/status")
      }
      return value * 1024
    }
    return (try field("VmRSS"), try field("VmHWM"))
  }
}
