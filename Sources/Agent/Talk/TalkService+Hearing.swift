import Codec
import Gateway
import Runtime
import Talk

/// From sound to text: by the gateway where it can, else by the board itself.
extension TalkService: TranscriptionOwner, RecogniserOwner {
  func record() {
    guard let capture = loop.phase.capture else { return }
    transcript.clear()
    recorder.begin(limits(capture))
    if let desk, desk.session.state == .online { transcription?.begin(self) }
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
    guard let failure else { return understood() }
    understandHere(failure)
  }

  private func understandHere(_ failure: DeskFailure?) {
    if let recogniser = parts.recogniser, recogniser.recognise(recorder.samples, self) { return }
    // Part of what was said is better than nothing, where nobody else can tell the rest.
    if transcript.count > 0 { return understood() }
    notUnderstood(failure)
  }

  private func notUnderstood(_ failure: DeskFailure?) {
    log.write(.warning, "talk") { line in
      line.add("nothing can understand speech now: ")
      if let failure { line.add(failure.sentence.span) } else { line.add("the gateway is not reachable, and this board has no recogniser") }
    }
    take(.notUnderstood)
  }

  public func recognised(_ text: UnsafeBufferPointer<UInt8>, confidence: Float) {
    guard case .understanding = loop.phase else { return }
    transcript.clear()
    if confidence >= settings.leastConfidence { transcript.add(Span(_unsafeElements: text)) }
    log.write(.info, "talk") { line in
      line.add("understood here with a confidence of ")
      line.add(Int(max(0, min(1, confidence)) * 100))
      line.add(confidence >= self.settings.leastConfidence ? " %" : " %: too little")
    }
    understood()
  }

  public func notRecognised() {
    guard case .understanding = loop.phase else { return }
    notUnderstood(nil)
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
