import Foundation
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

/// What is the same for all commands.
@Suite("Parameters of all commands")
struct ParameterTests {
  /// What is no object of parameters.
  private static let strangers = ["[]", "[1,2]", #""text""#, "7", "true"]

  /// What an agent may send by mistake, and what a hostile one would.
  private static let mistakes =
    strangers + [
      "null", "{}", #"{"deviceId":7}"#, #"{"deviceId":"none"}"#, #"{"url":7}"#, #"{"url":"ftp://x"}"#,
      #"{"url":"data:,"}"#,
      #"{"format":"bmp","quality":9,"maxWidth":-1}"#, #"{"sections":7}"#, #"{"title":7}"#, #"{"messages":7}"#,
      #"{"messages":[{"x":1}]}"#, #"{"jsonl":"{"}"#, #"{"screenIndex":4}"#, #"{"durationMs":"1"}"#,
      #"{"durationMs":1e12}"#, #"{"operation":"fly"}"#, #"{"ops":7}"#, #"{"maxAgeMs":"x"}"#, #"{"startISO":7}"#,
    ]

  /// Invokes a command; what is said when it fails at once.
  private struct Commands {
    var names: [String]
    /// The error message, nil for a result; empty while there is no answer.
    var invoke: (_ id: String, _ name: String, _ params: String) throws -> String?
  }

  private func all() throws -> [Commands] {
    let agent = try AgentBench(motion: ScriptedSensor())
    let (canvas, voice) = (try CanvasBench(), try VoiceBench.connected())
    canvas.router.add(SnapshotCommands.rows, capability: "screen", canvas.commands.snapshots)
    return [
      Commands(names: agent.connect.commands) { id, name, params in
        let answer = try agent.invoke(id, name, params: params).first
        if let answer, let code = answer.code { #expect(answer.message?.hasPrefix(code + ": ") == true) }
        return answer.map(\.message) ?? ""
      },
      Commands(names: canvas.router.names.map { "\($0)" }) { id, name, params in
        canvas.invoke(id, name, params)
        let message = Self.message(canvas.take().first)
        if message == nil || message == "" { return message }
        return canvas.lastError
      },
      Commands(names: voice.router.router.names.map { "\($0)" }.filter { $0.hasPrefix("talk.") }) { id, name, params in
        voice.router.invoke(id, name, key: nil, params: params)
        return Self.message(voice.router.take().first)
      },
    ]
  }

  /// The message of "id: message"; nil when it is a result.
  private static func message(_ answer: String?) -> String? {
    guard let answer, let colon = answer.range(of: ": ") else { return "" }
    let text = String(answer[colon.upperBound...])
    return text.hasPrefix("{") || text == "picture" ? nil : text
  }

  @Test("parameters that are no object are refused as such by every command")
  func noObject() throws {
    var count = 0
    for commands in try all() {
      for (number, name) in commands.names.enumerated() {
        for (other, params) in Self.strangers.enumerated() {
          let message = try commands.invoke("\(number)-\(other)", name, params)
          #expect(message?.hasPrefix("INVALID_REQUEST: ") == true, "\(name) \(params): \(message ?? "a result")")
          #expect(message?.contains("object") == true, "\(name) \(params): \(message ?? "a result")")
          count += 1
        }
      }
    }
    #expect(count >= 5 * 25)
  }

  @Test("every error text begins with its code, and has it once")
  func oneCode() throws {
    var errors = 0
    for commands in try all() {
      for (number, name) in commands.names.enumerated() {
        for (other, params) in Self.mistakes.enumerated() {
          guard let message = try commands.invoke("\(number)-\(other)", name, params), !message.isEmpty else {
            continue
          }
          let words = message.components(separatedBy: ": ")
          #expect(words[0].wholeMatch(of: /[A-Z][A-Z0-9_]+/) != nil, "\(name) \(params): \(message)")
          #expect(!words.dropFirst().contains { $0.wholeMatch(of: /[A-Z][A-Z0-9]*_[A-Z0-9_]+/) != nil }, "\(message)")
          errors += 1
        }
      }
    }
    #expect(errors > 200)
  }
}

extension [String: Any] {
  /// The commands that a connect frame declares.
  fileprivate var commands: [String] { (self["params"] as? [String: Any])?["commands"] as? [String] ?? [] }
}
