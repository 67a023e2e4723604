import Runtime

/// The conversation of `talon connect` with a person at the board: gateways that were found, a code, what the board is
/// called and what the agent may use; then how far the board is until the gateway has accepted it. Events go in, and
/// what is to be shown and done comes out; terminal and console do it (`ConnectRun`). It holds no secret: whoever
/// reads a code keeps it.
struct ConnectConversation {
  /// Where it stands.
  enum State: Equatable {
    case new
    /// For gateways; for a code in front of the camera.
    case searching, scanning
    case asking(ConnectQuestion)
    /// What was typed in the place of a code.
    case reading
    case connecting
    /// For the gateway to accept the board.
    case waiting
    case ended
  }

  /// What is known before the first question.
  struct Setting {
    /// The code on the command line; nil: it is asked for.
    var target: String?
    /// It begins with a look for a code in front of the camera.
    var scans = false
    /// The board is connected already: it begins with the wait.
    var isConnected = false
    var hasCamera = false
    /// What is asked after the code, in this order.
    var questions: [ConnectQuestion] = []
    /// What was decided on the command line, and what the configuration says.
    var decisions = ConnectDecisions()
    var present = ConnectDecisions()
    /// The configuration's file, and whether this user may write it.
    var file = ""
    var mayWrite = true
  }

  private let setting: Setting
  private(set) var state = State.new
  /// What is written into the configuration.
  private(set) var decisions: ConnectDecisions
  private var questions: [ConnectQuestion]
  private var found: [FoundGateway] = []
  /// The gateway of the code that was read.
  private var gateway = ""
  /// Wrong answers to this question.
  private var mistakes = 0
  /// The last news of the agent, and how many times in a row it was that.
  private var last: ConnectProgress?
  private var looks = 0
  /// The sentences that were shown of the agent's progress, for each is shown once.
  private var shown: [String] = []

  init(_ setting: Setting) {
    self.setting = setting
    decisions = setting.decisions
    questions = setting.questions
  }

  /// The first actions.
  mutating func begin() -> [ConnectAction] {
    if setting.isConnected { return wait() }
    if setting.scans { return scan() }
    if let target = setting.target { return read(target) }
    state = .searching
    return [.show("Looking for gateways on this network (\(Budget.connectSearchSeconds) s) ..."), .search]
  }

  /// What follows an event. One that does not belong to this state changes nothing.
  mutating func receive(_ event: ConnectEvent) -> [ConnectAction] {
    if case .interrupted = event { return interrupt() }
    switch (state, event) {
    case (.searching, .found(let gateways, let hasNetwork)): return list(gateways, hasNetwork)
    case (.asking(let question), .line(let text)): return answer(question, text)
    case (.asking(let question), .lineTooLong):
      return refuse(question, "That line is longer than \(Budget.setupCodeBytes) bytes.")
    case (.asking(let question), .inputEnded):
      return end(
        .usage,
        "the input ended before an answer, and nothing was changed; without a question: "
          + question.option)
    case (.reading, .targetRead(let gateway)), (.scanning, .targetRead(let gateway)):
      self.gateway = gateway
      return askNext()
    case (.reading, .targetRefused(let failure)):
      if setting.target != nil { return end(failure.code, failure.text) }
      return refuse(.target, "That connects nothing: \(failure.text).")
    case (.scanning, .targetRefused(let failure)):
      if setting.scans { return end(failure.code, failure.text) }
      return [.show("No code was read: \(failure.text).")] + ask(.target)
    case (.connecting, .connected): return wait()
    case (.connecting, .failed(let failure)): return end(failure.code, failure.text)
    case (.waiting, .progress(let progress)): return handle(progress)
    case (.waiting, .timeOver):
      let minutes = Budget.connectWaitMilliseconds / 60_000
      return [.show("\(minutes) minutes are over. \(Self.goesOn)")] + end(.temporary)
    default: return []
    }
  }

  private static let goesOn = "The board goes on by itself; talon status shows how far it is."

  private mutating func end(_ code: ExitCode, _ text: String? = nil) -> [ConnectAction] {
    state = .ended
    return [.end(code, text)]
  }

  private mutating func interrupt() -> [ConnectAction] {
    switch state {
    case .ended: return []
    case .waiting: return [.show(Self.goesOn)] + end(.temporary)
    default: return end(.temporary, "interrupted; nothing was changed")
    }
  }

  // MARK: Gateways and code

  private mutating func list(_ gateways: [FoundGateway], _ hasNetwork: Bool) -> [ConnectAction] {
    found = Array(gateways.prefix(Budget.connectGateways))
    var actions: [ConnectAction] = []
    for index in found.indices {
      actions.append(.show("  \(index + 1)  \(found[index].name)  \(found[index].address)"))
    }
    if gateways.count > found.count { actions.append(.show("  and \(gateways.count - found.count) more")) }
    if !hasNetwork {
      actions.append(
        .show("This board has no network yet. A setup code may be pasted all the same; a join URL needs the network."))
    } else if found.isEmpty {
      actions.append(.show("No gateway has answered. Many do not announce themselves; a code has the address in it."))
      actions += Self.advice
    }
    return actions + ask(.target)
  }

  /// How a code is made.
  private static let advice: [ConnectAction] = [
    .show("On the gateway's machine run:"), .show("    openclaw devices join-code"),
    .show("or, before August 2026:"), .show("    openclaw qr --setup-code-only"),
  ]

  private mutating func scan() -> [ConnectAction] {
    state = .scanning
    return [.scan]
  }

  private mutating func read(_ text: String) -> [ConnectAction] {
    state = .reading
    return [.read(text)]
  }

