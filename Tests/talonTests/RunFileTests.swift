import Foundation
import Glibc
import Testing

@testable import talon

/// The program itself runs, and its file is written as editors write.
@Suite("A configuration file that changes while the agent runs", .serialized)
struct RunFileTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/talon.conf" }

  /// The program, beside the tests.
  private static let program = (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/talon"

  private func text(_ name: String, isRight: Bool = true) -> String {
    """
    [gateway]
    url = wss://127.0.0.1:9
    [node]
    name = \(name)
    state_directory = \(folder.path)/state
    runtime_directory = \(folder.path)/run
    [camera]
    driver = none
    \(isRight ? "" : "nonsense")

    """
  }

  /// Written in place, as some editors do: the file is empty for a moment.
  private func put(_ name: String, isRight: Bool = true) { _ = folder.put("talon.conf", text(name, isRight: isRight)) }

  private func start() throws -> Foundation.Process {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["run", "--config", path]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs a command to its end; what it printed.
  private func talon(_ words: [String]) throws -> String {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  /// The status, as soon as it is so.
  private func awaits(
    _ process: Foundation.Process, _ configuration: String? = nil, _ isSo: (String) -> Bool
  ) throws -> String {
    let deadline = Date(timeIntervalSinceNow: 60)
    while process.isRunning, Date() < deadline {
      let text = try talon(["status", "--json", "--config", configuration ?? path])
      if isSo(text) { return text }
      usleep(10_000)
    }
    return process.isRunning ? "it did not come" : "the agent ended"
  }

  private func end(_ process: Foundation.Process) {
    process.terminate()
    process.waitUntilExit()
  }

  @Test("right at the signal and wrong just after it ends no agent")
  func race() throws {
    put("Roof")
    let process = try start()
    defer { end(process) }
    for round in 0..<8 {
      let text = try awaits(process) { $0.contains("\"pid\"") }
      try #require(text.contains("\"pid\""), "\(text) in round \(round)")
      put("Roof \(round)")
      kill(process.processIdentifier, SIGHUP)
      usleep(UInt32(round) * 1000)
      put("Roof", isRight: false)
      usleep(100_000)
    }
    #expect(try awaits(process) { $0.contains("\"pid\"") }.contains("\"pid\":\(process.processIdentifier)"))
  }

  @Test(
    "right when the agent was asked to read it and cut just after it, what was right counts",
    arguments: [0, 10, 40, 70, 150])
  func cut(bytes: Int) throws {
    put("Roof")
    // Commands find the folders by a file that stays.
    let stays = folder.put("stays.conf", text("Roof"))
    let process = try start()
    defer { end(process) }
    _ = try awaits(process) { $0.contains("\"pid\"") }
    let next = text("Roof").replacingOccurrences(of: "127.0.0.1:9", with: "127.0.0.1:7")
    _ = folder.put("talon.conf", next)
    #expect(try talon(["reload", "--config", stays]).contains("again"))
    _ = folder.put("talon.conf", Array(next.utf8.prefix(bytes)))
    let status = try awaits(process, stays) { $0.contains("127.0.0.1:7") }
    #expect(status.contains("127.0.0.1:7") && !status.contains("\"trouble\":{\"configuration\""))
  }

  @Test("wrong at the start, the last one is used, and told, until it is right")
  func wrongAtStart() throws {
    put("Roof")
    let first = try start()
    _ = try awaits(first) { $0.contains("\"pid\"") }
    end(first)
    put("Roof", isRight: false)
    let second = try start()
    defer { end(second) }
    let text = try awaits(second) { $0.contains("\"pid\"") }
    #expect(text.contains("\"trouble\":{\"configuration\":") && text.contains("expected [section] or key = value"))
    put("Roof")
    kill(second.processIdentifier, SIGHUP)
    let after = try awaits(second) { $0.contains("\"pid\"") && !$0.contains("\"trouble\":{\"configuration\"") }
    #expect(after.contains("\"pid\""))
  }
}
