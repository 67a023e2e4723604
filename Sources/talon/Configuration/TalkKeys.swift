import Runtime

/// `[talk]`.
struct TalkConfiguration {
  enum Chime { case both, wake, sent, none }
  enum Mode { case turns, realtime }
  enum Wake { case command, talk }

  /// The gateway may ask for push to talk, and people talk.
  var isEnabled = true
  /// What talk mode is, and what a wake phrase begins.
  var mode = Mode.turns
  var wake = Wake.command
  /// Seconds of silence that end a conversation.
  var idle = Budget.callIdleSeconds
  /// The button that is held to talk.
  var button = ButtonConfiguration()
  /// When a tone is heard.
  var chime = Chime.both
  /// Its loudness, in hundredths of the loudest.
  var chimeVolume = 30
  /// Replies are spoken.
  var speaks = true
  /// Speech ends the board's own.
  var hearsInterruptions = true
  /// Milliseconds of silence that end a turn of talk mode.
  var silence: Int64 = Budget.turnSilenceMilliseconds
  /// A command behind a wake phrase goes out as `agent.request` instead of `voice.transcript`.
  var sendsRequests = false
  /// The folder of the board's own recogniser's model; empty: it has none.
  var recogniser = ""
  /// What it understood counts from so many hundredths of confidence on.
  var confidence = 40
}

extension ConfigurationKey {
  /// Keys of `[talk]`.
  static let talk: [ConfigurationKey] = [
    ConfigurationKey(section: "talk", name: "enabled") { bool($1, &$0.talk.isEnabled) },
    ConfigurationKey(section: "talk", name: "mode") {
      choice($1, [("turns", .turns), ("realtime", .realtime)], &$0.talk.mode)
    },
    ConfigurationKey(section: "talk", name: "wake") { choice($1, [("command", .command), ("talk", .talk)], &$0.talk.wake) },
    ConfigurationKey(section: "talk", name: "idle") { number($1, Budget.callIdleRange, &$0.talk.idle) },
    ConfigurationKey(section: "talk", name: "button") { talkButton($1, &$0.talk.button) },
    ConfigurationKey(section: "talk", name: "button_active_low") { bool($1, &$0.talk.button.isActiveLow) },
    ConfigurationKey(section: "talk", name: "button_bias") { buttonBias($1, &$0.talk.button.bias) },
    ConfigurationKey(section: "talk", name: "chime") {
      choice($1, [("both", .both), ("wake", .wake), ("sent", .sent), ("none", .none)], &$0.talk.chime)
    },
    ConfigurationKey(section: "talk", name: "chime_volume") { number($1, 0...100, &$0.talk.chimeVolume) },
    ConfigurationKey(section: "talk", name: "speak") { bool($1, &$0.talk.speaks) },
    ConfigurationKey(section: "talk", name: "interrupt") { bool($1, &$0.talk.hearsInterruptions) },
    ConfigurationKey(section: "talk", name: "silence") { number($1, 300...5_000, &$0.talk.silence) },
    ConfigurationKey(section: "talk", name: "request") { bool($1, &$0.talk.sendsRequests) },
    ConfigurationKey(section: "talk", name: "recogniser", isFileOnly: true) { path($1, &$0.talk.recogniser) },
    ConfigurationKey(section: "talk", name: "confidence") { number($1, 0...100, &$0.talk.confidence) },
  ]

  /// `CHIP:LINE`, each a name, a label, a path or a number.
  private static func talkButton(_ value: String, _ button: inout ButtonConfiguration) -> String? {
    let bytes = Array(value.utf8)
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < bytes.count else {
      return "must be a chip and a line of it, such as gpiochip0:17"
    }
    let chip = String(decoding: bytes[..<colon], as: UTF8.self)
    let line = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    if let complaint = text(chip, limit: 64, &button.chip) ?? text(line, limit: 64, &button.line) { return complaint }
    button.driver = .gpio
    return nil
  }
}
