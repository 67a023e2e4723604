import Panel
import Runtime

/// How the room is in which the board stands, and its sound card.
final class Room {
  enum Card { case present, absent, busy, silent }

  unowned(unsafe) let life: Life
  /// Plugged in; another program has it; it gives no sound, and takes none.
  var card = Card.present {
    didSet { if card != oldValue, card == .absent || oldValue == .absent { life.board.cardsChanged() } }
  }
  var isLightBroken = false
  private var livelyUntil: Int64 = 0
  /// A person is speaking, or the board is recording: every sample counts.
  var isLively: Bool {
    if life.now < livelyUntil { return true }
    guard let capture = life.board.agent?.voice.talk?.loop.phase.capture else { return false }
    return capture != .turn || life.board.agent?.voice.talk?.loop.phase == .opening(.turn)
  }

  init(_ life: Life) { self.life = life }

  /// Somebody is there for so many milliseconds.
  func enliven(_ milliseconds: Int64) {
    let wasLively = isLively
    livelyUntil = max(livelyUntil, life.now + milliseconds)
    if !wasLively { life.board.capture?.wake() }
  }
}

/// The button that is held to talk.
final class SimulatedButton: Button {
  private unowned(unsafe) let life: Life
  private var delegate: (any ButtonDelegate)?
  private(set) var isPressed = false

  init(_ life: Life) { self.life = life }

  func start(_ delegate: any ButtonDelegate) throws(Errno) { self.delegate = delegate }
  func catchUp() {}
  func stop() { delegate = nil }

  func set(_ isPressed: Bool) {
    guard isPressed != self.isPressed else { return }
    self.isPressed = isPressed
    delegate?.buttonChanged(isPressed: isPressed, at: life.board.clock.monotonic)
  }
}

/// People who talk with the board, and agents that start listening: a scene from time to time.
final class Talker: Actor {
  private enum Step: Int { case scene, press, letGo, speak, phrase, command, mode }
  /// `talk.ptt.` and this, by number.
  static let commands: [StaticString] = ["talk.ptt.start", "talk.ptt.stop", "talk.ptt.cancel", "talk.ptt.once"]
  private static let (start, stop, cancel, once): (Int64, Int64, Int64, Int64) = (0, 1, 2, 3)

  unowned(unsafe) let life: Life
  private var speaksUntil: Int64 = 0
  private var phrase: (text: String, until: Int64)?
  /// When the board's microphone last gave something that was said.
  private(set) var heardAt: Int64 = .min
  /// The phrase before the last command.
  private var lastPhrase: (text: String, at: Int64)?
  /// Counts what people do.
  private(set) var actions: Int64 = 0

  init(_ life: Life) { self.life = life }

  var isSpeaking: Bool { life.now < speaksUntil }

  func begin() { if life.scenario.hasMicrophone, life.scenario.talksPerDay > 0 { plan() } }

  private func plan() {
    life.schedule.add(
      self, Step.scene.rawValue, at: life.now + life.interval(86_400_000 / Int64(life.scenario.talksPerDay)))
  }

  private func add(_ step: Step, _ number: Int64 = 0, after pause: Int64) {
    life.schedule.add(self, step.rawValue, number, at: life.now + pause)
  }

  /// Something that was said came out of the microphone.
  func wasHeard() { heardAt = life.now }

  /// The phrase that is being said, told once.
  func takePhrase() -> String? {
    defer { phrase = nil }
    guard let phrase, life.now < phrase.until else { return nil }
    return phrase.text
  }

  /// What was said, as one writes it down: after the phrase, if one was said just before.
  func order(_ number: Int64) -> String {
    if let lastPhrase, life.now - lastPhrase.at < 60_000 { return "\(lastPhrase.text), order \(number)." }
    return "Order \(number)."
  }

  func act(_ what: Int, _ number: Int64) {
    actions += 1
    switch Step(rawValue: what)! {
    case .scene:
      plan()
      if life.board.isServing { scene() }
    case .press: life.board.talkButton?.set(true)
    case .letGo: life.board.talkButton?.set(false)
    case .speak:
      speaksUntil = life.now + number
      life.room.enliven(number + 3_000)
      life.trace.note(life.now, "speaks", number)
    case .phrase:
      let text = life.phrases.aPhrase()
      phrase = (text, life.now + 3_000)
      lastPhrase = (text, life.now)
      speaksUntil = life.now + 700
      life.room.enliven(3_000)
    case .command:
      guard life.gateway.isUp, life.gateway.silences == 0, life.gateway.mayInvoke else { return }
      life.gateway.node?.invokeTalk(Self.commands[Int(number)])
    case .mode: life.board.agent?.voice.talk?.setTalkMode(number != 0)
    }
  }

  // MARK: Scenes

