import ArgumentParser
import Foundation

/// Figures of a firmware file that runs: start-up, memory, wake-ups.
struct FirmwareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "firmware",
    abstract: "Measures a firmware file against a running gateway that has approved it.",
    discussion: """
      No other process may have the file open: it would share the memory. The exit code is 1 when a figure misses its \
      bar.
      """)

  @Option(help: "The firmware.")
  var talon: String

  @Option(help: "Its configuration, with log level info or more.")
  var config: String

  @Option(help: "The same configuration with one section more, for another node that is approved: what that adds.")
  var more: String?

  @Option(help: "How often it is started.")
  var runs = 10

  @Option(help: "Seconds of idleness that are watched.")
  var idle = 60

  func validate() throws {
    guard runs > 0, idle > 0 else { throw ValidationError("--runs and --idle must be more than 0") }
  }

  func run() throws {
    let starts = try (0..<runs).map { _ in
      let node = try RunningNode(talon: talon, config: config)
      defer { node.stop() }
      return try node.waitUntilOnline()
    }
    let size = try FileManager.default.attributesOfItem(atPath: talon)[.size] as? Int ?? 0
    var verdict = Verdict()
    // Its bar is that of the program without its models, which board/tests/size.sh tells apart.
    verdict.show(Measurement(name: "file", value: Double(size) / 1e6, unit: "MB"))
    verdict.show(Self.start(starts))
    let rest = try watch(config)
    verdict.show(Self.figures(of: rest))
    if let more { verdict.show(Self.figures(of: try watch(more), beside: rest)) }
    try verdict.finish()
  }

  /// A node that did nothing for a while.
  struct Rest {
    var before: RunningNode.Reading
    var after: RunningNode.Reading
    var seconds: Double

    var wakeUps: Double { (after.wakeups - before.wakeups) / seconds }
    /// Percent of a core.
    var cpu: Double { (after.cpu - before.cpu) / seconds * 100 }
  }

  private func watch(_ config: String) throws -> Rest {
    let node = try RunningNode(talon: talon, config: config)
    defer { node.stop() }
    _ = try node.waitUntilOnline()
    let before = try node.reading()
    Thread.sleep(forTimeInterval: Double(idle))
    return Rest(before: before, after: try node.reading(), seconds: Double(idle))
  }

  /// Of the seconds that each start took.
  static func start(_ seconds: [Double]) -> Measurement {
    Measurement(
      name: "exec to online, median of \(seconds.count)", value: seconds.sorted()[seconds.count / 2] * 1000, unit: "ms",
      bar: .start)
  }

  static func figures(of rest: Rest) -> [Measurement] {
    let idle = "idle \(Int(rest.seconds)) s"
    return [
      Measurement(name: "\(idle): PSS", value: rest.after.pss / 1e6, unit: "MB", bar: .idlePSS),
      Measurement(
        name: "\(idle): anonymous memory", value: rest.after.anonymous / 1e6, unit: "MB", bar: .idleAnonymous),
      Measurement(
        name: "  of which came in that time", value: (rest.after.anonymous - rest.before.anonymous) / 1e3, unit: "KB"),
      Measurement(name: "idle wake-ups", value: rest.wakeUps, unit: "per second", bar: .idleWakeUps),
      Measurement(name: "idle CPU", value: rest.cpu, unit: "%", bar: .idleCPU),
    ]
  }

  /// What a node has more than the one without that section.
  static func figures(of rest: Rest, beside plain: Rest) -> [Measurement] {
    [
      Measurement(
        name: "the section adds: anonymous memory", value: (rest.after.anonymous - plain.after.anonymous) / 1e3,
        unit: "KB", bar: .sectionAnonymous),
      Measurement(
        name: "  PSS", value: (rest.after.pss - plain.after.pss) / 1e3, unit: "KB", bar: .sectionPSS),
      Measurement(
        name: "  wake-ups", value: (rest.wakeUps - plain.wakeUps) * 60, unit: "per minute", bar: .sectionWakeUps),
      Measurement(name: "  CPU", value: rest.cpu - plain.cpu, unit: "%", bar: .sectionCPU),
    ]
  }
}
