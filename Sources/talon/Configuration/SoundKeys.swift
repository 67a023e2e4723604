import Runtime
import Sound

/// `[microphone]` and `[speaker]`.
struct SoundConfiguration {
  enum Driver { case alsa, simulated, none }

  var microphoneDriver = Driver.none
  var microphone = MicrophoneSettings()
  /// The file that a simulated microphone plays.
  var microphoneFile = ""
  /// The privacy light of the microphone: its name in /sys/class/leds, or empty.
  var indicatorLED = ""
  var speakerDriver = Driver.none
  var speaker = SpeakerSettings()
  /// The file that a simulated speaker writes.
  var speakerFile = ""

  /// The key that is wrong in combination with others, and why; nil when all are right.
  var complaint: (key: String, reason: String)? {
    if microphoneDriver == .simulated, microphoneFile.isEmpty {
      return ("[microphone] file", "is missing: the simulated microphone hears a WAV file, or a pipe")
    }
    if speakerDriver == .simulated, speakerFile.isEmpty {
      return ("[speaker] file", "is missing: the simulated speaker writes a WAV file")
    }
    if microphone.light != .unlit, indicatorLED.isEmpty {
      return ("[microphone] indicator_led", "is missing: which light? ls /sys/class/leds tells")
    }
    return nil
  }
}

extension ConfigurationKey {
  /// Keys of `[microphone]` and `[speaker]`.
  static let sound: [ConfigurationKey] = microphone + speaker

  private static let drivers: [(String, SoundConfiguration.Driver)] = [
    ("alsa", .alsa), ("simulated", .simulated), ("none", .none),
  ]

  private static let microphone: [ConfigurationKey] = [
    ConfigurationKey(section: "microphone", name: "driver") {
      choice($1, drivers, &$0.sound.microphoneDriver)
    },
    ConfigurationKey(section: "microphone", name: "enabled", isFileOnly: true) {
      bool($1, &$0.sound.microphone.isEnabled)
    },
    ConfigurationKey(section: "microphone", name: "card") { name($1, &$0.sound.microphone.order.card) },
    ConfigurationKey(section: "microphone", name: "device") { device($1, &$0.sound.microphone.order.device) },
    ConfigurationKey(section: "microphone", name: "rate") { rate($1, &$0.sound.microphone.order.rate) },
    ConfigurationKey(section: "microphone", name: "channels") {
      channels($1, &$0.sound.microphone.order.channels)
    },
    ConfigurationKey(section: "microphone", name: "channel") { channel($1, &$0.sound.microphone.channel) },
    ConfigurationKey(section: "microphone", name: "control") { name($1, &$0.sound.microphone.order.control) },
    ConfigurationKey(section: "microphone", name: "level") { level($1, &$0.sound.microphone.order.level) },
    ConfigurationKey(section: "microphone", name: "gain") { gain($1, &$0.sound.microphone.gain) },
    ConfigurationKey(section: "microphone", name: "denoise") {
      choice($1, [("on", true), ("off", false)], &$0.sound.microphone.denoises)
    },
    ConfigurationKey(section: "microphone", name: "file", isFileOnly: true) { path($1, &$0.sound.microphoneFile) },
    ConfigurationKey(section: "microphone", name: "indicator", isFileOnly: true) { configuration, value in
      choice(
        value, [("none", .unlit), ("optional", .lit), ("required", .required)],
        &configuration.sound.microphone.light)
    },
    ConfigurationKey(section: "microphone", name: "indicator_led", isFileOnly: true) { configuration, value in
      guard !value.utf8.contains(UInt8(ascii: "/")), value.utf8.first != UInt8(ascii: ".") else {
        return "must be a name below /sys/class/leds"
      }
      return text(value, limit: 64, &configuration.sound.indicatorLED)
    },
  ]

