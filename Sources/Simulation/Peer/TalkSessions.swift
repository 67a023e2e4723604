import Codec
import Gateway
import Runtime

/// The gateway's talk sessions (gateway reference 9.10): they understand what was said while their sound came, or fail
/// in the ways that providers do; a realtime session answers. Each belongs to one connection, and ends with it.
final class TalkSessions: Actor {
  private enum Step: Int { case look, words, final, fail, end, turn, sound }

  /// How a session turns out.
  fileprivate enum Fate { case good, mute, fails, failsLate, closesEarly, guesses, stopsAnswering, isLate }

  struct Session {
    let number: Int64
    unowned(unsafe) let peer: Peer
    let isRealtime: Bool
    fileprivate let fate: Fate
    /// What it sends is in the common form, and not in the relay's own.
    let isCommon: Bool
    /// When the board asked for it.
    let askedAt: Int64
    var pieces = 0
    /// The board has closed it, and it comes to its end.
    var isClosing = false
    /// The board had given up asking when the answer came, so that nobody knows its name.
    var isOrphan = false
    /// Since when the board does not need it any more.
    var uselessSince: Int64?
    /// Pieces of sound that are still to come in this turn.
    var answer = 0
    var isAnswering = false
  }

  /// Sessions of a kind that a connection may have.
  private static let most = 2
  /// Milliseconds that a session may stay open after the board has let go of what it was for.
  private static let timeout: Int64 = 20_000

  unowned(unsafe) let life: Life
  private var sessions: [Int64: Session] = [:]
  private var last: Int64 = 0
  private var orders: Int64 = 0
  private var askedAt: [Int64] = [0, 0]

  init(_ life: Life) { self.life = life }

  /// A number for something that was understood, which nothing else has.
  func nextOrder() -> Int64 {
    orders += 1
    return orders
  }

  // MARK: Requests

  /// The board asks for a session.
  func asked(isRealtime: Bool) { askedAt[isRealtime ? 1 : 0] = life.now }

  /// Opens a session over `peer`; nil: it has as many as it may.
  func open(isRealtime: Bool, over peer: Peer) -> Session? {
    guard sessions.values.count(where: { $0.peer === peer && $0.isRealtime == isRealtime }) < Self.most else {
      return nil
    }
    last += 1
    let fates: [Fate] = [.mute, .fails, .failsLate, .closesEarly, .guesses, .stopsAnswering, .isLate]
    let fate = life.chance(1, in: 3) ? fates[Int(life.random(below: Int64(fates.count)))] : .good
    var session = Session(
      number: last, peer: peer, isRealtime: isRealtime, fate: fate, isCommon: life.chance(1, in: 2),
      askedAt: askedAt[isRealtime ? 1 : 0])
    session.isOrphan = life.now - session.askedAt > (isRealtime ? 9_000 : 29_000)
    sessions[last] = session
    life.report.sessions += 1
    life.trace.note(life.now, "session", last, isRealtime ? 1 : 0)
    plan(.look, last, 5_000)
    if fate == .closesEarly { plan(.end, last, 500 + life.random(below: 6_000)) }
    if fate == .fails { plan(.fail, last, 500 + life.random(below: 6_000)) }
    // Gateways end each within half an hour.
    plan(.end, last, 1_800_000)
    return session
  }

  private func plan(_ step: Step, _ number: Int64, _ pause: Int64) {
    life.schedule.add(self, step.rawValue, number, at: life.now + pause)
  }

  /// The session that the board names; nil: there is none, which it may not know yet.
  func find(_ name: borrowing JSONView, over peer: Peer) -> Int64? {
    let text = name.string
    guard text.hasPrefix("talk-"), let number = Int64(text.dropFirst(5)), number <= last else {
      life.invariants.violated("the board named a talk session that there never was")
      return nil
    }
    guard let session = sessions[number] else { return nil }
    if session.peer !== peer { life.invariants.violated("the board named a talk session of another connection") }
    return number
  }

  /// A piece of sound has come; false: it is not answered.
  func append(to number: Int64) -> Bool {
    guard let session = sessions[number] else { return true }
    sessions[number]!.pieces += 1
    if session.isClosing { life.invariants.violated("sound came for a talk session after its end") }
    if session.fate == .stopsAnswering, session.pieces > 3 { return false }
    if session.isRealtime {
      if !session.isAnswering, life.talker.heardAt > session.askedAt, life.now - life.talker.heardAt > 500,
        life.now - life.talker.heardAt < 3_000
      {
        sessions[number]!.isAnswering = true
        plan(.turn, number, 300 + life.random(below: 2_000))
      }
    } else if session.pieces % 4 == 3 {
      plan(.words, number, life.random(below: 300))
    }
    return true
  }

