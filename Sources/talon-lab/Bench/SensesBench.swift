import CAllocationCounter
import Codec
import Foundation
import Location
import Runtime

/// What the senses take: reading a receiver's line, and making sense of a motion sensor's samples.
enum SensesBench {
  static func measurements() throws -> [Measurement] { try receiver() + MotionBench.measurements() }

  // MARK: The receiver's line

  private static func receiver() throws -> [Measurement] {
    let log = ReceiverLog.sentences(megabytes: 12)
    let megabytes = Double(log.count) / 1e6
    var (fixes, allocations) = (0, UInt64(0))
    let ours = Stopwatch.bestOfThread(of: 5) { (fixes, allocations) = read(log) }
    guard fixes == ReceiverLog.epochs(in: log) else { throw BenchError("\(fixes) fixes") }
    let theirs = try Gpsdecode.seconds(log)
    var speed = Measurement(
      name: "receiver's line of NMEA to fixes, one core", value: megabytes / ours, unit: "MB/s", bar: .receiver)
    if let theirs { speed.yardstick = ("gpsdecode", megabytes / theirs) } else { speed.name += " (no gpsdecode here)" }
    return [
      speed,
      Measurement(
        name: "allocations in \(fixes) epochs", value: Double(allocations), unit: "", bar: .receiverAllocations),
    ]
  }

  /// Fixes of a log that comes in the pieces of a serial port, and the allocations on the way.
  private static func read(_ log: [UInt8]) -> (fixes: Int, allocations: UInt64) {
    var reader = GNSSReader()
    var tracker = FixTracker()
    var fixes = 0
    tl_count_allocations()
    for start in stride(from: 0, to: log.count, by: Budget.serialReadBytes) {
      let piece = log.span.extracting(start..<min(start + Budget.serialReadBytes, log.count))
      var index = 0
      while let message = reader.next(piece, at: &index) {
        if tracker.accept(message, at: Int64(start), wall: 0) { fixes += 1 }
      }
    }
    return (fixes, tl_counted_allocations())
  }
}

/// A receiver of four systems that sends every kind of sentence once a second, on a drive.
enum ReceiverLog {
  static func sentences(megabytes: Int) -> [UInt8] {
    var log: [UInt8] = []
    log.reserveCapacity(megabytes * 1_010_000)
    var second = 0
    while log.count < megabytes * 1_000_000 {
      for body in epoch(second) { append(body, to: &log) }
      second += 1
    }
    return log
  }

  static func epochs(in log: [UInt8]) -> Int {
    let kind = Array("GNRMC".utf8)
    var count = 0
    for index in 0..<log.count - 6 where log[index] == UInt8(ascii: "$") && log[index + 3] == kind[2] {
      if log[index + 4] == kind[3], log[index + 5] == kind[4] { count += 1 }
    }
    return count
  }

  private static func append(_ body: String, to log: inout [UInt8]) {
    let sum = body.utf8.reduce(0, ^)
    log += Array(String(format: "$%@*%02X\r\n", body, sum).utf8)
  }

  private static func epoch(_ second: Int) -> [String] {
    let time = String(format: "%02d%02d%02d.00", second / 3600 % 24, second / 60 % 60, second % 60)
    let day = 1 + second / 86_400 % 28
    let minutes = String(format: "%08.5f", 7 + Double(second % 50_000) / 1000)
    let place = "48\(minutes),N,01131.\(String(format: "%05d", second % 99_999)),E"
    let course = String(format: "%.2f", Double(second * 7 % 36_000) / 100)
    var bodies = [
      "GNRMC,\(time),A,\(place),12.345,\(course),\(String(format: "%02d", day))0726,,,A,V",
      "GNVTG,\(course),T,,M,12.345,N,22.863,K,A", "GNGGA,\(time),\(place),1,12,0.72,545.4,M,46.9,M,,",
      "GNGNS,\(time),\(place),AAAA,24,0.72,545.4,46.9,,,V",
    ]
    let systems: [(talker: String, first: Int, count: Int, signal: String)] = [
      ("GP", 1, 12, "1"), ("GL", 65, 9, "1"), ("GA", 1, 10, "7"), ("GB", 6, 11, "1"),
    ]
    for (index, system) in systems.enumerated() {
      let used = (0..<12).map { $0 < 6 ? String(format: "%02d", system.first + $0) : "" }.joined(separator: ",")
      bodies.append("GNGSA,A,3,\(used),1.31,0.72,1.09,\(index + 1)")
    }
    for system in systems { bodies += pages(system, second) }
    return bodies + [
      "GNGLL,\(place),\(time),A,A", "GNGST,\(time),11,0.9,0.7,34,0.8,0.7,1.6",
      "GNZDA,\(time),\(String(format: "%02d", day)),07,2026,00,00", "GNGBS,\(time),0.8,0.7,1.6,,,,,,",
    ]
  }

  private static func pages(
    _ system: (talker: String, first: Int, count: Int, signal: String), _ second: Int
  ) -> [String] {
    let pages = (system.count + 3) / 4
    return (0..<pages).map { page in
      let numbers = 4 * page..<min(4 * page + 4, system.count)
      let shown = numbers.map {
        String(
          format: ",%02d,%02d,%03d,%02d", system.first + $0, 10 + $0 * 7 % 80, $0 * 37 % 360, 20 + (second + $0) % 28)
      }
      return "\(system.talker)GSV,\(pages),\(page + 1),\(system.count)\(shown.joined()),\(system.signal)"
    }
  }
}

/// The decoder of gpsd (Debian's gpsd-clients), when it is on this machine.
private enum Gpsdecode {
  /// Seconds of processor time that it takes for a log; nil when it is not there.
  static func seconds(_ log: [UInt8]) throws -> Double? {
    let program = "/usr/bin/gpsdecode"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("talon-\(UUID()).nmea")
    try Data(log).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    var best = Double.infinity
    for _ in 0..<3 {
      let before = childSeconds()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.standardInput = try FileHandle(forReadingFrom: file)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      best = min(best, childSeconds() - before)
    }
    return best
  }

  private static func childSeconds() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}
