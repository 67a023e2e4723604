import Agent
import Device
import Runtime

/// Sound, screen and scripts in a lean build: they do nothing. A full build has another file with this name.
final class Media {
  init(_ configuration: Configuration, loop: Loop, clock: any Clock, log: Log) throws(Errno) {}
  func load() {}
  var isStuck: Bool { false }
  func stop() {}
  func connect(_ devices: inout Devices, _ runner: any JobRunner) throws(Errno) {}
  func connect(
    _ settings: inout Agent.Settings, _ world: inout World, store: (any RecordStore)?, _ snapshot: DeviceSnapshot,
    name: String
  ) throws(Errno) {}
  func warnOfKernel() {}
  func openCanvasSocket(_ agent: Agent) {}
}

extension BoardCheck {
  func microphone() -> Finding { Finding("microphone", .unknown, "this build has no sound") }
  func recognizer() -> [Finding] { [] }
  func decoder() -> [Finding] { [] }
}

extension MCPKeys {
  /// Why sections `[mcp NAME]` are refused.
  static let refusal: String? = "this firmware was built without MCP servers"
}

extension ConfigurationKey {
  /// Phrases are not checked: none are detected.
  static func isPhrase(_ text: String) -> Bool { true }
}

/// The commands of sound and screen.
enum MediaCommands {
  /// Nil for other commands.
  static func run(_ command: String, _ options: Options) throws(Failure) -> ExitCode? {
    switch command {
    case "screen": throw Failure(.unavailable, "this firmware was built without the canvas")
    case "listen", "speaker", "talk", "say", "recognise":
      throw Failure(.unavailable, "this firmware was built without sound")
    case "agent": throw Failure(.unavailable, "this firmware was built without an agent of its own")
    default: nil
    }
  }

  /// The exit code of a process that decodes untrusted content; nil for other commands.
  static func runConfined(_ words: [String]) -> Int32? { nil }
}
