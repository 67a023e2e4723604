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
      Measurement(name: "file", value: Double(size) / 1e6, unit: "MB", bar: "9 MB"),
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
