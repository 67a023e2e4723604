import Canvas
import Codec
import Consent
import Device
import Gateway
import Locales
import Node
import Runtime

/// The board's own texts on the screen, besides the agent's content.
extension Screen {
  /// Texts in front of all content.
  var overlayFacts: OverlayFacts {
    var facts = OverlayFacts()
    let live = table.live
    facts.isCameraLive = live.contains(.camera)
    facts.isMicrophoneLive = live.contains(.microphone)
    facts.isRecorded = recordings.isRecording
    facts.isHeld = isHeld
    facts.consent = consentFacts
    facts.approval = approvalFacts
    switch voice?.voicePhase {
    case nil, .resting: facts.orb = .none
    case .listening: facts.orb = .listening
    case .understanding: facts.orb = .understanding
    case .speaking: facts.orb = .speaking
    }
    facts.orbLevel = voice?.voiceLevel ?? 0
    facts.grant = grantFacts
    switch notices.notice?.level {
    case nil: facts.border = .none
    case .passive: facts.border = .passive
    case .notify: facts.border = .notify
    case .active: facts.border = .active
    case .interrupt: facts.border = .interrupt
    case .urgent: facts.border = .urgent
    }
    return facts
  }

  private var consentFacts: ConsentFacts? {
    guard let question = consent?.question else { return linkFacts }
    var facts = ConsentFacts()
    facts.number = question.number
    facts.sentence.fill { buffer in
      var line = LogLine(buffer)
      question.writeSentence(to: &line)
      return line.count
    }
    facts.isOnceOnly = question.isOnceOnly
    (facts.askedAt, facts.until) = (question.shownAt, question.until)
    let hasSubject = !question.subject.isEmpty
    var words = InlineText<500>()
    words.fill { buffer in
      var line = LogLine(buffer)
      question.writeWords(to: &line)
      return line.count
    }
    guard hasSubject else {
      facts.purpose = InlineText(cutting: words.span)
      return facts
    }
    facts.purpose.fill { buffer in
      var line = LogLine(buffer)
      question.subject.write(to: &line)
      return line.count
    }
    (facts.mustShowAll, facts.mostLines) = (true, 24)
    facts.preview = words
    return facts
  }

  /// The question about a link, while the agent asks for nothing.
  private var linkFacts: ConsentFacts? {
    guard let question = links?.question else { return nil }
    var facts = ConsentFacts()
    facts.kind = .link
    facts.number = question.number
    facts.sentence = InlineText(cutting: question.sentence)
    var left = 0
    facts.purpose.fill { buffer in
      var line = LogLine(buffer)
      line.add("It says: ")
      left = line.quote(question.message.span, most: 780)
      return line.count
    }
    facts.isCut = question.isCut || left > 0
    // What is not shown to its end cannot be sent, so as much of it as there is room for.
    facts.mostLines = 24
    facts.preview.fill { buffer in
      var line = LogLine(buffer)
      line.quote(question.preview.span, most: 490)
      return line.count
    }
    (facts.askedAt, facts.until) = (question.askedAt, question.until)
    return facts
  }

  private var approvalFacts: ConsentFacts? {
    guard let approval = shownApproval else { return nil }
    var facts = ConsentFacts()
    facts.kind = .request
    facts.number = approval.number
    facts.sentence.fill { buffer in
      var line = LogLine(buffer)
      approval.writeSentence(to: &line)
      return line.count
    }
    var left = 0
    facts.purpose.fill { buffer in
      var line = LogLine(buffer)
      left = line.quote(approval.subject.span, approval.kind == .program ? .exact : .words, most: 560)
      if !approval.place.isEmpty {
        line.add(" ")
        line.quote(approval.place.span, most: 210)
      }
      return line.count
    }
    facts.isCut = approval.isCut || left > 0
    // What is not shown to its end cannot be allowed, so as much of it as there is room for.
    facts.mostLines = 24
    (facts.askedAt, facts.until) = (approval.askedAt, approval.until)
    return facts
  }

  private var grantFacts: GrantFacts? {
    guard let consent else { return nil }
    var granted = consent.granted
    guard !granted.isEmpty else { return nil }
    var facts = GrantFacts()
    facts.end = consent.grantEnd
    facts.names.fill { buffer in
      var line = LogLine(buffer)
      var isFirst = true
      while let permission = granted.popFirst() {
        line.add(isFirst ? "" : ", ")
        line.add(permission.word)
        isFirst = false
      }
      return line.count
    }
    return facts
  }

