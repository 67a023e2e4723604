import Agent
import Gateway
import Node
import Runtime
import Talk
import VoicePart

/// What must hold of a board that listens and speaks: the microphone is open for whom it should be, nothing lasts for
/// longer than it may, and what people say is heard once.
final class TalkLedger: Actor {
  /// Milliseconds until a microphone that must be closed is closed, and until one that somebody waits for a phrase with
  /// is open again, whatever had happened to its card: the longest pause between tries, and the try itself.
  private static let closing: Int64 = 5_000
  private static let reopening: Int64 = Budget.soundRetryMilliseconds.upperBound + 10_000
  /// Milliseconds until what was understood is with the agent, when nothing is in the way.
  private static let delivery: Int64 = 30_000

  private struct Order {
    var ids: Set<String> = []
    var isExpected = false
  }

  unowned(unsafe) let life: Life
  // One owner.
  private var blocks = 0
  private var blocksHeard = 0
  // What goes on, and since when.
  private var phase = TalkLoop.Phase.idle
  private var phaseSince: Int64 = 0
  // Since when something about the microphone is as it should not be.
  private var strayedSince: Int64?
  private var deafSince: Int64?
  private var litSince: Int64?
  /// When both workers were last busy.
  private var crowdedAt: Int64 = 0
  // What was understood.
  private var orders: [Int64: Order] = [:]

  init(_ life: Life) { self.life = life }

  // MARK: One owner

  func blocksCome(_ count: Int) { (blocks, blocksHeard) = (count, 0) }
  func blocksWent() { (blocks, blocksHeard) = (0, 0) }

  /// Somebody hears a block of 20 ms.
  func blockHeard() {
    blocksHeard += life.options.plant == .hearsTwice ? 2 : 1
    if blocksHeard > blocks { life.invariants.violated("two had the microphone at a time") }
  }

  // MARK: Life of the board

  func boardStarted() { (phase, phaseSince, strayedSince, deafSince, litSince) = (.idle, life.now, nil, nil, nil) }

  /// True when what the board says over `peer` arrives, as far as anybody knows.
  func isLinked(_ peer: Peer) -> Bool {
    peer.isOnline && peer.connection.isBoardThere && !peer.connection.isUpHindered && !peer.connection.isDeadDown
      && life.network.isGood
      && life.gateway.isUp && life.gateway.deafness == 0 && life.gateway.silences == 0
      && life.board.agent?.desk?.session.state == .online
  }

  /// Somebody may talk to the gateway now.
  var mayUseSession: Bool {
    switch phase {
    case .hearing, .understanding, .conversing: true
    case .opening, .idle, .sending, .thinking, .speaking: false
    }
  }

  // MARK: At every step

  /// When `check` wants to be called, whatever else happens.
  private(set) var deadline: Int64 = .max

  func check(_ agent: Agent) {
    guard let talk = agent.voice.talk, let capture = life.board.capture else { return deadline = .max }
    deadline = .max
    if life.board.runner.isCrowded { crowdedAt = life.now }
    if talk.loop.phase != phase { (phase, phaseSince) = (talk.loop.phase, life.now) }
    checkPhase()
    checkLight(capture)
    // Both workers may sit in a driver or in a slow flash, and then nothing can be opened or closed.
    let isWanted = talk.isHearing && !agent.isHeld || isWakeWanted(agent, talk)
    strayedSince = since(
      strayedSince, capture.isOpen && !isWanted, Self.closing, "the microphone is open, and nobody may listen")
    deafSince = since(
      deafSince,
      !capture.isOpen && isWakeWanted(agent, talk) && life.room.card == .present && talk.loop.phase == .idle
        && !(life.room.isLightBroken && life.scenario.requiresLight), Self.reopening,
      "nobody listens for a phrase")
  }

  private func isWakeWanted(_ agent: Agent, _ talk: TalkService) -> Bool {
    guard let detector = life.board.detector, life.board.isServing, !agent.isHeld, life.scenario.isMicrophoneOn else {
      return false
    }
    return !detector.phrases.isEmpty
  }

