import Codec
import Gateway
import Node
import Runtime
import Talk

/// From sound to text: by the gateway when possible, else by the board itself.
extension TalkService: TranscriptionDelegate, RecognizerDelegate {
  func record() {
    guard let capture = loop.phase.capture else { return }
    transcript.clear()
    ownConfidence = nil
    recorder.begin(limits(capture))
    if let desk, desk.session.state == .online { transcription?.begin(self) } else { parts.recognizer?.prepare() }
  }

  private func limits(_ capture: TalkLoop.Capture) -> UtteranceRecorder.Limits {
    switch capture {
    case .wake: return .wake
    case .hold: return .hold
    case .once: return .once
    case .tool:
      return UtteranceRecorder.Limits(silence: Budget.commandSilenceMilliseconds, nothing: nil, whole: listening)
    case .turn:
      var limits = UtteranceRecorder.Limits.turn
      limits.silence = settings.turnSilence
      // The tone that ended the earlier state is not the beginning of an utterance.
      if toneMilliseconds > 0 { limits.ignoredLeadIn = toneMilliseconds + Self.echo }
      return limits
    }
  }

  /// The recording is complete: recognizes it.
  func understand() {
    recorder.end()
    if let transcription, transcription.isActive { return transcription.commit() }
    understandHere(nil)
  }

  func dropCapture() {
    transcription?.drop()
    parts.recognizer?.cancel()
    recorder.clear()
  }

  func transcriptionEnded(_ failure: DeskFailure?) {
    // When the gateway's session ended on a partial result, the recording is recognized here.
    if failure == nil, !transcript.dropGuess() { return understood() }
    understandHere(failure ?? DeskFailure("UNCERTAIN", "the gateway sent only partial results"))
  }

  private func understandHere(_ failure: DeskFailure?) {
    if let recognizer = parts.recognizer, recognizer.recognize(recorder.samples, self) { return }
    if transcript.isCertain { return understood() }
    var reason = InlineText<256>(cutting: "the gateway is not reachable, and this board has no recognizer")
    if let failure { reason = InlineText(cutting: failure.sentence.span) }
    notUnderstood(reason)
  }

  /// The gateway's final results count, even when the rest is missing. A partial result is too unreliable for the
  /// agent.
  private func notUnderstood(_ reason: InlineText<256>) {
    if transcript.isCertain { return understood() }
    log.write(.warning, "talk") { line in
      line.add("speech cannot be recognized now: ")
      line.add(reason.span)
    }
    take(.notUnderstood)
  }

  public func recognized(_ text: UnsafeBufferPointer<UInt8>, confidence: Float) {
    guard case .understanding = loop.phase else { return }
    let isBlank = !text.contains { $0 > UInt8(ascii: " ") }
    let isConfident = confidence >= Float(settings.leastConfidence)
    log.write(.info, "talk") { line in
      if isBlank { return line.add("recognized no words here") }
      line.add("recognized here with a confidence of ")
      line.add(Int(clamping: confidence.bounded(0, 1) * 100))
      line.add(isConfident ? " %" : " %: too little")
    }
    if isBlank || isConfident {
      transcript.clear()
      transcript.add(Span(_unsafeElements: text))
      ownConfidence = isBlank ? nil : max(0, min(1, confidence))
      return understood()
    }
    if transcript.isCertain { understood() } else { take(.uncertain) }
  }

  public func recognitionFailed(_ reason: InlineText<256>) {
    guard case .understanding = loop.phase else { return }
    notUnderstood(reason)
  }

  /// The transcript is complete: decides whether it is for the agent.
  private func understood() {
    guard let capture = loop.phase.capture else { return }
    if capture == .wake { cutWakePhrase() }
    if transcript.isCut { log.write(.warning, "talk", "more was said than fits into a message: its end was cut") }
    let text = transcript.bytes
    var isForAgent = !text.isEmpty
    if isForAgent, !capture.isPush, capture != .tool {
      let isOwn = capture == .turn && echo.isOwnVoice(Span(_unsafeElements: text))
      let isRepeat = echo.isRepeat(Span(_unsafeElements: text), at: clock.monotonic)
      isForAgent = !isOwn && !isRepeat
    }
    if isForAgent, capture != .tool { audience?.talkTextReceived(Span(_unsafeElements: text), isAgent: false) }
    take(.understood(hasText: isForAgent))
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
