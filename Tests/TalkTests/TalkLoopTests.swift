import Testing

@testable import Talk

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
