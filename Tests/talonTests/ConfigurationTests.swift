import Foundation
import Gateway
import Runtime
import TestSupport
import Testing

@testable import talon

@Suite struct ConfigurationTests {
  private let folder = TemporaryFolder()
  private let digits = String(repeating: "0123456789abcdef", count: 4)

  @Test(
    "settings of what is not switched on are named with their line",
    arguments: [
      ("[light]\nline = 17", "line 2: [light] line without effect: set driver = gpio or led"),
      (
        "[camera]\ndriver = none\ndelay = 5",
        "line 3: [camera] delay without effect: driver = none switches the camera off"
      ),
      (
        "[location]\nbaud = 9600\nport = /dev/ttyAMA0",
        "line 2: [location] baud, port without effect: set driver = serial or gpsd"
      ),
      (
        "[node]\ncommands = -mcp.tools.call.v1\n[tools]\npublish = all",
        "line 4: [tools] publish without effect: [node] commands takes mcp.tools.call.v1 away, by which tools are called"
      ),
      ("[light]\ndriver = none", nil),
      ("[camera]\ndelay = 5", nil),
    ] as [(String, String?)])
  func idle(text: String, warning: String?) throws {
    let configuration = try ConfigurationFile.checked(Array(text.utf8), file: "talon.conf")
    #expect(IdleSettings.warnings(configuration) == (warning.map { [$0] } ?? []))
  }

  @Test("the owner's tools are commands, which [node] commands may name before their sections")
  func commandsOfTools() throws {
    let text = """
      [node]
      commands = io.pump device.info
      [tool pump]
      kind = gpio
      line = gpiochip0:1
      direction = out
      """
    let configuration = try ConfigurationFile.checked(Array(text.utf8), file: "talon.conf")
    #expect(configuration.commands == .only(["io.pump", "device.info"]))
  }

