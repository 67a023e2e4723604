import Glibc
import Runtime
import Testing

@testable import talon

@Suite("The console's commands and settings") struct ConsoleTests {
  private let folder = TemporaryFolder()

  // MARK: [console]

  @Test(
    "keys of [console]",
    arguments: [
      ("pin = 1234", nil), ("pin = 123", "[console] pin: must have 4 to 64 letters, digits or signs of ASCII"),
      ("pin = 12 34", "[console] pin: must have 4 to 64 letters, digits or signs of ASCII"),
      ("pin = 12ä4", "[console] pin: must have 4 to 64 letters, digits or signs of ASCII"),
      ("pin = \(String(repeating: "1", count: 64))", nil),
      ("pin = \(String(repeating: "1", count: 65))", "[console] pin: must have 4 to 64 letters, digits or signs of ASCII"),
      ("pin_file = /etc/talon/pin", nil), ("pin_file = pin", "[console] pin_file: must be an absolute path"),
      ("shell = /bin/sh", nil), ("shell = sh", "[console] shell: must be an absolute path"), ("lock = 0", nil),
      ("lock = 1440", nil), ("lock = 1441", "[console] lock: must be a whole number from 0 to 1440"),
      ("lock = -1", "[console] lock: must be a whole number from 0 to 1440"),
    ] as [(String, String?)])
  func keys(line: String, says: String?) {
    #expect(complaint("[console]\n" + line) == says.map { "t.conf:2: " + $0 })
  }

