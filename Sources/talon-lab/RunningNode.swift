import ArgumentParser
import Foundation

/// A firmware that was started, and its standard error.
final class RunningNode {
  struct Reading {
    /// Bytes.
    var pss = 0.0
    var anonymous = 0.0
    /// Voluntary context switches of all threads.
    var wakeups = 0.0
    /// Seconds.
    var cpu = 0.0
  }

  private let process = Process()
  private let log = Pipe()
  private let started: UInt64

  init(talon: String, config: String) throws {
    process.executableURL = URL(fileURLWithPath: talon)
    process.arguments = ["run", "--config", config]
    process.standardError = log
    started = DispatchTime.now().uptimeNanoseconds
    try process.run()
  }

  /// Seconds from exec until the log says, from here on, that the node is online.
  func waitUntilOnline() throws -> Double {
    var text = ""
    while true {
      let piece = log.fileHandleForReading.availableData
      guard !piece.isEmpty else { throw ValidationError("the firmware ended: \(text)") }
      text += String(decoding: piece, as: UTF8.self)
      if text.contains("gateway: online") {
        return Double(DispatchTime.now().uptimeNanoseconds - started) / 1e9
      }
      if text.contains("waits for approval") {
        throw ValidationError("the gateway has not approved this node")
      }
    }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Bytes of a process, from `/proc/PID/smaps_rollup`.
  static func memory(of pid: pid_t) throws -> (pss: Double, anonymous: Double) {
    var (pss, anonymous) = (0.0, 0.0)
    for line in try String(contentsOfFile: "/proc/\(pid)/smaps_rollup", encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0] == "Pss:" { pss = (Double(words[1]) ?? 0) * 1024 }
      if words[0] == "Anonymous:" { anonymous = (Double(words[1]) ?? 0) * 1024 }
    }
    return (pss, anonymous)
  }

  func reading() throws -> Reading {
    let folder = "/proc/\(process.processIdentifier)"
    var reading = Reading()
    (reading.pss, reading.anonymous) = try Self.memory(of: process.processIdentifier)
    for thread in try FileManager.default.contentsOfDirectory(atPath: folder + "/task") {
      let status = try String(contentsOfFile: folder + "/task/\(thread)/status", encoding: .utf8)
      for line in status.split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches:") {
        reading.wakeups += Double(line.split(whereSeparator: \.isWhitespace)[1]) ?? 0
      }
      // The scheduler's own account, in nanoseconds: the clock ticks of /proc/PID/stat are too coarse.
      let schedule = try String(contentsOfFile: folder + "/task/\(thread)/schedstat", encoding: .utf8)
      reading.cpu += (Double(schedule.split(separator: " ")[0]) ?? 0) / 1e9
    }
    return reading
  }
}
