/// The commands by which the agent, or the service manager, runs this program again as another process: not for people,
/// and in no list.
enum ConfinedCommand {
  /// The exit code of such a process; nil for a person's command.
  static func run(_ words: [String]) -> Int32? {
    WiFiLookCommand.run(words) ?? MediaCommands.runConfined(words)
  }
}
