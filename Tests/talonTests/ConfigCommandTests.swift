import Board
import Glibc
import Runtime
import TestSupport
import Testing

@testable import talon

@Suite("talon config") struct ConfigCommandTests {
  private let folder = TemporaryFolder()

  private func changed(_ text: String, _ section: String, _ key: String, _ value: String?) -> String {
    String(decoding: ConfigEditor.change(Array(text.utf8), section: section, key: key, value: value), as: UTF8.self)
  }

  @Test(
    "a key is changed where it stands, and everything else stays",
    arguments: [
      ("[a]\nx = 1\ny = 2\n", "a", "x", "3", "[a]\nx = 3\ny = 2\n"),
      ("[a]\n  x=1 \n[b]\nx = 2\n", "b", "x", "3", "[a]\n  x=1 \n[b]\nx = 3\n"),
      ("# c\n[a]\n# about x\n#x = 1\n\n[b]\n", "a", "x", "3", "# c\n[a]\n# about x\n#x = 1\nx = 3\n\n[b]\n"),
      ("[a]\ny = 1\n\n[b]\n", "a", "x", "3", "[a]\ny = 1\nx = 3\n\n[b]\n"),
      ("[a]\ny = 1", "b", "x", "3", "[a]\ny = 1\n\n[b]\nx = 3\n"), ("", "a", "x", "3", "[a]\nx = 3\n"),
      ("[a]\r\nx = 1\r\n", "a", "x", "3", "[a]\r\nx = 3\r\n"),
      ("[a]\r\nx = 1\r\n", "b", "y", "3", "[a]\r\nx = 1\r\n\r\n[b]\r\ny = 3\r\n"),
      ("[a]\nx = 1\n", "a", "x", " 3 ", "[a]\nx = \" 3 \"\n"),
      ("[a]\nx = 1\n", "a", "x", "\"3\"", "[a]\nx = \"\"3\"\"\n"),
      ("[a]\n# k\nx = 1\ny = 2\n", "a", "x", nil, "[a]\n# k\ny = 2\n"), ("[a]\ny = 2\n", "a", "x", nil, "[a]\ny = 2\n"),
      ("[camera a.b]\nx = 1\n", "camera a.b", "x", "2", "[camera a.b]\nx = 2\n"),
    ] as [(String, String, String, String?, String)])
  func editing(text: String, section: String, key: String, value: String?, expected: String) {
    #expect(changed(text, section, key, value) == expected)
  }

  @Test("whatever is set in the commented example comes back as it was set")
  func example() throws {
    let before = try TextFile.read(Repository.path("systemd/talon.conf.example"), limit: Budget.configurationBytes)
    var text = before
    for (section, key, value) in [
      ("node", "name", "  A # name "), ("console", "pin", "1#2=3\""), ("camera", "delay", "5"),
      ("gateway", "instance", "\"q\""),
    ] { text = ConfigEditor.change(text, section: section, key: key, value: value) }
    let configuration = try ConfigurationFile.checked(text, file: "f")
    #expect(configuration.name == "  A # name " || configuration.name == "A # name")
    #expect(configuration.console.pin == "1#2=3\"")
    #expect(configuration.instance == "\"q\"")
    for key in [("node", "name"), ("console", "pin"), ("camera", "delay"), ("gateway", "instance")] {
      text = ConfigEditor.change(text, section: key.0, key: key.1, value: nil)
    }
    #expect(text == before)
  }

  @Test("what is set is shown, and secrets are not")
  func shown() {
    let text =
      "# c\n[gateway]\nurl = wss://a\ntoken = abc\ntoken_file=/x\n password= p\nproxy = http://a:b@c:1\n"
      + "[console]\npin = 1234\npin_file = /p\n[update]\ntoken = t\ntoken_file = /t\n"
    #expect(
      ConfigCommand.shown(Array(text.utf8), section: nil) == [
        "[gateway]", "url = wss://a", "token = (hidden)", "token_file=/x", "password= (hidden)", "proxy = (hidden)",
        "[console]", "pin = (hidden)",
        "pin_file = /p", "[update]", "token = (hidden)", "token_file = /t",
      ])
    #expect(
      ConfigCommand.shown(Array(text.utf8), section: "console") == ["[console]", "pin = (hidden)", "pin_file = /p"])
  }

  private func set(_ words: [String], _ path: String) throws -> ExitCode {
    let usage = Usage.all.first { $0.command == "config" }!
    return try ConfigCommand.run(Options(words + ["--config", path], usage))
  }

  @Test("config set replaces the file with its rights, through a link, and changes nothing when the value is wrong")
  func file() throws {
    let path = folder.put(
      "talon.conf",
      "[gateway]\nurl = wss://a\n[node]\nstate_directory = \(folder.path)/s\nruntime_directory = \(folder.path)/r\n")
    chmod(path, 0o640)
    symlink(path, folder.path + "/link")
    #expect(try set(["set", "node.name", "My board"], folder.path + "/link") == .ok)
    #expect(try ConfigurationFile.read(path).name == "My board")
    var status = stat()
    lstat(folder.path + "/link", &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    stat(path, &status)
    #expect(status.st_mode & 0o7777 == 0o640)
    #expect(access(path + ".new", F_OK) != 0)
    let before = try TextFile.read(path, limit: 10_000)
    for words in [
      ["set", "camera.delay", "99999"], ["set", "gateway.url", "ws://10.0.0.1"], ["set", "node.nothing", "1"],
      ["set", "name", "1"],
      ["unset", "nothing"], ["set", "node.name", "a\nb"], ["set", "node.name", ""],
    ] {
      #expect(throws: Failure.self) { try set(words, path) }
      #expect(try TextFile.read(path, limit: 10_000) == before)
    }
    #expect(try set(["unset", "node.name"], path) == .ok)
    #expect(try ConfigurationFile.read(path).name.isEmpty)
  }

  @Test("config set refuses such a key, and says where it is set; completion does not offer it")
  func refused() throws {
    let path = folder.put("rights.conf", "[node]\nname = a\n")
    let before = try TextFile.read(path, limit: 10_000)
    for words in [
      ["set", "console.shell", "/bin/sh"], ["set", "console.pin", "1234"], ["unset", "console.pin_file"],
      ["set", "camera door.device", "/dev/video0"], ["set", "tool heater.line", "gpiochip0:2"],
    ] {
      let failure = #expect(throws: Failure.self) { try set(words, path) }
      #expect(failure?.text.hasSuffix("can only be set in the file: edit \(path)") == true)
      #expect(try TextFile.read(path, limit: 10_000) == before)
    }
    #expect(!ConsoleGrammar(hasShell: true).words(after: ["config", "set"]).contains("console.shell"))
    #expect(throws: Failure.self) { try set(["set", "camera a]\n[console].device", "x"], path) }
  }

  @Test("config set writes to nothing that somebody put in the place of the new file")
  func planted() throws {
    let path = folder.put(
      "planted.conf",
      "[gateway]\nurl = wss://a\n[node]\nstate_directory = \(folder.path)/s\nruntime_directory = \(folder.path)/r\n")
    let precious = folder.put("precious", "as it was")
    #expect(symlink(precious, path + ".new") == 0)
    #expect(try set(["set", "node.name", "B"], path) == .ok)
    #expect(try String(decoding: TextFile.read(path, limit: 10_000), as: UTF8.self).contains("name = B"))
    #expect(try TextFile.read(precious, limit: 100) == Array("as it was".utf8))
  }
}
