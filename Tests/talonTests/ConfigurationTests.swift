import Gateway
import Runtime
import Testing

@testable import talon

@Suite struct ConfigurationTests {
  private let folder = TemporaryFolder()
  private let digits = String(repeating: "0123456789abcdef", count: 4)

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
    #expect(configuration.pin == Fingerprint(text: digits.utf8.span))
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

  // MARK: Values

  /// For each key the values that it must refuse, and what it says.
  static let refusals: [(key: String, values: [String], says: String)] = [
    (
      "gateway url", ["gateway.local/path", "ftp://a"],
      "the URL must begin with wss:// or ws://, or be a host alone, as in gateway.local or gateway.local:18789"
    ),
    ("gateway url", ["wss://", "wss://:1"], "the URL has no valid host"),
    ("gateway url", ["wss://a:0", "wss://a:65536", "wss://a:x"], "the URL has no valid port (1 to 65535)"),
    ("gateway url", ["wss://u:p@a"], "the URL must not contain a user name or password"),
    ("gateway url", ["wss://ok:1, wss://a:0"], "the URL has no valid port (1 to 65535)"),
    ("gateway url", [","], "must name an address"),
    (
      "gateway url", [(1...9).map { "wss://g\($0)" }.joined(separator: " ")],
      "must name at most \(Budget.gatewayURLs) addresses"
    ),
    ("gateway instance", [String(repeating: "x", count: 64)], "must have at most 63 bytes"),
    ("gateway domain", [String(repeating: "x", count: 254)], "must have at most 253 bytes"),
    ("gateway token", ["a\tb", "a\u{7F}b"], "must be one line of text"),
    ("gateway token", [String(repeating: "x", count: 4097)], "must have at most 4096 bytes"),
    ("gateway token_file", ["/no/such/file"], "/no/such/file cannot be read: no such file or directory"),
    ("gateway token_file", ["/"], "/ cannot be read: is a directory"),
    ("gateway password", ["a\tb"], "must be one line of text"),
    ("gateway password_file", ["/dev/null"], "/dev/null is empty"),
    (
      "gateway pin", ["abc", String(repeating: "0", count: 63), String(repeating: "0", count: 65)],
      "must be \"key\", or a SHA-256 fingerprint: 64 hexadecimal digits"
    ),
    ("gateway allow_plaintext", ["1", "on", "YES"], "must be one of yes, no, true, false"),
    (
      "gateway pairing_poll", ["1", "3601", "-5", "30s", "3.5", "99999999999999999999"],
      "must be a whole number from 2 to 3600"
    ),
    ("node name", [String(repeating: "x", count: 101)], "must have at most 100 bytes"),
    ("node name", ["a|b", "a\u{1B}b"], "must not contain control characters or |"),
    ("node state_directory", ["state", "./state", "~/state"], "must be an absolute path"),
    ("node state_directory", ["/" + String(repeating: "x", count: 4096)], "is too long for a path"),
    ("node runtime_directory", ["run"], "must be an absolute path"),
    ("operator enabled", ["1", "on"], "must be one of yes, no, true, false"),
    ("operator scopes", ["root", "operator.read, root"], "root is no scope that Talon knows"),
    ("operator scopes", [","], "must name at least one scope"),
    ("camera driver", ["usb", "V4L2"], "must be one of v4l2, simulated, none"),
    ("camera folder", ["pictures"], "must be an absolute path"),
    ("camera delay", ["-1", "10001", "2 s"], "must be a whole number from 0 to 10000"),
    ("camera enabled", ["1"], "must be one of yes, no, true, false"),
    ("camera idle", ["3600001"], "must be a whole number from 0 to 3600000"),
    ("camera keep_warm", ["always"], "must be one of yes, no, true, false"),
    ("camera photo_bytes", ["16383", "19611649"], "must be a whole number from 16384 to 19611648"),
    ("camera progressive", ["yes"], "must be one of never, needed, always"),
    ("camera indicator", ["yes"], "must be one of none, optional, required"),
    ("camera indicator_led", ["../x", "a/b", ".."], "must be a name below /sys/class/leds"),
    ("camera facing", ["left"], "must be one of front, back, external"),
    ("camera rotation", ["45", "-90", "360"], "must be one of 0, 90, 180, 270"),
    ("camera flip", ["yes"], "must be one of none, horizontal, vertical, both"),
    ("camera exposure", ["0", "100001", "bright"], "must be auto, or a whole number from 1 to 100000"),
    ("camera gain", ["-1"], "must be auto, or a whole number from 0 to 1000000"),
    ("camera white_balance", ["999", "20001"], "must be auto, or a whole number from 1000 to 20000"),
    ("camera focus", ["near"], "must be auto, or a whole number from 0 to 100000"),
    ("camera power_line", ["55"], "must be one of off, 50, 60, auto"),
    (
      "camera controls", ["sharpness", "sharpness=3", "sharpness 3 4", "sharpness x", "a 99999999999"],
      "must be names and whole numbers with commas between them, like: sharpness 3, brightness -10"
    ),
    ("camera controls", [","], "must name a control"),
    ("camera controls", [(0...8).map { "c\($0) 1" }.joined(separator: ",")], "must name at most 8 controls"),
    ("camera sensor", ["imx"], "must be one of generic, ov5647, imx219, imx477, imx708"),
    ("location driver", ["gps"], "must be one of serial, gpsd, simulated, none"),
    ("location port", ["ttyAMA0"], "must be an absolute path"),
    (
      "location baud", ["9601", "fast"],
      "must be one of auto, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600"
    ),
    ("location replay", ["walk.nmea"], "must be an absolute path"),
    ("location speed", ["0", "1001"], "must be a whole number from 1 to 1000"),
    ("location enabled", ["on"], "must be one of yes, no, true, false"),
    ("location configure", ["yes"], "must be one of never, needed, always"),
    ("location rate", ["0", "11"], "must be a whole number from 1 to 10"),
    ("location constellations", ["gps, mars"], "must be one of gps, galileo, glonass, beidou, qzss, sbas"),
    ("location constellations", ["sbas qzss"], "must name gps, galileo, glonass or beidou"),
    ("location save", ["1"], "must be one of yes, no, true, false"),
    (
      "location gpsd", ["gps.example.com", "127.0.0.1:99999"],
      "must be localhost, a numeric address, either with or without :port, or the path of a socket"
    ),
    ("location precision", ["9", "100001", "rough"], "must be exact, or a whole number from 10 to 100000 metres"),
    ("location significant_move", ["-1", "1000001"], "must be a whole number from 0 to 1000000"),
    ("location set_clock", ["auto"], "must be one of yes, no, true, false"),
    ("motion driver", ["mpu6050"], "must be one of i2c, iio, simulated, none"),
    ("motion bus", ["i2c-1"], "must be an absolute path"),
    ("motion address", ["68", "0x07", "0x78", "0x1234", "0xg0"], "must be auto, or an address from 0x08 to 0x77"),
    ("motion mounting", ["x y"], "must name three axes, such as \"-y x z\""),
    ("motion rate", ["19", "201"], "must be a whole number from 20 to 200"),
    ("motion height", ["49", "251"], "must be a whole number from 50 to 250"),
    ("motion events", ["bumps"], "must be one of none, falls, all"),
    ("motion replay", ["walk.csv"], "must be an absolute path"),
    ("light driver", ["gpiod", "LED"], "must be one of none, led, gpio"),
    ("light led", ["a/b", ".."], "must be a name below /sys/class/leds"),
    ("light red", ["a/b"], "must be a name below /sys/class/leds"),
    ("light green", ["a/b"], "must be a name below /sys/class/leds"),
    ("light blue", [String(repeating: "x", count: 65)], "must have at most 64 bytes"),
    ("light brightness", ["0", "101", "50%"], "must be a whole number from 1 to 100"),
    ("light chip", [String(repeating: "x", count: 65)], "must have at most 64 bytes"),
    ("light line", ["1\u{7}2"], "must not contain control characters or |"),
    ("light red_line", ["1\u{7}2"], "must not contain control characters or |"),
    ("light green_line", ["1\u{7}2"], "must not contain control characters or |"),
    ("light blue_line", ["1\u{7}2"], "must not contain control characters or |"),
    ("light active_low", ["low"], "must be one of yes, no, true, false"),
    ("button driver", ["evdev"], "must be one of none, gpio"),
    ("button chip", [String(repeating: "x", count: 65)], "must have at most 64 bytes"),
    ("button line", ["1\u{7}2"], "must not contain control characters or |"),
    ("button active_low", ["high"], "must be one of yes, no, true, false"),
    ("button bias", ["up"], "must be one of pull-up, pull-down, none, as-is"),
    ("console pin", ["123", "12 34", "12ä4", String(repeating: "1", count: 65)], "must have 4 to 64 letters, digits or signs of ASCII"),
    ("console pin_file", ["pin"], "must be an absolute path"),
    ("console shell", ["sh"], "must be an absolute path"),
    ("canvas screen", ["wide"], "must be auto, none, a size such as 800x480, or a display such as /dev/dri/card0"),
    ("canvas mode", ["fast"], "must be a mode such as 1280x720 or 1280x720@60"),
    ("canvas rotate", ["45"], "must be 0, 90, 180 or 270"),
    ("canvas depth", ["24"], "must be one of 16, 32"),
    ("canvas theme", ["pink"], "must be one of dark, light"),
    ("canvas socket", ["maybe"], "must be one of on, off"),
    ("canvas eval", ["maybe"], "must be one of on, off"),
    ("canvas chat", ["maybe"], "must be one of on, off"),
    ("canvas script_actions", ["maybe"], "must be one of on, off"),
    ("canvas scale", ["49"], "must be a whole number from 50 to 400"),
    (
      "canvas allow", ["nas/8", "10.0.0.0/33", "http://nas/", (0...16).map { "10.0.0.\($0)" }.joined(separator: " ")],
      "must be at most 16 hosts, addresses or networks such as nas.local or 192.168.1.0/24"
    ),
    ("canvas authorities", ["certs"], "must be an absolute path"),
    ("canvas brightness", ["0"], "must be a whole number from 1 to 100"),
    ("canvas blank_after", ["14", "86401", "-1", "5 min"], "must be seconds from 15 to 86400, or 0 for never"),
    ("canvas input", ["event0", "auto none"], "must be auto, none, or devices such as /dev/input/event0 with blanks between them"),
    ("canvas input", [","], "must name a device"),
    ("canvas input", [(0...12).map { "/dev/input/event\($0)" }.joined(separator: " ")], "must name at most 12 devices"),
    ("canvas keyboard", ["dvorak"], "must be one of us, uk, de, fr, es, it"),
    ("canvas screen_keyboard", ["yes"], "must be one of auto, always, never"),
    (
      "canvas calibration", ["1 0 0 0 1", "1 0 0 0 1 0 0", "a b c d e f", "1 0 0 0 2000 0"],
      "must be six numbers with blanks between them, such as 1 0 0 0 1 0"
    ),
    ("canvas calibration", ["1 1 0 1 1 0", "0 0 0 0 0 0"], "must not take all places to one line"),
    ("console lock", ["-1", "1441", "soon"], "must be a whole number from 0 to 1440"),
    ("log level", ["verbose", "Info"], "must be one of error, warning, notice, info, debug"),
  ] + SoundConfigurationTests.refusals

