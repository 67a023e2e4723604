import Codec
import Consent
import Gateway
import Node
import Panel
import Runtime
import Talk

/// The devices for talk; nil where the board has none.
public struct TalkParts {
  public var microphone: any TalkMicrophone
  public var speaker: (any TalkSpeaker)?
  public var recognizer: (any LocalRecognizer)?
  public var voice: (any LocalVoice)?
  /// The push-to-talk button; nil without one.
  public var button: (any Button)?

  /// The devices; see the properties.
  public init(
    microphone: any TalkMicrophone, speaker: (any TalkSpeaker)? = nil, recognizer: (any LocalRecognizer)? = nil,
    voice: (any LocalVoice)? = nil
  ) {
    self.microphone = microphone
    self.speaker = speaker
    self.recognizer = recognizer
    self.voice = voice
  }
}

/// Listens to people and speaks to them: carries out what `TalkLoop` decides. Its use of devices is here, recognition
/// in `TalkService+Hearing`, messages and speech in `TalkService+Saying`.
public final class TalkService: Part, TalkListener {
  /// Handling one event may cause another, which waits here until the first is done. In the worst case a device or the
  /// gateway refuses at once, and each refusal is an event.
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
  /// The buffer for the text of an event.
  let eventText = FixedBuffer(capacity: Budget.transcriptEventBytes)
  /// The confidence of the board's own recognizer in the transcript; nil when the gateway recognized it.
  var ownConfidence: Float?
  private(set) var transcription: Transcription?
  private(set) var realtime: RealtimeSession?
  private(set) var voice: ReplyVoice?
  /// The recognizer's words for a person who watches; nil without a recognizer.
  private(set) var words: WordMeter?
  private let tones: TonePlayer?
  private var events = BoundedQueue<TalkLoop.Event>(capacity: TalkService.mostEvents)
  private var isTaking = false
  private var interrupts = InterruptGate()
  /// True when the microphone was closed since the last sound.
  private var isStale = false
  unowned(unsafe) var commands: TalkCommands?
  /// The tool that listens, and for how many milliseconds.
  unowned(unsafe) var listener: ListenCommand?
  var listening = Budget.listenMilliseconds
  /// The operation `talk` of the local socket.
  private(set) var console: TalkConsole! = nil
  /// Gets the text of people and of the agent: the console, except in tests.
  unowned(unsafe) var audience: (any TalkAudience)?
  private let button: TalkButton?
  /// Stops speaking when a conversation begins. Lives as long as the agent.
  unowned(unsafe) var announcer: Announcer?
  /// The state machine.
  public internal(set) var loop: TalkLoop
  /// The id of the last push to talk.
  private(set) var captureID = InlineText<64>()
  /// The last failure of the microphone.
  private(set) var microphoneFailure: MicrophoneFailure?

  /// The wake phrase that was detected.
  var phrase = InlineText<192>()
  var routes = VoiceRoutes()
  var echo = EchoGuard()
  let head = ReplyHead()
  let spoken = SpokenText()
  var choice = VoiceChoice()
  /// The awaited reply, its deadline, and whether the history was already read.
  var chatTag = 0
  var replyDue: Int64?
  var isLate = false
  var hasVoiceBegun = false
  var isTooLong = false
  var rate = MessageRate()
  /// The state at the last press of the talk button.
  var tap = Tap()
  /// How loud the person is who is listened to.
  var meter = LevelMeter()
  /// Milliseconds after which a person interrupted the last reply.
  var interruptedAt: Int64?

