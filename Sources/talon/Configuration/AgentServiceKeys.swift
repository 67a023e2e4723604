import Runtime

/// `[agent]`, what its process needs: tools, limits, and the ways to the world.
struct AgentServiceConfiguration: Equatable {
  /// The agent's own tools, by the names that the model calls; empty: all that the other keys make possible.
  var tools: [String] = []
  /// A model's file that the board answers from itself; empty: none. The program that does it, its port, and the tokens
  /// that it remembers of a conversation.
  var model = ""
  var modelProgram = "/usr/bin/llama-server"
  var modelPort: UInt16 = 8473
  var modelContext = Budget.modelContext
  /// Further attempts with one model.
  var retries = Budget.modelRetries
  /// What models may use in a day; 0: without a limit. Money in millionths of the owner's currency.
  var turns: Int64 = 0
  var tokens: Int64 = 0
  var seconds: Int64 = 0
  var money: Int64 = 0
  /// Mebibytes of the memory's file.
  var memory = Budget.memoryFileBytes >> 20
  var search = SearchChoice.none
  var searchURL = ""
  var searchKeyFile = ""
  /// Hosts and networks that pages may be read from although they are not public.
  var allowed: [String] = []
  var telegramTokenFile = ""
  var telegramChats: [Int64] = []
  var mailHost = ""
  var mailPort: UInt16 = 465
  var mailUser = ""
  var mailPasswordFile = ""
  var mailFrom = ""
  var mailTo = ""

  /// A provider of web search.
  enum SearchChoice: Equatable, Sendable { case none, searxng, brave, tavily }
}

extension ConfigurationKey {
  /// Keys of `[agent]` that its process reads; set in the file alone.
  static let agentService: [ConfigurationKey] = [
    agentKey("tools") { words($1, most: 16, limit: Budget.modelToolNameBytes, &$0.tools) },
    agentKey("model") { path($1, &$0.model) },
    agentKey("model_program") { path($1, &$0.modelProgram) },
    agentKey("model_port") { number($1, 1024...65_535, &$0.modelPort) },
    agentKey("model_context") { number($1, Budget.modelContextRange, &$0.modelContext) },
    agentKey("retries") { number($1, Budget.modelRetriesRange, &$0.retries) },
    agentKey("turns") { number($1, 0...100_000, &$0.turns) },
    agentKey("tokens") { number($1, 0...1_000_000_000, &$0.tokens) },
    agentKey("seconds") { number($1, 0...86_400, &$0.seconds) },
    agentKey("money") { number($1, 0...1_000_000_000_000, &$0.money) },
    agentKey("memory") {
      let range = Budget.memoryFileRange
      return number($1, (range.lowerBound >> 20)...(range.upperBound >> 20), &$0.memory)
    },
    agentKey("search") {
      choice($1, [("none", .none), ("searxng", .searxng), ("brave", .brave), ("tavily", .tavily)], &$0.search)
    },
    agentKey("search_url") { text($1, limit: Budget.searchURLBytes, &$0.searchURL) },
    agentKey("search_key_file") { path($1, &$0.searchKeyFile) },
    agentKey("allow") { words($1, most: Budget.fetchAllowed, limit: 255, &$0.allowed) },
    agentKey("telegram_token_file") { path($1, &$0.telegramTokenFile) },
    agentKey("telegram_chats") { chats($1, &$0.telegramChats) },
    agentKey("mail_host") { text($1, limit: 253, &$0.mailHost) },
    agentKey("mail_port") { number($1, 1...65_535, &$0.mailPort) },
    agentKey("mail_user") { text($1, limit: Budget.mailUserBytes, &$0.mailUser) },
    agentKey("mail_password_file") { path($1, &$0.mailPasswordFile) },
    agentKey("mail_from") { text($1, limit: Budget.mailAddressBytes, &$0.mailFrom) },
    agentKey("mail_to") { text($1, limit: Budget.mailAddressBytes, &$0.mailTo) },
  ]

  private static func agentKey(
    _ name: String, _ set: @escaping @Sendable (inout AgentServiceConfiguration, String) -> String?
  ) -> ConfigurationKey {
    ConfigurationKey(section: "agent", name: name, isFileOnly: true) { set(&$0.agentService, $1) }
  }

  /// Words with commas between.
  private static func words(_ value: String, most: Int, limit: Int, _ target: inout [String]) -> String? {
    var words: [String] = []
    for part in value.split(separator: ",") {
      let word = trimmed(Array(part.utf8)[...])
      guard !word.isEmpty, word.utf8.count <= limit else { return "has a word that is empty or too long" }
      words.append(word)
    }
    guard (1...most).contains(words.count) else { return "must be 1 to \(most) words, with commas between" }
    target = words
    return nil
  }

  /// Numbers of chats, those of groups with a minus sign.
  private static func chats(_ value: String, _ target: inout [Int64]) -> String? {
    var chats: [Int64] = []
    for part in value.split(separator: ",") {
      let word = trimmed(Array(part.utf8)[...])
      let isNegative = word.utf8.first == UInt8(ascii: "-")
      guard let number = decimal(isNegative ? String(word.dropFirst()) : word), number > 0 else {
        return "must be numbers of chats, with commas between"
      }
      chats.append(isNegative ? -number : number)
    }
    guard (1...16).contains(chats.count) else { return "must be 1 to 16 numbers of chats" }
    target = chats
    return nil
  }
}

extension AgentServiceConfiguration {
  /// The sections `[agent]` and `[model NAME]` alone, for the agent's process: it needs no other key, and no file that
  /// another key names.
  static func read(_ path: String) throws(ConfigurationError) -> Configuration {
    var bytes: [UInt8] = []
    do throws(Errno) { bytes = EditedText.normal(try TextFile.read(path, limit: Budget.configurationBytes)) } catch {
      throw ConfigurationError(file: path, line: nil, key: nil, reason: "cannot be read: \(String(error.text))")
    }
    var configuration = Configuration()
    var section = ""
    for line in try ConfigurationFile.lines(bytes, file: path) {
      if line.text.utf8.first == UInt8(ascii: "[") {
        section = ConfigurationKey.trimmed(Array(line.text.utf8.dropFirst().dropLast())[...])
        guard section.hasPrefix("model "), let complaint = ModelKeys.add(section, to: &configuration.models) else {
          continue
        }
        throw ConfigurationError(file: path, line: line.number, key: "[\(section)]", reason: complaint)
      }
      guard section == "agent" || section.hasPrefix("model "),
        let (name, value) = ConfigurationFile.pair(line.text)
      else { continue }
      var complaint: String? = "unknown key"
      if let key = ConfigurationKey.find(name, section: section) {
        do throws(Errno) { complaint = try key.set(&configuration, value) } catch { complaint = String(error.text) }
      }
      guard let complaint else { continue }
      throw ConfigurationError(file: path, line: line.number, key: "[\(section)] \(name)", reason: complaint)
    }
    return configuration
  }
}
