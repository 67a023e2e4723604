import Foundation
import TestSupport
import Testing

@Suite("Commands that people read")
struct ShownCommandTests {
  /// Texts of the program, of one file: what stands between quotation marks, with a name in the place of each value.
  private static func literals(_ text: String) throws -> [String] {
    let value = try NSRegularExpression(pattern: #"\\\([^()]*(\([^()]*\)[^()]*)*\)"#)
    let literal = try NSRegularExpression(pattern: #""((?:[^"\\\n]|\\.)*)""#)
    let plain = value.stringByReplacingMatches(
      in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "NAME")
    return literal.matches(in: plain, range: NSRange(plain.startIndex..., in: plain)).map { match in
      String(plain[Range(match.range(at: 1), in: plain)!])
    }
  }

  /// Commands in the texts of the program: of the agent, the doctor, the console and the screen.
  private static func commands() throws -> [(file: String, text: String)] {
    let sources = Repository.folder.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path)).compactMap { $0 as? String }
    let others = ["talon-gateway/", "talon-lab/", "Simulation/", "Simulated/"]
    var found: [(file: String, text: String)] = []
    for file in files where file.hasSuffix(".swift") && !others.contains(where: { file.hasPrefix($0) }) {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for literal in try literals(text) {
        if let command = ShownCommand.command(in: literal) { found.append((file, command)) }
        // Alone, or the beginning of one whose end follows.
        if literal.hasPrefix("openclaw ") { found.append((file, literal)) }
      }
    }
    return found
  }

  @Test("what stands as a command in a text of the program is one to its last letter")
  func texts() throws {
    let commands = try Self.commands()
    #expect(commands.count >= 12)
    for (file, text) in commands { #expect(try ShownCommand.isCommand(text), "\(file): \(text)") }
  }

  @Test("blocks of commands in the handbook are commands")
  func handbook() throws {
    let folder = Repository.folder.appendingPathComponent("docs/owners")
    var count = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".md") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.hasPrefix("openclaw ") {
        count += 1
        #expect(try ShownCommand.isCommand(String(line)), "\(file): \(line)")
      }
    }
    #expect(count >= 4)
  }

  @Test(
    "a remark, a blank to fill in and words of a sentence are no command",
    arguments: [
      "openclaw nodes approve p-7 (openclaw nodes pending shows a newer one)", "openclaw nodes approve <id>",
      "openclaw devices list and openclaw nodes pending show what it waits for",
      "openclaw nodes pending, then openclaw nodes approve ID", "run openclaw nodes pending",
    ])
  func others(text: String) throws { #expect(try !ShownCommand.isCommand(text)) }
}
