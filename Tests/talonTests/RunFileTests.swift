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

  private func put(_ name: String, isRight: Bool = true) {
    let text = """
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
    _ = folder.put("talon.conf", text)
  }

  private func start() throws -> Foundation.Process {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["run", "--config", path]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func status() throws -> String {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: Self.program)
    process.arguments = ["status", "--json", "--config", path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  /// The status, as soon as it is so.
  private func awaits(_ process: Foundation.Process, _ isSo: (String) -> Bool) throws -> String {
    for _ in 0..<3000 where process.isRunning {
      let text = try status()
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
