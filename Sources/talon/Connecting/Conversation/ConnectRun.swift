import Board
import Camera
import CameraPart
import Codec
import Gateway
import Runtime

/// Does what the conversation of `talon connect` wants, at a terminal or on the console.
struct ConnectRun {
  private let options: Options
  private let configuration: Configuration
  private let input: LineInput
  private var conversation: ConnectConversation
  /// What was read last.
  private var target: GivenTarget?
  /// When the wait for the gateway is over.
  private var end = Int64.max

  /// True where a person answers: at a terminal, and on the console, which hands lines to its commands.
  static var hasPerson: Bool {
    LineInput.isTerminal() || Process.environment(ConsoleRights.variable)?.isEmpty == false
  }

  /// The conversation; nil where there is nothing to ask. Standard input that is no person's is left to the code.
  static func run(
    _ options: Options, _ configuration: Configuration, _ decisions: ConnectDecisions
  ) throws(Failure) -> ExitCode? {
    if options.has("--later") { return nil }
    let path = options.configurationPath
    var setting = ConnectConversation.Setting()
    setting.target = options.words.first
    setting.scans = options.has("--scan")
    setting.file = path
    setting.mayWrite = ConnectDecisions.mayWrite(path)
    setting.decisions = decisions
    setting.present = ConnectDecisions(of: configuration)
    let isGiven = setting.target != nil || setting.scans
    // The console asks where no code was given: what it runs with a code, programs may have typed.
    guard isGiven ? LineInput.isTerminal() && decisions.isEmpty : hasPerson else { return nil }
    if setting.mayWrite, ConnectDecisions.areMissing(in: path) { setting.questions = questions(but: decisions) }
    if isGiven, setting.questions.isEmpty { return nil }
    setting.hasCamera = hasCamera(configuration)
    return try run(setting, options, configuration)
  }

  /// The wait alone, for a board that is connected already.
  static func wait(
    _ options: Options, _ configuration: Configuration, _ decisions: ConnectDecisions
  ) throws(Failure) -> ExitCode {
    var setting = ConnectConversation.Setting()
    setting.isConnected = true
    setting.decisions = decisions
    setting.present = ConnectDecisions(of: configuration)
    return try run(setting, options, configuration)
  }

  private static func run(
    _ setting: ConnectConversation.Setting, _ options: Options, _ configuration: Configuration
  ) throws(Failure) -> ExitCode {
    var run = ConnectRun(
      options: options, configuration: configuration, input: try LineInput(most: Budget.setupCodeBytes),
      conversation: ConnectConversation(setting))
    return try run.run()
  }

  /// What no option has decided.
  private static func questions(but decisions: ConnectDecisions) -> [ConnectQuestion] {
    var questions: [ConnectQuestion] = []
    if decisions.name == nil { questions.append(.name) }
    if decisions.tools == nil { questions.append(.tools) }
    if decisions.camera == nil, decisions.consent == nil { questions.append(.camera) }
    if decisions.microphone == nil, decisions.consent == nil { questions.append(.microphone) }
    return questions
  }

  /// A code can be shown to this board.
  private static func hasCamera(_ configuration: Configuration) -> Bool {
    guard configuration.camera.isEnabled else { return false }
    switch configuration.cameraDriver {
    case .none: return false
    case .simulated: return true
    case .v4l2:
      var list = CameraList()
      do throws(CameraError) {
        try CameraWiring(configuration: configuration, clock: SystemClock()).kernel().enumerate(into: &list)
      } catch {
        return false
      }
      return list.count > 0
    }
  }

  // MARK: Running

  private init(options: Options, configuration: Configuration, input: LineInput, conversation: ConnectConversation) {
    self.options = options
    self.configuration = configuration
    self.input = input
    self.conversation = conversation
  }

  private mutating func run() throws(Failure) -> ExitCode {
    var actions = conversation.begin()
    while true {
      var event: ConnectEvent?
      for action in actions {
        switch action {
        case .show(let text): Console.tell(text)
        case .end(let code, let reason):
          guard let reason else { return code }
          throw Failure(code, reason)
        default: event = try perform(action)
        }
      }
      guard let event else { throw Failure(.software, "the conversation has come to no end") }
      actions = conversation.receive(event)
    }
  }

  private mutating func perform(_ action: ConnectAction) throws(Failure) -> ConnectEvent? {
    switch action {
    case .show, .end: return nil
    case .ask(let question):
      Console.tell(question)
      return try answer()
    case .search: return try search()
    case .scan: return try scan()
    case .read(let text): return read(text)
    case .connect: return connect()
    case .look: return try look()
    }
  }

  private func answer() throws(Failure) -> ConnectEvent {
    switch try input.next() {
    case .text(let line): return .line(line)
    case .tooLong: return .lineTooLong
    case .ended: return .inputEnded
    case .interrupted: return .interrupted
    }
  }

  private func search() throws(Failure) -> ConnectEvent {
    let search = try DiscoverCommand.search(DNSName("local"), seconds: Budget.connectSearchSeconds)
    var found: [FoundGateway] = []
    search.browser?.forEach { gateway in
      let address = gateway.url(requiresTLS: false)?.text ?? GatewayListing.addresses(gateway)
      found.append(
        FoundGateway(
          name: Console.quoted(IdentityCommand.string(gateway.displayName.span)), address: address))
    }
    return .found(found, hasNetwork: search.interfaces > 0)
  }

  private mutating func scan() throws(Failure) -> ConnectEvent {
    let input = input
    var isInterrupted = false
    do throws(Failure) {
      let text = try ScanCommand.run(options, configuration) {
        let goesOn = (try? input.pause(milliseconds: 0)) ?? true
        if !goesOn { isInterrupted = true }
        return goesOn
      }
      return read(text)
    } catch {
      return isInterrupted ? .interrupted : .targetRefused(error)
    }
  }

  private mutating func read(_ text: String) -> ConnectEvent {
    do throws(Failure) {
      let given = try GivenTarget(text)
      let gateway = try given.gateway(configuration)
      target = given
      return .targetRead(gateway: gateway)
    } catch {
      return .targetRefused(error)
    }
  }

  /// Writes what was decided, as who calls, and connects as the agent's user.
  private mutating func connect() -> ConnectEvent {
    guard let target else { return .failed(Failure(.software, "no code was read")) }
    do throws(Failure) {
      try conversation.decisions.write(options.configurationPath)
      target.file?.remove()
      try ConfigCommand.become(configuration)
      _ = try ConnectCommand.take(target.target, configuration, saysNext: false)
      return .connected
    } catch {
      return .failed(error)
    }
  }

  /// How far the agent is. A first look at once would meet the connection before the last.
  private mutating func look() throws(Failure) -> ConnectEvent {
    let clock = SystemClock()
    if end == .max { end = clock.monotonic + Budget.connectWaitMilliseconds }
    guard try input.pause(milliseconds: Budget.connectLookMilliseconds) else { return .interrupted }
    if clock.monotonic >= end { return .timeOver }
    do throws(Failure) {
      let client = try ConsoleClient(folder: configuration.runtimeDirectory)
      do throws(Failure) {
        let line = try client.ask("status") { _ in }
        let root = JSONView(line.span)
        guard let status = root.member("result"), status.kind == .object else { return .progress(.connecting) }
        return .progress(ConnectProgress(status))
      } catch {
        return client.isInterrupted ? .interrupted : .progress(.absent(error.text))
      }
    } catch {
      return .progress(.absent(error.text))
    }
  }
}
