@testable import Talk

/// The world around a loop: it opens, records, understands and delivers when asked, and knows what must never happen.
struct LoopWorld {
  var loop: TalkLoop
  var isOpen = false
  var isRecording = false
  var isUnderstanding = false
  var isDelivering = false
  /// A realtime session is asked for, or lasts.
  var isCalling = false
  var starters = 0
  var waiters = 0
  /// Every answer that somebody got.
  var answers: [TalkLoop.Reply] = []
  var broken: [String] = []
  var effects: TalkLoop.Effects = []

  init(speaksReplies: Bool = true, hearsInterruptions: Bool = true, converses: Bool = false) {
    loop = TalkLoop(speaksReplies: speaksReplies, hearsInterruptions: hearsInterruptions, converses: converses)
  }

  @discardableResult
  mutating func take(_ event: TalkLoop.Event) -> TalkLoop.Reply {
    let before = loop.phase
    let step = loop.take(event)
    effects = step.effects
    settle(event, step)
    do_(step.effects)
    check(before, event)
    return step.reply
  }

  private mutating func settle(_ event: TalkLoop.Event, _ step: TalkLoop.Step) {
    // Those who waited before this event are answered first.
    if step.forStarters != .none {
      if starters == 0 { broken.append("an answer for nobody who starts") }
      answers += Array(repeating: step.forStarters, count: starters)
      starters = 0
    }
    if step.forWaiters != .none {
      if waiters == 0 { broken.append("an answer for nobody who waits") }
      answers += Array(repeating: step.forWaiters, count: waiters)
      waiters = 0
    }
    let isCommand = [.start, .stop, .cancel, .once, .listen].contains(event)
    if isCommand, step.reply == .none { broken.append("\(event) without an answer") }
    if !isCommand, step.reply != .none { broken.append("\(event) answered \(step.reply)") }
    if step.reply == .later {
      if event == .start { starters += 1 } else { waiters += 1 }
    } else if isCommand {
      answers.append(step.reply)
    }
  }

  private mutating func do_(_ effects: TalkLoop.Effects) {
    if effects.contains(.dropCapture) { (isRecording, isUnderstanding, isDelivering) = (false, false, false) }
    if effects.contains(.closeCall) {
      if !isCalling { broken.append("left no session") }
      isCalling = false
    }
    if effects.contains(.openCall) {
      if isCalling { broken.append("two sessions") }
      isCalling = true
    }
    if effects.contains(.closeMicrophone) {
      if !isOpen { broken.append("closed twice") }
      isOpen = false
    }
    if effects.contains(.openMicrophone) { isOpen = true }
    if effects.contains(.record) {
      if isRecording { broken.append("records twice") }
      isRecording = true
    }
    if effects.contains(.understand) {
      if !isRecording { broken.append("nothing to understand") }
      (isRecording, isUnderstanding) = (false, true)
    }
    if effects.contains(.deliver) {
      if !isUnderstanding { broken.append("nothing to deliver") }
      (isUnderstanding, isDelivering) = (false, true)
    }
  }

  private mutating func check(_ before: TalkLoop.Phase, _ event: TalkLoop.Event) {
    func claim(_ isTrue: Bool, _ what: String) {
      if !isTrue { broken.append("\(what): \(before) \(event) \(loop.phase)") }
    }
    claim(isOpen == loop.wantsMicrophone, "the microphone is \(isOpen ? "open" : "closed")")
    switch loop.phase {
    case .hearing: claim(isRecording, "does not record")
    case .understanding: claim(isUnderstanding, "does not understand")
    case .sending: claim(isDelivering, "does not deliver")
    case .idle: claim(!loop.isOn, "rests in talk mode")
    case .opening, .thinking, .speaking, .conversing: break
    }
    claim(isCalling == (loop.phase == .conversing), "a session is \(isCalling ? "left behind" : "missing")")
    if case .sending = before, loop.phase.capture == nil { isDelivering = false }
    if loop.phase.capture == nil { claim(!isRecording && !isUnderstanding, "goes on with a capture") }
    let isPush = loop.phase.capture?.isPush == true || loop.phase.capture == .tool
    claim(starters == 0 || isPush, "nobody will answer who starts")
    claim(waiters == 0 || isPush, "nobody will answer who waits")
    if before == .speaking, loop.phase != .speaking { claim(effects.contains(.stopSpeech), "goes on speaking") }
    if before == .thinking || before == .speaking, loop.phase != .thinking, loop.phase != .speaking {
      claim(effects.contains(.dropReply), "waits for a reply")
    }
  }

  /// What the world answers, until nothing is under way but a person's turn.
  mutating func runOut(_ dice: inout Dice) -> Bool {
    for _ in 0..<20 {
      switch loop.phase {
      case .idle: return true
      case .hearing(.turn), .opening(.turn): return true
      case .conversing: take([.callRefused, .callBroken, .callIdle, .microphoneFailed][dice.below(4)])
      case .opening: take(dice.below(4) == 0 ? .microphoneFailed : .opened)
      case .hearing: take(.recorded([.silence, .nothing, .limit][dice.below(3)]))
      case .understanding:
        take([.understood(hasText: true), .understood(hasText: false), .notUnderstood, .uncertain][dice.below(4)])
      case .sending: take(.delivered([.queued, .offline, .notQueued][dice.below(3)]))
      case .thinking: take([.speaks, .silent, .replyFailed][dice.below(3)])
      case .speaking: take([.silent, .interrupted, .replyFailed][dice.below(3)])
      }
    }
    return false
  }
}
