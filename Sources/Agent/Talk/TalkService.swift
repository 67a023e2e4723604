import Codec
import Gateway
import Runtime
import Talk

/// What a board needs to talk; nil where it has none.
public struct TalkParts {
  public var microphone: any TalkMicrophone
  public var speaker: (any TalkSpeaker)?
  public var recogniser: (any LocalRecogniser)?
  public var voice: (any LocalVoice)?

  /// The parts; see the properties.
  public init(
    microphone: any TalkMicrophone, speaker: (any TalkSpeaker)? = nil, recogniser: (any LocalRecogniser)? = nil,
    voice: (any LocalVoice)? = nil
  ) {
    self.microphone = microphone
    self.speaker = speaker
    self.recogniser = recogniser
    self.voice = voice
  }
}

/// Listens to people and speaks to them: does what `TalkLoop` decides. What it does on its devices is here, how it understands in
/// `TalkService+Hearing`, what it says to the gateway and to people in `TalkService+Saying`.
public final class TalkService: TalkListener {
  /// The answer to one event may be another, which waits here: each is done before the next begins. A device or the gateway
  /// refuses at once in the worst case, and each refusal brings one.
  private static let mostEvents = 16

  let settings: TalkSettings
  let parts: TalkParts
  let outbox: Outbox
  private(set) var desk: OperatorDesk?
  let clock: any Clock
  let log: Log
  private let random: any RandomSource
  let recorder: UtteranceRecorder
  let transcript = Transcript()
  /// Where the text of an event is put together.
  let eventText = FixedBuffer(capacity: Budget.transcriptEventBytes)
  /// How sure the board's own recogniser is of the transcript; nil: the gateway understood it.
  var ownConfidence: Float?
  private(set) var transcription: Transcription?
  private(set) var realtime: RealtimeSession?
  private(set) var voice: ReplyVoice?
  /// What the recogniser makes of what a person at the board says who looks; nil: there is no recogniser.
  private(set) var words: WordMeter?
  private let tones: TonePlayer?
  private var events = BoundedQueue<TalkLoop.Event>(capacity: TalkService.mostEvents)
  private var isTaking = false
  private var interrupts = InterruptGate()
  /// The microphone was closed since the last sound.
  private var isStale = false
  unowned(unsafe) var commands: TalkCommands?
  /// Who asked at the board, and who reads along. Both live as long as the service, or take themselves away.
  unowned(unsafe) var console: (any TalkWaiter)?
  unowned(unsafe) var audience: (any TalkAudience)?
  /// Falls silent when somebody talks. Lives as long as the agent.
  unowned(unsafe) var announcer: Announcer?
  /// What is decided.
  public private(set) var loop: TalkLoop
  /// The name of the last push to talk.
  private(set) var captureID = InlineText<64>()
  /// Why the microphone failed last.
  private(set) var microphoneFailure: MicrophoneFailure?

  /// The wake phrase that was heard.
  var phrase = InlineText<192>()
  var routes = VoiceRoutes()
  var echo = EchoGuard()
  let head = ReplyHead()
  let spoken = SpokenText()
  var choice = VoiceChoice()
  /// The reply that is awaited, its deadline, and whether the history was looked at already.
  var chatTag = 0
  var replyDue: Int64?
  var isLate = false
  var hasVoiceBegun = false
  var isTooLong = false
  var rate = MessageRate()
  /// What the talk button's press met.
  var tap = Tap()
  /// Milliseconds after which a person interrupted the last reply.
  var interruptedAt: Int64?

