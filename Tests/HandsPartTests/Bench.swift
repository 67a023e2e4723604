import Codec
import Hands
import Runtime
import Simulated
@testable import Agent
@testable import Benches
@testable import Node

/// Settings of a section.
func settings(_ name: String, _ kind: HandKind, _ change: (inout HandSettings) -> Void = { _ in }) -> HandSettings {
  var settings = HandSettings(name: name)
  settings.kind = kind
  change(&settings)
  return settings
}

/// A section for a line that is switched.
func output(
  _ name: String, _ line: MemoryOutput, _ change: (inout GPIOSettings) -> Void = { _ in }
) -> HandEntry {
  HandEntry(
    settings(name, .gpio) {
      $0.gpio.direction = .output
      change(&$0.gpio)
    }, .output(line))
}

extension AgentBench {
  /// Calls a hand: its answer.
  func call(_ name: String, _ parameters: String = "{}", id: String = "1") throws -> Answer {
    let answers = try invoke(id, "io." + name, params: parameters)
    guard let answer = answers.first(where: { $0.id == id }) else { throw NoAnswer() }
    return answer
  }

  struct NoAnswer: Error {}

  /// Its object in the status.
  func status(_ name: String) throws -> [String: Any] {
    let buffer = FixedBuffer(capacity: 65_536)
    var writer = JSONWriter(into: buffer.bytes)
    agent.writeStatus(to: &writer)
    let status = try AgentBench.object(Array(buffer.bytes[..<writer.count]))
    return (status["io"] as? [[String: Any]])?.first { $0["name"] as? String == name } ?? [:]
  }
}
