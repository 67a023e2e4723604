import Foundation

/// `talon chat`, as a person at the board types it.
enum ConsoleChat {
  /// Seconds for the whole reply; talon-gateway's agent speaks for less than one.
  static let patience = 20.0

  /// What a message is answered with: the gateway's agent repeats it. What was said is kept in the file `output`. Boards
  /// that talk at once do so in conversations of their own.
  static func ask(talon: String, config: String, session: String, output: String) throws -> RunRecord.Answer {
    try? FileManager.default.removeItem(atPath: output)
    let child = try ChildProcess([talon, "chat", "hello", "--session", session, "--config", config], output: output)
    let deadline = Date(timeIntervalSinceNow: patience)
    while child.end == nil {
      guard Date() < deadline else {
        kill(child.pid, SIGKILL)
        child.waitUntilEnd()
        return .silence
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    let text = try String(contentsOfFile: output, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    return child.end == .code(0) && text == "You said: hello" ? .result : .refusal(text)
  }
}