  private static let speaker: [ConfigurationKey] = [
    ConfigurationKey(section: "speaker", name: "driver") { choice($1, drivers, &$0.sound.speakerDriver) },
    ConfigurationKey(section: "speaker", name: "enabled") { bool($1, &$0.sound.speaker.isEnabled) },
    ConfigurationKey(section: "speaker", name: "card") { name($1, &$0.sound.speaker.order.card) },
    ConfigurationKey(section: "speaker", name: "device") { device($1, &$0.sound.speaker.order.device) },
    ConfigurationKey(section: "speaker", name: "rate") { rate($1, &$0.sound.speaker.order.rate) },
    ConfigurationKey(section: "speaker", name: "channels") { channels($1, &$0.sound.speaker.order.channels) },
    ConfigurationKey(section: "speaker", name: "control") { name($1, &$0.sound.speaker.order.control) },
    ConfigurationKey(section: "speaker", name: "level") { level($1, &$0.sound.speaker.order.level) },
    ConfigurationKey(section: "speaker", name: "gain") { decibels($1, -40...20, &$0.sound.speaker.decibels) },
    ConfigurationKey(section: "speaker", name: "file", isFileOnly: true) { path($1, &$0.sound.speakerFile) },
  ]

  // MARK: Kinds of value

  private static func name(_ value: String, _ target: inout SoundName) -> String? {
    var plain = ""
    if let complaint = text(value, limit: Budget.soundNameBytes, &plain) { return complaint }
    target = value == "auto" ? SoundName() : SoundName(cutting: plain)
    return nil
  }

  /// "auto" or a number.
  private static func optional<Value: FixedWidthInteger>(
    _ value: String, _ range: ClosedRange<Value>, _ target: inout Value?
  ) -> String? {
    target = nil
    if value == "auto" { return nil }
    var number = range.lowerBound
    guard ConfigurationKey.number(value, range, &number) == nil else {
      return "must be auto, or a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
    target = number
    return nil
  }

  private static func device(_ value: String, _ target: inout Int?) -> String? {
    optional(value, 0...31, &target)
  }

  private static func rate(_ value: String, _ target: inout UInt32?) -> String? {
    optional(value, Budget.soundCardRates, &target)
  }

  private static func channels(_ value: String, _ target: inout Int?) -> String? {
    optional(value, 1...Budget.soundChannels, &target)
  }

  /// "mix", or channels from 1 on: "1", "2-5", "1, 3".
  private static func channel(_ value: String, _ target: inout SoundChannel) -> String? {
    if value == "mix" {
      target = .mix
      return nil
    }
    var channels = ChannelSet()
    for word in value.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false)
      var (first, last) = (0, 0)
      guard ends.count <= 2, let start = ends.first, let end = ends.last,
        ConfigurationKey.number(String(start), 1...Budget.soundChannels, &first) == nil,
        ConfigurationKey.number(String(end), first...Budget.soundChannels, &last) == nil
      else { return channelComplaint }
      for number in first...last { channels.insert(number - 1) }
    }
    if channels.isEmpty { return channelComplaint }
    target = .only(channels)
    return nil
  }

  private static var channelComplaint: String {
    "must be mix, or channels from 1 to \(Budget.soundChannels), as 1, or 2-5, or 1, 3"
  }

  /// "80" or "80%" of the range, or "-6dB".
  private static func level(_ value: String, _ target: inout MixerLevel?) -> String? {
    let complaint = "must be auto, a percentage such as 80, or decibels such as -6 dB"
    target = nil
    if value == "auto" { return nil }
    let word = value.utf8.last == UInt8(ascii: "%") ? String(value.dropLast()) : value
    var percent = 0
    if ConfigurationKey.number(word, 0...100, &percent) == nil {
      target = .percent(percent)
      return nil
    }
    guard value.hasSuffix("dB") else { return complaint }
    var number = 0
    if decibels(trimmed(Array(value.utf8.dropLast(2))[...]), -100...60, &number) != nil { return complaint }
    target = .decibels(number * 100)
    return nil
  }

  private static func gain(_ value: String, _ target: inout SoundGain) -> String? {
    if value == "auto" {
      target = .automatic
      return nil
    }
    var number = 0
    if decibels(value, -20...40, &number) != nil { return "must be auto, or whole decibels from -20 to 40" }
    target = .fixed(number)
    return nil
  }

  private static func decibels(_ value: String, _ range: ClosedRange<Int>, _ target: inout Int) -> String? {
    let isNegative = value.utf8.first == UInt8(ascii: "-")
    guard let number = decimal(isNegative ? String(value.dropFirst()) : value), number <= 1000 else {
      return "must be whole decibels from \(range.lowerBound) to \(range.upperBound)"
    }
    let signed = isNegative ? -Int(number) : Int(number)
    guard range.contains(signed) else {
      return "must be whole decibels from \(range.lowerBound) to \(range.upperBound)"
    }
    target = signed
    return nil
  }
}
