import Board
import Glibc
import Runtime
import TestSupport
import Testing

@testable import talon

@Suite("The console's settings, rights and words") struct ConsoleTests {
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

  // MARK: Rights

  @Test("what grants rights, or names files, devices and programs, is set in the file alone")
  func fileOnly() {
    var keys: [String] = []
    for key in ConfigurationKey.all where key.isFileOnly { keys.append("\(key.section).\(key.name)") }
    #expect(
      keys.sorted() == [
        "agent.allow", "agent.answers", "agent.channel", "agent.enabled", "agent.mail_from", "agent.mail_host",
        "agent.mail_password_file", "agent.mail_port", "agent.mail_to", "agent.mail_user", "agent.memory",
        "agent.model", "agent.model_context", "agent.model_port", "agent.model_program", "agent.money",
        "agent.retries", "agent.search", "agent.search_key_file",
        "agent.search_url", "agent.seconds",
        "agent.telegram_chats", "agent.telegram_token_file", "agent.tokens", "agent.tools", "agent.turns",
        "button.chip", "camera.enabled", "camera.folder", "camera.indicator", "camera.indicator_led", "canvas.allow",
        "canvas.authorities", "canvas.chat", "canvas.eval", "canvas.input", "canvas.screen", "canvas.script_actions",
        "canvas.socket", "consent.blind_button", "consent.camera", "consent.camera.front", "consent.journal",
        "consent.location",
        "consent.microphone", "consent.motion", "consent.recording_ends_camera", "consent.refusal", "consent.run",
        "consent.screen.record", "consent.tools", "console.lock", "console.pin", "console.pin_file", "console.shell",
        "debug.commands", "files.folders",
        "gateway.allow_plaintext", "gateway.authorities",
        "gateway.client_certificate", "gateway.client_key", "gateway.cloudflare_secret_file",
        "gateway.headers_file",
        "gateway.password_file", "gateway.pin", "gateway.proxy_file", "gateway.token_file", "light.chip",
        "links.scanner",
        "location.enabled", "location.gpsd",
        "location.port", "location.precision", "location.replay", "location.track", "log.syslog", "log.syslog_ca_file",
        "metrics.ca_file", "metrics.certificate",
        "metrics.key",
        "metrics.password_file", "metrics.positions", "metrics.token_file", "metrics.url", "microphone.enabled",
        "microphone.file",
        "microphone.indicator", "microphone.indicator_led", "motion.bus", "motion.replay", "node.commands",
        "node.runtime_directory",
        "node.state_directory", "operator.approvals", "operator.enabled", "operator.scopes", "photos.keep",
        "run.memory", "run.network",
        "run.output", "run.programs", "run.timeout", "speaker.file", "talk.commands", "talk.recogniser",
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
}
