import Foundation
import Testing

@testable import talon

/// What the options of `talon connect` write into the configuration.
@Suite("The decisions of the first connection")
struct FirstRunTests {
  private let folder = TemporaryFolder()

  private func decided(_ before: String, _ words: [String]) throws -> String {
    let path = folder.put("talon.conf", before)
    let usage = try #require(Usage.named("connect"))
    try FirstRun.decide(Options(words + ["--config", path], usage))
    return try text(path)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  @Test("name, tools and consent are written into the file")
  func all() throws {
    #expect(
      try decided("", ["--name", "Shed", "--tools", "all", "--consent", "ask"]) == """
        [consent]
        camera = ask
        microphone = ask
        location = ask
        screen.record = ask

        [tools]
        publish = all

        [node]
        name = Shed

        """)
  }

  @Test(
    "what the file denies stays denied, and what it asks about is allowed when that is the answer",
    arguments: [
      ("[consent]\ncamera = deny\n", "allow", "[consent]\ncamera = deny\n"),
      (
        "[consent]\ncamera = deny\n", "ask",
        "[consent]\ncamera = deny\nmicrophone = ask\nlocation = ask\nscreen.record = ask\n"
      ),
      ("[consent]\ncamera = ask\nlocation=ask\nmicrophone = deny\n", "allow", "[consent]\nmicrophone = deny\n"),
      ("[consent]\ncamera.more = ask\n", "allow", "[consent]\ncamera.more = ask\n"),
    ])
  func consent(before: String, answer: String, after: String) throws {
    #expect(try decided(before, ["--consent", answer]) == after)
  }

  @Test("a value that may not stand there changes nothing", arguments: [["--tools", "some"], ["--consent", "maybe"]])
  func wrong(words: [String]) throws {
    try #require(throws: Failure.self) { try decided("[node]\nname = Barn\n", ["--name", "Shed"] + words) }
    #expect(try text(folder.path + "/talon.conf") == "[node]\nname = Barn\n")
  }

  @Test("a name that cannot be written does not take back what keeps the agent out")
  func rightsFirst() throws {
    try #require(throws: Failure.self) { try decided("", ["--name", "a\nb", "--tools", "none"]) }
    #expect(try text(folder.path + "/talon.conf").contains("publish = none"))
  }
}
