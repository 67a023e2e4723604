import Runtime

/// `[model NAME]`: a language model that the board's own agent may ask, in the order of the file.
struct ModelConfiguration: Equatable {
  /// The section's name, for messages.
  var name: String
  /// The address before `/chat/completions`.
  var url = ""
  /// The name by which its server knows it.
  var model = ""
  /// The file with the key; empty where the server wants none.
  var keyFile = ""
  /// The SHA-256 fingerprint of its server's certificate; empty: the board's authorities vouch for it.
  var pin = ""
  /// Millionths of the owner's currency for a million tokens.
  var promptPrice: Int64 = 0
  var answerPrice: Int64 = 0
  /// Milliseconds for an answer, and for silence of the server.
  var timeout = Budget.modelMilliseconds
  var silence = Budget.modelIdleMilliseconds
  /// Tokens of an answer at most.
  var tokens = Budget.modelAnswerTokens
  var seesPictures = false
  var startsInThought = false
  var usesCompletionTokens = false
  /// It makes vectors for the memory, and answers nobody.
  var makesEmbeddings = false
}

/// Sections `[model NAME]`: their names and keys. Set in the file alone.
enum ModelKeys {
  typealias Setter = @Sendable (inout ModelConfiguration, String) -> String?

  /// The table of these keys.
  static let all: [(name: String, set: Setter)] = [
    ("url", { ConfigurationKey.text($1, limit: Budget.fetchURLBytes - 64, &$0.url) }),
    ("model", { ConfigurationKey.text($1, limit: Budget.modelNameBytes, &$0.model) }),
    ("use", { ConfigurationKey.choice($1, [("answers", false), ("embeddings", true)], &$0.makesEmbeddings) }),
    ("key_file", { ConfigurationKey.path($1, &$0.keyFile) }),
    ("pin", { ConfigurationKey.text($1, limit: 128, &$0.pin) }),
    ("prompt_price", { ConfigurationKey.number($1, 0...1_000_000_000, &$0.promptPrice) }),
    ("answer_price", { ConfigurationKey.number($1, 0...1_000_000_000, &$0.answerPrice) }),
    ("timeout", { ConfigurationKey.seconds($1, 5...600, &$0.timeout) }),
    ("silence", { ConfigurationKey.seconds($1, 5...600, &$0.silence) }),
    ("tokens", { ConfigurationKey.number($1, 16...16_384, &$0.tokens) }),
    ("pictures", { ConfigurationKey.bool($1, &$0.seesPictures) }),
    ("starts_in_thought", { ConfigurationKey.bool($1, &$0.startsInThought) }),
    ("completion_tokens", { ConfigurationKey.bool($1, &$0.usesCompletionTokens) }),
  ]

  /// Begins a section; returns what is wrong with its heading `model NAME`, or nil.
  static func add(_ heading: String, to models: inout [ModelConfiguration]) -> String? {
    let name = ConfigurationKey.trimmed(Array(heading.utf8.dropFirst("model ".utf8.count))[...])
    guard HandKeys.isName(name) else {
      return "a model's name has a to z, 0 to 9 and _, a letter first, at most \(Budget.handNameBytes)"
    }
    if models.contains(where: { $0.name == name }) { return "appears twice" }
    guard models.count < Budget.models else { return "there may be at most \(Budget.models) such sections" }
    models.append(ModelConfiguration(name: name))
    return nil
  }

  /// The key of a name in the section that was begun last.
  static func key(_ name: String, section: String) -> ConfigurationKey? {
    guard let found = all.first(where: { $0.name == name }) else { return nil }
    return ConfigurationKey(section: section, name: name, isFileOnly: true) { configuration, value in
      guard !configuration.models.isEmpty else { return "stands outside of its section" }
      return found.set(&configuration.models[configuration.models.count - 1], value)
    }
  }

  /// The section and key that are missing, and what is wrong.
  static func complaint(_ models: [ModelConfiguration]) -> (key: String, reason: String)? {
    if models.count(where: { $0.makesEmbeddings }) > 1 {
      return ("[model] use", "one model at most makes embeddings")
    }
    for model in models {
      if model.url.isEmpty {
        return ("[model \(model.name)] url", "is missing. Example: url = https://api.example.org/v1")
      }
      if model.model.isEmpty { return ("[model \(model.name)] model", "is missing: which model of that server?") }
    }
    return nil
  }
}