  /// A service that waits for a person to talk.
  @export(interface)
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
    if settings.isEnabled, let recognizer = parts.recognizer {
      words = try WordMeter(
        recognizer, silence: settings.turnSilence, leastConfidence: Float(settings.leastConfidence), clock: clock)
    }
    let hasSpeaker = parts.speaker != nil
    loop = TalkLoop(
      speaksReplies: settings.speaksReplies && hasSpeaker,
      hearsInterruptions: settings.hearsInterruptions && hasSpeaker,
      converses: settings.converses && hasSpeaker)
    if settings.converses, !hasSpeaker {
      log.write(.warning, "talk", "a conversation needs a speaker, and there is none: talk mode is turns")
    }
    tones = parts.speaker.map { TonePlayer($0, volume: settings.toneVolume) }
    button = parts.button.map { TalkButton($0, clock: clock, log: log) }
    captureID = UUIDText.make(random)
    super.init()
    if let speaker = parts.speaker { voice = try ReplyVoice(speaker: speaker, local: parts.voice, delegate: self) }
    console = TalkConsole(self)
    audience = console
  }

  // MARK: Part

  public override var declarationPlace: Int { 7 }

  public override func addCommands(to router: Router) {
    router.add(TalkCommands.rows, capability: "talk", TalkCommands(service: self, router: router))
    let listener = ListenCommand(service: self, router: router)
    router.add(forTools: ListenCommand.rows, listener)
    guard settings.hasCommands else { return }
    router.add(HearingCommands.rows, capability: "stt", HearingCommands(listener, service: self, router: router))
  }

  public override var operations: [ControlRow] { [ControlRow("talk") { self.console.begin($0, $1, $2) }] }

  public override func start() { button?.start(self) }

  public override func stop() {
    button?.stop()
    hold()
  }

  public override func grantsEnded(_ permissions: PermissionSet) {
    guard permissions.contains(.microphone) else { return }
    commands?.permissionEnded()
    listener?.permissionEnded()
  }

  public override func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("voicewake.routing.changed") { learnRoutes(payload) }
  }

  public override func operatorOnline() { deskOpened() }

  public override func operatorOffline() { deskLost() }

  public override func operatorReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("talk.event") { deskReceived(payload) }
  }

  public override func forget(_ control: Control, _ call: Int) { console.forget(call) }

  public override func clientDisconnected(_ client: Int) { console.clientDisconnected(client) }

  // MARK: The operator connection

  /// There is an operator connection; called at start, and both live as long as the agent.
  func connect(_ desk: OperatorDesk) throws(Errno) {
    self.desk = desk
    transcription = Transcription(desk, recorder, transcript)
    voice?.desk = desk
    guard loop.converses, let speaker = parts.speaker else { return }
    realtime = try RealtimeSession(
      desk, speaker, hearsInterruptions: settings.hearsInterruptions, idle: settings.idle, delegate: self, log: log)
  }

  // MARK: Actions of people

  /// A wake phrase was detected in the sound that `microphoneHeard` got; its text.
  public func woke(_ phrase: Span<UInt8>) {
    guard settings.isEnabled else { return }
    self.phrase = InlineText(cutting: phrase)
    take(settings.wakeTalks ? .talkOn : .wake)
  }

  /// The push-to-talk button.
  public func press() { if settings.isEnabled { take(.press) } }
  public func release() { take(.release) }

  /// Switches talk mode on or off.
  public func setTalkMode(_ isOn: Bool) { if settings.isEnabled || !isOn { take(isOn ? .talkOn : .talkOff) } }
  public var isTalkMode: Bool { loop.isOn }

  /// True when there is no conversation and no speech.
  var isIdle: Bool { loop.phase == .idle }

  public override var isAwaited: Bool { !isIdle }

  /// True while the microphone is in use, for the screen and the light.
  public var isHearing: Bool { loop.wantsMicrophone }

  /// A person holds the board, or the agent stops: everything ends, and the recognizer unloads its model.
  public override func hold() {
    take(.held)
    words?.forget()
    parts.recognizer?.release()
  }

  /// True when no device or process is in use.
  public override var isStopped: Bool { parts.recognizer?.isReleased ?? true }

  /// The gateway's table of routes (`voicewake.routing.changed`).
  public func learnRoutes(_ payload: borrowing JSONView) {
    if routes.read(payload) { log.write(.info, "talk", "the gateway's routes of wake phrases are known") }
  }

  // MARK: Events

  /// Takes an event without a caller.
  func take(_ event: TalkLoop.Event) { take(event) { _ in } }

  /// Takes an event; `reply` gets the answer before the effects are carried out.
  func take(_ event: TalkLoop.Event, _ reply: (TalkLoop.Reply) -> Void) {
    if isTaking {
      // Commands come only from the router, never from an effect.
      if !events.push(event) { log.write(.error, "talk", "event queue overflow") }
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
      words?.setYielding(!isIdle)
    }
    // Callers get the end of their capture before the next one gets an id.
    if step.forStarters != .none {
      commands?.answerStarters(step.forStarters)
      console?.answerStarters(step.forStarters)
    }
    if step.forWaiters != .none {
      commands?.answerWaiters(step.forWaiters)
      console?.answerWaiters(step.forWaiters)
      listener?.answerWaiters(step.forWaiters)
    }
    if step.effects.contains(.nameCapture) { nameCapture() }
    reply(step.reply)
    perform(step.effects)
  }

  private func perform(_ effects: TalkLoop.Effects) {
    if effects.contains(.stopSpeech) { voice?.stop() }
    if effects.contains(.dropReply) { dropReply() }
    if effects.contains(.dropCapture) { dropCapture() }
    if effects.contains(.interruptCall) { realtime?.interrupt("button") }
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

  /// Milliseconds of the tone that is played.
  var toneMilliseconds: Int64 { Int64(tones?.milliseconds ?? 0) }

  /// Milliseconds of the listening tone; 0 without one.
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
    // Sound from before it was closed does not belong to the utterance; after a wake phrase it was open all the time.
    if isStale, capture != .wake { recorder.forget() }
    isStale = false
    if loop.phase == .speaking { interrupts = InterruptGate() }
    microphoneFailure = nil
    announcer?.cancel()
    parts.microphone.open(capture, self)
  }

  public func microphoneOpened() { take(.opened) }

  public func microphoneFailed(_ failure: MicrophoneFailure) {
    microphoneFailure = failure
    log.write(.warning, "talk") { line in
      line.add("the microphone failed: ")
      line.add(failure.wire.text)
    }
    take(.microphoneFailed)
  }

  public func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    meter.take(block)
    let end = recorder.push(block)
    if recorder.isRecording || end != nil { transcription?.feed() }
    if let end { return take(.recorded(end)) }
    if loop.phase == .conversing { realtime?.hear(block) }
    if loop.phase == .speaking, loop.wantsMicrophone, interrupts.push(block) { take(.interrupted) }
  }

  // MARK: Time

  public override var nextDeadline: Int64? {
    earliest(
      earliest(replyDue, button?.nextDeadline), earliest(transcription?.nextDeadline, realtime?.nextDeadline))
  }

  /// Does what is due.
  public override func advance(to now: Int64) {
    button?.advance(to: now)
    transcription?.advance(to: now)
    realtime?.advance(to: now)
    if let replyDue, replyDue <= now { replyIsLate(now) }
  }
}
