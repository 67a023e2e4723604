/// Events from people and from the gateway's commands.
extension TalkLoop {
  mutating func start(_ step: inout Step) {
    switch phase {
    case .opening(let capture) where capture.isPush: step.reply = .failure(.isStarting)
    case .hearing(let capture) where capture.isPush: step.reply = .isOpen
    case .understanding(let capture) where capture.isPush: step.reply = .failure(.isSubmitting)
    case .sending(let capture) where capture.isPush: step.reply = .failure(.isSubmitting)
    default:
      step.reply = .later
      begin(.hold, &step)
      hasStarters = true
    }
  }

  mutating func stop(_ step: inout Step) {
    guard let capture = phase.capture, capture.isPush else { return step.reply = .status(.idle) }
    switch phase {
    case .opening:
      step.reply = .status(.empty)
      answerStarters(.failure(.isStopped), &step)
      end(.status(.empty), &step)
    case .hearing:
      (step.reply, hasWaiters) = (.later, true)
      enter(.understanding(capture), &step)
    case .understanding, .sending: (step.reply, hasWaiters) = (.later, true)
    case .idle, .thinking, .speaking, .conversing: break
    }
  }

  mutating func cancel(_ step: inout Step) {
    guard let capture = phase.capture, capture.isPush else { return step.reply = .status(.idle) }
    // The text is being sent and cannot be canceled.
    if case .sending = phase { return step.reply = .status(.busy) }
    step.reply = .status(.cancelled)
    answerStarters(.failure(.isStopped), &step)
    end(.status(.cancelled), &step)
  }

  mutating func once(_ step: inout Step) {
    switch phase {
    case .opening(.hold), .hearing(.hold): return step.reply = .status(.busy)
    case .understanding(let capture) where capture.isPush: return step.reply = .status(.busy)
    case .sending(let capture) where capture.isPush: return step.reply = .status(.busy)
    default: break
    }
    // It replaces a capture that is still recording (node-commands 7.4).
    answerWaiters(.status(.cancelled), &step)
    step.reply = .later
    begin(.once, &step)
    hasWaiters = true
  }

  mutating func press(_ step: inout Step) {
    if let capture = phase.capture, capture.isPush {
      // The utterance is being sent: the person must know that nothing is recorded now.
      switch phase {
      case .understanding, .sending: step.effects.insert(.toneFailed)
      default: break
      }
      return
    }
    // A conversation records all the time.
    if phase == .conversing {
      step.effects.insert(.interruptCall)
      return
    }
    begin(.hold, &step)
  }

  mutating func release(_ step: inout Step) {
    switch phase {
    case .opening(.hold):
      answerStarters(.failure(.isStopped), &step)
      end(.status(.empty), &step)
    case .hearing(.hold): enter(.understanding(.hold), &step)
    default: break
    }
  }

  mutating func wake(_ step: inout Step) {
    guard !isOn, phase == .idle || phase == .thinking else { return }
    begin(.wake, &step)
  }

  mutating func talkOn(_ step: inout Step) {
    isOn = true
    if phase == .idle { goOn(&step) }
  }

  mutating func talkOff(_ step: inout Step) {
    isOn = false
    let isReply = phase == .thinking || phase == .speaking
    if phase.capture == .turn || phase == .conversing || isReply && isReplyToTurn { enter(.idle, &step) }
  }

  /// People come first: a tool does not end what they do.
  mutating func listen(_ step: inout Step) {
    guard phase == .idle else { return step.reply = .status(.busy) }
    step.reply = .later
    begin(.tool, &step)
    hasWaiters = true
  }

  mutating func held(_ step: inout Step) {
    isOn = false
    answerStarters(.failure(.held), &step)
    answerWaiters(.failure(.held), &step)
    if phase != .idle { enter(.idle, &step) }
  }
}
