import Foundation

/// Commands in what people read: whoever copies one to the end of its line must have a command.
public enum ShownCommand {
  /// What stands before one.
  private static let places = ["machine: ", "board: ", "gateway: "]
  private static let programs = ["openclaw", "talon", "sudo", "systemctl"]
  /// Words that join commands to sentences, and are no argument of any.
  private static let joints = ["and", "or", "then", "show", "shows", "with", "which", "until", "to"]

  /// The command that a line shows: from a program's name after a place to the end; nil for a line without one.
  public static func command(in line: String) -> String? {
    for place in places {
      guard let range = line.range(of: place) else { continue }
      let rest = String(line[range.upperBound...])
      if programs.contains(where: { rest.hasPrefix($0 + " ") }) { return rest }
    }
    return nil
  }

  /// True for what bash reads as commands of these programs, without words of a sentence after it.
  public static func isCommand(_ text: String) throws -> Bool {
    for part in text.components(separatedBy: ";") {
      let words = part.split(separator: " ")
      guard let program = words.first, programs.contains(String(program)) else { return false }
      let isSentence = words.contains { word in
        joints.contains(String(word)) || word.last == "," || word.last == "."
      }
      if isSentence { return false }
    }
    let bash = Process()
    bash.executableURL = URL(fileURLWithPath: "/bin/bash")
    bash.arguments = ["-n", "-c", text]
    bash.standardError = FileHandle.nullDevice
    try bash.run()
    bash.waitUntilExit()
    return bash.terminationStatus == 0
  }
}
