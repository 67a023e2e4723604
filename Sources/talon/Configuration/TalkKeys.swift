import Runtime
import Talk

/// `[talk]`.
struct TalkConfiguration {
  /// What the keys of the service write into.
  var settings = TalkSettings()
  /// The push-to-talk button.
  var button = ButtonConfiguration()
  /// The folder with the model of the board's own recognizer; empty for none.
  var recognizer = ""
}

extension ConfigurationKey {
  /// Keys of `[talk]`.
  static let talk: [ConfigurationKey] = [
    ConfigurationKey(section: "talk", name: "enabled") { bool($1, &$0.talk.settings.isEnabled) },
    ConfigurationKey(section: "talk", name: "mode") {
      choice($1, [("turns", false), ("realtime", true)], &$0.talk.settings.converses)
    },
    ConfigurationKey(section: "talk", name: "wake") {
      choice($1, [("command", false), ("talk", true)], &$0.talk.settings.wakeTalks)
    },
    ConfigurationKey(section: "talk", name: "idle") { seconds($1, Budget.callIdleRange, &$0.talk.settings.idle) },
    ConfigurationKey(section: "talk", name: "button") { talkButton($1, &$0.talk.button) },
    ConfigurationKey(section: "talk", name: "button_active_low") { bool($1, &$0.talk.button.isActiveLow) },
    ConfigurationKey(section: "talk", name: "button_bias") { buttonBias($1, &$0.talk.button.bias) },
    ConfigurationKey(section: "talk", name: "chime") { chime($1, &$0.talk.settings) },
    ConfigurationKey(section: "talk", name: "chime_volume") { percent($1, &$0.talk.settings.toneVolume) },
    ConfigurationKey(section: "talk", name: "speak") { bool($1, &$0.talk.settings.speaksReplies) },
    ConfigurationKey(section: "talk", name: "interrupt") { bool($1, &$0.talk.settings.hearsInterruptions) },
    ConfigurationKey(section: "talk", name: "silence") { number($1, 300...5_000, &$0.talk.settings.turnSilence) },
    ConfigurationKey(section: "talk", name: "request") { bool($1, &$0.talk.settings.sendsRequests) },
    ConfigurationKey(section: "talk", name: "commands", isFileOnly: true) { bool($1, &$0.talk.settings.hasCommands) },
    ConfigurationKey(section: "talk", name: "recogniser", isFileOnly: true) { path($1, &$0.talk.recognizer) },
    ConfigurationKey(section: "talk", name: "confidence") { percent($1, &$0.talk.settings.leastConfidence) },
  ]

  /// When a tone is played.
  private static func chime(_ value: String, _ settings: inout TalkSettings) -> String? {
    var tones = (settings.tonesWhenListening, settings.tonesWhenSent)
    let complaint = choice(
      value, [("both", (true, true)), ("wake", (true, false)), ("sent", (false, true)), ("none", (false, false))],
      &tones)
    (settings.tonesWhenListening, settings.tonesWhenSent) = tones
    return complaint
  }

  private static func talkButton(_ value: String, _ button: inout ButtonConfiguration) -> String? {
    if let complaint = gpioPlace(value, &button.chip, &button.line) { return complaint }
    button.driver = .gpio
    return nil
  }
}
