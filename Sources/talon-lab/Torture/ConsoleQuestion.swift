import Foundation

/// `talon gateway`, as a person at the board types it: it goes over the local socket and the second connection.
enum ConsoleQuestion {
  static let command = "talon gateway"
  /// Seconds for the answer.
  static let timeout = 20.0

  /// Asks the board with this configuration. What was said is kept in the file `output`.
  static func ask(talon: String, config: String, output: String) throws -> RunRecord.Answer {
    try? FileManager.default.removeItem(atPath: output)
    let child = try ChildProcess([talon, "gateway", "--config", config], output: output)
    let deadline = Date(timeIntervalSinceNow: timeout)
    while child.end == nil {
      guard Date() < deadline else {
        kill(child.pid, SIGKILL)
        child.waitUntilEnd()
        return .silence
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    let text = try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    return child.end == .code(0) && !text.isEmpty ? .result : .refusal(text)
  }
}
