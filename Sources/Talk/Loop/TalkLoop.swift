/// The state machine of talk mode (node-commands 7.1), push to talk (7.4), and commands after a wake phrase (6.4).
/// Pure: an event goes in; replies and effects come out.
///
/// Push to talk has priority over talk mode, and that over the wake phrase. A use with higher priority ends one with
/// lower priority; what was sent to the gateway continues there.
///
/// Talk mode is a sequence of turns, or one conversation in which both sides may speak at any time (7.5), if the
/// gateway supports that.
public struct TalkLoop: Equatable, Sendable {
  /// Why the microphone records.
  public enum Capture: Equatable, Sendable {
    /// A wake phrase was heard.
    case wake
    /// A button is held, or `talk.ptt.start` was invoked.
    case hold
    /// `talk.ptt.once`
    case once
    /// It is the person's turn in talk mode.
    case turn
    /// A tool of the agent listens: the text is its result, and not a message.
    case tool

    /// True for push to talk, whose end is reported.
    public var isPush: Bool { self == .hold || self == .once }
  }

  /// The phase.
  public enum Phase: Equatable, Sendable {
    case idle
    /// The microphone is being opened; records; the recording is being recognized; the text is being sent.
    case opening(Capture), hearing(Capture), understanding(Capture), sending(Capture)
    /// The agent's reply is awaited; is spoken.
    case thinking, speaking
    /// A realtime session is requested or open.
    case conversing

    /// The current capture.
    public var capture: Capture? {
      switch self {
      case .opening(let capture), .hearing(let capture), .understanding(let capture), .sending(let capture): capture
      case .idle, .thinking, .speaking, .conversing: nil
      }
    }
  }

  /// How a capture ended (node-commands 7.4).
  public enum Status: Equatable, Sendable, CaseIterable {
    case idle, empty, queued, offline, notQueued, cancelled, busy
    /// A tool has its text.
    case heard

    /// Its word in the protocol.
    public var word: StaticString {
      switch self {
      case .idle: "idle"
      case .empty: "empty"
      case .queued: "queued"
      case .offline: "offline"
      case .notQueued: "not_queued"
      case .cancelled: "cancelled"
      case .busy: "busy"
      case .heard: "heard"
      }
    }
  }

  /// Why there was no capture, or no text.
  public enum Failure: Equatable, Sendable {
    /// The microphone is being opened already; the last utterance is being sent.
    case isStarting, isSubmitting
    /// It was stopped before it had started.
    case isStopped
    /// The microphone failed.
    case microphone
    /// No recognizer is available.
    case noRecognizer
    /// The board is in panic.
    case held
  }

  /// The events.
  public enum Event: Equatable, Sendable {
    /// The four commands of node-commands 7.4, and the button.
    case start, stop, cancel, once, press, release
    case wake
    case talkOn, talkOff
    /// A tool of the agent wants to listen; it does no longer.
    case listen, listenNoMore
    /// The microphone records, or failed.
    case opened, microphoneFailed
    /// The recording ended by itself.
    case recorded(UtteranceRecorder.End)
    /// Text was recognized, or none; recognition failed; its confidence was too low.
    case understood(hasText: Bool), notUnderstood, uncertain
    /// The result of sending the text.
    case delivered(Status)
    /// The first sound of the reply is played; all of it was played, or there is none; it failed.
    case speaks, silent, replyFailed
    /// A person speaks while the board does.
    case interrupted
    /// The gateway refuses realtime sessions; the session failed; both sides were silent for too long.
    case callRefused, callBroken, callIdle
    /// A session may be requested again; the gateway ended one normally.
    case callPossible, callOver
    /// The board enters panic.
    case held
  }

  /// The reply to the sender of a command.
  public enum Reply: Equatable, Sendable {
    /// No reply.
    case none
    /// The microphone is open; the reply comes later.
    case isOpen, later
    case status(Status)
    case failure(Failure)
  }

