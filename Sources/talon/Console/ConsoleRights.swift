import Runtime

/// The rights of a command that was typed at a serial console. The console runs as root, and anybody with the cable can
/// type there: a command that writes to a file of its arguments would be equivalent to a shell. So all commands become
/// the agent's user before they open anything, except those that need root and write only to fixed places.
enum ConsoleRights {
  /// An environment variable that the console sets for its commands.
  static let variable: StaticString = "TALON_CONSOLE"

  /// `config set` and `config unset` change the file. systemd accepts a reboot only from root. `update --older` and
  /// `update rollback` tell root's side what only root may. The rest is done as the agent's user.
  private static let keepRoot = ["config", "reboot", "update"]

  /// Gives up root for a command that was typed there.
  static func limit(_ command: String, _ options: Options) throws(Failure) {
    guard Process.environment(variable)?.isEmpty == false, !keepRoot.contains(command) else { return }
    try ConfigCommand.become(ConsoleSetup.configuration(options.configurationPath))
  }

  /// Why these arguments are refused, or nil: another configuration would name other folders, and other owners.
  static func objection(_ words: [String]) -> String? {
    words.contains("--config") ? "The console works with its own configuration: leave out --config." : nil
  }
}