  /// Since when `isBad` has been so, with workers free; violated when that is for longer than `timeout`.
  private func since(_ before: Int64?, _ isBad: Bool, _ timeout: Int64, _ words: String) -> Int64? {
    guard isBad else { return nil }
    let since = max(before ?? life.now, crowdedAt)
    if life.now - since > timeout { life.invariants.violated("\(words), for \(life.now - since) ms") }
    deadline = min(deadline, since + timeout + 1)
    return since
  }

  private func checkLight(_ capture: SimulatedCapture) {
    guard let light = life.board.indicator else { return }
    if capture.isOpen, !light.isLit, !life.room.isLightBroken || life.scenario.requiresLight, !wasBroken {
      life.invariants.violated("the microphone is open, and its light is out")
    }
    if !capture.isOpen { wasBroken = false }
    if life.room.isLightBroken { wasBroken = true }
    litSince = since(
      litSince, light.isLit && !capture.isOpen && !light.isStuck, Self.closing,
      "the microphone's light is lit, and it is closed")
  }

  /// The light was broken since the microphone was opened.
  private var wasBroken = false

  /// How long people and programs may be kept waiting in each phase; nil: as long as they like.
  private var limit: Int64? {
    switch phase {
    case .idle, .conversing, .hearing(.turn): nil
    // The driver's own time, and a card that says nothing.
    case .opening: 10_000
    case .hearing(.once): Budget.onceMilliseconds + Budget.commandSilenceMilliseconds + 8_000
    case .hearing: Budget.utteranceMilliseconds + 10_000
    // The gateway's answer and all the sound, the end of its session, and the board's own recognizer.
    case .understanding:
      OperatorDesk.timeout + Budget.transcriptionMilliseconds + Budget.recognizerTimeoutMilliseconds + 5_000
    case .sending: OperatorDesk.timeout + 5_000
    case .thinking: Budget.replyMilliseconds + Budget.replyGraceMilliseconds + 65_000
    case .speaking: 300_000
    }
  }

  private func checkPhase() {
    guard let limit else { return }
    let since = max(phaseSince, crowdedAt)
    if life.now - since > limit { life.invariants.violated("the board is \(phase) for \(life.now - since) ms") }
    deadline = min(deadline, since + limit + 1)
  }

  // MARK: What people want

  /// The gateway has understood something; `isTimely`: while the board waits for it.
  func understood(_ number: Int64, isTimely: Bool) {
    life.report.orders += 1
    // For `talk.ptt.once` nothing is sent once its time is over, or when it was cancelled.
    guard isTimely, case .understanding(let capture) = phase, capture != .once, isCalm else { return }
    orders[number, default: Order()].isExpected = true
    life.schedule.add(self, 0, number, at: life.now + Self.delivery)
    calmAt[number] = disturbances
  }

  /// What was going on when something was understood: whatever happens after it may have been meant to end it.
  private var calmAt: [Int64: Int64] = [:]
  private var disturbances: Int64 {
    life.talker.actions &+ life.incidents.count &+ refusals &+ Int64(life.report.boots)
  }
  private var refusals: Int64 = 0
  private var isCalm: Bool {
    life.isGood(for: .node) && life.isGood(for: .operator) && life.board.agent?.session.state == .online
      && life.board.agent?.desk?.session.state == .online
  }

  /// The gateway has refused what was said to its agent.
  func refused() { refusals += 1 }

  func act(_ what: Int, _ number: Int64) {
    defer { calmAt[number] = nil }
    guard let before = calmAt[number], before == disturbances, isCalm else { return }
    if orders[number]?.ids.isEmpty ?? true || life.options.plant == .losesOrders {
      life.invariants.violated("order \(number) was understood, and has not reached the agent")
    }
  }

  /// The agent has it, under an id which it tells repetitions by.
  func arrived(_ number: Int64, _ id: String) {
    life.report.ordersArrived += orders[number]?.ids.isEmpty ?? true ? 1 : 0
    orders[number, default: Order()].ids.insert(id)
    if life.options.plant == .repeatsOrders { orders[number]!.ids.insert("\(id) again") }
    life.trace.note(life.now, "order", number)
    if orders[number]!.ids.count > 1 { life.invariants.violated("order \(number) reached the agent twice") }
  }
}
