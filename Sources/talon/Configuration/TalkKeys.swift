import Runtime

/// `[talk]`.
struct TalkConfiguration {
  enum Chime { case both, wake, sent, none }

  /// The gateway may ask for push to talk, and people talk.
  var isEnabled = true
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
  /// A command behind a wake phrase goes out as `agent.request`, too.
  var sendsRequests = false
}

extension ConfigurationKey {
  /// Keys of `[talk]`.
  static let talk: [ConfigurationKey] = [
    ConfigurationKey(section: "talk", name: "enabled") { bool($1, &$0.talk.isEnabled) },
    ConfigurationKey(section: "talk", name: "chime") {
      choice($1, [("both", .both), ("wake", .wake), ("sent", .sent), ("none", .none)], &$0.talk.chime)
    },
    ConfigurationKey(section: "talk", name: "chime_volume") { number($1, 0...100, &$0.talk.chimeVolume) },
    ConfigurationKey(section: "talk", name: "speak") { bool($1, &$0.talk.speaks) },
    ConfigurationKey(section: "talk", name: "interrupt") { bool($1, &$0.talk.hearsInterruptions) },
    ConfigurationKey(section: "talk", name: "silence") { number($1, 300...5_000, &$0.talk.silence) },
    ConfigurationKey(section: "talk", name: "request") { bool($1, &$0.talk.sendsRequests) },
  ]
}
