import Testing

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

@Suite("Who has the microphone, and what becomes of what it heard")
struct TalkLoopTests {
  static let all: [TalkLoop.Event] = [
    .start, .stop, .cancel, .once, .press, .release, .wake, .talkOn, .talkOff, .opened, .microphoneFailed,
    .recorded(.silence), .recorded(.nothing), .recorded(.limit), .understood(hasText: true),
    .understood(hasText: false),
    .notUnderstood, .uncertain, .delivered(.queued), .delivered(.offline), .delivered(.notQueued), .speaks, .silent,
    .replyFailed,
    .listen, .listenNoMore, .interrupted, .held, .callRefused, .callBroken, .callIdle, .callPossible, .callOver,
  ]

  @Test("a tool hears what is said, and sends nothing; people come first")
  func tool() {
    var world = LoopWorld()
    #expect(world.take(.listen) == .later)
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.understood(hasText: true))
    #expect(world.answers == [.status(.heard)])
    #expect(world.loop.phase == .idle && !world.isDelivering)
    world.take(.listen)
    world.take(.opened)
    world.take(.press)
    #expect(world.answers == [.status(.heard), .status(.cancelled)])
    #expect(world.loop.phase.capture == .hold)
    #expect(world.take(.listen) == .status(.busy))
    #expect(world.broken.isEmpty)
  }

  @Test("push to talk from start to stop, and its reply")
  func push() {
    var world = LoopWorld()
    #expect(world.take(.start) == .later)
    #expect(world.take(.start) == .failure(.isStarting))
    world.take(.opened)
    #expect(world.effects == [.record, .toneListening])
    #expect(world.answers == [.failure(.isStarting), .isOpen])
    #expect(world.take(.start) == .isOpen)
    #expect(world.take(.stop) == .later)
    #expect(world.effects == [.closeMicrophone, .understand])
    #expect(world.take(.start) == .failure(.isSubmitting))
    #expect(world.take(.once) == .status(.busy))
    world.take(.understood(hasText: true))
    #expect(world.take(.cancel) == .status(.busy))
    #expect(world.take(.stop) == .later)
    world.take(.delivered(.queued))
    #expect(world.answers.suffix(2) == [.status(.queued), .status(.queued)])
    #expect(world.loop.phase == .thinking)
    world.take(.speaks)
    #expect(!world.isOpen)
    world.take(.silent)
    #expect(world.loop.phase == .idle)
    #expect(world.broken == [])
  }

  @Test("once submits after silence or its time, and says what became of it")
  func once() {
    for (event, status) in [
      (TalkLoop.Event.delivered(.queued), TalkLoop.Status.queued), (.delivered(.offline), .offline),
      (.delivered(.notQueued), .notQueued),
    ] {
      var world = LoopWorld(speaksReplies: false)
      world.take(.once)
      world.take(.opened)
      world.take(.recorded(.limit))
      world.take(.understood(hasText: true))
      world.take(event)
      #expect(world.answers == [.status(status)] && world.loop.phase == .idle && world.broken == [])
    }
    var world = LoopWorld()
    world.take(.once)
    world.take(.opened)
    world.take(.once)
    #expect(world.answers == [.status(.cancelled)])
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.understood(hasText: false))
    #expect(world.answers == [.status(.cancelled), .status(.empty)] && world.broken == [])
  }

  @Test("where nothing runs, stop and cancel say so; what was cancelled is forgotten")
  func cancel() {
    var world = LoopWorld()
    #expect(world.take(.stop) == .status(.idle))
    #expect(world.take(.cancel) == .status(.idle))
    world.take(.start)
    #expect(world.take(.cancel) == .status(.cancelled))
    #expect(world.answers.last == .status(.cancelled) && world.answers.contains(.failure(.isStopped)))
    world.take(.start)
    world.take(.opened)
    world.take(.stop)
    #expect(world.take(.cancel) == .status(.cancelled))
    #expect(world.effects.contains(.dropCapture))
    #expect(world.loop.phase == .idle && world.waiters == 0 && world.broken == [])
  }

  @Test("a failing microphone, or nothing that understands, is reported, and ends talk mode instead of trying for ever")
  func failures() {
    var world = LoopWorld()
    world.take(.start)
    world.take(.microphoneFailed)
    #expect(world.answers == [.failure(.microphone)])
    world.take(.once)
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.notUnderstood)
    #expect(world.answers.last == .failure(.noRecognizer))
    world.take(.talkOn)
    world.take(.microphoneFailed)
    #expect(world.loop.phase == .idle && !world.loop.isOn && world.broken == [])
  }

  @Test("what is not certain enough is heard to fail, and talk mode goes on")
  func uncertain() {
    var world = LoopWorld()
    world.take(.once)
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.uncertain)
    #expect(world.answers == [.status(.empty)] && world.effects.contains(.toneFailed))
    #expect(world.loop.phase == .idle)
    world.take(.talkOn)
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.uncertain)
    #expect(world.loop.phase == .opening(.turn) && world.loop.isOn && world.broken == [])
  }

  @Test("the button is held to talk")
  func button() {
    var world = LoopWorld()
    world.take(.press)
    world.take(.opened)
    world.take(.release)
    #expect(world.loop.phase == .understanding(.hold))
    world.take(.press)
    #expect(world.effects == [.toneFailed])
    world.take(.understood(hasText: true))
    world.take(.delivered(.queued))
    world.take(.speaks)
    world.take(.press)
    #expect(world.effects == [.stopSpeech, .dropReply, .nameCapture, .openMicrophone])
    world.take(.release)
    #expect(world.loop.phase == .idle && world.broken == [])
  }

  @Test("a wake phrase is heard where nothing else has the microphone, and its command has no reply here")
  func wake() {
    var world = LoopWorld()
    world.take(.wake)
    world.take(.opened)
    world.take(.wake)
    world.take(.recorded(.silence))
    world.take(.understood(hasText: true))
    world.take(.delivered(.queued))
    #expect(world.loop.phase == .idle && world.effects.contains(.toneSent))
    world.take(.wake)
    world.take(.opened)
    world.take(.start)
    #expect(world.loop.phase == .opening(.hold) && world.effects.contains(.dropCapture))
    world.take(.wake)
    #expect(world.loop.phase == .opening(.hold))
    world.take(.held)
    world.take(.wake)
    world.take(.opened)
    world.take(.recorded(.nothing))
    #expect(world.loop.phase == .idle && world.broken == [])
  }

  @Test("talk mode: turn after turn; a person who speaks interrupts; push to talk goes before it")
  func talk() {
    var world = LoopWorld()
    world.take(.talkOn)
    world.take(.opened)
    #expect(world.effects == [.record])
    world.take(.recorded(.silence))
    world.take(.understood(hasText: true))
    world.take(.delivered(.queued))
    #expect(world.loop.phase == .thinking && !world.isOpen)
    world.take(.speaks)
    #expect(world.isOpen)
    world.take(.interrupted)
    #expect(world.loop.phase == .opening(.turn) && world.effects == [.stopSpeech, .dropReply, .openMicrophone])
    world.take(.wake)
    #expect(world.loop.phase == .opening(.turn))
    #expect(world.take(.once) == .later)
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.understood(hasText: false))
    #expect(world.loop.phase == .opening(.turn))
    world.take(.opened)
    world.take(.talkOff)
    #expect(world.loop.phase == .idle && !world.isOpen && world.broken == [])
  }

  @Test("talk mode as a conversation: until it is switched off, silence ends it, or push to talk takes over")
  func conversation() {
    var world = LoopWorld(converses: true)
    world.take(.talkOn)
    #expect(world.loop.phase == .conversing && world.effects == [.openMicrophone, .openCall] && world.isOpen)
    world.take(.press)
    #expect(world.loop.phase == .conversing && world.effects == [.interruptCall])
    #expect(world.take(.start) == .later)
    #expect(world.loop.phase == .opening(.hold) && world.effects.contains(.closeCall) && world.isOpen)
    #expect(world.take(.cancel) == .status(.cancelled))
    #expect(world.loop.phase == .conversing)
    world.take(.callOver)
    #expect(world.effects == [.closeCall, .openMicrophone, .openCall])
    world.take(.talkOff)
    #expect(world.loop.phase == .idle && world.effects == [.closeCall, .closeMicrophone])
    world.take(.talkOn)
    world.take(.callIdle)
    #expect(world.loop.phase == .idle && !world.loop.isOn && world.broken == [])
  }

  @Test(
    "without sessions it goes on in turns: a refusal counts until the gateway is there again, a broken one until the next turn is over"
  )
  func fallback() {
    var world = LoopWorld(speaksReplies: false, converses: true)
    world.take(.talkOn)
    world.take(.callBroken)
    #expect(world.loop.phase == .opening(.turn) && world.effects.contains(.toneFailed))
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.understood(hasText: true))
    world.take(.delivered(.queued))
    world.take(.silent)
    #expect(world.loop.phase == .conversing)
    world.take(.callRefused)
    world.take(.opened)
    world.take(.recorded(.silence))
    world.take(.understood(hasText: false))
    #expect(world.loop.phase == .opening(.turn))
    world.take(.callPossible)
    #expect(world.loop.phase == .conversing)
    world.take(.microphoneFailed)
    #expect(world.loop.phase == .idle && !world.loop.isOn && world.broken == [])
  }

  @Test("where a person holds the board, everything ends and every request is answered")
  func held() {
    for prefix in [[TalkLoop.Event.start], [.start, .opened, .stop], [.talkOn, .opened], [.once, .opened]] {
      var world = LoopWorld(converses: prefix.count == 2)
      for event in prefix { world.take(event) }
      world.take(.held)
      #expect(
        world.loop.phase == .idle && world.starters == 0 && world.waiters == 0 && !world.isOpen && world.broken == [])
    }
  }

  @Test("every event in every state: nothing crashes, and every request is answered")
  func everything() {
    // Breadth first over all states that any events lead to.
    var seen: [TalkLoop] = []
    var worlds = [
      LoopWorld(), LoopWorld(hearsInterruptions: false), LoopWorld(speaksReplies: false), LoopWorld(converses: true),
    ]
    while let world = worlds.popLast() {
      if seen.contains(world.loop) { continue }
      seen.append(world.loop)
      for event in Self.all {
        var next = world
        next.take(event)
        #expect(next.broken == [])
        if !next.broken.isEmpty { return }
        worlds.append(next)
      }
    }
    #expect(seen.count > 100)
  }

  @Test("any order of events: every request is answered once, and the loop becomes idle", arguments: 1...60)
  func anyOrder(seed: Int) {
    var dice = Dice(UInt64(seed))
    var world = LoopWorld(speaksReplies: seed % 3 > 0, hearsInterruptions: seed % 5 > 0, converses: seed % 2 > 0)
    var asked = 0
    for _ in 0..<400 {
      let event = Self.all[dice.below(Self.all.count)]
      if [.start, .stop, .cancel, .once, .listen].contains(event) { asked += 1 }
      world.take(event)
    }
    let isAtRest = world.runOut(&dice)
    #expect(isAtRest)
    #expect(world.broken == [])
    #expect(world.answers.count == asked && world.starters == 0 && world.waiters == 0)
  }
}
