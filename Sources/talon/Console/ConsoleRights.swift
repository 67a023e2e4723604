import Runtime

/// What a command may do that was typed at a serial console. The console is root's, and whoever has the cable types there: a
/// command that writes where its words say would be as good as a shell. So all become the agent's user before they open
/// anything, but for those that need root and write nowhere else than they always do.
enum ConsoleRights {
  /// Set, in the environment, by the console for what it runs.
  static let variable: StaticString = "TALON_CONSOLE"

  /// Of the configuration `set` and `unset` change the file; systemd takes a reboot from root alone.
  private static let keepRoot = ["config", "reboot"]

  /// Gives up root for a command that was typed there.
  static func limit(_ command: String, _ options: Options) throws(Failure) {
    guard Process.environment(variable)?.isEmpty == false, !keepRoot.contains(command) else { return }
    try ConfigCommand.become(ConsoleSetup.configuration(options.configurationPath))
  }

  /// Why these words are not taken there, or nil: another configuration would name other folders, and other owners.
  static func objection(_ words: [String]) -> String? {
    words.contains("--config") ? "The console works with its own configuration: leave out --config." : nil
  }
}