  private func scene() {
    life.report.scenes += 1
    let speech = 800 + life.random(below: 3_000)
    let kind = life.random(below: 14)
    life.trace.note(life.now, "scene", kind)
    switch kind {
    case 0, 1, 2: holds(speech)
    case 3: chats()
    case 4: life.chance(1, in: 3) ? lingers() : holdsTwice()
    case 5, 6: asks(speech)
    case 7: asksOnce(speech)
    case 8: takesBack(speech)
    case 9: together(speech)
    case 10: sendInvalid()
    default: life.scenario.wakes ? calls(speech) : holds(speech)
    }
    // Speaks while the reply is played.
    if life.chance(1, in: 5) { add(.speak, 900, after: 6_000 + life.random(below: 15_000)) }
    if life.chance(1, in: 12) {
      let pause = 7_000 + life.random(below: 9_000)
      add(.press, after: pause)
      add(.letGo, after: pause + 100 + life.random(below: 2_000))
    }
    // A button is released at some time.
    add(.letGo, after: 170_000)
  }

  private func holds(_ speech: Int64) {
    add(.press, after: 0)
    add(.speak, speech, after: 300 + life.random(below: 500))
    add(.letGo, after: speech + 500 + life.random(below: 1_500))
  }

  /// Presses, thinks better of it, and presses again.
  private func holdsTwice() {
    add(.press, after: 0)
    add(.letGo, after: 450 + life.random(below: 500))
    add(.press, after: 1_000 + life.random(below: 300))
    add(.speak, 1_200, after: 1_400)
    add(.letGo, after: 3_000)
  }

  /// Something lies on the button.
  private func lingers() {
    add(.press, after: 0)
    if life.chance(1, in: 2) { add(.speak, 140_000, after: 1_000) }
    add(.letGo, after: 100_000 + life.random(below: 50_000))
  }

  /// Talk mode, by the button or by somebody's program, for some turns; sometimes it is left on.
  private func chats() {
    let turns = 1 + life.random(below: 3)
    if life.chance(1, in: 2) {
      add(.press, after: 0)
      add(.letGo, after: 60 + life.random(below: 200))
    } else {
      add(.mode, 1, after: 0)
    }
    for turn in 0..<turns {
      add(.speak, 700 + life.random(below: 2_000), after: 1_500 + turn * 15_000 + life.random(below: 4_000))
    }
    if life.chance(5, in: 6) { add(.mode, 0, after: turns * 15_000 + life.random(below: 20_000)) }
  }

  /// The gateway lets it listen, and now and then says everything twice, or late.
  private func asks(_ speech: Int64) {
    add(.command, Self.start, after: 0)
    if life.chance(1, in: 4) { add(.command, Self.start, after: life.random(below: 1_000)) }
    add(.speak, speech, after: 800)
    let late = life.chance(1, in: 6) ? life.random(below: 60_000) : 0
    // Some forget to end it.
    if life.chance(1, in: 10) { return }
    add(.command, Self.stop, after: speech + 1_200 + late)
    if life.chance(1, in: 4) { add(.command, Self.stop, after: speech + 1_200 + late + life.random(below: 2_000)) }
  }

  private func asksOnce(_ speech: Int64) {
    add(.command, Self.once, after: 0)
    if life.chance(3, in: 4) { add(.speak, speech, after: 900) }
    if life.chance(1, in: 4) { add(.command, Self.once, after: 100 + life.random(below: 4_000)) }
    if life.chance(1, in: 6) { add(.command, Self.stop, after: 100 + life.random(below: 4_000)) }
  }

  private func takesBack(_ speech: Int64) {
    add(.command, life.chance(1, in: 2) ? Self.start : Self.once, after: 0)
    add(.speak, speech, after: 500)
    add(.command, Self.cancel, after: 300 + life.random(below: 6_000))
  }

  /// Everybody at once.
  private func together(_ speech: Int64) {
    add(.press, after: life.random(below: 300))
    add(.command, Self.start, after: life.random(below: 300))
    add(.command, Self.once, after: life.random(below: 300))
    add(.speak, speech, after: 300)
    if life.scenario.wakes { add(.phrase, after: life.random(below: 600)) }
    add(.letGo, after: speech + life.random(below: 2_000))
    add(.command, Self.stop, after: speech + life.random(below: 2_000))
    add(.mode, Int64(life.random(below: 2)), after: life.random(below: 4_000))
    add(.mode, 0, after: 25_000)
  }

  private func sendInvalid() {
    for _ in 0..<6 { add(.command, life.random(below: 4), after: life.random(below: 3_000)) }
    add(.command, Self.cancel, after: 20_000)
  }

  /// Says the wake phrase, and after it, most of the time, what is wanted.
  private func calls(_ speech: Int64) {
    add(.phrase, after: 300)
    if life.chance(5, in: 6) { add(.speak, speech, after: 1_300 + life.random(below: 500)) }
    if life.scenario.wakeTalks { add(.mode, 0, after: 28_000) }
  }
}
