import Foundation
import Glibc
import Testing

@testable import Runtime

@Suite("Programs that are run to their end") struct ProgramRunTests {
  /// What a script makes of an input, and what it said.
  private func run(_ script: String, input: String = "", room: Int = 1_000, milliseconds: Int64 = 10_000) throws -> (
    ProgramOutcome, String
  ) {
    signal(SIGPIPE, SIG_IGN)
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
    defer { output.deallocate() }
    let outcome = try Array(input.utf8).withUnsafeBytes {
      try Process.run(try Path("/bin/sh"), ["sh", "-c", script], input: $0, output: output, milliseconds: milliseconds)
    }
    guard case .exited(let count) = outcome else { return (outcome, "") }
    return (outcome, String(decoding: output[..<count], as: UTF8.self))
  }

  @Test("input is passed to the program, its output is read, and its standard error is ignored")
  func says() throws {
    let (outcome, text) = try run("echo \"got $(cat)\"; echo why >&2", input: "hello")
    #expect(outcome == .exited(outputBytes: 10) && text == "got hello\n")
    #expect(try run("exec true", input: "nobody reads").0 == .exited(outputBytes: 0))
    #expect(try run("head -c 1000 /dev/zero").0 == .exited(outputBytes: 1_000))
  }

  @Test("one that fails, crashes or says too much is told as such")
  func fails() throws {
    #expect(try run("echo x; exit 3").0 == .failed(3))
    #expect(try run("kill -SEGV $$").0 == .failed(139))
    #expect(try run("head -c 1001 /dev/zero").0 == .outputTooLong)
    #expect(try run("cat /dev/zero").0 == .outputTooLong)
    #expect(throws: Errno.noSuchFile) {
      _ = try Process.run(
        try Path("/no/such/program"), ["x"], input: UnsafeRawBufferPointer(start: nil, count: 0),
        output: UnsafeMutableRawBufferPointer(start: nil, count: 0), milliseconds: 100)
    }
  }

  @Test(
    "one that hangs is killed, while it speaks and after it",
    arguments: ["sleep 100", "exec >&-; exec sleep 100", "echo x; exec sleep 100"])
  func hangs(script: String) throws {
    let start = SystemClock().monotonic
    #expect(
      try run("exec " + (script.hasPrefix("sleep") ? script : "sh -c '\(script)'"), milliseconds: 200).0 == .timedOut)
    #expect(SystemClock().monotonic - start < 5_000)
  }

  @Test("a program is found on PATH")
  func found() {
    #expect(Process.find("sh")?.hasSuffix("/sh") == true)
    #expect(Process.find("no-such-program") == nil)
  }
}
