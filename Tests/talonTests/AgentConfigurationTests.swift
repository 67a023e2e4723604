import Runtime
import Testing

@testable import talon

@Suite struct AgentConfigurationTests {
  private func parse(_ text: String) throws -> Configuration {
    try ConfigurationFile.parse(Array(text.utf8), file: "t.conf")
  }

  /// For each key, values that it refuses, and what it says.
  static let refusals: [(key: String, values: [String], says: String)] = [
    ("agent enabled", ["maybe", "Yes"], "must be one of yes, no, true, false"),
    ("agent answers", ["never", "yes", "Always"], "must be one of away, always"),
    ("agent patience", ["-1", "3601", "soon", "1.5"], "must be a whole number from 0 to 3600"),
    (
      "agent channel", ["telegram", "a b c", String(repeating: "x", count: 33) + " 1"],
      "must be a channel of the gateway and a recipient there. Example: telegram 123456789"
    ),
    ("agent tools", [","], "must be 1 to 16 words, with commas between"),
    ("agent model", ["model.gguf"], "must be an absolute path"),
    ("agent model_program", ["llama-server"], "must be an absolute path"),
    ("agent model_port", ["80", "65536", "any"], "must be a whole number from 1024 to 65535"),
    ("agent model_context", ["2047", "131073", "all"], "must be a whole number from 2048 to 131072"),
    ("agent retries", ["-1", "6", "two"], "must be a whole number from 0 to 5"),
    ("agent turns", ["-1", "100001", "many"], "must be a whole number from 0 to 100000"),
    ("agent tokens", ["-1", "1000000001", "1e6"], "must be a whole number from 0 to 1000000000"),
    ("agent seconds", ["-1", "86401"], "must be a whole number from 0 to 86400"),
    ("agent money", ["-1", "1000000000001", "0.5"], "must be a whole number from 0 to 1000000000000"),
    ("agent memory", ["0", "257", "all"], "must be a whole number from 1 to 256"),
    ("agent search", ["google", "Brave"], "must be one of none, searxng, brave, tavily"),
    ("agent search_url", [String(repeating: "x", count: 513)], "must have at most 512 bytes"),
    ("agent search_key_file", ["key"], "must be an absolute path"),
    ("agent allow", [String(repeating: "x", count: 256)], "has a word that is empty or too long"),
    ("agent telegram_token_file", ["token"], "must be an absolute path"),
    ("agent telegram_chats", ["0", "me", "1,-"], "must be numbers of chats, with commas between"),
    ("agent mail_host", [String(repeating: "x", count: 254)], "must have at most 253 bytes"),
    ("agent mail_port", ["0", "65536", "smtps"], "must be a whole number from 1 to 65535"),
    ("agent mail_user", [String(repeating: "x", count: 129)], "must have at most 128 bytes"),
    ("agent mail_password_file", ["password"], "must be an absolute path"),
    ("agent mail_from", [String(repeating: "x", count: 255)], "must have at most 254 bytes"),
    ("agent mail_to", ["a|b"], "must not contain control characters or |"),
  ]

  @Test func `Each key of a model says what is wrong with it`() throws {
    let refusals: [(key: String, value: String, says: String)] = [
      ("url", "a|b", "must not contain control characters or |"), ("model", "a|b", "must not contain control"),
      ("use", "chat", "must be one of answers, embeddings"), ("key_file", "key", "must be an absolute path"),
      ("pin", String(repeating: "a", count: 129), "must have at most 128 bytes"),
      ("prompt_price", "-1", "must be a whole number from 0 to 1000000000"),
      ("answer_price", "0.1", "must be a whole number from 0 to 1000000000"),
      ("timeout", "4", "must be a whole number from 5 to 600"),
      ("silence", "601", "must be a whole number from 5 to 600"),
      ("tokens", "15", "must be a whole number from 16 to 16384"), ("pictures", "maybe", "must be one of yes, no"),
      ("starts_in_thought", "maybe", "must be one of yes, no"), ("completion_tokens", "1", "must be one of yes, no"),
    ]
    #expect(refusals.map(\.key) == ModelKeys.all.map(\.name))
    for (key, value, says) in refusals {
      let thrown = #expect(throws: ConfigurationError.self) { try parse("[model a]\n\(key) = \(value)\n") }
      #expect(thrown?.text.hasPrefix("t.conf:2: [model a] \(key): \(says)") == true, "\(thrown?.text ?? "nothing")")
    }
  }

  @Test func `One model at most makes embeddings`() throws {
    let one = "url = https://x/v1\nmodel = m\nuse = embeddings\n"
    #expect(try parse("[model a]\n" + one).models[0].makesEmbeddings)
    let two = try parse("[model a]\n" + one + "[model b]\n" + one).models
    #expect(ModelKeys.complaint(two)?.reason == "one model at most makes embeddings")
  }

  @Test func `A board has no agent of its own, and one that is switched on answers while the gateway is away`() throws {
    let none = try parse("").agent
    #expect(!none.isEnabled && !none.answersAlways && none.patience == 10_000)
    let agent = try parse("[agent]\nenabled = yes\n").agent
    #expect(agent.isEnabled && !agent.answersAlways)
  }

  @Test func `Each key has its effect, and follow stays what it was`() throws {
    let configuration = try parse("[agent]\nfollow = yes\nenabled = yes\nanswers = always\npatience = 0\n")
    #expect(configuration.followsFile)
    #expect(configuration.agent == AgentConfiguration(isEnabled: true, answersAlways: true, patience: 0))
    let agent = try parse("[agent]\nchannel = telegram 123\n").agent
    #expect(agent.channel == "telegram" && agent.recipient == "123")
    #expect(try parse("[agent]\nanswers = away\npatience = 3600\n").agent.patience == 3_600_000)
  }

  @Test func `Who answers people is decided in the file alone`() {
    #expect(ConfigurationKey.find("enabled", section: "agent")?.isFileOnly == true)
    #expect(ConfigurationKey.find("answers", section: "agent")?.isFileOnly == true)
    #expect(ConfigurationKey.find("channel", section: "agent")?.isFileOnly == true)
    #expect(ConfigurationKey.find("patience", section: "agent")?.isFileOnly == false)
  }
}
