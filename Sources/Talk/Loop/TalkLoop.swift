/// Who has the microphone, and what becomes of what it heard: talk mode (node-commands 7.1), push to talk (7.4), commands behind a
/// wake phrase (6.4). Pure: an event goes in, and out come the answer to who asked, and what is to be done.
///
/// Push to talk goes before talk mode, and that before the wake phrase. What is under way for a lower one ends for a higher one;
/// what was sent to the gateway goes on there.
///
/// Talk mode is a row of turns, or one conversation in which both sides may speak at any time (7.5); where there is none it is turns.
public struct TalkLoop: Equatable, Sendable {
  /// Why the microphone records.
  public enum Capture: Equatable, Sendable {
    /// A wake phrase was heard.
    case wake
    /// Somebody holds a button, or asked for `talk.ptt.start`.
    case hold
    /// `talk.ptt.once`
    case once
    /// It is the person's turn in talk mode.
    case turn

    /// True for push to talk, about which somebody is told.
    public var isPush: Bool { self == .hold || self == .once }
  }

  /// What goes on.
  public enum Phase: Equatable, Sendable {
    case idle
    /// The microphone is being opened; records; what it recorded is being understood; the text is on its way to the gateway.
    case opening(Capture), hearing(Capture), understanding(Capture), sending(Capture)
    /// The agent's reply is awaited; is heard.
    case thinking, speaking
    /// A realtime session is asked for, and lasts.
    case conversing

    /// The capture that is under way.
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

    /// As the wire has it.
    public var word: StaticString {
      switch self {
      case .idle: "idle"
      case .empty: "empty"
      case .queued: "queued"
      case .offline: "offline"
      case .notQueued: "not_queued"
      case .cancelled: "cancelled"
      case .busy: "busy"
      }
    }
  }

  /// Why there was no capture, or none that could be understood.
  public enum Failure: Equatable, Sendable {
    /// The microphone is being opened already; what was said before is on its way.
    case isStarting, isSubmitting
    /// Who asked to start was told to stop before it had begun.
    case isStopped
    /// The driver says why.
    case microphone
    /// Nothing can understand speech now.
    case noRecogniser
    /// A person holds the board.
    case held
  }

  /// What happens.
  public enum Event: Equatable, Sendable {
    /// The four commands of node-commands 7.4, and the button.
    case start, stop, cancel, once, press, release
    case wake
    case talkOn, talkOff
    /// The microphone that was asked for records, or cannot.
    case opened, microphoneFailed
    /// The recording has ended by itself.
    case recorded(UtteranceRecorder.End)
    /// Text, or none, was understood; or nothing can understand; or it is not sure enough of what it understood.
    case understood(hasText: Bool), notUnderstood, uncertain
    /// What became of the text.
    case delivered(Status)
    /// The first sound of the reply is heard; all of it was, or there is none; it failed.
    case speaks, silent, replyFailed
    /// A person speaks while the board does.
    case interrupted
    /// The gateway has no realtime sessions for us; the one there was has broken; nobody said anything for long.
    case callRefused, callBroken, callIdle
    /// The gateway is there again, and another may be asked for; the gateway ended one in its time.
    case callPossible, callOver
    /// A person holds the board still.
    case held
  }

  /// What the one who sent a command is told.
  public enum Reply: Equatable, Sendable {
    /// Nobody asked.
    case none
    /// The microphone is open; later; this.
    case isOpen, later
    case status(Status)
    case failure(Failure)
  }

  /// What is to be done, in this order.
  public struct Effects: OptionSet, Sendable {
    public let rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Stop playing, and forget what was to be spoken; nobody waits for the reply any more.
    public static let stopSpeech = Effects(rawValue: 1)
    public static let dropReply = Effects(rawValue: 2)
    /// Forget the recording, and what was understood of it.
    public static let dropCapture = Effects(rawValue: 4)
    public static let closeMicrophone = Effects(rawValue: 8)
    /// Let push to talk know it by another name from here on.
    public static let nameCapture = Effects(rawValue: 16)
    /// Open the microphone for the capture of the phase, or to hear interruptions; `opened` or `microphoneFailed` comes for a
    /// capture.
    public static let openMicrophone = Effects(rawValue: 32)
    /// Begin to record and to understand; `recorded` comes.
    public static let record = Effects(rawValue: 64)
    /// End the recording; `understood` or `notUnderstood` comes.
    public static let understand = Effects(rawValue: 128)
    /// Send the text; `delivered` comes.
    public static let deliver = Effects(rawValue: 256)
    /// Tones.
    public static let toneListening = Effects(rawValue: 512)
    public static let toneSent = Effects(rawValue: 1024)
    public static let toneFailed = Effects(rawValue: 2048)
    /// Ask for a realtime session, or leave it; end what it says.
    public static let openCall = Effects(rawValue: 4096)
    public static let closeCall = Effects(rawValue: 8192)
    public static let hushCall = Effects(rawValue: 16_384)
  }

  /// What an event brings about.
  public struct Step: Equatable, Sendable {
    /// For who sent it.
    public var reply = Reply.none
    /// For all who wait for the microphone to open: `isOpen` or a failure.
    public var forStarters = Reply.none
    /// For all who wait for the end of the capture: a status or a failure.
    public var forWaiters = Reply.none
    public var effects: Effects = []
  }

  /// Whether replies to push to talk are spoken; whether speech interrupts the board's own in talk mode.
  public let speaksReplies: Bool
  public let hearsInterruptions: Bool
  /// Talk mode is a realtime session, where the gateway has any.
  public let converses: Bool
  /// The gateway has said that it has none.
  var isRefused = false
  public internal(set) var phase = Phase.idle
  /// Talk mode is on.
  public internal(set) var isOn = false
  /// The reply that is awaited or heard is part of talk mode.
  var isReplyToTurn = false
  /// Somebody waits for the microphone to open, or for the end of the capture.
  var hasStarters = false
  var hasWaiters = false

  /// A loop in which nothing goes on.
  public init(speaksReplies: Bool = true, hearsInterruptions: Bool = true, converses: Bool = false) {
    self.converses = converses
    self.speaksReplies = speaksReplies
    self.hearsInterruptions = hearsInterruptions
  }

  /// True while the microphone is asked for.
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

  // MARK: Ways on

  /// Goes on to a phase: ends what the one before had and this one has not.
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

  /// The capture of this phase goes on in that one.
  private func continues(to next: Phase) -> Bool {
    switch (phase, next) {
    case (.opening, .hearing), (.hearing, .understanding), (.understanding, .sending): true
    default: false
    }
  }

  /// Begins a capture, whatever was under way.
  mutating func begin(_ capture: Capture, _ step: inout Step) {
    enter(.opening(capture), &step)
    if capture.isPush { step.effects.insert(.nameCapture) }
  }

  /// Nothing is under way any more: the next turn of talk mode, or silence.
  mutating func rest(_ step: inout Step) {
    if isOn { goOn(&step) } else { enter(.idle, &step) }
  }

  /// Talk mode: a conversation, or the person's turn.
  mutating func goOn(_ step: inout Step) {
    if converses, !isRefused { enter(.conversing, &step) } else { begin(.turn, &step) }
  }

  /// Ends a capture that came to nothing, and tells those who wait.
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
