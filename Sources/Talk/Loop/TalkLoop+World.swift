/// Events from devices, recognizers and the gateway.
extension TalkLoop {
  mutating func opened(_ step: inout Step) {
    guard case .opening(let capture) = phase else { return }
    enter(.hearing(capture), &step)
    answerStarters(.isOpen, &step)
    if capture != .turn { step.effects.insert(.toneListening) }
  }

  mutating func microphoneFailed(_ step: inout Step) {
    switch phase {
    case .opening, .hearing, .conversing: fail(.microphone, &step)
    // Then the reply cannot be interrupted.
    case .idle, .understanding, .sending, .thinking, .speaking: break
    }
  }

  mutating func recorded(_ end: UtteranceRecorder.End, _ step: inout Step) {
    guard case .hearing(let capture) = phase else { return }
    if end == .nothing { return self.end(.status(.empty), &step) }
    enter(.understanding(capture), &step)
  }

  mutating func understood(_ hasText: Bool, _ step: inout Step) {
    guard case .understanding(let capture) = phase else { return }
    if capture == .tool { return end(.status(hasText ? .heard : .empty), &step) }
    if hasText { enter(.sending(capture), &step) } else { end(.status(.empty), &step) }
  }

  mutating func notUnderstood(_ step: inout Step) {
    guard case .understanding = phase else { return }
    fail(.noRecognizer, &step)
  }

  /// A tone tells the person to say it again.
  mutating func uncertain(_ step: inout Step) {
    guard case .understanding = phase else { return }
    step.effects.insert(.toneFailed)
    end(.status(.empty), &step)
  }

  mutating func delivered(_ status: Status, _ step: inout Step) {
    guard case .sending(let capture) = phase else { return }
    let isTaken = status == .queued
    step.effects.insert(isTaken ? .toneSent : .toneFailed)
    answerWaiters(.status(status), &step)
    // The gateway's reply to a transcript after the wake phrase does not come here (node-commands 6.5).
    let isOwn = capture == .wake && repliesToWakes
    let hasReply = isTaken && (capture == .turn || (capture.isPush || isOwn) && speaksReplies)
    guard hasReply else { return rest(&step) }
    isReplyToTurn = isOn
    enter(.thinking, &step)
  }

  mutating func replyFailed(_ step: inout Step) {
    guard phase == .thinking || phase == .speaking else { return }
    step.effects.insert(.toneFailed)
    rest(&step)
  }

  mutating func interrupted(_ step: inout Step) {
    guard phase == .speaking else { return }
    rest(&step)
  }

  /// Events of a realtime session.
  mutating func call(_ event: Event, _ step: inout Step) {
    if event == .callPossible {
      isRefused = false
      if phase == .opening(.turn) || phase == .hearing(.turn) { goOn(&step) }
      return
    }
    guard phase == .conversing else { return }
    switch event {
    case .callIdle:
      isOn = false
      step.effects.insert(.toneSent)
      enter(.idle, &step)
    case .callOver: enter(.conversing, &step)
    default:
      // Talk mode continues in turns; a broken session is requested again after the next turn.
      if event == .callRefused { isRefused = true } else { step.effects.insert(.toneFailed) }
      begin(.turn, &step)
    }
  }

  /// Without microphone or recognition talk mode would retry for ever, so it is switched off.
  private mutating func fail(_ failure: Failure, _ step: inout Step) {
    isOn = false
    step.effects.insert(.toneFailed)
    answerStarters(.failure(failure), &step)
    end(.failure(failure), &step)
  }
}
