import Board
import Runtime

/// The access rules of the serial console.
struct ConsoleSettings {
  /// The PIN that is asked for before commands are accepted, or its hash (`PasswordHash`); empty for none.
  var pin = ""
  /// The file with the PIN. Only the console reads it, because the agent's user need not have access.
  var pinFile = ""
  /// The program of the command `shell`; empty for no such command.
  var shell = ""
  /// Minutes without a key after which the PIN is asked for again; 0 for never.
  var lockMinutes: Int64 = 10
}

extension ConfigurationKey {
  /// Keys of `[console]`.
  static let console: [ConfigurationKey] = [
    ConfigurationKey(section: "console", name: "pin", isFileOnly: true, isSecret: true) {
      consolePIN($1, &$0.console.pin)
    },
    ConfigurationKey(section: "console", name: "pin_file", isFileOnly: true) { path($1, &$0.console.pinFile) },
    ConfigurationKey(section: "console", name: "shell", isFileOnly: true) { path($1, &$0.console.shell) },
    ConfigurationKey(section: "console", name: "lock", isFileOnly: true) {
      number($1, 0...1440, &$0.console.lockMinutes)
    },
  ]

  /// A PIN of characters that every keyboard and line has, or its hash.
  static func consolePIN(_ value: String, _ target: inout String) -> String? {
    if value.hasPrefix(PasswordHash.mark) {
      if PasswordHash(text: value) == nil { return "is no hash as talon config hash-pin prints it" }
      target = value
      return nil
    }
    guard Budget.consolePinBytes.contains(value.utf8.count), value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return "must have \(Budget.consolePinBytes.lowerBound) to \(Budget.consolePinBytes.upperBound) "
        + "letters, digits or signs of ASCII"
    }
    target = value
    return nil
  }
}
