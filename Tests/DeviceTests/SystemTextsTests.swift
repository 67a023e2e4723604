import Runtime
import Testing

@testable import Device

extension InlineText {
  var string: String { span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}

@Suite struct SystemTextsTests {
  @Test(
    "the system's name is that of os-release, without the shell's quotes",
    arguments: [
      ("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nX=1\n", "Debian GNU/Linux 12 (bookworm)"),
      ("PRETTY_NAME='Alpine Linux'\n", "Alpine Linux"),
      ("PRETTY_NAME=Plain", "Plain"),
      (#"PRETTY_NAME="A \"quoted\" \$name""#, #"A "quoted" $name"#),
    ])
  func prettyName(text: String, name: String) {
    #expect(SystemTexts.prettyName(osRelease: text.utf8.span)?.string == name)
  }

  @Test(
    "an os-release without a name has none",
    arguments: ["", "ID=debian\n", "PRETTY_NAME=\n", "PRETTY_NAME=\"\""])
  func noName(text: String) {
    #expect(SystemTexts.prettyName(osRelease: text.utf8.span)?.string == nil)
  }

  @Test(
    "uptime is the first number",
    arguments: [
      ("12345.67 54321.00\n", 12345.67), ("3 1", 3.0), ("0.05 0.00", 0.05), ("7.x", 7.0),
    ])
  func uptime(text: String, seconds: Double) {
    #expect(SystemTexts.uptime(text.utf8.span) == seconds)
  }

  @Test(
    "what is no uptime is unknown",
    arguments: ["", "\n", "abc", "-5.00 1", ".5", "99999999999999999999999.0"])
  func noUptime(text: String) {
    #expect(SystemTexts.uptime(text.utf8.span) == nil)
  }

  @Test("load averages are three numbers, or unknown")
  func load() {
    let load = SystemTexts.loadAverage("0.20 1.18 12.05 1/80 11206\n".utf8.span)
    #expect([load?[0], load?[1], load?[2]] == [0.2, 1.18, 12.05])
    for text in ["", "0.20 1.18", "a b c", "0.1 -1.0 0.2", "1.0 1.0 100001.0"] {
      #expect(SystemTexts.loadAverage(text.utf8.span) == nil, "\(text)")
    }
  }

  @Test(
    "a list of processors is counted; what is none is unknown",
    arguments: [
      ("0-3\n", 4), ("0\n", 1), ("0-1,4-7,9\n", 7), ("", nil), ("\n", nil), ("x", nil), ("3-0", nil), ("0-", nil),
      ("-", nil), (",", nil), ("0-1-2", nil), ("0-99999999999", nil),
    ])
  func processors(text: String, count: Int?) {
    #expect(SystemTexts.processors(text.utf8.span) == count)
  }

  @Test(
    "zones tell thousandths of a degree; impossible ones are unknown",
    arguments: [
      ("48312\n", 48.312), ("-5000\n", -5.0), ("0", 0.0), ("", nil), ("hot", nil), ("-274000", nil),
      ("65535000", nil),
      ("99999999999999999999", nil), ("-9223372036854775808", nil),
    ])
  func celsius(text: String, degrees: Double?) {
    #expect(SystemTexts.celsius(millidegrees: text.utf8.span) == degrees)
  }

  @Test(
    "a locale's name becomes a BCP 47 tag",
    arguments: [
      ("de_CH.UTF-8", "de-CH"), ("en_US", "en-US"), ("de", "de"), ("es_419.UTF-8", "es-419"),
      ("sr_RS@latin", "sr-RS"),
      ("ast_ES.UTF-8", "ast-ES"), ("C", "en-US"), ("C.UTF-8", "en-US"), ("POSIX", "en-US"), ("", "en-US"),
      ("english", "und"), ("DE_de", "und"), ("de_", "und"), ("de-CH", "und"), ("de_CHE", "und"), ("d", "und"),
      ("_CH", "und"),
      ("..", "en-US"), ("x\"y", "und"),
    ])
  func tag(locale: String, tag: String) {
    #expect(SystemTexts.languageTag(locale: locale.utf8.span).string == tag)
  }

  @Test(
    "of the variables for the locale, the strongest that is set counts",
    arguments: [
      ("PATH=/bin\0LANG=de_DE.UTF-8\0", "de-DE"),
      ("LANG=de_DE.UTF-8\0LC_ALL=fr_FR\0LC_MESSAGES=it_IT\0", "fr-FR"),
      ("LANG=de_DE\0LC_ALL=\0LC_MESSAGES=it_IT\0", "it-IT"),
      ("XLANG=de_DE\0LANGUAGE=fr\0", "en-US"),
      ("", "en-US"),
    ])
  func environment(text: String, tag: String) {
    #expect(SystemTexts.locale(environment: text.utf8.span).string == tag)
  }

  @Test("texts are cut at a character's edge")
  func cut() {
    let text = String(repeating: "a", count: 127) + "ü"
    #expect(DeviceText(cutting: text).string == String(repeating: "a", count: 127))
    #expect(DeviceText(cutting: "short").string == "short")
  }

  @Test("no text makes a parser fail, however torn")
  func hostile() {
    var state: UInt64 = 7
    var isNamed = true
    for _ in 0..<2000 {
      var bytes: [UInt8] = []
      for _ in 0..<80 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let alphabet = Array("eth0\t 0019.:-\n\0PRETTY_NAME=\"\\MemTotal: kB".utf8)
        bytes.append(
          state >> 61 == 0
            ? UInt8(truncatingIfNeeded: state >> 40) : alphabet[Int(state >> 33) % alphabet.count])
      }
      let text = bytes.span
      _ = SystemTexts.prettyName(osRelease: text)
      _ = SystemTexts.uptime(text)
      _ = SystemTexts.loadAverage(text)
      _ = SystemTexts.processors(text)
      _ = SystemTexts.celsius(millidegrees: text)
      _ = SystemTexts.locale(environment: text)
      _ = SystemTexts.languageTag(locale: text)
      _ = MemoryReading(meminfo: text)
      _ = InterfaceKinds(uevent: text)
      _ = StallReading(pressure: text)
      _ = ThrottlingReading(text: text)
      _ = WearReading.lifeUsed(text)
      _ = WearReading.End(preEOL: text)
      _ = SystemTexts.deviceName(uevent: text)
      _ = AirReading.signal(of: text.extracting(0..<4), wireless: text)
      _ = BatteryReading.Rank(capacityLevel: text)
      RoutingTable.forEachDefaultIPv4(in: text) { name, _ in isNamed = isNamed && name.count > 0 }
      RoutingTable.forEachDefaultIPv6(in: text) { name, _ in isNamed = isNamed && name.count > 0 }
    }
    #expect(isNamed)
  }
}
