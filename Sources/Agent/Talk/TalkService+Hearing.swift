import Codec
import Gateway
import Runtime
import Talk

/// From sound to text: by the gateway where it can, else by the board itself.
extension TalkService: TranscriptionOwner, RecogniserOwner {
  func record() {
    guard let capture = loop.phase.capture else { return }
    transcript.clear()
    ownConfidence = nil
    recorder.begin(limits(capture))
    if let desk, desk.session.state == .online { transcription?.begin(self) } else { parts.recogniser?.prepare() }
  }

  private func limits(_ capture: TalkLoop.Capture) -> UtteranceRecorder.Limits {
    switch capture {
    case .wake: return .wake
    case .hold: return .hold
    case .once: return .once
    case .turn:
      var limits = UtteranceRecorder.Limits.turn
      limits.silence = settings.turnSilence
      // The tone that told of what was before is nobody's first word.
      if toneMilliseconds > 0 { limits.deaf = toneMilliseconds + Self.echo }
      return limits
    }
  }

  /// The recording is over: understand it.
  func understand() {
    recorder.end()
    if let transcription, transcription.isActive { return transcription.commit() }
    understandHere(nil)
  }

  func dropCapture() {
    transcription?.drop()
    parts.recogniser?.cancel()
    recorder.clear()
  }

  func transcriptionEnded(_ failure: DeskFailure?) {
    // A gateway that ends on a guess owes what was really said.
    if failure == nil, !transcript.dropGuess() { return understood() }
    understandHere(failure ?? DeskFailure("UNCERTAIN", "the gateway has only guessed what was said"))
  }

  private func understandHere(_ failure: DeskFailure?) {
    if let recogniser = parts.recogniser, recogniser.recognise(recorder.samples, self) { return }
    if transcript.isCertain { return understood() }
    var reason = InlineText<256>(cutting: "the gateway is not reachable, and this board has no recogniser")
    if let failure { reason = InlineText(cutting: failure.sentence.span) }
    notUnderstood(reason)
  }

  /// What the gateway was certain of counts, whatever became of the rest. A guess is no order for an agent.
  private func notUnderstood(_ reason: InlineText<256>) {
    if transcript.isCertain { return understood() }
    log.write(.warning, "talk") { line in
      line.add("nothing can understand speech now: ")
      line.add(reason.span)
    }
    take(.notUnderstood)
  }

  public func recognised(_ text: UnsafeBufferPointer<UInt8>, confidence: Float) {
    guard case .understanding = loop.phase else { return }
    let isNothing = !text.contains { $0 > UInt8(ascii: " ") }
    let isSure = confidence >= settings.leastConfidence
    log.write(.info, "talk") { line in
      if isNothing { return line.add("nothing was heard in it here") }
      line.add("understood here with a confidence of ")
      line.add(Int(clamping: confidence.bounded(0, 1) * 100))
      line.add(isSure ? " %" : " %: too little")
    }
    if isNothing || isSure {
      transcript.clear()
      transcript.add(Span(_unsafeElements: text))
      ownConfidence = isNothing ? nil : max(0, min(1, confidence))
      return understood()
    }
    if transcript.isCertain { understood() } else { take(.uncertain) }
  }

  public func notRecognised(_ reason: InlineText<256>) {
    guard case .understanding = loop.phase else { return }
    notUnderstood(reason)
  }

  /// The transcript is whole: what of it is meant for the agent?
  private func understood() {
    guard let capture = loop.phase.capture else { return }
    if capture == .wake { cutWakePhrase() }
    if transcript.isCut { log.write(.warning, "talk", "more was said than a message takes: its end is left out") }
    let text = transcript.bytes
    var isMeant = !text.isEmpty
    if isMeant, !capture.isPush {
      let isOwn = capture == .turn && echo.isOwnVoice(Span(_unsafeElements: text))
      let isRepeat = echo.isRepeat(Span(_unsafeElements: text), at: clock.monotonic)
      isMeant = !isOwn && !isRepeat
    }
    if isMeant { audience?.talkSaid(Span(_unsafeElements: text), isAgent: false) }
    take(.understood(hasText: isMeant))
  }

  private func cutWakePhrase() {
    let phrase = self.phrase
    let desk = self.desk
    let range = WakeText.command(
      in: Span(_unsafeElements: transcript.bytes), heard: phrase.span, others: desk?.wakePhrases.count ?? 0
    ) { index, body in
      if let desk { body(Span(_unsafeElements: desk.wakePhrases[index])) }
    }
    transcript.keep(range)
  }
}