  private mutating func handle(target text: String) -> [ConnectAction] {
    if text.isEmpty { return refuse(.target, "Nothing was given.") }
    if text == "scan" {
      return setting.hasCamera ? scan() : refuse(.target, "This board has no camera that can be used.")
    }
    if text.utf8.count <= 2, let number = Int(text) {
      guard found.indices.contains(number - 1) else {
        return refuse(.target, "No gateway above has the number \(text).")
      }
      // A gateway accepts nobody without a code, so its number alone connects nothing.
      let gateway = found[number - 1]
      return [.show("\(gateway.name) at \(gateway.address) accepts a board by a code.")] + Self.advice + ask(.target)
    }
    return read(text)
  }

  // MARK: Questions

  private mutating func ask(_ question: ConnectQuestion) -> [ConnectAction] {
    // A code is refused by who reads it, and the question comes again after that.
    if state != .asking(question), question != .target { mistakes = 0 }
    state = .asking(question)
    return [.ask(question.text(listed: found.count, hasCamera: setting.hasCamera))]
  }

  private mutating func askNext() -> [ConnectAction] {
    guard questions.isEmpty else { return ask(questions.removeFirst()) }
    return summary + ask(.start)
  }

  /// The question again, or the option that answers it.
  private mutating func refuse(_ question: ConnectQuestion, _ reason: String) -> [ConnectAction] {
    mistakes += 1
    guard mistakes < Budget.connectWrongAnswers else {
      return [.show(reason)]
        + end(.usage, "\(mistakes) answers were wrong, and nothing was changed; without a question: \(question.option)")
    }
    return [.show(reason)] + ask(question)
  }

  private mutating func answer(_ question: ConnectQuestion, _ text: String) -> [ConnectAction] {
    if question == .target { return handle(target: text) }
    guard let word = question.word(text) else {
      return refuse(question, "The answer is \(ConnectDecisions.listed(question.choices)).")
    }
    switch question {
    case .target: break
    case .name:
      if word.isEmpty { break }
      if let complaint = ConnectDecisions.complaint(ofName: word) { return refuse(question, "A name \(complaint).") }
      decisions.name = word
    case .tools: decisions.tools = word
    case .camera: decisions.camera = word
    case .microphone: decisions.microphone = word
    case .start:
      if word == "no" { return end(.usage, "not confirmed; nothing was changed") }
      state = .connecting
      return [.connect]
    }
    return askNext()
  }

  /// What is about to happen.
  private var summary: [ConnectAction] {
    let result = decisions.applied(to: setting.present)
    var lines = [
      "This is about to happen:",
      "  gateway     \(gateway)",
      "  name        \(result.name ?? "as its host")",
      "  tools       \(result.tools ?? "none")",
      "  camera      \(result.camera ?? "allow")",
      "  microphone  \(result.microphone ?? "allow")",
    ]
    if !decisions.isEmpty {
      lines.append("  written to  \(setting.file)")
    } else if !setting.mayWrite {
      lines.append("Name and rights stand in \(setting.file), which cannot be changed from here.")
    }
    return lines.map { .show($0) }
  }

  // MARK: The wait

  private mutating func wait() -> [ConnectAction] {
    state = .waiting
    return [.show("The board connects. Ctrl-C ends this view, and changes nothing."), .look]
  }

  private mutating func handle(_ progress: ConnectProgress) -> [ConnectAction] {
    looks = progress == last ? looks + 1 : 1
    last = progress
    let isSettled = looks >= Budget.connectSettledLooks
    switch progress {
    case .absent(let reason):
      guard isSettled else { return [.look] }
      return [.show("The code is kept: this board connects when its agent runs.")] + end(.unavailable, reason)
    case .stuck(let reason): return isSettled ? end(.temporary, reason) : [.look]
    case .connecting: return [.look]
    case .waiting(let reason): return once(reason.isEmpty ? [] : [reason]) + [.look]
    case .needsApproval(let command):
      return once(["The gateway waits for a person to approve this board. On the gateway's machine run:", command])
        + [.look]
    case .needsCommands(let command):
      return accepted()
        + once(["The gateway waits for a person to approve what this board can do. On its machine run:", command])
        + [.look]
    case .online(let held): return accepted() + (isSettled ? finish(held) : [.look])
    }
  }

  /// Lines that were not shown yet, the second one as a command. A command that has changed is shown with its sentence.
  private mutating func once(_ lines: [String]) -> [ConnectAction] {
    guard let key = lines.last, !shown.contains(key) else { return [] }
    shown.append(key)
    return lines.indices.map { .show($0 == 0 ? lines[0] : "    \(lines[$0])") }
  }

  private mutating func accepted() -> [ConnectAction] {
    let wasApproved = shown.contains { $0.hasPrefix("openclaw devices approve") }
    return once([(wasApproved ? "Approved. " : "") + "The gateway has accepted this board: it is online."])
  }

  private mutating func finish(_ held: String) -> [ConnectAction] {
    let remark: [ConnectAction] = held.isEmpty ? [] : [.show("It is \(held). talon status shows what to do about it.")]
    return remark + [.show(firstThing)] + end(.ok)
  }

  /// What to try first, by what the agent may do.
  private var firstThing: String {
    let result = decisions.applied(to: setting.present)
    let name = result.name ?? "this board"
    switch result.tools ?? "none" {
    case "none": return "Try it, on the gateway's machine: openclaw nodes status"
    case "all" where result.camera != "never":
      return "Try it: ask the agent to take a photo with \(name), and to tell you what it sees."
    default: return "Try it: ask the agent how \(name) is."
    }
  }
}