  /// A service that waits for somebody to talk.
  public init(
    _ parts: TalkParts, settings: TalkSettings, outbox: Outbox, clock: any Clock, random: any RandomSource, log: Log
  ) throws(Errno) {
    self.parts = parts
    self.settings = settings
    self.outbox = outbox
    self.clock = clock
    self.random = random
    self.log = log
    recorder = try UtteranceRecorder()
    if settings.isEnabled, let recogniser = parts.recogniser {
      words = try WordMeter(
        recogniser, silence: settings.turnSilence, leastConfidence: settings.leastConfidence, clock: clock)
    }
    let hasSpeaker = parts.speaker != nil
    loop = TalkLoop(
      speaksReplies: settings.speaksReplies && hasSpeaker, hearsInterruptions: settings.hearsInterruptions && hasSpeaker,
      converses: settings.converses && hasSpeaker)
    if settings.converses, !hasSpeaker { log.write(.warning, "talk", "a conversation needs a speaker, and there is none: talk mode is turns") }
    tones = parts.speaker.map { TonePlayer($0, volume: settings.toneVolume) }
    if let speaker = parts.speaker { voice = try ReplyVoice(speaker: speaker, local: parts.voice, owner: self) }
    nameCapture()
  }

  /// There is an operator connection to talk over; at start, and both live as long as the agent.
  func connect(_ desk: OperatorDesk) throws(Errno) {
    self.desk = desk
    transcription = Transcription(desk, recorder, transcript)
    voice?.desk = desk
    desk.talk = self
    guard loop.converses, let speaker = parts.speaker else { return }
    realtime = try RealtimeSession(
      desk, speaker, hearsInterruptions: settings.hearsInterruptions, idle: settings.idle, owner: self, log: log)
  }

  // MARK: What people do

  /// A wake phrase was heard in what `microphoneHeard` took; its text.
  public func woke(_ phrase: Span<UInt8>) {
    guard settings.isEnabled else { return }
    self.phrase = InlineText(cutting: phrase)
    take(settings.wakeTalks ? .talkOn : .wake)
  }

  /// The button of push to talk.
  public func press() { if settings.isEnabled { take(.press) } }
  public func release() { take(.release) }

  /// Talk mode, on or off.
  public func setTalkMode(_ isOn: Bool) { if settings.isEnabled || !isOn { take(isOn ? .talkOn : .talkOff) } }
  public var isTalkMode: Bool { loop.isOn }

  /// Nobody talks, and nothing is said.
  var isResting: Bool { loop.phase == .idle }

  /// The microphone is in use, for the indicator.
  public var isHearing: Bool { loop.wantsMicrophone }

  /// A person holds the board, or the agent stops: everything ends, and what the recogniser has loaded is given back.
  public func hold() {
    take(.held)
    words?.forget()
    parts.recogniser?.release()
  }

  /// Nothing of it is under way anywhere else.
  var isStopped: Bool { parts.recogniser?.isReleased ?? true }

  /// The gateway's table of routes (`voicewake.routing.changed`).
  public func learnRoutes(_ payload: borrowing JSONView) {
    if routes.read(payload) { log.write(.info, "talk", "the gateway's routes of wake phrases are known") }
  }

  // MARK: Events

  /// Takes an event that nobody waits for.
  func take(_ event: TalkLoop.Event) { take(event) { _ in } }

  /// Takes an event; who sent it hears the answer before anything is done about it.
  func take(_ event: TalkLoop.Event, _ reply: (TalkLoop.Reply) -> Void) {
    if isTaking {
      // Commands come from the router alone, never from within.
      if !events.push(event) { log.write(.error, "talk", "more happened at once than can be") }
      return
    }
    isTaking = true
    perform(event, reply)
    while let next = events.pop() { perform(next) { _ in } }
    isTaking = false
  }

  private func perform(_ event: TalkLoop.Event, _ reply: (TalkLoop.Reply) -> Void) {
    if event == .interrupted { interruptedAt = voice?.heard }
    let before = loop.phase
    let step = loop.take(event)
    if loop.phase != before {
      logPhase()
      words?.giveWay(!isResting)
    }
    // Those who wait are told of the capture that was, before the next one has a name.
    if step.forStarters != .none {
      commands?.answerStarters(step.forStarters)
      console?.answerStarters(step.forStarters)
    }
    if step.forWaiters != .none {
      commands?.answerWaiters(step.forWaiters)
      console?.answerWaiters(step.forWaiters)
    }
    if step.effects.contains(.nameCapture) { nameCapture() }
    reply(step.reply)
    perform(step.effects)
  }

