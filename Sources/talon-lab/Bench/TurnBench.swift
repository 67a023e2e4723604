import Foundation

/// The longest turn of the agent's loop while it takes what others may send at its limits; painting and long pushes are
/// a worker's. A board with one core of 512 MHz is some 30 times slower than the machine that FIGURES.md tells of:
/// 0.7 ms there are 20 ms on it, which nobody sees or hears. Foundation reads the yardstick's frames in 0.7 ms there,
/// too, so that the bar is as high on other machines.
enum TurnBench {
  private static let yardstickBytes = 15_000
  /// Messages of a history: as many as the agent asks for, of as many characters.
  private static let history = (messages: 80, bytes: 12_000)

  static func measurements() throws -> [Measurement] {
    let yardstick = try yardstick()
    var rows: [Measurement] = []
    for page in TurnPage.all {
      var first: [TurnAgent.Turns] = []
      var second: [TurnAgent.Turns] = []
      for _ in 0..<3 {
        let agent = try TurnAgent()
        first.append(try agent.receive(page))
        if page.command == TurnPage.later.command { second.append(try agent.receive(.later)) }
      }
      rows.append(row(page.name, first, yardstick))
      if !second.isEmpty { rows.append(row("  a later push beside it", second, yardstick)) }
    }
    let histories = try (0..<3).map { _ in
      try TurnAgent().receiveHistory(messages: history.messages, bytes: history.bytes)
    }
    return rows + [row("a chat history of \(history.messages) messages", histories, yardstick)]
  }

  /// The best of several runs, which is what the machine can do undisturbed.
  static func row(_ name: String, _ runs: [TurnAgent.Turns], _ yardstick: Double) -> Measurement {
    Measurement(
      name: "\(name): longest of \(runs[0].count) turns", value: (runs.map(\.longest).min() ?? .nan) * 1e3, unit: "ms",
      yardstick: ("JSONSerialization of 51 frames", yardstick * 1e3), bar: .turn)
  }

  /// Seconds of processor time.
  private static func yardstick() throws -> Double {
    let text = BenchCommand.frames(bytes: yardstickBytes)
    return try Stopwatch.bestOfThread(of: 500) { _ = try JSONSerialization.jsonObject(with: text) }
  }
}
