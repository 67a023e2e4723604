import Codec
import Consent
import ConsentPart
import Device
import Gateway
import Node
import Panel
import Runtime
import SensePart

#if !TALON_LEAN
  import ScreenPart
  import VoicePart
#endif

/// Carries out what ends the agent, and starts it again.
public protocol AgentDelegate: AnyObject {
  /// Identity, pins, tokens and all waiting events are to be forgotten: stops the agent, erases the state, starts
  /// again.
  func agentWantsReset()
  /// The configuration is to be read again: stops the agent, and starts it anew. False when the configuration has a
  /// mistake, and nothing happens.
  func agentWantsReload() -> Bool
}

/// What a person does at the board, and what the light shows.
extension Agent: FrontPanelDelegate, PanicSwitch {
  public func gestured(_ gesture: Gesture) {
    switch gesture {
    case .acknowledge: if !isRefusing { pressed() }
    case .held: refuse()
    case .panic: if !hold.isHeld { holdStill("by the button") } else { isLettingGo = true }
    case .letGo: if isLettingGo { letGo("by the button") }
    case .offerReset:
      isResetOffered = true
      log.write(.warning, "panel", "a factory reset is offered: one short press confirms it")
    case .withdrawReset:
      if isResetOffered { log.write(.notice, "panel", "nobody confirmed the factory reset: it is off") }
      isResetOffered = false
    case .confirmReset:
      isResetOffered = false
      reset("by the button")
    }
    if gesture != .panic { isLettingGo = false }
    if gesture != .held { isRefusing = false }
  }

  /// The button is held: no, to what is asked.
  private func refuse() {
    if let consent, let question = consent.question {
      isRefusing = true
      consent.answer(.no, to: question.number, by: .button)
    } else if let question = links.question {
      isRefusing = true
      links.answer(false, to: question.number, by: .button)
    }
  }

  /// A short press: yes to what is asked, once; when nothing is, the notification has been seen.
  private func pressed() {
    // What has appeared since the finger went down, or just before, is not what the person has read.
    let began = panel.pressBegan ?? clock.monotonic
    if let consent, let question = consent.question {
      let shownAt = question.shownAt
      guard isRead(consent.readAt, isLink: false, question.number, askedAt: shownAt, before: began) else { return }
      consent.answer(.once, to: question.number, by: .button)
    } else if let question = links.question {
      let shownAt = max(question.askedAt, consent?.idleSince ?? question.askedAt)
      guard isRead(links.readAt, isLink: true, question.number, askedAt: shownAt, before: began) else { return }
      links.answer(true, to: question.number, by: .button)
    } else {
      acknowledge()
    }
  }

  /// True when the question could be read for long enough before the finger went down: on the screen, which shows it
  /// whole, or at a console, which has read it at `readAt`; or the owner wants no such thing.
  private func isRead(
    _ readAt: Int64?, isLink: Bool, _ number: Int, askedAt: Int64, before began: Int64
  ) -> Bool {
    let told = consent?.settings.hasBlindButton == true ? askedAt : readAt
    #if TALON_LEAN
      let seen: Int64? = nil
    #else
      let seen = screen?.readableSince(isLink: isLink, number)
    #endif
    guard let since = earliest(told, seen) else {
      log.write(
        .notice, "panel",
        "the press is no yes: the question is on no screen and was read at no console (talon grants, talon open)")
      return false
    }
    return began - max(askedAt, since) >= Budget.consentArmMilliseconds
  }

  /// A person has seen the notification; the gateway is told that somebody is at the board.
  public func acknowledge() {
    panel.acknowledge()
    if notifications.notices.acknowledge() { log.write(.info, "panel", "a person has seen the notification") }
    _ = sendPresence()
  }

  // MARK: Panic

  /// True while a person holds the board.
  public var isHeld: Bool { hold.isHeld }

  /// Camera, microphone and connections close at once, running commands are canceled, and nothing begins until `letGo`,
  /// not even after a power cut.
  public func holdStill(_ who: StaticString) {
    guard !hold.isHeld else { return }
    hold.set(true)
    log.write(.warning, "panel") { line in
      line.add("panic ")
      line.add(who)
      line.add(": no camera, no microphone, no gateway until it is let go")
    }
    table.hold()
  }

  /// Releases the board after `holdStill`.
  public func letGo(_ who: StaticString) {
    guard hold.isHeld else { return }
    hold.set(false)
    log.write(.notice, "panel") { line in
      line.add("let go ")
      line.add(who)
      line.add(": the board serves again")
    }
    table.letGo()
  }

  public func toggle(_ who: StaticString) { isHeld ? letGo(who) : holdStill(who) }

  // MARK: Reset

  /// Begins a factory reset. Does nothing without a delegate.
  public func reset(_ who: StaticString) {
    log.write(.warning, "panel") { line in
      line.add("factory reset ")
      line.add(who)
      line.add(": identity, pins and tokens are forgotten")
    }
    delegate?.agentWantsReset()
  }

  // MARK: Light

  /// The signals of the light, of which it shows the most urgent.
  var signals: SignalSet {
    var signals = SignalSet()
    signals[.live] = !table.live.isEmpty
    #if !TALON_LEAN
      addVoice(to: &signals)
    #endif
    signals[.resetOffered] = isResetOffered
    signals[.panic] = hold.isHeld
    if hold.isHeld { return signals }
    signals[.trustAlarm] = session.state == .untrusted || desk?.session.state == .untrusted
    signals[.consent] = consent?.question != nil || links.question != nil
    if let notice = notifications.notices.notice { signals[Self.signal(of: notice.level)] = true }
    if panel.isAsking { signals[.active] = true }
    signals[.hardwareFault] = table.hasFault
    signals[.working] = router.count > 0
    signals[connectionSignal] = true
    return signals
  }

  #if !TALON_LEAN
    /// A conversation says more than that the microphone is on, which its signals mean too. A camera that is on is
    /// shown before it.
    private func addVoice(to signals: inout SignalSet) {
      switch voice.talk?.voicePhase {
      case nil, .resting: return
      case .listening: signals[.listening] = true
      case .understanding: signals[.understanding] = true
      case .speaking: signals[.speaking] = true
      }
      if table.live == .microphone { signals[.live] = false }
    }
  #endif

  private static func signal(of level: AttentionLevel) -> Signal {
    switch level {
    case .passive: .passive
    case .notify: .notify
    case .active: .active
    case .interrupt: .interrupt
    case .urgent: .urgent
    }
  }

  private var connectionSignal: Signal {
    switch session.state {
    case .online where table.awaitsApproval || advice?.needsApprovalOnly == true: .awaitingApproval
    case .online: advice?.finding == .withheld ? .commandsBlocked : .connected
    case .awaitingApproval, .paused: .awaitingApproval
    case .stopped, .connecting, .waiting, .untrusted:
      !hasNetwork ? .noNetwork : session.state == .connecting && !session.hasFailed ? .booting : .gatewayUnreachable
    }
  }
}