  private func perform(_ effects: TalkLoop.Effects) {
    if effects.contains(.stopSpeech) { voice?.stop() }
    if effects.contains(.dropReply) { dropReply() }
    if effects.contains(.dropCapture) { dropCapture() }
    if effects.contains(.hushCall) { realtime?.hush("button") }
    if effects.contains(.closeCall) { realtime?.close() }
    if effects.contains(.closeMicrophone) {
      parts.microphone.close()
      isStale = true
    }
    if effects.contains(.openMicrophone) { openMicrophone() }
    if effects.contains(.openCall) { openCall() }
    if effects.contains(.record) { record() }
    if effects.contains(.understand) { understand() }
    if effects.contains(.deliver) { deliver() }
    if effects.contains(.toneListening) { playListening() }
    if effects.contains(.toneSent), settings.tonesWhenSent { tones?.play(.sent) }
    if effects.contains(.toneFailed) { tones?.play(.failed) }
  }

  func playListening() { if settings.tonesWhenListening { tones?.play(.listening) } }

  /// Milliseconds of the tone that is heard now.
  var toneMilliseconds: Int64 { Int64(tones?.milliseconds ?? 0) }

  /// Milliseconds of the listening tone; 0 where there is none.
  var listeningTone: Int64 {
    guard tones != nil, settings.tonesWhenListening, settings.toneVolume > 0 else { return 0 }
    return Int64(Chime(.listening, volume: settings.toneVolume).milliseconds)
  }

  private func logPhase() {
    log.write(.debug, "talk") { line in
      switch self.loop.phase {
      case .idle: line.add("rests")
      case .opening: line.add("opens the microphone")
      case .hearing: line.add("listens")
      case .understanding: line.add("understands")
      case .sending: line.add("sends")
      case .thinking: line.add("waits for the reply")
      case .speaking: line.add("speaks")
      case .conversing: line.add("asks for a conversation")
      }
    }
  }

  private func nameCapture() { captureID = UUIDText.make(random) }

  // MARK: Microphone

  private func openMicrophone() {
    let capture = loop.phase.capture ?? .turn
    // Sound of before it was closed is no beginning of what comes; behind a wake phrase it was open all the time.
    if isStale, capture != .wake { recorder.forget() }
    isStale = false
    if loop.phase == .speaking { interrupts = InterruptGate() }
    microphoneFailure = nil
    announcer?.hush()
    parts.microphone.open(capture, self)
  }

  public func microphoneOpened() { take(.opened) }

  public func microphoneFailed(_ failure: MicrophoneFailure) {
    microphoneFailure = failure
    log.write(.warning, "talk") { line in
      line.add("nobody can be heard: ")
      line.add(failure.wire.text)
    }
    take(.microphoneFailed)
  }

  public func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    let end = recorder.push(block)
    if recorder.isRecording || end != nil { transcription?.feed() }
    if let end { return take(.recorded(end)) }
    if loop.phase == .conversing { realtime?.hear(block) }
    if loop.phase == .speaking, loop.wantsMicrophone, interrupts.push(block) { take(.interrupted) }
  }

  // MARK: Time

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    let earliest = min(replyDue ?? .max, min(transcription?.nextDeadline ?? .max, realtime?.nextDeadline ?? .max))
    return earliest == .max ? nil : earliest
  }

  /// Lets time pass.
  public func advance(to now: Int64) {
    transcription?.advance(to: now)
    realtime?.advance(to: now)
    if let replyDue, replyDue <= now { replyIsLate(now) }
  }
}
