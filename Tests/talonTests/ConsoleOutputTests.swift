import Foundation
import Runtime
import Testing

@testable import talon

/// These tests run the program itself, beside them: what it writes goes to a terminal as it is.
@Suite("What commands say to a terminal") struct ConsoleOutputTests {
  private let folder = TemporaryFolder()

  private func said(_ words: [String]) throws -> String {
    let process = Foundation.Process()
    process.executableURL = URL(filePath: (CommandLine.arguments[0] as NSString).deletingLastPathComponent + "/talon")
    process.arguments = words
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  @Test("what others wrote gives a terminal no orders, and turns nothing around, in answers as in errors")
  func orders() throws {
    let path = folder.put("a\u{9B}31m\u{1B}[2J\u{202E}b", "[gateway]\nurl = wss://a\n")
    #expect(try said(["config", "check", "--config", path]).contains("/a?31m?[2J<U+202E>b is right\n"))
    let missing = try said(["config", "check", "--config", path + "\u{2066}c"])
    #expect(missing.hasPrefix("talon: ") && missing.contains("/a?31m?[2J<U+202E>b<U+2066>c"), "\(missing)")
  }
}
