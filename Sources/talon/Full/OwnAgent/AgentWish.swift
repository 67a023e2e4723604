import Completion
import Fetch
import Gateway
import OwnAgent
import Runtime

/// What the configuration wants of the agent, with the secrets that its files hold: read as root, before the process is
/// the agent's user.
struct AgentWish {
  var settings: AgentSettings
  /// The model that makes vectors for the memory.
  var embeddings: ModelSettings?
  var search: SearchRequest?
  var allowed = AllowList()
  var telegram: TelegramSettings?
  var mail: MailSettings?
  /// What serves the board's own model; nil: there is none.
  let program: ModelProgram?
  /// Bytes of the memory's file.
  let memoryBytes: Int64
  /// The folder or file of the authorities that vouch for servers.
  let authorities: String

  /// Reads the files that the keys name, and checks what depends on them.
  init(_ configuration: Configuration, file: String) throws(ConfigurationError) {
    let wanted = configuration.agentService
    if let (key, reason) = ModelKeys.complaint(configuration.models) {
      throw ConfigurationError(file: file, line: nil, key: key, reason: reason)
    }
    memoryBytes = wanted.memory << 20
    program = ModelProgram(wanted)
    authorities = configuration.canvas.authorities
    var models: [ModelSettings] = []
    for model in configuration.models {
      let settings = try Self.settings(model, file)
      if model.makesEmbeddings { embeddings = settings } else { models.append(settings) }
    }
    if !wanted.model.isEmpty { models.append(try Self.ownModel(wanted, models.count, file)) }
    settings = AgentSettings(models: models)
    settings.retries = wanted.retries
    settings.budget = ModelBudget(
      turns: Self.limit(wanted.turns), tokens: Self.limit(wanted.tokens), seconds: Self.limit(wanted.seconds),
      money: Self.limit(wanted.money))
    for word in wanted.allowed where !allowed.add(word) {
      throw Self.error(file, "allow", "\(word) is no host, address or network")
    }
    try readSearch(wanted, file)
    try readTelegram(wanted, file)
    try readMail(wanted, file)
    settings.hasGatewayRoute = !configuration.agent.channel.isEmpty
    settings.tools = try tools(wanted, file)
  }

  private static func limit(_ value: Int64) -> Int64? { value == 0 ? nil : value }

  private static func error(_ file: String, _ key: String, _ reason: String) -> ConfigurationError {
    ConfigurationError(file: file, line: nil, key: "[agent] \(key)", reason: reason)
  }

  /// A secret of a file that root alone may read; empty for no file.
  private static func secret(_ path: String, _ file: String, _ key: String) throws(ConfigurationError) -> String {
    guard !path.isEmpty else { return "" }
    var (text, complaint) = ("", nil as String?)
    do throws(Errno) { complaint = try ConfigurationKey.secret(from: path, into: &text) } catch {
      complaint = "\(path) cannot be read: \(String(error.text))"
    }
    if let complaint { throw Self.error(file, key, complaint) }
    return text
  }

  private static func settings(
    _ model: ModelConfiguration, _ file: String
  ) throws(ConfigurationError) -> ModelSettings {
    func fail(_ key: String, _ reason: String) -> ConfigurationError {
      ConfigurationError(file: file, line: nil, key: "[model \(model.name)] \(key)", reason: reason)
    }
    guard let url = try? WebURL(model.url.utf8.span) else {
      throw fail("url", "is no web address. Example: https://api.example.org/v1")
    }
    let key = try secret(model.keyFile, file, "key_file")
    guard key.isEmpty || url.isSecure || url.isLoopback else {
      throw fail("url", "must begin with https://, because a key is sent")
    }
    guard var settings = ModelSettings(base: url, name: model.model, key: key) else {
      throw fail("key_file", "has no key that a header field takes")
    }
    if !model.pin.isEmpty {
      guard let pin = Fingerprint(text: model.pin.utf8.span) else {
        throw fail("pin", "must be a SHA-256 fingerprint: 64 hexadecimal digits")
      }
      settings.pin = pin
    }
    settings.price = ModelPrice(prompt: model.promptPrice, completion: model.answerPrice)
    (settings.totalMilliseconds, settings.idleMilliseconds) = (model.timeout, model.silence)
    settings.maximumTokens = model.tokens
    settings.seesPictures = model.seesPictures
    settings.startsInThought = model.startsInThought
    settings.usesCompletionTokens = model.usesCompletionTokens
    return settings
  }

