import Runtime
import Testing

@testable import talon

/// The conversation of `talon connect`, without a terminal: events go in, actions come out.
@Suite("The conversation of talon connect") struct ConnectConversationTests {
  private let gateways = [
    FoundGateway(name: "\"Attic\"", address: "wss://attic.local:18789"),
    FoundGateway(name: "\"Barn\"", address: "ws://10.0.0.7:18789"),
  ]
  private let all: [ConnectQuestion] = [.name, .tools, .camera, .microphone]

  /// A conversation on a board of which nothing is known.
  private func conversation(
    _ questions: [ConnectQuestion] = [], _ change: (inout ConnectConversation.Setting) -> Void = { _ in }
  ) -> ConnectConversation {
    var setting = ConnectConversation.Setting()
    setting.questions = questions
    setting.file = "/etc/talon/talon.conf"
    setting.present.tools = "safe"
    setting.present.camera = "allow"
    setting.present.microphone = "allow"
    change(&setting)
    return ConnectConversation(setting)
  }

  /// One that has come to this question.
  private func asking(_ question: ConnectQuestion) -> ConnectConversation {
    var conversation = conversation(all)
    _ = conversation.begin()
    _ = conversation.receive(.found(gateways, hasNetwork: true))
    if question == .target { return conversation }
    _ = conversation.receive(.line("CODE"))
    _ = conversation.receive(.targetRead(gateway: "wss://attic.local:18789"))
    var left = all[...]
    while conversation.state != .asking(question), left.popFirst() != nil { _ = conversation.receive(.line("")) }
    return conversation
  }

  /// One that waits for the gateway.
  private func waiting(_ change: (inout ConnectConversation.Setting) -> Void = { _ in }) -> ConnectConversation {
    var conversation = conversation {
      $0.isConnected = true
      change(&$0)
    }
    _ = conversation.begin()
    return conversation
  }

  private func lines(_ actions: [ConnectAction]) -> [String] {
    actions.compactMap { action in
      switch action {
      case .show(let text), .ask(let text): text
      case .end(_, let text): text
      default: nil
      }
    }
  }

  private func says(_ actions: [ConnectAction], _ words: String) -> Bool {
    lines(actions).contains { $0.contains(words) }
  }

  private func code(_ actions: [ConnectAction]) -> ExitCode? {
    guard case .end(let code, _) = actions.last else { return nil }
    return code
  }

  // MARK: From the beginning to the end