  @Test("a bad value is told with its file, line and key", arguments: refusals)
  func badValue(key: String, values: [String], says: String) {
    let words = key.split(separator: " ")
    for value in values {
      let text = "# first line\n[\(words[0])]\n\(words[1]) = \(value)\n"
      #expect(complaint(text) == "t.conf:3: [\(words[0])] \(words[1]): \(says)")
    }
  }

  @Test("the table of bad values names every key, and every key refuses an empty value")
  func allKeys() {
    let refused = Set(Self.refusals.map(\.key))
    #expect(refused == Set(ConfigurationKey.all.map { "\($0.section) \($0.name)" } + CameraKeys.all.map { "camera \($0.name)" }))
    for key in ConfigurationKey.all {
      for value in ["", "  ", "\"\"", "\r"] {
        #expect(
          complaint("[\(key.section)]\n\(key.name) = \(value)")
            == "t.conf:2: [\(key.section)] \(key.name): has no value; remove the line to use the default")
      }
    }
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
      ("[nodes]", "t.conf:1: [nodes]: unknown section"), ("[]", "t.conf:1: []: unknown section"),
      ("[Node]", "t.conf:1: [Node]: unknown section"), ("[node", "t.conf:1: a section must end with ]"),
      ("\n[node]\nnames = A", "t.conf:3: [node] names: unknown key"),
      ("name = A", "t.conf:1: [] name: unknown key"),
      ("[log]\nname = A", "t.conf:2: [log] name: unknown key"),
      ("[node]\n= A", "t.conf:2: [node] : unknown key"),
      ("[node]\nname", "t.conf:2: expected [section] or key = value"),
      ("[node]\nname = A\nname = A", "t.conf:3: [node] name: stands here twice"),
      ("[node]\nname = A\n[log]\n[node]\nname = B", "t.conf:5: [node] name: stands here twice"),
      ("[node]\nname = A\0B", "t.conf:2: a zero byte: this is no text file"),
      ("\u{FEFF}[node]", "t.conf:1: expected [section] or key = value"),
    ])
  func badLine(text: String, says: String) {
    #expect(complaint(text) == says)
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
        "url = wss://a\n[button]\ndriver = gpio\nline = 17\n[talk]\nbutton = gpiochip0:17",
        "[talk] button: is the line of [button] already, which is held for panic: talking needs a button of its own"
      ),
      ("url = wss://a\n[button]\ndriver = gpio\nline = 17\n[talk]\nbutton = gpiochip1:17", nil),
      (
        "url = wss://a\n[camera]\nindicator_led = a\n[light]\ndriver = led\nled = a",
        "[light] led: is the camera's own light already ([camera] indicator_led)"
      ),
      ("url = wss://a\n[light]\ndriver = gpio\nred = a", "[light] line: is missing: which one? Example: line = 17"),
      (
        "url = wss://a\n[light]\ndriver = gpio\nline = 1\nblue_line = 2",
        "[light] line: stands beside red_line, green_line and blue_line: it is either one light, or one for each colour"
      ),
      ("url = wss://a\n[light]\ndriver = gpio\nline = GPIO17", nil),
      (
        "url = wss://a\n[button]\ndriver = gpio",
        "[button] line: is missing: which line of the chip? Example: line = 27"
      ),
    ] as [(String, String?)])
  func together(text: String, says: String?) {
    #expect(complaint(file: folder.put("talon.conf", "[gateway]\n" + text)) == says.map { "FILE: " + $0 })
  }

  @Test("damaged files are refused or taken, and never more than that")
  func damaged() throws {
    var random = Seeded(state: 7)
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
