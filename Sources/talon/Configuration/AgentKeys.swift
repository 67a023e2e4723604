import Runtime

/// `[agent]`, the node's side: whether the board has an agent of its own, and when that answers.
struct AgentConfiguration: Equatable {
  var isEnabled = false
  /// True when it answers although the gateway is there.
  var answersAlways = false
  /// Milliseconds for which the gateway has to be away.
  var patience = Budget.standInPatience
  /// A channel of the gateway and a recipient there, for its messages; empty: none.
  var channel = ""
  var recipient = ""
}

extension ConfigurationKey {
  /// Keys of `[agent]`, but for `follow`. Those that decide who answers people are only for those with access to the
  /// file.
  static let agent: [ConfigurationKey] = [
    ConfigurationKey(section: "agent", name: "enabled", isFileOnly: true) { bool($1, &$0.agent.isEnabled) },
    ConfigurationKey(section: "agent", name: "answers", isFileOnly: true) { configuration, value in
      choice(value, [("away", false), ("always", true)], &configuration.agent.answersAlways)
    },
    ConfigurationKey(section: "agent", name: "patience") {
      seconds($1, Budget.standInPatienceRange, &$0.agent.patience)
    },
    ConfigurationKey(section: "agent", name: "channel", isFileOnly: true) { route($1, &$0.agent) },
  ]

  /// `telegram 123456789`.
  private static func route(_ value: String, _ target: inout AgentConfiguration) -> String? {
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].utf8.count <= 32, words[1].utf8.count <= 128 else {
      return "must be a channel of the gateway and a recipient there. Example: telegram 123456789"
    }
    (target.channel, target.recipient) = (String(words[0]), String(words[1]))
    return nil
  }
}