  /// The texts of home: the board's name, the state of the connection, and what a person has to do.
  var homeFacts: HomeFacts {
    var facts = HomeFacts()
    facts.name = displayName
    facts.state = InlineText(cutting: session.state.word)
    facts.sentence.fill { buffer in
      var line = LogLine(buffer)
      line.add(session.explanation.span)
      writeTrust(to: &line)
      return line.count
    }
    facts.link = session.state == .online ? .up : .down
    if session.state != .online, let wanted = table.wanted { facts.sentence = InlineText(cutting: wanted) }
    facts.time = timeOfDay
    facts.date = written(clock.wall, as: .whole)
    facts.minute = clock.wall / 60_000
    addMessage(to: &facts)
    addUses(to: &facts)
    sayChat(in: &facts)
    if session.state == .online, table.awaitsApproval || desk?.policy.awaitsApprovalAlone == true {
      facts.sentence = InlineText(cutting: "The gateway waits for somebody to approve what this board can do.")
      facts.command = approvalCommand
      facts.page = session.controlPage
    }
    guard session.state == .awaitingApproval else { return facts }
    // One sentence and one command: the state's word says nothing more, and its sentence has the command as well.
    facts.state.clear()
    facts.sentence.fill { buffer in
      var line = LogLine(buffer)
      session.writeApprovalReason(to: &line)
      return line.count
    }
    facts.command.fill { buffer in
      var line = LogLine(buffer)
      session.writeApproval(to: &line)
      return line.count
    }
    facts.page = session.controlPage
    return facts
  }

  /// By what the gateway is known, and until when that holds.
  private func writeTrust(to line: inout LogLine) {
    guard session.state == .online, session.isSecure else { return }
    line.add("; known by ")
    line.add(session.trustWord)
    guard let until = session.vouchedUntil else { return }
    line.add(", its certificate ends ")
    line.add(ISO8601(unixMilliseconds: until).text.extracting(first: 10))
  }

  /// What the agent wants a person to know, or has said last in the conversation.
  private func addMessage(to facts: inout HomeFacts) {
    if let notice = notices.notice {
      facts.message = InlineText(cutting: notice.text.span)
      return
    }
    guard let log = commands.face.chat?.log else { return }
    var index = log.count - 1
    while index >= 0, log[index].role != .agent || log.isBlank(index) { index -= 1 }
    guard index >= 0 else { return }
    if let conversation { facts.agent = conversation.agentName }
    facts.message = InlineText(cutting: log.text(index))
  }

  /// What was used last, and by whose leave.
  private func addUses(to facts: inout HomeFacts) {
    guard let consent, session.state == .online || desk?.standsIn == true else { return }
    for back in 0..<3 {
      guard let use = consent.use(back: back) else { return }
      var text = InlineText<96>()
      text.fill { buffer in
        var line = LogLine(buffer)
        let time: InlineText<48> = written(use.wall, as: .time)
        line.add(time.span)
        line.add(time.isEmpty ? "" : "  ")
        use.writeSentence(to: &line)
        return line.count
      }
      facts.uses.append(text)
    }
  }

  /// What to type on the gateway's machine for the board's commands: with the id of their request, where the operator
  /// connection has read it.
  private var approvalCommand: InlineText<192> {
    var command = InlineText<192>()
    let request = desk?.policy.pendingRequest ?? InlineText()
    command.fill { buffer in
      var line = LogLine(buffer)
      line.add(request.isEmpty ? "openclaw nodes pending" : "openclaw nodes approve ")
      line.add(code: request.span)
      return line.count
    }
    return command
  }

  /// Whether a person can talk to the agent, or what has to be done first.
  private func sayChat(in facts: inout HomeFacts) {
    guard commands.face.chat != nil else { return }
    guard let desk else {
      facts.noChat = InlineText(cutting: "Chat needs enabled = yes in [operator] of talon.conf")
      return
    }
    let granted = desk.session.hello.scopes
    let isOnline = desk.session.state == .online
    // A gateway that does not list scopes grants those that were requested. The board's own agent needs none.
    facts.canChat = desk.standsIn || isOnline && (granted.isEmpty || granted.contains(.console))
    guard !facts.canChat else { return }
    facts.noChat.fill { buffer in
      var line = LogLine(buffer)
      line.add("Chat: ")
      if isOnline {
        line.add("the console connection lacks operator.read or operator.write in its scopes")
      } else {
        line.add(desk.unavailable.sentence.span)
      }
      return line.count
    }
  }

  /// Hours and minutes in the board's time zone; empty while the board does not know the date.
  private var timeOfDay: InlineText<48> { written(clock.wall, as: .time) }

  /// A time of the wall as the screen's locale writes it; empty while the board does not know the time.
  func written<let size: Int>(_ wall: Int64, as form: Locale.DateForm) -> InlineText<size> {
    guard BelievableDate.contains(wall) else { return InlineText() }
    let minutes = commands.offset(wall)
    let local = LocalTime(wallMilliseconds: wall.adding(clamping: minutes.multiplied(clamping: 60_000)))
    return parts.locale.text(local, as: form)
  }
}