  /// The board has enough.
  func close(_ number: Int64) {
    guard let session = sessions[number], !session.isClosing else { return }
    if life.options.plant == .keepsSessions { return }
    sessions[number]!.isClosing = true
    if session.isRealtime { return plan(.end, number, life.random(below: 100)) }
    let pause = session.fate == .isLate ? 8_500 + life.random(below: 5_000) : 100 + life.random(below: 2_500)
    if session.fate == .failsLate {
      plan(.fail, number, pause)
    } else if session.fate != .mute {
      plan(.final, number, pause)
    }
    plan(.end, number, max(pause, 1_000 + life.random(below: 4_000)) + 1)
  }

  /// The board interrupts.
  func cancelOutput(_ number: Int64) { sessions[number]?.answer = 0 }

  /// A connection is gone, and all that it had.
  func lost(_ peer: Peer) {
    for number in sessions.keys.sorted() where sessions[number]!.peer === peer { sessions[number] = nil }
  }

  // MARK: Time

  func act(_ what: Int, _ number: Int64) {
    guard let session = sessions[number] else { return }
    if Step(rawValue: what)! == .look { return look(number, session) }
    guard life.gateway.silences == 0 || Step(rawValue: what)! == .end else { return }
    switch Step(rawValue: what)! {
    case .look: break
    case .words: if wasHeard(session), !session.isClosing { sendEvent(session, "partial", "transcript.delta", "orde") }
    case .final: final(session)
    case .fail:
      sendEvent(session, "error", "session.error", nil, "\"message\":\"out of quota\"")
      end(session)
    case .end:
      sendEvent(session, "close", "session.closed", nil, "\"reason\":\"completed\"")
      end(session)
    case .turn: turn(session)
    case .sound: sound(session)
    }
  }

  private func end(_ session: Session) { sessions[session.number] = nil }

  /// Something was said since the board asked for it, or in the pre-roll of that.
  private func wasHeard(_ session: Session) -> Bool {
    life.talker.heardAt != .min && life.talker.heardAt >= session.askedAt - 2_000
  }

  private func final(_ session: Session) {
    // Without sound there is nothing to understand: the board closes a session at once whose encoding it has not.
    guard wasHeard(session), session.pieces > 0, session.fate != .guesses else { return }
    let order = nextOrder()
    sendEvent(session, "transcript", "transcript.done", life.talker.order(order), "\"final\":true")
    life.ledger.understood(order, isTimely: session.fate == .good && session.number == last)
  }

  private func turn(_ session: Session) {
    sendEvent(session, "transcript", "transcript.done", "hello", "\"final\":true,\"role\":\"user\"")
    sendEvent(session, "transcript", "transcript.done", "good day", "\"final\":true,\"role\":\"assistant\"")
    sessions[session.number]!.answer = 1 + Int(life.random(below: 6))
    plan(.sound, session.number, life.random(below: 400))
  }

  private func sound(_ session: Session) {
    if session.answer > 0 {
      sendEvent(session, "audio", "output.audio.delta", nil, "\"audioBase64\":\"\(Self.piece)\"")
      sessions[session.number]!.answer -= 1
      return plan(.sound, session.number, 60 + life.random(below: 100))
    }
    sessions[session.number]!.isAnswering = false
    // Some end in silence, and are waited out.
    if session.fate != .guesses { sendEvent(session, "audioDone", "turn.ended", nil, "\"final\":true") }
  }

  /// 100 ms at 24 kHz.
  private static let piece = String(repeating: "AAEA", count: 1_600)

  private func sendEvent(
    _ session: Session, _ relay: StaticString, _ common: StaticString, _ text: String?, _ more: String = ""
  ) {
    guard session.peer.isOnline else { return }
    let content = (text.map { "\"text\":\"\($0)\"" } ?? "") + (text == nil || more.isEmpty ? "" : ",") + more
    if session.isCommon {
      return session.peer.sendEvent(
        "talk.event", text: "{\"sessionId\":\"talk-\(session.number)\",\"type\":\"\(common)\",\"payload\":{\(content)}}"
      )
    }
    let key = session.isRealtime ? "relaySessionId" : "transcriptionSessionId"
    session.peer.sendEvent(
      "talk.event",
      text: "{\"\(key)\":\"talk-\(session.number)\",\"type\":\"\(relay)\"\(content.isEmpty ? "" : ",")\(content)}")
  }

  // MARK: What is left open

  /// From time to time: does anybody still want it?
  private func look(_ number: Int64, _ session: Session) {
    plan(.look, number, 5_000)
    guard !session.isOrphan, !session.isClosing, life.ledger.isLinked(session.peer), !life.ledger.mayUseSession else {
      return sessions[number]!.uselessSince = nil
    }
    guard let since = session.uselessSince else { return sessions[number]!.uselessSince = life.now }
    if life.now - since > Self.timeout {
      life.invariants.violated("the board has let go of talk session \(number), and not closed it")
    }
  }
}
