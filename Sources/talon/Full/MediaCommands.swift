import Board
import Canvas
import Runtime
import VoicePart

/// The commands of sound, screen and the board's own agent.
enum MediaCommands {
  /// Nil for other commands.
  static func run(_ command: String, _ options: Options) throws(Failure) -> ExitCode? {
    switch command {
    case "screen": try ScreenCommand.run(options)
    case "listen": try ListenCommand.run(options)
    case "speaker": try SpeakerCommand.run(options)
    case "talk": try TalkCommand.run(options)
    case "say": try SayCommand.run(options)
    case "agent": try AgentCommand.run(options)
    case "recognise": try RecognizeCommand.run(options)
    default: nil
    }
  }

  /// The exit code of a process that decodes untrusted content; nil for other commands.
  static func runConfined(_ words: [String]) -> Int32? {
    if let code = RunService.run(words) ?? ServerService.run(words) ?? AgentService.run(words) { return code }
    guard words.count == 1, let name = words.first else { return nil }
    if name == PictureProcess.name { return PictureServer.run() }
    return Scripts.runConfined(name)
  }
}

extension MCPKeys {
  /// Why sections `[mcp NAME]` are refused; nil: they are not.
  static let refusal: String? = nil
}

extension ConfigurationKey {
  /// True when a text can be a wake phrase.
  static func isPhrase(_ text: String) -> Bool { PhraseCaution(text.utf8.map { $0 }, caution: 0) != nil }
}