  @Test("a new board is asked for everything, is connected, approved and accepted")
  func whole() {
    var conversation = conversation(all) { $0.hasCamera = true }
    #expect(conversation.begin().last == .search)
    var actions = conversation.receive(.found(gateways, hasNetwork: true))
    #expect(lines(actions)[0...1] == ["  1  \"Attic\"  wss://attic.local:18789", "  2  \"Barn\"  ws://10.0.0.7:18789"])
    #expect(conversation.state == .asking(.target) && says(actions, "scan"))
    #expect(conversation.receive(.line("CODE")) == [.read("CODE")])
    for (answer, next) in [("", "called"), ("Shed", "tools"), ("all", "camera"), ("ask", "microphone")] {
      actions =
        answer.isEmpty ? conversation.receive(.targetRead(gateway: "wss://g:1")) : conversation.receive(.line(answer))
      #expect(actions.count == 1 && says(actions, next), "\(answer)")
    }
    actions = conversation.receive(.line("never"))
    #expect(
      lines(actions).dropLast() == [
        "This is about to happen:", "  gateway     wss://g:1", "  name        Shed", "  tools       all",
        "  camera      ask", "  microphone  never", "  written to  /etc/talon/talon.conf",
      ])
    #expect(conversation.receive(.line("")) == [.connect])
    #expect(conversation.decisions.name == "Shed" && conversation.decisions.microphone == "never")
    #expect(conversation.receive(.connected).last == .look)
    #expect(conversation.receive(.progress(.connecting)) == [.look])
    actions = conversation.receive(.progress(.needsApproval("openclaw devices approve 4e0a")))
    #expect(lines(actions).last == "    openclaw devices approve 4e0a" && actions.last == .look)
    #expect(conversation.receive(.progress(.connecting)) == [.look])
    #expect(conversation.receive(.progress(.needsApproval("openclaw devices approve 4e0a"))) == [.look])
    actions = conversation.receive(.progress(.needsCommands("openclaw nodes approve 77")))
    #expect(
      says(actions, "Approved. The gateway has accepted this board") && says(actions, "    openclaw nodes approve 77"))
    for _ in 1..<Budget.connectSettledLooks { #expect(conversation.receive(.progress(.online(""))) == [.look]) }
    actions = conversation.receive(.progress(.online("")))
    #expect(says(actions, "take a photo with Shed") && code(actions) == .ok)
    #expect(conversation.state == .ended)
  }

  @Test("a prepared board is asked for the code alone, and nothing is written")
  func prepared() {
    var conversation = conversation { $0.present.name = "Barn" }
    _ = conversation.begin()
    _ = conversation.receive(.found([], hasNetwork: true))
    _ = conversation.receive(.line("CODE"))
    let actions = conversation.receive(.targetRead(gateway: "wss://g:1"))
    #expect(conversation.state == .asking(.start) && says(actions, "name        Barn"))
    #expect(!says(actions, "written to") && conversation.decisions.isEmpty)
  }

  @Test("where the file cannot be written, that is told in place of questions")
  func fixed() {
    var conversation = conversation { $0.mayWrite = false }
    _ = conversation.begin()
    _ = conversation.receive(.found([], hasNetwork: true))
    _ = conversation.receive(.line("CODE"))
    #expect(says(conversation.receive(.targetRead(gateway: "wss://g:1")), "cannot be changed from here"))
  }

  @Test("a code on the command line, a scan and a connected board begin where they are")
  func beginnings() {
    var given = conversation([.name]) { $0.target = "CODE" }
    #expect(given.begin() == [.read("CODE")])
    #expect(code(given.receive(.targetRefused(Failure(.configuration, "no")))) == .configuration)
    var scanned = conversation([.name]) { $0.scans = true }
    #expect(scanned.begin() == [.scan])
    var failed = scanned
    #expect(code(failed.receive(.targetRefused(Failure(.unavailable, "no code")))) == .unavailable)
    _ = scanned.receive(.targetRead(gateway: "wss://g:1"))
    #expect(scanned.state == .asking(.name))
    #expect(waiting().state == .waiting)
  }

  // MARK: Gateways

  @Test("without a gateway, and without a network, the next step is told")
  func nothingFound() {
    for (hasNetwork, words) in [(true, "openclaw devices join-code"), (false, "no network yet")] {
      var conversation = conversation()
      _ = conversation.begin()
      #expect(says(conversation.receive(.found([], hasNetwork: hasNetwork)), words))
      #expect(conversation.state == .asking(.target))
    }
  }

  @Test("more gateways than digits are counted")
  func manyGateways() {
    var conversation = conversation()
    _ = conversation.begin()
    let many = Array(repeating: gateways[0], count: Budget.connectGateways + 3)
    #expect(says(conversation.receive(.found(many, hasNetwork: true)), "and 3 more"))
    #expect(says(conversation.receive(.line("\(Budget.connectGateways)")), "openclaw devices join-code"))
  }

  @Test("the number of a gateway is no answer, and no mistake: it tells how its code is made")
  func number() {
    var conversation = asking(.target)
    for _ in 0..<5 {
      let actions = conversation.receive(.line("2"))
      #expect(says(actions, "\"Barn\" at ws://10.0.0.7:18789") && says(actions, "openclaw devices join-code"))
      #expect(conversation.state == .asking(.target))
    }
    #expect(says(conversation.receive(.line("3")), "No gateway above"))
    #expect(says(conversation.receive(.line("0")), "No gateway above"))
  }

  @Test("scan is for boards with a camera, and goes back to the question when no code was read")
  func scan() {
    var blind = asking(.target)
    #expect(says(blind.receive(.line("scan")), "no camera"))
    var conversation = conversation { $0.hasCamera = true }
    _ = conversation.begin()
    _ = conversation.receive(.found([], hasNetwork: true))
    for _ in 0..<4 {
      #expect(conversation.receive(.line("scan")) == [.scan])
      #expect(says(conversation.receive(.targetRefused(Failure(.unavailable, "too dark"))), "too dark"))
    }
    _ = conversation.receive(.line("scan"))
    _ = conversation.receive(.targetRead(gateway: "wss://g:1"))
    #expect(conversation.state == .asking(.start))
  }

  // MARK: Answers

  @Test(
    "an answer is a word, its first letters, or Enter",
    arguments: [
      (ConnectQuestion.tools, "", "safe"), (.tools, "none", "none"), (.tools, "a", "all"), (.tools, "some", nil),
      (.camera, "", "allow"), (.camera, "a", nil), (.camera, "as", "ask"), (.microphone, "n", "never"),
      (.start, "", "yes"), (.start, "y", "yes"), (.start, "n", "no"), (.name, "", ""), (.name, "x y", "x y"),
      (.target, "", nil), (.camera, "deny", nil), (.camera, "ASK", nil),
    ] as [(ConnectQuestion, String, String?)])
  func words(question: ConnectQuestion, answer: String, word: String?) {
    #expect(question.word(answer) == word)
  }

  @Test(
    "a wrong answer is told why and asked again; the third ends with the option that says the same",
    arguments: [
      (ConnectQuestion.target, "", "Nothing was given", "talon connect TARGET"),
      (.target, "7", "No gateway above", "talon connect TARGET"),
      (.name, "a|b", "must not contain", "--name NAME"),
      (.name, String(repeating: "x", count: 101), "at most 100 bytes", "--name NAME"),
      (.tools, "some", "none, safe or all", "--tools none|safe|all"),
      (.camera, "perhaps", "allow, ask or never", "--camera allow|ask|never"),
      (.microphone, "deny", "allow, ask or never", "--microphone allow|ask|never"),
      (.start, "maybe", "yes or no", "TARGET"),
    ])
  func wrong(question: ConnectQuestion, answer: String, reason: String, option: String) {
    var conversation = asking(question)
    for _ in 1..<Budget.connectWrongAnswers {
      let actions = conversation.receive(.line(answer))
      #expect(says(actions, reason) && conversation.state == .asking(question))
      guard case .ask = actions.last else {
        Issue.record("not asked again")
        return
      }
    }
    let actions = conversation.receive(.line(answer))
    #expect(says(actions, reason) && says(actions, option) && code(actions) == .usage)
    #expect(conversation.state == .ended && conversation.decisions.microphone != "deny")
  }

  @Test("codes that connect nothing are mistakes of the first question, and a right answer forgets them")
  func wrongCodes() {
    var conversation = asking(.target)
    for _ in 1..<Budget.connectWrongAnswers {
      _ = conversation.receive(.line("CODE"))
      #expect(says(conversation.receive(.targetRefused(Failure(.usage, "is expired"))), "is expired"))
      #expect(conversation.state == .asking(.target))
    }
    var patient = conversation
    _ = patient.receive(.line("CODE"))
    _ = patient.receive(.targetRead(gateway: "wss://g:1"))
    #expect(says(patient.receive(.line("a|b")), "must not contain") && patient.state == .asking(.name))
    #expect(says(patient.receive(.line("a|b")), "must not contain") && patient.state == .asking(.name))
    _ = conversation.receive(.line("CODE"))
    #expect(code(conversation.receive(.targetRefused(Failure(.usage, "is expired")))) == .usage)
  }

  @Test(
    "a very long line is a wrong answer to every question",
    arguments: [
      ConnectQuestion.target, .name, .tools, .camera, .microphone, .start,
    ])
  func long(question: ConnectQuestion) {
    var conversation = asking(question)
    #expect(says(conversation.receive(.lineTooLong), "longer than"))
    #expect(conversation.state == .asking(question))
    _ = conversation.receive(.lineTooLong)
    #expect(code(conversation.receive(.lineTooLong)) == .usage)
  }

  @Test(
    "the end of input ends it at every question, with the option that says the same",
    arguments: [
      ConnectQuestion.target, .name, .tools, .camera, .microphone, .start,
    ])
  func ended(question: ConnectQuestion) {
    var conversation = asking(question)
    #expect(conversation.state == .asking(question))
    let actions = conversation.receive(.inputEnded)
    #expect(code(actions) == .usage && says(actions, question.option))
  }

  @Test("no at the last question changes nothing")
  func declined() {
    var conversation = asking(.start)
    let actions = conversation.receive(.line("no"))
    #expect(code(actions) == .usage && says(actions, "nothing was changed"))
  }

  // MARK: Interruptions

  @Test("Ctrl-C before the connection changes nothing, and during the wait leaves everything in place")
  func interrupted() {
    var asked = asking(.camera)
    #expect(says(asked.receive(.interrupted), "nothing was changed"))
    var waits = waiting()
    let actions = waits.receive(.interrupted)
    #expect(says(actions, "goes on by itself") && code(actions) == .temporary)
    #expect(lines(actions).count == 1)
    #expect(waits.receive(.interrupted).isEmpty)
  }

  @Test("an event of another state changes nothing")
  func strayEvents() {
    var fresh = conversation()
    #expect(fresh.receive(.line("x")).isEmpty && fresh.state == .new)
    var asked = asking(.tools)
    for event in [
      ConnectEvent.connected, .timeOver, .progress(.online("")), .found([], hasNetwork: true),
      .targetRead(gateway: "x"), .failed(Failure(.usage, "x")),
    ] {
      #expect(asked.receive(event).isEmpty && asked.state == .asking(.tools))
    }
  }

  // MARK: The wait

  @Test("what failed while it connected is the end of it")
  func failed() {
    var conversation = asking(.start)
    _ = conversation.receive(.line("yes"))
    #expect(conversation.receive(.failed(Failure(.temporary, "still counts"))) == [.end(.temporary, "still counts")])
  }

  @Test("the time of the wait is over: the board goes on")
  func timeOver() {
    var conversation = waiting()
    let actions = conversation.receive(.timeOver)
    #expect(says(actions, "10 minutes are over") && code(actions) == .temporary)
  }

  @Test(
    "an agent that is not there, and a state that only a person can end, are believed when they last",
    arguments: [
      (ConnectProgress.absent("not running"), ExitCode.unavailable, "not running"),
      (.stuck("run talon trust"), .temporary, "run talon trust"),
    ])
  func settled(progress: ConnectProgress, ends: ExitCode, words: String) {
    var conversation = waiting()
    for _ in 1..<Budget.connectSettledLooks { #expect(conversation.receive(.progress(progress)) == [.look]) }
    #expect(conversation.receive(.progress(.connecting)) == [.look])
    for _ in 1..<Budget.connectSettledLooks { #expect(conversation.receive(.progress(progress)) == [.look]) }
    let actions = conversation.receive(.progress(progress))
    #expect(says(actions, words) && code(actions) == ends)
  }

  @Test("why the gateway is not reached is told once")
  func reasons() {
    var conversation = waiting()
    #expect(says(conversation.receive(.progress(.waiting("nobody listens"))), "nobody listens"))
    #expect(conversation.receive(.progress(.connecting)) == [.look])
    #expect(conversation.receive(.progress(.waiting("nobody listens"))) == [.look])
    #expect(says(conversation.receive(.progress(.waiting("has no address"))), "has no address"))
  }

  @Test("another request for approval is shown with its command")
  func newRequest() {
    var conversation = waiting()
    _ = conversation.receive(.progress(.needsApproval("openclaw devices approve a")))
    let actions = conversation.receive(.progress(.needsApproval("openclaw devices approve b")))
    #expect(lines(actions).last == "    openclaw devices approve b")
  }

  @Test(
    "the end names the first thing to try, and what the gateway holds back",
    arguments: [
      ("none", "allow", "", "openclaw nodes status"), ("safe", "allow", "", "ask the agent how this board is"),
      ("all", "never", "", "ask the agent how this board is"), ("all", "ask", "", "take a photo with this board"),
      ("all", "allow", "connected, but the gateway allows none", "It is connected, but the gateway allows none"),
    ])
  func firstThing(tools: String, camera: String, held: String, words: String) {
    var conversation = waiting {
      $0.present.tools = tools
      $0.present.camera = camera
    }
    var actions: [ConnectAction] = []
    for _ in 0..<Budget.connectSettledLooks { actions += conversation.receive(.progress(.online(held))) }
    #expect(says(actions, words) && says(actions, "The gateway has accepted this board") && code(actions) == .ok)
    #expect(!says(actions, "Approved."))
  }
}