  /// The model whose file is on this board, asked after the others.
  private static func ownModel(
    _ wanted: AgentServiceConfiguration, _ others: Int, _ file: String
  ) throws(ConfigurationError) -> ModelSettings {
    guard others < Budget.models else {
      throw error(file, "model", "with it there are more than \(Budget.models) models: leave out a section")
    }
    let name = ModelProgram.name(of: wanted.model)
    guard let url = try? WebURL("http://127.0.0.1:\(wanted.modelPort)/v1".utf8.span),
      let settings = ModelSettings(base: url, name: name, key: "")
    else { throw error(file, "model", "is no file's path") }
    return settings
  }

  private mutating func readSearch(_ wanted: AgentServiceConfiguration, _ file: String) throws(ConfigurationError) {
    let provider: SearchProvider
    switch wanted.search {
    case .none: return
    case .searxng: provider = .searxng
    case .brave: provider = .brave
    case .tavily: provider = .tavily
    }
    let key = try Self.secret(wanted.searchKeyFile, file, "search_key_file")
    do throws(SearchError) {
      search = try SearchRequest(provider, address: wanted.searchURL, key: key)
    } catch {
      throw Self.error(file, "search", String(decoding: error.text.bytes, as: UTF8.self))
    }
  }

  private mutating func readTelegram(_ wanted: AgentServiceConfiguration, _ file: String) throws(ConfigurationError) {
    guard !wanted.telegramTokenFile.isEmpty else { return }
    let token = try Self.secret(wanted.telegramTokenFile, file, "telegram_token_file")
    do throws(TelegramError) {
      telegram = try TelegramSettings(token: token, chats: wanted.telegramChats)
    } catch {
      throw Self.error(file, "telegram_chats", String(decoding: error.text.bytes, as: UTF8.self))
    }
    settings.telegramChat = wanted.telegramChats.first
  }

  private mutating func readMail(_ wanted: AgentServiceConfiguration, _ file: String) throws(ConfigurationError) {
    guard !wanted.mailHost.isEmpty else { return }
    let password = try Self.secret(wanted.mailPasswordFile, file, "mail_password_file")
    guard wanted.mailUser.isEmpty || !password.isEmpty else {
      throw Self.error(file, "mail_password_file", "is missing: the password of mail_user")
    }
    let mail = MailSettings(
      host: wanted.mailHost, port: wanted.mailPort, user: wanted.mailUser, password: password)
    if let objection = mail.objection {
      throw Self.error(file, "mail_host", String(decoding: objection.bytes, as: UTF8.self))
    }
    for (key, address) in [("mail_from", wanted.mailFrom), ("mail_to", wanted.mailTo)] {
      guard address.withBytes({ MailAddress.isValid($0) }) else {
        throw Self.error(file, key, "is no mail address: owner@example.org")
      }
    }
    self.mail = mail
    settings.mail = AgentMail(sender: wanted.mailFrom, recipient: wanted.mailTo)
  }

  /// The tools that the configuration makes possible, or those of them that it names.
  private func tools(
    _ wanted: AgentServiceConfiguration, _ file: String
  ) throws(ConfigurationError) -> [OwnTool] {
    let possible = OwnTool.allCases.filter { tool in
      switch tool {
      case .webSearch: search != nil
      case .sendMessage: settings.hasGatewayRoute || telegram != nil || mail != nil
      default: true
      }
    }
    guard !wanted.tools.isEmpty else { return possible }
    for word in wanted.tools where !OwnTool.allCases.contains(where: { Self.name(of: $0) == word }) {
      throw Self.error(file, "tools", "\(word) is no tool of the agent")
    }
    return possible.filter { wanted.tools.contains(Self.name(of: $0)) }
  }

  private static func name(of tool: OwnTool) -> String { String(decoding: tool.name.bytes, as: UTF8.self) }
}
