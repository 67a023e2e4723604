import Board
import Device
import Foundation
import Runtime
import Testing

/// Reports by a program, for which a script stands here.
@Suite struct OwnProgramTests {
  private func report(_ inspection: Inspection, of script: String) throws -> String {
    let path = NSTemporaryDirectory() + "own-\(UUID().uuidString)"
    try ("#!/bin/sh\n" + script + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(chmod(path, 0o700) == 0)
    let room = FixedBuffer(capacity: Budget.inspectionBytes)
    let count = try OwnProgram(configuration: "/c", program: path).inspect(
      inspection, into: room.bytes, cancellation: Cancellation())
    return String(decoding: room.bytes[..<count], as: UTF8.self)
  }

  @Test("each report has its command, with the agent's configuration")
  func words() throws {
    #expect(try report(.doctor, of: #"echo "$@""#) == "doctor --json --config /c\n")
    #expect(try report(.bundle, of: #"echo "$@""#) == "support --out - --config /c\n")
  }

  @Test("findings are a report, and a file that failed is none")
  func codes() throws {
    #expect(try report(.doctor, of: "echo found; exit 2") == "found\n")
    #expect(throws: DiagnosisError.failed) { try report(.bundle, of: "echo half; exit 73") }
    #expect(throws: DiagnosisError.failed) { try report(.doctor, of: "exit 0") }
    #expect(throws: DiagnosisError.failed) { try report(.doctor, of: "kill -SEGV $$") }
  }

  @Test("a report that is longer than its limit is none")
  func tooLarge() throws {
    #expect(try report(.bundle, of: "head -c \(Budget.inspectionBytes) /dev/zero").utf8.count == Budget.inspectionBytes)
    #expect(throws: DiagnosisError.tooLarge) {
      try report(.bundle, of: "head -c \(Budget.inspectionBytes + 1) /dev/zero")
    }
  }
}
