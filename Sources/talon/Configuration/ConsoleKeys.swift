import Board
import Runtime

/// Who may do what at the serial console.
struct ConsoleSettings {
  /// What has to be typed before commands are taken, or its hash (`PasswordHash`); empty: nothing.
  var pin = ""
  /// The file that holds it. Read by the console alone, for the agent's user need not be able to.
  var pinFile = ""
  /// The program that the command `shell` runs; empty: there is no such command.
  var shell = ""
  /// Minutes without a key after which the PIN is wanted again; 0: never.
  var lockMinutes: Int64 = 10
}

extension ConfigurationKey {
  /// Keys of `[console]`.
  static let console: [ConfigurationKey] = [
    ConfigurationKey(section: "console", name: "pin", isFileOnly: true) { consolePIN($1, &$0.console.pin) },
    ConfigurationKey(section: "console", name: "pin_file", isFileOnly: true) { path($1, &$0.console.pinFile) },
    ConfigurationKey(section: "console", name: "shell", isFileOnly: true) { path($1, &$0.console.shell) },
    ConfigurationKey(section: "console", name: "lock", isFileOnly: true) { number($1, 0...1440, &$0.console.lockMinutes) },
  ]

  /// A PIN of the characters that every keyboard and every line has, or its hash.
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
