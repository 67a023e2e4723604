import Board
import Glibc
import Runtime
import TestSupport
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
      (
        "pin = \(String(repeating: "1", count: 65))",
        "[console] pin: must have 4 to 64 letters, digits or signs of ASCII"
      ),
      ("pin = $scrypt$ln=13,r=8,p=1$x$y", "[console] pin: is no hash as talon config hash-pin prints it"),
      (
        "pin = $scrypt$ln=17,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "[console] pin: is no hash as talon config hash-pin prints it"
      ),
      ("pin = $scrypt$ln=16,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", nil),
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
    let wrong = folder.put(
      "wrong.conf", "[gateway]\nurl = nonsense\nnothing\n[console]\npin = 1234\nlock = x\n[what]\n")
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
    var now: Int64 = 1_000_000
    for text in ["1235", "123", "12345", "", "0", "x", "y", "z", "a", "b", "c"] {
      #expect(!opens(lock, text, at: now))
      pauses.append(lock.opensAt - now)
      now = lock.opensAt
    }
    #expect(pauses == [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000])
    #expect(opens(lock, "1234", at: 5_000_000))
    #expect(!opens(lock, "1", at: 6_000_000))
    #expect(lock.opensAt == 6_001_000)
  }

  @Test("a restart makes no new beginning, and the pause of one console is that of all")
  func restart() {
    let first = PinLock(pin: "1234", folder: folder.path, now: 0)
    for now in [Int64(0), 1000, 3000, 7000] { #expect(!opens(first, "no", at: now)) }
    let second = PinLock(pin: "1234", folder: folder.path, now: 7500)
    #expect(second.opensAt == 15_500)
    #expect(!opens(second, "no", at: 16_000))
    #expect(second.opensAt == 32_000)
    // Neither a wrong one nor the right one is looked at before that, and neither is counted.
    #expect(!opens(first, "1234", at: 20_000))
    #expect(first.opensAt == 32_000)
    #expect(opens(first, "1234", at: 32_000))
    #expect(PinLock(pin: "1234", folder: folder.path, now: 0).opensAt == 0)
  }

  @Test("a pause goes on from its beginning when the board starts anew, whose clock begins at nothing")
  func reboot() {
    let before = PinLock(pin: "1234", folder: folder.path, now: 0)
    for now in [Int64(900_000), 901_000, 903_000] { #expect(!opens(before, "no", at: now)) }
    let after = PinLock(pin: "1234", folder: folder.path, now: 20_000)
    #expect(after.opensAt == 24_000)
    #expect(!opens(after, "1234", at: 23_999))
    #expect(opens(after, "1234", at: 24_000))
  }

  @Test("a try is on flash as a wrong one before it is looked at, so that cutting the power then gains nothing")
  func counted() {
    let folder = self.folder.path
    var pauses: [Int64] = []
    let lock = PinLock(folder: folder, now: 0) { _ in
      // What a console would find that starts in this moment.
      pauses.append(PinLock(pin: "1234", folder: folder, now: 0).opensAt)
      return pauses.count == 3
    }
    for now in [Int64(0), 10_000, 20_000] { #expect(opens(lock, "1234", at: now) == (now == 20_000)) }
    #expect(pauses == [1000, 2000, 4000])
    #expect(PinLock(pin: "1234", folder: folder, now: 0).opensAt == 0)
  }

  @Test("while one console looks at a PIN, another looks at none")
  func oneAtATime() throws {
    let lock = PinLock(pin: "1234", folder: folder.path, now: 0)
    let other = try FileLock(folder.path + "/console-lock")
    try other.take(milliseconds: 0)
    #expect(!opens(lock, "1234", at: 0))
    #expect(lock.opensAt == 1000)
    other.release()
    #expect(opens(lock, "1234", at: 1000))
  }

  @Test("what cannot be counted costs the longest pause; the right PIN opens all the same")
  func full() {
    // A folder in the place of the record: nothing can be written there, by root neither.
    mkdir(folder.path + "/console-pin.new", 0o700)
    let lock = PinLock(pin: "1234", folder: folder.path, now: 0)
    #expect(!opens(lock, "no", at: 0))
    #expect(lock.opensAt == 300_000)
    #expect(opens(lock, "1234", at: 300_000))
  }

  @Test("without the folder a PIN works all the same, and makes none")
  func noFolder() {
    let missing = folder.path + "/missing"
    let lock = PinLock(pin: "1234", folder: missing, now: 0)
    #expect(!opens(lock, "no", at: 0))
    #expect(lock.opensAt == 1000 && access(missing, F_OK) != 0)
    #expect(opens(lock, "1234", at: 2000))
  }

  @Test(
    "root's consoles count where the agent's user has no right, in a folder that all of them share",
    .enabled(if: geteuid() == 0))
  func rootsFolder() throws {
    let setups = try ["a", "b"].map {
      try ConsoleSetup(path: folder.put("\($0).conf", "[node]\nstate_directory = /tmp/\($0)\n[console]\npin = 1234\n"))
    }
    #expect(setups.allSatisfy { $0.pinFolder == PinLock.folder && $0.pinFolder != $0.stateDirectory })
  }

  @Test("a hash opens for its PIN and no other, and says nothing of it")
  func hash() throws {
    let hash = try #require(PasswordHash(Array("1234".utf8), random: SystemRandom()))
    #expect(hash.text.hasPrefix("$scrypt$ln=13,r=8,p=1$") && !hash.text.contains("1234"))
    #expect(PasswordHash(text: hash.text) == hash)
    #expect(PasswordHash(Array("1234".utf8), random: SystemRandom())?.text != hash.text)
    #expect(complaint("[console]\npin = \(hash.text)") == nil)
    let lock = PinLock(pin: hash.text, folder: folder.path, now: 0)
    #expect(!opens(lock, hash.text, at: 0))
    #expect(!opens(lock, "1235", at: 10_000))
    #expect(opens(lock, "1234", at: 20_000))
    let setup = try ConsoleSetup(path: folder.put("hash.conf", "[console]\npin = \(hash.text)\n"))
    #expect(setup.pin == hash.text)
  }

  @Test("a PIN in clear is told of, a hash and a file of its own are not")
  func pinNote() {
    var settings = ConsoleSettings()
    #expect(ConfigCommand.note(settings) == nil)
    settings.pin = "1234"
    #expect(ConfigCommand.note(settings) != nil)
    settings.pinFile = "/etc/talon/pin"
    #expect(ConfigCommand.note(settings) == nil)
    (settings.pinFile, settings.pin) = ("", "$scrypt$ln=13,r=8,p=1$a$b")
    #expect(ConfigCommand.note(settings) == nil)
  }

  // MARK: Rights

  @Test("what grants rights, or names files, devices and programs, is set in the file alone")
  func fileOnly() {
    var keys: [String] = []
    for key in ConfigurationKey.all where key.isFileOnly { keys.append("\(key.section).\(key.name)") }
    #expect(
      keys.sorted() == [
        "button.chip", "camera.enabled", "camera.folder", "camera.indicator", "camera.indicator_led", "canvas.allow",
        "canvas.authorities", "canvas.chat", "canvas.eval", "canvas.input", "canvas.screen", "canvas.script_actions",
        "canvas.socket", "console.lock", "console.pin", "console.pin_file", "console.shell", "debug.commands",
        "gateway.allow_plaintext",
        "gateway.client_certificate", "gateway.client_key", "gateway.cloudflare_secret_file",
        "gateway.password_file", "gateway.pin", "gateway.proxy_file", "gateway.token_file", "light.chip",
        "location.enabled", "location.gpsd",
        "location.port", "location.precision", "location.replay", "log.syslog", "log.syslog_ca_file",
        "metrics.ca_file", "metrics.certificate",
        "metrics.key",
        "metrics.password_file", "metrics.positions", "metrics.token_file", "metrics.url", "microphone.enabled",
        "microphone.file",
        "microphone.indicator", "microphone.indicator_led", "motion.bus", "motion.replay", "node.runtime_directory",
        "node.state_directory", "operator.enabled", "operator.scopes", "speaker.file", "talk.recogniser",
        "tools.publish", "update.ca_file", "update.certificate", "update.channel_key", "update.command", "update.key",
        "update.proof", "update.server", "update.token_file", "update.url", "wake.espeak",
        "wake.file", "wake.model",
      ])
    #expect(ConfigurationKey.find("device", section: "camera door")?.isFileOnly == true)
    for key in HandKeys.all { #expect(ConfigurationKey.find(key.name, section: "tool heater")?.isFileOnly == true) }
    #expect(ConfigurationKey.find("facing", section: "camera door")?.isFileOnly == false)
  }

  @Test("no key that takes a path, and nothing else, can be set otherwise")
  func paths() {
    for key in ConfigurationKey.all where !key.isFileOnly {
      func takes(_ value: String) -> Bool {
        var configuration = Configuration()
        do throws(Errno) { return try key.set(&configuration, value) == nil } catch { return false }
      }
      #expect(!takes("/usr/bin") || takes("usr"), "\(key.section).\(key.name)")
    }
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

  @Test("a console that has no shell has none, whatever the file names, and after it was read again")
  func noShell() throws {
    let path = folder.put("shell.conf", "[console]\nshell = /bin/sh\n")
    #expect(try ConsoleSetup(path: path).shell == "/bin/sh")
    let setup = try ConsoleSetup(path: path, hasNoShell: true)
    #expect(try setup.shell.isEmpty && setup.again().shell.isEmpty)
  }

  @Test("the console takes no other configuration than its own")
  func otherConfiguration() {
    #expect(ConsoleRights.objection(["config", "set", "node.name", "x", "--config", "/tmp/x"]) != nil)
    #expect(ConsoleRights.objection(["config", "set", "node.name", "x"]) == nil)
  }

  // MARK: Words

  @Test(
    "a line is cut into words",
    arguments: [
      ("", []), ("  status  ", ["status"]),
      ("config set node.name \"My board\"", ["config", "set", "node.name", "My board"]),
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
    #expect(grammar.words(after: []).contains("doctor") || grammar.words(after: []).contains("status"))
    #expect(!grammar.commands.contains("run") && !grammar.commands.contains("shell"))
    #expect(ConsoleGrammar(hasShell: true).commands.contains("shell"))
    #expect(grammar.words(after: ["config"]) == ["check", "hash-pin", "set", "show", "unset"])
    #expect(grammar.words(after: ["talon", "config", "set"]).contains("camera.delay"))
    #expect(grammar.words(after: ["config", "show"]).contains("gateway"))
    #expect(grammar.words(after: ["log", "level"]).count == 5)
    #expect(grammar.words(after: ["snap"]) == ["--device", "--width", "--help"])
    #expect(grammar.words(after: ["nothing"]).isEmpty)
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
}