  @Test("[node] commands may name every command that a part has")
  func commandNames() throws {
    let sources = Repository.folder.appendingPathComponent("Sources")
    var names: Set<String> = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where path.hasSuffix(".swift") {
      guard path.split(separator: "/")[0].hasSuffix("Part") else { continue }
      let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
      names.formUnion(text.matches(of: #/CommandRow\("([^"]+\.[^"]+)"/#).map { String($0.1) })
    }
    #expect(names.filter { !$0.hasPrefix("tool.") } == Set(CommandNames.all))
  }

  @Test("every key of a full file is taken")
  func full() throws {
    let token = folder.put("token", "  s3cret-token\n")
    let path = folder.put(
      "talon.conf",
      """
      # a comment
      ; another
      [gateway]
      url = wss://gateway.local:18789
      token_file = \(token)
      password = pass = word # 1
      pin = \(digits)
      allow_plaintext = yes
      pairing_poll = 3600

        [ node ]
      name = "Field board"
      state_directory=/tmp/state
      runtime_directory\t=\t/tmp/run
      [camera]
      driver = simulated
      folder = /tmp/pictures
      delay = 0
      [location]
      driver = serial
      port = /dev/ttyAMA0
      baud = 115200
      replay = /tmp/walk.nmea
      speed = 1000
      [log]
      level = debug
      """)
    let configuration = try ConfigurationFile.read(path)
    #expect(configuration.urls.map(\.text) == ["wss://gateway.local:18789"])
    #expect(configuration.token == "s3cret-token")
    #expect(configuration.password == "pass = word # 1")
    #expect(configuration.trust.pins == [Fingerprint(text: digits.utf8.span)])
    #expect(configuration.allowPlaintext)
    #expect(configuration.pairingPoll == 3600)
    #expect(configuration.name == "Field board")
    #expect(configuration.stateDirectory == "/tmp/state")
    #expect(configuration.runtimeDirectory == "/tmp/run")
    #expect(configuration.cameraDriver == .simulated)
    #expect(configuration.cameraFolder == "/tmp/pictures")
    #expect(configuration.camera.delay == 0)
    #expect(configuration.locationDriver == .serial)
    #expect(configuration.port == "/dev/ttyAMA0")
    #expect(configuration.location.receiver.speed == 115_200)
    #expect(configuration.replay == "/tmp/walk.nmea")
    #expect(configuration.speed == 1000)
    #expect(configuration.logLevel == .debug)
  }

  @Test(
    "quotes around a value are taken off once, and only in pairs",
    arguments: [
      (#""a b""#, "a b"), (#"" a ""#, " a "), (#"""#, #"""#), (#""a"#, #""a"#), (#"a""#, #"a""#),
      (#"""a"""#, #""a""#), ("a # b", "a # b"), ("a ; b", "a ; b"), ("a = b", "a = b"), ("grün", "grün"),
    ])
  func quotes(value: String, taken: String) throws {
    let configuration = try ConfigurationFile.parse(Array("[gateway]\ntoken = \(value)".utf8), file: "t")
    #expect(configuration.token == taken)
  }

  @Test("line ends of Windows, white space and empty lines do not matter")
  func lineEnds() throws {
    let text = "\r\n[node]\r\n\r\n  name = A\r\n\t[log]\t\r\nlevel=debug\r\n"
    let configuration = try ConfigurationFile.parse(Array(text.utf8), file: "t")
    #expect(configuration.name == "A")
    #expect(configuration.logLevel == .debug)
  }

  // MARK: Lines

  @Test(
    "a line that makes no sense is told with its number",
    arguments: [
      ("[nodes]", "t.conf:1: [nodes]: unknown section; did you mean [node]?"), ("[]", "t.conf:1: []: unknown section"),
      ("[Node]", "t.conf:1: [Node]: unknown section; did you mean [node]?"),
      ("[node", "t.conf:1: a section must end with ]"),
      ("\n[node]\nnames = A", "t.conf:3: [node] names: unknown key; did you mean name?"),
      ("name = A", "t.conf:1: [] name: unknown key; [node] has a key of that name"),
      ("[log]\nname = A", "t.conf:2: [log] name: unknown key; [node] has a key of that name"),
      ("[node]\n= A", "t.conf:2: [node] : unknown key"),
      ("[node]\nname", "t.conf:2: expected [section] or key = value"),
      ("[node]\nname = A\nname = A", "t.conf:3: [node] name: appears twice"),
      ("[node]\nname = A\n[log]\n[node]\nname = B", "t.conf:5: [node] name: appears twice"),
      ("[node]\nname = A\0B", "t.conf:2: a zero byte: this is not a text file"),
    ])
  func badLine(text: String, says: String) {
    #expect(complaint(text) == says)
  }

  @Test("all mistakes of a file are told at once, and lines of a section that is none are not judged")
  func allMistakes() {
    let text = "[node]\nnmae = A\n[gateway]\nurl = ftp://x\n[cmaera]\ndelay = 1\n[log]\nlevel = loud\n"
    do throws(ConfigurationError) {
      _ = try ConfigurationFile.parse(Array(text.utf8), file: "t.conf")
      Issue.record("it was taken")
    } catch {
      let lines = error.report.split(separator: "\n").map { String($0) }
      #expect(lines.count == 4)
      #expect(lines[0] == "t.conf:2: [node] nmae: unknown key; did you mean name?")
      #expect(lines[1].hasPrefix("t.conf:4: [gateway] url: "))
      #expect(lines[2] == "t.conf:5: [cmaera]: unknown section; did you mean [camera]?")
      #expect(lines[3].hasPrefix("t.conf:8: [log] level: "))
      #expect(error.text == lines[0])
    }
  }

  @Test("bytes that are no UTF-8 are refused and not repaired")
  func noUTF8() {
    #expect(complaint(Array("[gateway]\ntoken = a".utf8) + [0xFF, 0x62]) == "t.conf:2: is not UTF-8")
  }

  // MARK: Files

  @Test("a file that cannot be read, or is too large, is told with its path")
  func unreadable() {
    #expect(complaint(file: folder.path + "/none") == "FILE: cannot be read: no such file or directory")
    #expect(complaint(file: folder.path) == "FILE: cannot be read: is a directory")
    let url = "[gateway]\nurl = wss://a\n"
    let comment = String(repeating: "#", count: Budget.configurationBytes - url.utf8.count)
    #expect(complaint(file: folder.put("whole", url + comment)) == nil)
    #expect(
      complaint(file: folder.put("large", url + comment + "#")) == "FILE: cannot be read: file too large")
  }

  @Test("a secret in a file is one line without the space around it")
  func secretFiles() {
    func says(_ contents: String) -> String? {
      let path = folder.put("secret", contents)
      return complaint("[gateway]\npassword_file = \(path)").map { String($0.dropFirst("t.conf:2: ".count)) }
    }
    let label = "[gateway] password_file: "
    let path = folder.path + "/secret"
    #expect(says("one line\r\n") == nil)
    #expect(says(String(repeating: "x", count: Budget.tokenBytes) + "\n") == nil)
    #expect(says(" \n\n") == "\(label)\(path) is empty")
    #expect(says("two\nlines\n") == "\(label)what stands in \(path) must be one line of text")
    #expect(says("a\0b") == "\(label)what stands in \(path) must be one line of text")
    #expect(
      says(String(repeating: "x", count: Budget.tokenBytes + 1))
        == "\(label)what stands in \(path) must have at most \(Budget.tokenBytes) bytes")
    #expect(says(String(repeating: "x", count: 100_000)) == "\(label)\(path) cannot be read: file too large")
  }

  @Test(
    "what only makes sense together is checked",
    arguments: [
      (
        "url = ws://10.0.0.1",
        "[gateway] url: ws:// sends secrets in clear; use wss://, or set allow_plaintext = yes"
      ),
      (
        "url = ws://10.0.0.1\nallow_plaintext = no",
        "[gateway] url: ws:// sends secrets in clear; use wss://, or set allow_plaintext = yes"
      ),
      (
        "url = ws://127.0.0.1.example.org",
        "[gateway] url: ws:// sends secrets in clear; use wss://, or set allow_plaintext = yes"
      ),
      ("url = ws://10.0.0.1\nallow_plaintext = yes", nil), ("url = ws://127.0.0.1:18789", nil),
      ("url = ws://localhost", nil), ("url = ws://[::1]:1", nil), ("url = wss://10.0.0.1", nil),
      (
        "url = ws://127.0.0.1\npin = 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "[gateway] pin: makes no sense with ws://, which has no certificate"
      ),
      (
        "url = wss://a\n[camera]\ndriver = simulated",
        "[camera] folder: is missing: the simulated camera shows the JPEG files of a folder"
      ),
      (
        "url = wss://a\n[location]\ndriver = serial",
        "[location] port: is missing: which serial port? Example: port = /dev/ttyAMA0"
      ),
      (
        "url = wss://a\n[location]\ndriver = simulated",
        "[location] replay: is missing: the simulated receiver replays a file of NMEA sentences"
      ),
      (
        "url = wss://a\n[light]\ndriver = led", "[light] led: is missing: which one? ls /sys/class/leds tells"
      ),
      (
        "url = wss://a\n[light]\ndriver = led\nled = a\ngreen = b",
        "[light] led: stands beside red, green and blue: it is either one light, or one for each colour"
      ),
      ("url = wss://a\n[light]\ndriver = led\nred = a\ngreen = b", nil),
      (
        "url = wss://a\n[button]\ndriver = gpio\nline = GPIO17\n[talk]\nbutton = pin 11",
        "[talk] button: is the line of [button] already, which is held for panic: talking needs a button of its own"
      ),
      ("url = wss://a\n[button]\ndriver = gpio\nline = 17\n[talk]\nbutton = gpiochip1:17", nil),
      (
        "url = wss://a\n[camera]\nindicator_led = a\n[light]\ndriver = led\nled = a",
        "[light] led: is already the camera's privacy light ([camera] indicator_led)"
      ),
      ("url = wss://a\n[light]\ndriver = gpio\nred = a", "[light] line: is missing: which one? Example: line = 17"),
      (
        "url = wss://a\n[light]\ndriver = gpio\nline = 1\nblue_line = 2",
        "[light] line: stands beside red_line, green_line and blue_line: it is either one light, or one for each colour"
      ),
      ("url = wss://a\n[light]\ndriver = gpio\nline = GPIO17", nil),
      (
        "url = wss://a\n[button]\ndriver = gpio",
        "[button] line: is missing: which line? Example: line = 27"
      ),
    ] as [(String, String?)])
  func together(text: String, says: String?) {
    #expect(complaint(file: folder.put("talon.conf", "[gateway]\n" + text)) == says.map { "FILE: " + $0 })
  }

  @Test("damaged files are refused or taken, and never more than that")
  func damaged() throws {
    var random = Seeded(7)
    let whole = Array(
      "[gateway]\nurl = wss://gateway.local:18789\ntoken = \"abc\"\n[node]\nname = A\n# x\n".utf8)
    var refused = 0
    for _ in 0..<5000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(place + 4, bytes.count - 1))
        default: bytes.insert(contentsOf: whole.shuffled(using: &random).prefix(5), at: place)
        }
      }
      guard let says = complaint(bytes) else { continue }
      refused += 1
      #expect(says.hasPrefix("t.conf:"))
    }
    #expect(refused > 1000)
  }

  @Test("config check names the addresses that are tried, with the port that the file leaves out")
  func addresses() throws {
    let text = "[gateway]\nurl = gateway.local, wss://gateway.example, wss://gateway.example/context, g:1\n"
    let configuration = try ConfigurationFile.parse(Array(text.utf8), file: "FILE")
    #expect(
      ConfigCommand.gatewayLines(configuration) == [
        "gateway  wss://gateway.local:18789", "gateway  wss://gateway.example:443  (a gateway's own port is 18789)",
        "gateway  wss://gateway.example:443/context", "gateway  wss://g:1",
      ])
  }
}
