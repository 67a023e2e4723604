/// The commands by which the agent runs this program again as a confined process: not for people, and in no list.
enum ConfinedCommand {
  /// The exit code of such a process; nil for a person's command.
  static func run(_ words: [String]) -> Int32? {
    guard words.count == 1 else { return nil }
    return MediaCommands.runConfined(words[0])
  }
}
