import Foundation
import Testing

@testable import talon

/// What the options of `talon connect` write into the configuration.
@Suite("The decisions of the first connection")
struct ConnectDecisionsTests {
  private let folder = TemporaryFolder()

  private func decided(_ before: String, _ words: [String]) throws -> String {
    let path = folder.put("talon.conf", before)
    let usage = try #require(Usage.named("connect"))
    try ConnectDecisions(Options(words + ["--config", path], usage)).write(path)
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

  @Test(
    "camera and microphone are decided apart, and before what is decided for all",
    arguments: [
      (["--camera", "never"], "[consent]\ncamera = deny\n"),
      (["--camera", "allow", "--microphone", "ask"], "[consent]\nmicrophone = ask\n"),
      (
        ["--consent", "ask", "--camera", "never", "--microphone", "allow"],
        "[consent]\ncamera = deny\nlocation = ask\nscreen.record = ask\n"
      ),
    ])
  func devices(words: [String], after: String) throws { #expect(try decided("", words) == after) }

  @Test("what the file denies is not allowed by an option")
  func denied() throws {
    let before = "[consent]\nmicrophone = deny\n"
    #expect(try decided(before, ["--microphone", "allow"]) == before)
    var present = ConnectDecisions()
    present.microphone = "never"
    var wanted = ConnectDecisions()
    wanted.microphone = "allow"
    #expect(wanted.applied(to: present).microphone == "never")
  }

  @Test(
    "what a configuration says is read in the words of the options",
    arguments: [
      ("", nil, "safe", "allow", "allow"),
      ("[node]\nname = Shed\n[tools]\npublish = none\n[consent]\ncamera = deny\n", "Shed", "none", "never", "allow"),
      ("[tools]\npublish = photo steps\n[consent]\nmicrophone = ask\n", nil, "photo, steps", "allow", "ask"),
    ] as [(String, String?, String, String, String)])
  func present(text: String, name: String?, tools: String, camera: String, microphone: String) throws {
    let present = ConnectDecisions(of: try ConfigurationFile.parse(Array(text.utf8), file: "t.conf"))
    #expect(present.name == name && present.tools == tools)
    #expect(present.camera == camera && present.microphone == microphone)
  }

  @Test(
    "a file has decisions when it has a name or tools",
    arguments: [
      ("", true), ("[gateway]\nurl = wss://a\n", true), ("[node]\nname = Shed\n", false),
      ("[tools]\npublish = all\n", false),
      ("# name = x\n[consent]\ncamera = ask\n", true),
    ])
  func missing(text: String, areMissing: Bool) {
    #expect(ConnectDecisions.areMissing(in: folder.put("talon.conf", text)) == areMissing)
    #expect(!ConnectDecisions.areMissing(in: folder.path + "/nowhere.conf"))
  }

  @Test(
    "a value that may not stand there changes nothing",
    arguments: [
      ["--tools", "some"], ["--consent", "maybe"], ["--consent", "never"], ["--camera", "maybe"],
      ["--microphone", "deny"], ["--tools", "none", "--name", "a\nb"], ["--tools", "none", "--name", ""],
    ])
  func wrong(words: [String]) throws {
    try #require(throws: Failure.self) { try decided("[node]\nname = Barn\n", ["--name", "Shed"] + words) }
    #expect(try text(folder.path + "/talon.conf") == "[node]\nname = Barn\n")
  }
}