  /// Effects to carry out, in this order.
  public struct Effects: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Stop playing and clear the speech queue; drop the awaited reply.
    public static let stopSpeech = Effects(rawValue: 1)
    public static let dropReply = Effects(rawValue: 2)
    /// Drop the recording and its text.
    public static let dropCapture = Effects(rawValue: 4)
    public static let closeMicrophone = Effects(rawValue: 8)
    /// Give the push-to-talk capture a new id.
    public static let nameCapture = Effects(rawValue: 16)
    /// Open the microphone for the phase's capture, or for interruptions; for a capture `opened` or `microphoneFailed`
    /// follows.
    public static let openMicrophone = Effects(rawValue: 32)
    /// Start recording and recognition; `recorded` follows.
    public static let record = Effects(rawValue: 64)
    /// Stop recording; `understood` or `notUnderstood` follows.
    public static let understand = Effects(rawValue: 128)
    /// Send the text; `delivered` follows.
    public static let deliver = Effects(rawValue: 256)
    /// Tones.
    public static let toneListening = Effects(rawValue: 512)
    public static let toneSent = Effects(rawValue: 1024)
    public static let toneFailed = Effects(rawValue: 2048)
    /// Open or close a realtime session; stop its speech.
    public static let openCall = Effects(rawValue: 4096)
    public static let closeCall = Effects(rawValue: 8192)
    public static let interruptCall = Effects(rawValue: 16_384)
  }

  /// The result of an event.
  public struct Step: Equatable, Sendable {
    /// For its sender.
    public var reply = Reply.none
    /// For all invokes that wait for the microphone to open: `isOpen` or a failure.
    public var forStarters = Reply.none
    /// For all invokes that wait for the end of the capture: a status or a failure.
    public var forWaiters = Reply.none
    public var effects: Effects = []
  }

  /// Whether replies to push to talk are spoken; whether speech interrupts the board's own in talk mode.
  public let speaksReplies: Bool
  public let hearsInterruptions: Bool
  /// True when talk mode uses a realtime session, if the gateway supports it.
  public let converses: Bool
  /// True while the reply to a command after a wake phrase comes here: the board's own agent answers.
  public var repliesToWakes = false
  /// The gateway has refused sessions.
  var isRefused = false
  public internal(set) var phase = Phase.idle
  /// Talk mode is on.
  public internal(set) var isOn = false
  /// The current reply belongs to talk mode.
  var isReplyToTurn = false
  /// Invokes wait for the microphone to open, or for the end of the capture.
  var hasStarters = false
  var hasWaiters = false

  /// An idle loop.
  public init(speaksReplies: Bool = true, hearsInterruptions: Bool = true, converses: Bool = false) {
    self.converses = converses
    self.speaksReplies = speaksReplies
    self.hearsInterruptions = hearsInterruptions
  }

  /// True while the microphone is needed.
  public var wantsMicrophone: Bool {
    switch phase {
    case .opening, .hearing, .conversing: true
    case .speaking: isReplyToTurn && hearsInterruptions
    case .idle, .understanding, .sending, .thinking: false
    }
  }

  /// Takes an event.
  public mutating func take(_ event: Event) -> Step {
    var step = Step()
    switch event {
    case .start: start(&step)
    case .stop: stop(&step)
    case .cancel: cancel(&step)
    case .once: once(&step)
    case .press: press(&step)
    case .release: release(&step)
    case .wake: wake(&step)
    case .talkOn: talkOn(&step)
    case .talkOff: talkOff(&step)
    case .listen: listen(&step)
    case .listenNoMore: if phase.capture == .tool { end(.status(.cancelled), &step) }
    case .opened: opened(&step)
    case .microphoneFailed: microphoneFailed(&step)
    case .recorded(let end): recorded(end, &step)
    case .understood(let hasText): understood(hasText, &step)
    case .notUnderstood: notUnderstood(&step)
    case .uncertain: uncertain(&step)
    case .delivered(let status): delivered(status, &step)
    case .speaks: if phase == .thinking { enter(.speaking, &step) }
    case .silent: if phase == .thinking || phase == .speaking { rest(&step) }
    case .replyFailed: replyFailed(&step)
    case .interrupted: interrupted(&step)
    case .callRefused, .callBroken, .callIdle, .callPossible, .callOver: call(event, &step)
    case .held: held(&step)
    }
    return step
  }

  // MARK: Transitions

  /// Changes the phase, and ends what only the previous one needs.
  mutating func enter(_ next: Phase, _ step: inout Step) {
    let hadMicrophone = wantsMicrophone
    let isReply = next == .thinking || next == .speaking
    if phase == .speaking, next != .speaking { step.effects.insert(.stopSpeech) }
    if phase == .thinking || phase == .speaking, !isReply { step.effects.insert(.dropReply) }
    if phase.capture != nil, !continues(to: next) { step.effects.insert(.dropCapture) }
    if phase == .conversing { step.effects.insert(.closeCall) }
    phase = next
    if hadMicrophone, !wantsMicrophone { step.effects.insert(.closeMicrophone) }
    switch next {
    case .opening: step.effects.insert(.openMicrophone)
    case .hearing: step.effects.insert(.record)
    case .understanding: step.effects.insert(.understand)
    case .sending: step.effects.insert(.deliver)
    case .speaking: if wantsMicrophone { step.effects.insert(.openMicrophone) }
    case .conversing: step.effects.formUnion([.openMicrophone, .openCall])
    case .idle, .thinking: break
    }
  }

  /// True when the capture continues in the next phase.
  private func continues(to next: Phase) -> Bool {
    switch (phase, next) {
    case (.opening, .hearing), (.hearing, .understanding), (.understanding, .sending): true
    default: false
    }
  }

  /// Starts a capture, ending anything else.
  mutating func begin(_ capture: Capture, _ step: inout Step) {
    if phase.capture == .tool { answerWaiters(.status(.cancelled), &step) }
    enter(.opening(capture), &step)
    if capture.isPush { step.effects.insert(.nameCapture) }
  }

  /// Continues with the next turn of talk mode, or becomes idle.
  mutating func rest(_ step: inout Step) {
    if isOn { goOn(&step) } else { enter(.idle, &step) }
  }

  /// Talk mode: a conversation, or the person's turn.
  mutating func goOn(_ step: inout Step) {
    if converses, !isRefused { enter(.conversing, &step) } else { begin(.turn, &step) }
  }

  /// Ends a capture without a result, and answers those that wait.
  mutating func end(_ reply: Reply, _ step: inout Step) {
    answerWaiters(reply, &step)
    rest(&step)
  }

  mutating func answerStarters(_ reply: Reply, _ step: inout Step) {
    if hasStarters { step.forStarters = reply }
    hasStarters = false
  }

  mutating func answerWaiters(_ reply: Reply, _ step: inout Step) {
    if hasWaiters { step.forWaiters = reply }
    hasWaiters = false
  }
}
