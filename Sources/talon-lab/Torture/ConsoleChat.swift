import Foundation

/// `talon chat`, as a person at the board types it.
enum ConsoleChat {
  /// Seconds for the whole reply; talon-gateway's agent speaks for less than one.
  static let patience = 20.0

  /// What a message is answered with. The gateway's agent repeats it.
  static func ask(talon: String, config: String) throws -> RunRecord.Answer {
    let process = Process()
    let said = Pipe()
    process.executableURL = URL(fileURLWithPath: talon)
    process.arguments = ["chat", "hello", "--config", config]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = said
    process.standardError = said
    try process.run()
    let deadline = Date(timeIntervalSinceNow: patience)
    while process.isRunning {
      guard Date() < deadline else {
        process.terminate()
        return .silence
      }
      Thread.sleep(forTimeInterval: 0.05)
    }
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    return process.terminationStatus == 0 && text == "You said: hello" ? .result : .refusal(text)
  }
}
