import Codec
import Runtime

/// Parses small system files. Malformed text is nil or a documented fallback.
public enum SystemTexts {

  /// `PRETTY_NAME` of os-release(5), unquoted; nil when it is missing or empty.
  public static func prettyName(osRelease text: Span<UInt8>) -> DeviceText? {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      guard let value = line.dropping("PRETTY_NAME=") else { continue }
      let name = unquoted(value.trimmed)
      return name.isEmpty ? nil : name
    }
    return nil
  }

  /// "Linux 6.1.0-18-arm64" from the text of `/proc/sys/kernel/osrelease`; nil when that is blank.
  public static func kernelVersion(_ text: Span<UInt8>) -> DeviceText? {
    let release = text.trimmed
    if release.isEmpty { return nil }
    var version = DeviceText()
    let name: StaticString = "Linux "
    version.fill { bytes in
      let count = min(release.count, bytes.count - name.utf8CodeUnitCount)
      for index in 0..<name.utf8CodeUnitCount { bytes[index] = name.utf8Start[index] }
      for index in 0..<count { bytes[name.utf8CodeUnitCount + index] = release[index] }
      return name.utf8CodeUnitCount + count
    }
    return version
  }

  /// The first number of `/proc/uptime` (proc(5)): seconds since the kernel started.
  public static func uptime(_ text: Span<UInt8>) -> Double? {
    var words = TextFields(text.trimmed, separatedBy: .blank)
    guard let word = words.next() else { return nil }
    return decimal(word)
  }

  /// The three load averages of `/proc/loadavg` (proc(5)): over 1, 5 and 15 minutes.
  public static func loadAverage(_ text: Span<UInt8>) -> InlineArray<3, Double>? {
    var words = TextFields(text.trimmed, separatedBy: .blank)
    var load = InlineArray<3, Double>(repeating: 0)
    for index in load.indices {
      guard let word = words.next(), let value = decimal(word), value <= 100_000 else { return nil }
      load[index] = value
    }
    return load
  }

  /// Number of processors in a list such as "0-3,5" (the kernel's `/sys/devices/system/cpu/online`).
  public static func processors(_ text: Span<UInt8>) -> Int? {
    let list = text.trimmed
    var count: UInt64 = 0
    var start = 0
    while start < list.count {
      var end = start
      var dash: Int?
      while end < list.count, list[end] != UInt8(ascii: ",") {
        if list[end] == UInt8(ascii: "-") { dash = end }
        end += 1
      }
      guard let first = list.extracting(start..<(dash ?? end)).unsigned,
        let last = list.extracting((dash.map { $0 + 1 } ?? start)..<end).unsigned,
        first <= last, last < 1 << 16
      else { return nil }
      count += last - first + 1
      start = end + 1
    }
    return count > 0 ? Int(count) : nil
  }

  /// A number with or without two digits after its point.
  static func decimal(_ word: Span<UInt8>) -> Double? {
    var point = 0
    while point < word.count, word[point] != UInt8(ascii: ".") { point += 1 }
    guard let seconds = word.extracting(0..<point).unsigned else { return nil }
    let fraction = word.extracting(min(point + 1, word.count)...)
    guard let hundredths = fraction.unsigned, fraction.count == 2 else { return Double(seconds) }
    return Double(seconds) + Double(hundredths) / 100
  }

  /// True when the text is `word`, without the line feed.
  public static func says(_ word: StaticString, _ text: Span<UInt8>) -> Bool { text.trimmed.matches(word) }

  /// The integer in the text, without the line feed.
  public static func number(_ text: Span<UInt8>) -> Int64? { text.trimmed.signed }

  /// A temperature in thousandths of a degree Celsius, as in thermal zones. Nil for implausible values, which drivers
  /// of unconnected sensors report.
  public static func celsius(millidegrees text: Span<UInt8>) -> Double? {
    guard let value = number(text), value > -100_000, value < 200_000 else { return nil }
    return Double(value) / 1000
  }

  /// `DEVNAME` of a block device's `uevent`, such as "mmcblk0p2".
  public static func deviceName(uevent text: Span<UInt8>) -> DeviceName? {
    var lines = TextFields(text, separatedBy: .lineFeed)
    while let line = lines.next() {
      if let name = line.dropping("DEVNAME=")?.trimmed { return name.isEmpty ? nil : DeviceName(cutting: name) }
    }
    return nil
  }

  private static let localeVariables: InlineArray<3, StaticString> = ["LC_ALL=", "LC_MESSAGES=", "LANG="]

  /// The locale of a process from its environment in `/proc/self/environ`: the first that is set of `LC_ALL`,
  /// `LC_MESSAGES` and `LANG` (POSIX, XBD 8.2). A BCP 47 tag; see `languageTag`.
  public static func locale(environment text: Span<UInt8>) -> DeviceText {
    for index in localeVariables.indices {
      var variables = TextFields(text, separatedBy: .zero)
      while let variable = variables.next() {
        guard let value = variable.dropping(localeVariables[index]), !value.isEmpty else { continue }
        return languageTag(locale: value)
      }
    }
    return languageTag(locale: Span(_unsafeElements: ("C" as StaticString).bytes))
  }

  /// The BCP 47 tag of a locale's name, `language[_TERRITORY][.codeset][@modifier]`: "de_CH.UTF-8" is "de-CH". The
  /// POSIX locale, or none, is "en-US". A name of another form is undetermined: "und".
  public static func languageTag(locale name: Span<UInt8>) -> DeviceText {
    var end = 0
    while end < name.count, name[end] != UInt8(ascii: "."), name[end] != UInt8(ascii: "@") { end += 1 }
    let base = name.extracting(0..<end)
    if base.isEmpty || base.matches("C") || base.matches("POSIX") { return DeviceText(cutting: "en-US") }
    var length = 0
    while length < end, base[length].isLowercase { length += 1 }
    guard length == 2 || length == 3, length == end || isTerritory(base.extracting(length...)) else {
      return DeviceText(cutting: "und")
    }
    var tag = DeviceText()
    tag.fill { bytes in
      for index in 0..<end { bytes[index] = index == length ? UInt8(ascii: "-") : base[index] }
      return end
    }
    return tag
  }

  /// "_CH" or "_419": an underscore, then two letters (ISO 3166) or three digits (UN M.49).
  private static func isTerritory(_ text: Span<UInt8>) -> Bool {
    guard text[0] == UInt8(ascii: "_") else { return false }
    let code = text.extracting(1...)
    if code.count == 3 { return code.unsigned != nil }
    return code.count == 2 && code[0].isUppercase && code[1].isUppercase
  }

  /// A value of os-release(5): quotes around it and backslashes in it are the shell's.
  private static func unquoted(_ value: Span<UInt8>) -> DeviceText {
    var text = DeviceText()
    text.fill { bytes in
      var count = 0
      var isEscaped = false
      for index in 0..<value.count where count < bytes.count {
        let byte = value[index]
        if !isEscaped, byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if isEscaped || (byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")) {
          bytes[count] = byte
          count += 1
          isEscaped = false
        }
      }
      return count
    }
    return text
  }
}

extension UInt8 {
  fileprivate var isLowercase: Bool { (0x61...0x7A).contains(self) }
  fileprivate var isUppercase: Bool { (0x41...0x5A).contains(self) }
}
