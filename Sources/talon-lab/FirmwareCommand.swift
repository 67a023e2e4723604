import ArgumentParser
import Foundation

/// Figures of a firmware file that runs: start-up, memory, wake-ups.
struct FirmwareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firmware",
    abstract: "Measures a firmware file against a running gateway that has approved it.")

  @Option(help: "The firmware.")
  var talon: String

  @Option(help: "Its configuration, with log level info or more.")
  var config: String

  @Option(help: "How often it is started.")
  var runs = 10

  @Option(help: "Seconds of idleness that are watched.")
  var idle = 60

  func run() throws {
    let starts = try (0..<runs).map { _ in
      let node = try RunningNode(talon: talon, config: config)
      defer { node.stop() }
      return try node.waitUntilOnline()
    }.sorted()
    let size = try FileManager.default.attributesOfItem(atPath: talon)[.size] as? Int ?? 0
    var rows = [
      Measurement(name: "file", value: Double(size) / 1e6, unit: "MB", bar: "6.5 MB"),
      Measurement(
        name: "exec to online, median of \(runs)", value: starts[starts.count / 2] * 1000, unit: "ms",
        bar: "50 ms"),
    ]
    rows += try idleFigures()
    for row in rows { print(row.line) }
  }

  private func idleFigures() throws -> [Measurement] {
    let node = try RunningNode(talon: talon, config: config)
    defer { node.stop() }
    _ = try node.waitUntilOnline()
    let before = try node.reading()
    Thread.sleep(forTimeInterval: Double(idle))
    let after = try node.reading()
    let seconds = Double(idle)
    return [
      Measurement(name: "idle \(idle) s: PSS", value: after.pss / 1e6, unit: "MB", bar: "6 MB"),
      Measurement(
        name: "idle \(idle) s: anonymous memory", value: after.anonymous / 1e6, unit: "MB", bar: "2 MB"),
      Measurement(
        name: "idle wake-ups", value: (after.wakeups - before.wakeups) / seconds, unit: "per second",
        bar: "1 per second"),
      Measurement(
        name: "idle CPU", value: (after.cpu - before.cpu) / seconds * 100, unit: "%", bar: "0.1 %"),
    ]
  }
}

/// A firmware that was started, and its standard error.
private final class RunningNode {
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

  /// Seconds from exec until the log says that the node is online.
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

  func reading() throws -> Reading {
    let folder = "/proc/\(process.processIdentifier)"
    var reading = Reading()
    for line in try String(contentsOfFile: folder + "/smaps_rollup", encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0] == "Pss:" { reading.pss = (Double(words[1]) ?? 0) * 1024 }
      if words[0] == "Anonymous:" { reading.anonymous = (Double(words[1]) ?? 0) * 1024 }
    }
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
