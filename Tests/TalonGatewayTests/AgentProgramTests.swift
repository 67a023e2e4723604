import Foundation
import NIOPosix
import Testing

@testable import talon_gateway

@Suite("a program that stands for the agent")
struct AgentProgramTests {
  /// What a program answers. A shell does what it is told.
  private func reply(
    of path: String = "/bin/sh", to text: String, bytes: Int = 1000, seconds: Double = 60
  ) async throws -> String {
    let program = AgentProgram(path: path, replyBytesMax: bytes, secondsMax: seconds)
    return try await program.reply(to: text, on: MultiThreadedEventLoopGroup.singleton.any()).get()
  }

  private func failure(
    of path: String = "/bin/sh", to text: String, bytes: Int = 1000, seconds: Double = 60
  ) async -> String {
    do {
      return "no failure, but \(try await reply(of: path, to: text, bytes: bytes, seconds: seconds))"
    } catch { return "\(error)" }
  }

  @Test("hears what was said, and what it prints is the reply, without the space around it")
  func replies() async throws {
    #expect(try await reply(to: "echo; echo hello; echo") == "hello")
  }

  @Test("may leave a text unread that no pipe holds")
  func deaf() async throws {
    #expect(try await reply(of: "/bin/true", to: String(repeating: "word ", count: 100_000)).isEmpty)
  }

  @Test("is told by its code or its signal when it fails")
  func fails() async {
    #expect(await failure(to: "exit 3") == "the agent's program ended with code 3")
    #expect(await failure(to: "kill -9 $$") == "the agent's program ended by signal 9")
  }

  @Test("is told when it cannot be started")
  func missing() async {
    #expect(await failure(of: "/no/agent", to: "hello") == "cannot start /no/agent: No such file or directory")
  }

  @Test("may say as many bytes as there is room for, and not one more")
  func bounded() async throws {
    #expect(try await reply(to: "printf 12345678", bytes: 8) == "12345678")
    #expect(await failure(to: "printf 123456789", bytes: 8) == "the agent's program said more than 8 bytes")
    #expect(await failure(to: "yes", bytes: 8) == "the agent's program said more than 8 bytes")
  }

  @Test("is ended with what it has started when it takes too long")
  func late() async throws {
    #expect(await failure(to: "sleep 100 | cat", seconds: 0.1) == "the agent's program took longer than 0.1 s")
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = "sleep 100 & echo $! > '\(file.path)'; wait"
    #expect(await failure(to: script, seconds: 1) == "the agent's program took longer than 1.0 s")
    let child = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    // Whose parent is gone may stay as a zombie, which does nothing any more (proc(5), stat).
    let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
    #expect(state == nil || state?.contains(") Z ") == true)
  }
}
