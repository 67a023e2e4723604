import Codec
import Gateway
import Node
import Runtime
import Talk

/// From text to the agent, and from its reply to speech.
extension TalkService: DeskDelegate, ReplyVoiceDelegate {
  /// Timeout in milliseconds of a reply (node-commands 7.1).
  private static let runTimeout: Int64 = 30_000

  // MARK: To the agent

  func deliver() {
    guard let capture = loop.phase.capture else { return }
    recorder.clear()
    echo.forget()
    guard rate.allows(at: clock.monotonic) else {
      log.write(.warning, "talk") { line in
        line.add("the message was not sent: there were already ")
        line.add(Int64(Budget.voiceMessagesInMinute))
        line.add(" messages within a minute")
      }
      return take(.delivered(.notQueued))
    }
    // What the outbox has goes to the gateway, and nowhere else.
    loop.repliesToWakes = desk?.standsIn == true
    if capture == .wake, !loop.repliesToWakes { return take(.delivered(post(routes.target(of: phrase.span)))) }
    guard let desk, desk.canTalk else { return deliverLater() }
    chatTag += 1
    replyDue = clock.monotonic + OperatorDesk.timeout
    let length = compose(into: desk.text.bytes)
    let message = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(desk.text.bytes)[..<length])
    let timeout = Self.runTimeout
    desk.say(length, UUIDText.make(desk.random), in: desk.mainSession, self, chatTag) { writer in
      writer.string(Span(_unsafeElements: message))
      writer.key("thinking")
      writer.string("low")
      writer.key("timeoutMs")
      writer.int(timeout)
    }
  }

  /// The operator connection is lost: the message goes over the node connection, now or when that is back.
  private func deliverLater() {
    let status = post(.main)
    let isSent = status == .queued && outbox.isOnline
    take(.delivered(status == .queued && !isSent ? .offline : status))
    // The reply comes only on the operator connection.
    if isSent { take(.silent) }
  }

  /// Writes the message, with what the agent has to know about how its reply is spoken.
  private func compose(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = ByteWriter(into: buffer)
    if loop.speaksReplies || loop.isOn {
      writer.text("[Spoken through a board; the reply is read aloud: short sentences, no lists, no code.")
      if let interruptedAt {
        writer.text(" The last reply was interrupted after ")
        writer.decimal(interruptedAt / 1000)
        writer.text(" s.")
      }
      writer.text("]\n")
    }
    interruptedAt = nil
    writeTranscript(to: &writer)
    return writer.count
  }

  /// The transcript; when the board recognized it itself, after a line that says how far it can be trusted, because
  /// events have no member for that.
  private func writeTranscript(to writer: inout ByteWriter) {
    if let ownConfidence {
      writer.text("[Understood on the board, which expects ")
      writer.decimal(Int64(clamping: ownConfidence * 100))
      writer.text(" % of the words to be right.]\n")
    }
    writer.bytes(Span(_unsafeElements: transcript.bytes))
  }

  /// Posts the transcript to the outbox: it has an `eventId`, and an age limit of minutes (node-commands 6.5). Each of
  /// the two events starts a run of the agent, so only one is sent: after a wake phrase `agent.request` if configured.
  private func post(_ target: VoiceRoutes.Target) -> TalkLoop.Status {
    let isRequest = settings.sendsRequests && loop.phase.capture == .wake
    var line = ByteWriter(into: eventText.bytes)
    writeTranscript(to: &line)
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(eventText.bytes)[..<line.count])
    let name: StaticString = isRequest ? "agent.request" : "voice.transcript"
    let post = outbox.post(name, ageLimit: Outbox.speechAge, hasID: !isRequest) { writer in
      writer.key(isRequest ? "message" : "text")
      writer.string(Span(_unsafeElements: text))
      if case .session(let key) = target {
        let session = key
        writer.key("sessionKey")
        writer.string(session.span)
      }
      if isRequest {
        writer.key("thinking")
        writer.string("low")
      }
    }
    return post == .tooLarge ? .notQueued : .queued
  }

  public func deskAnswered(_ tag: Int, _ payload: borrowing JSONView) {
    guard tag == chatTag, case .sending = loop.phase else { return }
    beginReply()
    take(.delivered(.queued))
    if loop.phase != .thinking { dropReply() }
  }

  public func deskFailed(_ tag: Int, _ failure: DeskFailure) {
    guard tag == chatTag else { return }
    log.write(.warning, "talk") { line in
      line.add("the message has no reply: ")
      line.add(failure.sentence.span)
    }
    if case .sending = loop.phase {
      return take(.delivered(failure.code.equals(DeskFailure.noOperator.utf8Bytes) ? .offline : .notQueued))
    }
    replyDue = nil
    take(.replyFailed)
  }

  // MARK: The reply

  private func beginReply() {
    head.reset()
    spoken.reset()
    (hasVoiceBegun, isTooLong, isLate) = (false, false, false)
    replyDue = clock.monotonic + Budget.replyMilliseconds
  }

  func dropReply() {
    desk?.forget(self, chatTag)
    chatTag += 1
    replyDue = nil
  }

  /// A reply that was missed is in the history, which is read once.
  func replyIsLate(_ now: Int64) {
    if case .sending = loop.phase {
      // The connection was lost with the message: whether the gateway has it is unknown, and the person is told so.
      dropReply()
      log.write(.warning, "talk", "the gateway did not confirm the message; see talon history")
      return take(.delivered(.notQueued))
    }
    guard loop.phase == .thinking || loop.phase == .speaking else { return replyDue = nil }
    guard !isLate else {
      replyDue = nil
      desk?.forget(self, chatTag)
      log.write(.warning, "talk", "no reply arrived, and the history has none")
      return take(.replyFailed)
    }
    isLate = true
    replyDue = now + Budget.replyGraceMilliseconds
    desk?.catchUpRuns()
  }

  public func chatTextReceived(_ tag: Int, _ text: Span<UInt8>, isReplacement: Bool) {
    guard tag == chatTag else { return }
    // The gateway's reply may begin before its response.
    if case .sending = loop.phase { deskAnswered(tag, JSONView(("{}" as StaticString).utf8Bytes)) }
    guard loop.phase == .thinking || loop.phase == .speaking else { return }
    if isReplacement {
      head.reset()
      spoken.reset()
      voice?.forgetWaiting()
    }
    head.add(text) { self.speak($0) }
  }

  private func speak(_ text: Span<UInt8>) {
    beginVoice()
    spoken.add(text) { self.say($0) }
  }

  private func beginVoice() {
    if hasVoiceBegun { return }
    hasVoiceBegun = true
    if let directive = head.directive, directive.unknownKeys.count > 0 {
      log.write(.info, "talk") { line in
        line.add("a voice directive has unknown keys:")
        for index in 0..<directive.unknownKeys.count {
          line.add(" ")
          let name = directive.unknownKeys[index]
          line.add(name.span)
        }
      }
    }
    voice?.begin(choice.take(head.directive))
  }

  private func say(_ sentence: Span<UInt8>) {
    guard let voice else { return }
    audience?.talkTextReceived(sentence, isAgent: true)
    if voice.say(sentence) { return echo.speak(sentence) }
    if isTooLong { return }
    isTooLong = true
    log.write(.notice, "talk", "the reply is too long to be spoken: its end is at the gateway")
  }

  public func chatCut(_ tag: Int) {}

  public func chatStep(_ tag: Int, _ step: ChatStep) {}

  public func chatEnded(_ tag: Int, isAborted: Bool) {
    guard tag == chatTag else { return }
    if case .sending = loop.phase { deskAnswered(tag, JSONView(("{}" as StaticString).utf8Bytes)) }
    replyDue = nil
    guard loop.phase == .thinking || loop.phase == .speaking else { return }
    head.finish { self.speak($0) }
    spoken.finish { self.say($0) }
    guard let voice, hasVoiceBegun else { return take(.silent) }
    voice.finish()
  }

  // MARK: The voice

  func voiceBegan() { take(.speaks) }
  func voiceEnded() { take(.silent) }

  func voiceIsOwn(_ reason: InlineText<256>) {
    log.write(.notice, "talk") { line in
      line.add("the board speaks with its own voice: ")
      line.add(reason.span)
    }
  }

  func voiceFailed(_ reason: InlineText<256>) {
    log.write(.warning, "talk") { line in
      line.add("the reply cannot be spoken: ")
      line.add(reason.span)
    }
    take(.replyFailed)
  }
}
