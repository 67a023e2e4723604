import Runtime
import Testing

@testable import talon

@Suite struct ConfigurationValueTests {
  private static let chips =
    "must be auto or one of mpu6050, mpu6000, mpu9150, mpu6500, mpu6515, mpu6880, mpu9250, mpu9255, icm20608g, icm20608d, "
    + "icm20609, icm20689, iam20680, iam20680hp, iam20680ht, icm20600, icm20602, mpu6886, icm42688p, icm42688v, icm42600, "
    + "icm42602, icm42605, icm42622, icm42631, iim42652, icm42686p, iim42653, icm40609d, icm42670p, icm42670s, icm42607p, "
    + "icm42607c, lsm6ds3, lsm6ds33, lsm6ds3trc, lsm6dsl, lsm6dsm, lsm6dso, lsm6dsox, lsm6dso32, lsm6dst, lsm6dsr, "
    + "lsm6dsrx, ism330dhcx, lsm6dsv, lsm6dsv16x, lsm6dsv32x, lsm9ds1, icm20948, bmi160, adxl345, qmi8658"

  /// For each key the values that it must refuse, and what it says.
  static let refusals: [(key: String, values: [String], says: String)] =
    [
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
        "must be \"key\", or SHA-256 fingerprints of certificates or keys: 64 hexadecimal digits each"
      ),
      ("gateway allow_plaintext", ["1", "on", "YES"], "must be one of yes, no, true, false"),
      (
        "gateway pairing_poll", ["1", "3601", "-5", "30s", "3.5", "99999999999999999999"],
        "must be a whole number from 2 to 3600"
      ),
      ("gateway cloudflare_id", ["a b", "é"], "must be one word of visible ASCII"),
      ("gateway cloudflare_id", [String(repeating: "x", count: 513)], "must have at most 512 bytes"),
      ("gateway cloudflare_secret", ["a\tb"], "must be one word of visible ASCII"),
      ("gateway cloudflare_secret_file", ["/dev/null"], "/dev/null is empty"),
      (
        "gateway proxy", ["https://proxy:1", "proxy:1"],
        "must begin with http:// or socks5://: a proxy is spoken to in clear, and what passes it is encrypted"
      ),
      ("gateway proxy", ["http://proxy"], "must name the port of the proxy (1 to 65535)"),
      (
        "gateway proxy", ["http://a@proxy:1"],
        "must have a user, a colon and a password before the @, other characters as %xx"
      ),
      ("gateway proxy_file", ["/no/such/file"], "/no/such/file cannot be read: no such file or directory"),
      ("gateway headers_file", ["/no/such/file"], "/no/such/file cannot be read: no such file or directory"),
      ("gateway authorities", ["authorities.pem"], "must be an absolute path"),
      ("gateway client_certificate", ["client.pem"], "must be an absolute path"),
      ("gateway client_key", ["key.pem"], "must be an absolute path"),
      (
        "node commands", ["camera.snap -device.info", "-", "camera.snap ;"],
        "must be all, names as camera.snap, or names with a hyphen before each, as -camera.ptz.control"
      ),
      (
        "node commands", ["-camera.snpa", "camera.list,camera.snpa"],
        "names no command with camera.snpa; did you mean camera.snap?"
      ),
      ("node commands", ["io.pump"], "names no command with io.pump; docs/owners/commands.md has all names"),
      ("node name", [String(repeating: "x", count: 101)], "must have at most 100 bytes"),
      ("node name", ["a|b", "a\u{1B}b"], "must not contain control characters or |"),
      ("node state_directory", ["state", "./state", "~/state"], "must be an absolute path"),
      ("node state_directory", ["/" + String(repeating: "x", count: 4096)], "is too long for a path"),
      ("node runtime_directory", ["run"], "must be an absolute path"),
      ("operator enabled", ["1", "on"], "must be one of yes, no, true, false"),
      ("operator approvals", ["1", "ask"], "must be one of yes, no, true, false"),
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
      ("camera bayer_order", ["RGGB", "rgbg", "yes"], "must be one of auto, rggb, grbg, gbrg, bggr"),
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
      ("location set_up", ["sirf", "PMTK"], "must be one of auto, ublox, casic, pmtk, pair, pqtm"),
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
      (
        "location track", ["0h", "721h", "31d", "24", "24 h", "1w", "on", "-1h", "h"],
        "must be off, or hours or days from 1h to 30d, like: 24h"
      ),
      ("location set_clock", ["auto"], "must be one of yes, no, true, false"),
      (
        "photos keep", ["yes", "20", "0 MB", "65 GB", "-1 MB", "20 KB", "1.5 GB", "MB", "99999999999999999999 MB"],
        "must be none, or a size from 1 MB to 64 GB, such as 20 MB"
      ),
      ("photos days", ["0", "3651"], "must be a whole number from 1 to 3650"),
      ("motion driver", ["mpu6050"], "must be one of i2c, iio, simulated, none"),
      ("motion bus", ["i2c-1"], "must be an absolute path"),
      ("motion chip", ["mpu6051", "MPU-6051"], "\(chips); did you mean mpu6050?"),
      ("motion chip", ["icm4267p"], "\(chips); did you mean icm42670p?"),
      ("motion chip", ["bosch", "i2c", "0x68"], chips),
      ("motion chip", ["bmi270"], "is BMI270, which only the kernel's driver can set up: set driver = iio"),
      ("motion address", ["68", "0x07", "0x78", "0x1234", "0xg0"], "must be auto, or an address from 0x08 to 0x77"),
      ("motion mounting", ["x y"], "must name three axes, such as \"-y x z\""),
      ("motion rate", ["19", "201"], "must be a whole number from 20 to 200"),
      ("motion height", ["49", "251"], "must be a whole number from 50 to 250"),
      ("motion events", ["bumps"], "must be one of none, falls, all"),
      ("motion shake", ["hard"], "must be one of yes, no, true, false"),
      ("motion shake_threshold", ["1.1", "8.1", "2 g", "-2"], "must be a number from 1.2 to 8"),
      ("motion shake_axes", ["0", "4"], "must be a whole number from 1 to 3"),
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
      (
        "console pin", ["123", "12 34", "12ä4", String(repeating: "1", count: 65)],
        "must have 4 to 64 letters, digits or signs of ASCII"
      ),
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
      ("canvas panic_tap", ["twice"], "must be one of yes, no, true, false"),
      ("canvas script_actions", ["maybe"], "must be one of on, off"),
      ("canvas scale", ["49"], "must be a whole number from 50 to 400"),
      (
        "canvas allow",
        ["nas/8", "10.0.0.0/33", "http://nas/", (0...16).map { "10.0.0.\($0)" }.joined(separator: " ")],
        "must be at most 16 hosts, addresses or networks such as nas.local or 192.168.1.0/24"
      ),
      ("canvas authorities", ["certs"], "must be an absolute path"),
      ("canvas brightness", ["0"], "must be a whole number from 1 to 100"),
      (
        "canvas night", ["22:00", "night", "25:00-26:00"],
        "must be hours as 22:00-06:00, with days before them if not all count: mon-fri 22:00-06:00"
      ),
      ("canvas night_light", ["-1", "10001", "5 lx"], "must be a whole number from 0 to 10000"),
      ("canvas motion", ["none", "yes"], "must be one of full, reduced"),
      ("canvas blank_after", ["14", "86401", "-1", "5 min"], "must be seconds from 15 to 86400, or 0 for never"),
      (
        "canvas input", ["event0", "auto none"],
        "must be auto, none, or devices such as /dev/input/event0 with blanks between them"
      ),
      ("canvas input", [","], "must name a device"),
      (
        "canvas input", [(0...12).map { "/dev/input/event\($0)" }.joined(separator: " ")],
        "must name at most 12 devices"
      ),
      ("links scanner", ["event3"], "must be an absolute path"),
      ("links scanner_keyboard", ["dvorak"], "must be one of us, uk, de, fr, es, it"),
      ("canvas keyboard", ["dvorak"], "must be one of us, uk, de, fr, es, it"),
      (
        "canvas locale", ["klingon", "d", "x-y"],
        "must be a language of these: en en-GB de fr es it pt pt-PT nl da nb sv fi pl cs sk hu ro bg hr sl et lv lt el tr "
          + "ru uk he ar fa ur hi bn ta th vi id ja ko zh zh-Hant ka hy"
      ),
      ("canvas screen_keyboard", ["yes"], "must be one of auto, always, never"),
      (
        "canvas calibration", ["1 0 0 0 1", "1 0 0 0 1 0 0", "a b c d e f", "1 0 0 0 2000 0"],
        "must be six numbers with blanks between them, such as 1 0 0 0 1 0"
      ),
      ("canvas calibration", ["1 1 0 1 1 0", "0 0 0 0 0 0"], "must not take all places to one line"),
      (
        "tools publish", ["loud", "photo loud"],
        "loud is no tool; must be none, safe, all, or names: "
          + "photo, location, steps, activity, health, notify, screen, say, ask, show, listen, light, where_was"
      ),
      (
        "tools publish", [","],
        "must be none, safe, all, or names: "
          + "photo, location, steps, activity, health, notify, screen, say, ask, show, listen, light, where_was"
      ),
      ("tools about", [String(repeating: "x", count: 301)], "must have at most 300 bytes"),
      (
        "run programs", ["df", "/usr/bin/df,", ",", "/usr/bin/", "/usr/bin/df, uptime"],
        "must be absolute paths of programs, with commas between: /usr/bin/uptime, /usr/bin/df"
      ),
      (
        "run programs", ["/usr/bin/../bin/df"],
        "has a path with blanks, control characters, // or ..: /usr/bin/../bin/df"
      ),
      ("run programs", ["/usr//df"], "has a path with blanks, control characters, // or ..: /usr//df"),
      ("run programs", ["/usr/bin/df -h"], "has a path with blanks, control characters, // or ..: /usr/bin/df -h"),
      ("run programs", ["/usr/bin/df, /bin/df"], "has two programs of one name: /usr/bin/df and /bin/df"),
      (
        "run programs", [(0...32).map { "/bin/tool\($0)" }.joined(separator: ", ")], "may name at most 32 programs"
      ),
      ("run network", ["lan"], "must be one of yes, no, true, false"),
      (
        "files folders", ["/srv/share"],
        "must be folders, each with ro or rw, with commas between, as /srv/share ro; this is not: /srv/share"
      ),
      (
        "files folders", ["/srv/share ro,"],
        "must be folders, each with ro or rw, with commas between, as /srv/share ro; this is not: "
      ),
      ("files folders", ["share ro"], "must have absolute paths; this is none: share"),
      ("files folders", ["/srv/../etc ro"], "has a path with //, . or .., or a slash at its end: /srv/../etc"),
      ("files folders", ["/srv/share/ rw"], "has a path with //, . or .., or a slash at its end: /srv/share/"),
      ("files folders", ["/srv/a ro, /srv/a rw"], "names a folder twice: /srv/a"),
      (
        "files folders", [(0...8).map { "/srv/\($0) ro" }.joined(separator: ", ")], "may name at most 8 folders"
      ),
      (
        "files folders", ["/\(String(repeating: "a", count: Budget.filePathBytes / 2)) ro"],
        "has a path that is too long: /\(String(repeating: "a", count: Budget.filePathBytes / 2))"
      ),
      ("run timeout", ["0", "601", "1 m"], "must be a whole number from 1 to 600"),
      ("run memory", ["15", "257", "64M"], "must be a whole number from 16 to 256"),
      ("run output", ["1023", "200001"], "must be a whole number from 1024 to 200000"),
      ("update server", ["http://fleet.example.org", "fleet.example.org"], "must begin with https://"),
      ("update url", ["ftp://h/releases", "http://h/releases"], "must begin with https://"),
      ("update name", ["a b", "a/b", "../x"], "must have at most 64 letters, digits and . _ - + : ~"),
      ("update token", ["two words"], "must be one word of visible ASCII"),
      ("update token_file", ["/no/such/file"], "/no/such/file cannot be read: no such file or directory"),
      ("update certificate", ["update.pem"], "must be an absolute path"),
      ("update key", ["key.pem"], "must be an absolute path"),
      ("update ca_file", ["ca.pem"], "must be an absolute path"),
      ("update command", ["maybe"], "must be one of yes, no, true, false"),
      ("update region", [String(repeating: "x", count: 65)], "must have at most 64 bytes"),
      ("update token_kind", ["basic"], "must be one of target, gateway"),
      ("update channel", ["a b"], "must have at most 32 letters, digits and . _ - + : ~"),
      (
        "update channel_key", ["AAAA", "not base64"],
        "must be a public key of Ed25519: 32 bytes in base64 (see docs/owners/updates.md)"
      ),
      (
        "update window", ["night", "02:00", "25:00-26:00"],
        "must be hours as 02:00-05:00, with days before them if not all count: sat,sun 02:00-05:00"
      ),
      ("update proof", ["hope"], "must be one of gateway, server, self-test"),
      ("node place", [String(repeating: "x", count: 129)], "must have at most 128 bytes"),
      (
        "node tags", ["two words", "a,,b/c", String(repeating: "x", count: 33)],
        "must be words of at most 32 letters, digits and . _ -, with commas between"
      ),
      (
        "node tags", [(10..<60).map { "tag\($0)" }.joined(separator: ",")], "must have at most 128 bytes"
      ),
      ("debug commands", ["maybe"], "must be one of yes, no, true, false"),
      ("debug device_events", ["maybe"], "must be one of yes, no, true, false"),
      (
        "log syslog",
        ["logs.example.org", "udp://logs", "tls://", "tls://a/b", "tls://u@a", "tls://a:0", "tls://[::1"],
        "must be tls://HOST or tls://HOST:PORT"
      ),
      ("log syslog_ca_file", ["ca.pem"], "must be an absolute path"),
      ("metrics url", ["http://metrics.example.org", "metrics.example.org/write"], "must begin with https://"),
      ("metrics interval", ["4", "301", "often"], "must be a whole number from 5 to 300"),
      ("metrics labels", ["roof", "site=roof,"], "must be names and values as site=roof, room=attic"),
      ("metrics labels", ["1st=a"], "1st is not a label name: letters, digits and _, no digit first, at most 32 bytes"),
      (
        "metrics labels", ["=a"],
        "an empty name is not a label name: letters, digits and _, no digit first, at most 32 bytes"
      ),
      ("metrics labels", ["a=b, __name__=x"], "__name__ begins with __, which is kept for the server"),
      ("metrics labels", ["state=a"], "state is a label of Talon's own series"),
      ("metrics labels", ["a=b, a=c"], "a appears twice"),
      ("metrics labels", ["a=", "a=" + String(repeating: "v", count: 65)], "a needs a value of 1 to 64 bytes"),
      (
        "metrics labels", [(0...10).map { "l\($0)=v" }.joined(separator: ",")],
        "l10 is one too many: a board has at most 10 labels of its owner's"
      ),
      ("metrics token_file", ["/no/such/file"], "/no/such/file cannot be read: no such file or directory"),
      ("metrics username", ["a:b", String(repeating: "x", count: 129)], "must have at most 128 bytes, and no colon"),
      ("metrics password_file", ["/no/such/file"], "/no/such/file cannot be read: no such file or directory"),
      ("metrics certificate", ["metrics.pem"], "must be an absolute path"),
      ("metrics key", ["key.pem"], "must be an absolute path"),
      ("metrics ca_file", ["ca.pem"], "must be an absolute path"),
      ("metrics positions", ["maybe"], "must be one of yes, no, true, false"),
      ("agent follow", ["maybe"], "must be one of yes, no, true, false"),
      ("consent camera", ["maybe", "Ask"], "must be one of allow, ask, deny"),
      ("consent camera.front", ["yes"], "must be one of allow, ask, deny"),
      ("consent microphone", ["no"], "must be one of allow, ask, deny"),
      ("consent location", ["1"], "must be one of allow, ask, deny"),
      ("consent screen.record", ["off"], "must be one of allow, ask, deny"),
      ("consent motion", ["allow, ask"], "must be one of allow, ask, deny"),
      ("consent tools", ["all"], "must be one of allow, ask, deny"),
      ("consent run", ["root"], "must be one of allow, ask, deny"),
      ("consent refusal", ["9", "86401", "soon"], "must be a whole number from 10 to 86400"),
      ("consent recording_ends_camera", ["maybe"], "must be one of yes, no, true, false"),
      ("consent journal", ["maybe"], "must be one of yes, no, true, false"),
      ("consent blind_button", ["maybe"], "must be one of yes, no, true, false"),
      ("console lock", ["-1", "1441", "soon"], "must be a whole number from 0 to 1440"),
      ("log level", ["verbose", "Info"], "must be one of error, warning, notice, info, debug"),
    ] + SoundConfigurationTests.refusals + AgentConfigurationTests.refusals

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
    #expect(
      refused
        == Set(ConfigurationKey.all.map { "\($0.section) \($0.name)" } + CameraKeys.all.map { "camera \($0.name)" }))
    for key in ConfigurationKey.all {
      for value in ["", "  ", "\"\"", "\r"] {
        #expect(
          complaint("[\(key.section)]\n\(key.name) = \(value)")
            == "t.conf:2: [\(key.section)] \(key.name): has no value; remove the line to use the default")
      }
    }
  }
}