  @Test("a PIN counts in a file that is wrong elsewhere, and one that cannot be read keeps everybody out")
  func setup() throws {
    let wrong = folder.put("wrong.conf", "[gateway]\nurl = nonsense\nnothing\n[console]\npin = 1234\nlock = x\n[what]\n")
    let setup = try ConsoleSetup(path: wrong)
    #expect(setup.pin == "1234" && setup.lockMinutes == 10)
    #expect(try ConsoleSetup(path: folder.path + "/missing").pin.isEmpty)
    let pin = folder.put("pin", "4321\n")
    #expect(try ConsoleSetup(path: folder.put("a.conf", "[console]\npin_file = \(pin)\n")).pin == "4321")
    #expect(throws: Failure.self) {
      try ConsoleSetup(path: folder.put("b.conf", "[console]\npin_file = \(folder.path)/missing\n"))
    }
    #expect(throws: Failure.self) {
      try ConsoleSetup(path: folder.put("c.conf", "[console]\npin_file = \(folder.put("short", "1"))\n"))
    }
  }

  // MARK: PIN

  private func opens(_ lock: PinLock, _ text: String, at now: Int64) -> Bool {
    var text = text
    return text.withUTF8 { lock.opens($0, now: now) }
  }

  @Test("a wrong PIN costs a pause that doubles, to its bound; the right one ends them")
  func pauses() {
    let lock = PinLock(pin: "1234", folder: folder.path, now: 0)
    #expect(lock.opensAt == 0)
    var pauses: [Int64] = []
    for text in ["1235", "123", "12345", "", "0", "x", "y", "z", "a", "b", "c"] {
      #expect(!opens(lock, text, at: 1_000_000))
      pauses.append(lock.opensAt - 1_000_000)
    }
    #expect(pauses == [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000])
    #expect(opens(lock, "1234", at: 2_000_000))
    #expect(!opens(lock, "1", at: 3_000_000))
    #expect(lock.opensAt == 3_001_000)
  }

  @Test("a restart makes no new beginning, and neither does a second console")
  func restart() {
    let first = PinLock(pin: "1234", folder: folder.path, now: 0)
    for _ in 0..<4 { #expect(!opens(first, "no", at: 0)) }
    let second = PinLock(pin: "1234", folder: folder.path, now: 500)
    #expect(second.opensAt == 8500)
    #expect(!opens(second, "no", at: 9000))
    #expect(!opens(first, "no", at: 9000))
    #expect(first.opensAt == 9000 + 32_000)
    #expect(opens(first, "1234", at: 60_000))
    #expect(PinLock(pin: "1234", folder: folder.path, now: 0).opensAt == 0)
  }

  @Test("without the state folder a PIN works all the same, and makes none")
  func noFolder() {
    let missing = folder.path + "/missing"
    let lock = PinLock(pin: "1234", folder: missing, now: 0)
    #expect(!opens(lock, "no", at: 0))
    #expect(lock.opensAt == 1000 && access(missing, F_OK) != 0)
    #expect(opens(lock, "1234", at: 2000))
  }

  // MARK: Words

  @Test(
    "a line is cut into words",
    arguments: [
      ("", []), ("  status  ", ["status"]), ("config set node.name \"My board\"", ["config", "set", "node.name", "My board"]),
      ("a 'b c' d", ["a", "b c", "d"]), ("a\\ b", ["a b"]), ("say \"\"", ["say", ""]), ("x\"y z\"w", ["xy zw"]),
      ("a \"b", nil), ("é 日", ["é", "日"]),
    ] as [(String, [String]?)])
  func words(line: String, expected: [String]?) {
    var line = line
    #expect(line.withUTF8 { ConsoleGrammar.split($0, most: 10) } == expected)
  }

  @Test("more words than a command has are none")
  func wordBound() {
    var line = String(repeating: "x ", count: Budget.consoleWords)
    #expect(line.withUTF8 { ConsoleGrammar.split($0, most: Budget.consoleWords) }?.count == Budget.consoleWords)
    line += "x "
    #expect(line.withUTF8 { ConsoleGrammar.split($0, most: Budget.consoleWords) } == nil)
  }

  @Test("what may stand behind what")
  func grammar() {
    let grammar = ConsoleGrammar(hasShell: false)
    #expect(grammar.words(behind: []).contains("doctor") || grammar.words(behind: []).contains("status"))
    #expect(!grammar.commands.contains("run") && !grammar.commands.contains("shell"))
    #expect(ConsoleGrammar(hasShell: true).commands.contains("shell"))
    #expect(grammar.words(behind: ["config"]) == ["check", "set", "show", "unset"])
    #expect(grammar.words(behind: ["talon", "config", "set"]).contains("console.pin"))
    #expect(grammar.words(behind: ["config", "show"]).contains("gateway"))
    #expect(grammar.words(behind: ["log", "level"]).count == 5)
    #expect(grammar.words(behind: ["snap"]) == ["--device", "--width", "--help"])
    #expect(grammar.words(behind: ["nothing"]).isEmpty)
    #expect(grammar.help.allSatisfy { $0.utf8.count < 80 })
    #expect(grammar.commands == grammar.commands.sorted())
  }

  // MARK: config

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
      ("[a]\r\nx = 1\r\n", "a", "x", "3", "[a]\r\nx = 3\r\n"), ("[a]\r\nx = 1\r\n", "b", "y", "3", "[a]\r\nx = 1\r\n\r\n[b]\r\ny = 3\r\n"),
      ("[a]\nx = 1\n", "a", "x", " 3 ", "[a]\nx = \" 3 \"\n"), ("[a]\nx = 1\n", "a", "x", "\"3\"", "[a]\nx = \"\"3\"\"\n"),
      ("[a]\n# k\nx = 1\ny = 2\n", "a", "x", nil, "[a]\n# k\ny = 2\n"), ("[a]\ny = 2\n", "a", "x", nil, "[a]\ny = 2\n"),
      ("[camera a.b]\nx = 1\n", "camera a.b", "x", "2", "[camera a.b]\nx = 2\n"),
    ] as [(String, String, String, String?, String)])
  func editing(text: String, section: String, key: String, value: String?, expected: String) {
    #expect(changed(text, section, key, value) == expected)
  }

  @Test("whatever is set in the commented example comes back as it was set")
  func example() throws {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let before = try TextFile.read(root + "/systemd/talon.conf.example", limit: Budget.configurationBytes)
    var text = before
    for (section, key, value) in [
      ("node", "name", "  A # name "), ("console", "pin", "1#2=3\""), ("camera", "delay", "5"), ("gateway", "instance", "\"q\""),
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
    let text = "# c\n[gateway]\nurl = wss://a\ntoken = abc\ntoken_file=/x\n password= p\n[console]\npin = 1234\npin_file = /p\n"
    #expect(
      ConfigCommand.shown(Array(text.utf8), section: nil) == [
        "[gateway]", "url = wss://a", "token = (hidden)", "token_file=/x", "password= (hidden)", "[console]", "pin = (hidden)",
        "pin_file = /p",
      ])
    #expect(ConfigCommand.shown(Array(text.utf8), section: "console") == ["[console]", "pin = (hidden)", "pin_file = /p"])
  }

  private func set(_ words: [String], _ path: String) throws -> ExitCode {
    let usage = Usage.all.first { $0.command == "config" }!
    return try ConfigCommand.run(Options(words + ["--config", path], usage))
  }

  @Test("config set replaces the file with its rights, through a link, and changes nothing when the value is wrong")
  func file() throws {
    let path = folder.put("talon.conf", "[gateway]\nurl = wss://a\n[node]\nstate_directory = \(folder.path)/s\nruntime_directory = \(folder.path)/r\n")
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
      ["set", "camera.delay", "99999"], ["set", "gateway.url", "ws://10.0.0.1"], ["set", "node.nothing", "1"], ["set", "name", "1"],
      ["unset", "nothing"], ["set", "node.name", "a\nb"], ["set", "node.name", ""],
    ] {
      #expect(throws: Failure.self) { try set(words, path) }
      #expect(try TextFile.read(path, limit: 10_000) == before)
    }
    #expect(try set(["unset", "node.name"], path) == .ok)
    #expect(try ConfigurationFile.read(path).name.isEmpty)
  }
}
