import Codec
import Device
import Gateway
import Location
import Motion
import Panel
import Runtime

/// Who wants the board to be as it was made.
public protocol AgentOwner: AnyObject {
  /// Identity, pins, tokens and all that waits are to be forgotten: stops the agent, erases the state, starts anew.
  func agentWantsReset()
}

/// What a person at the board does to the agent, and sees of it.
extension Agent: FrontPanelDelegate {
  public func gestured(_ gesture: Gesture) {
    switch gesture {
    case .acknowledge: acknowledge()
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
  }

  /// A person has seen what the agent wanted of people, and the gateway hears that somebody is there.
  public func acknowledge() {
    if notices.acknowledge() { log.write(.info, "panel", "a person has seen the notification") }
    _ = tellPresence()
  }

  // MARK: Panic

  /// A person holds the board still.
  public var isHeld: Bool { hold.isHeld }

  /// Camera, microphone and connections end at once, running commands are cancelled, and nothing begins again until
  /// `letGo`, not even after a power cut.
  public func holdStill(_ who: StaticString) {
    guard !hold.isHeld else { return }
    hold.set(true)
    log.write(.warning, "panel") { line in
      line.add("panic ")
      line.add(who)
      line.add(": no camera, no microphone, no gateway until it is let go")
    }
    router.endAll(HoldError.held)
    camera.hold()
    holdSound()
    holdTalk()
    endConnections()
  }

  /// Ends what `holdStill` began.
  public func letGo(_ who: StaticString) {
    guard hold.isHeld else { return }
    hold.set(false)
    log.write(.notice, "panel") { line in
      line.add("let go ")
      line.add(who)
      line.add(": the board serves again")
    }
    camera.letGo()
    letGoSound()
  }

  func endConnections() {
    desk?.stop("a person holds this board", Self.heldSentence)
    session.stop("a person holds this board (panic)", Self.heldSentence)
  }

  private static var heldSentence: StaticString {
    "held by a person (panic): hold the button for 3 s, or run talon panic release"
  }

  /// Connects again once it may: an end that was begun is waited for.
  func connectAgain() {
    guard !hold.isHeld, isServing, session.state == .stopped else { return }
    session.start()
  }

  // MARK: Reset

  /// Forgets who the board is. Nothing happens without an owner.
  public func reset(_ who: StaticString) {
    log.write(.warning, "panel") { line in
      line.add("factory reset ")
      line.add(who)
      line.add(": identity, pins and tokens are forgotten")
    }
    owner?.agentWantsReset()
  }

  // MARK: Light

  /// What the light has to say, of which it says the most urgent.
  var signals: SignalSet {
    var signals = SignalSet()
    signals[.live] = camera.isOpen || isMicrophoneOpen
    signals[.resetOffered] = isResetOffered
    signals[.panic] = hold.isHeld
    if hold.isHeld { return signals }
    signals[.trustAlarm] = session.state == .untrusted || desk?.session.state == .untrusted
    if let notice = notices.notice { signals[Self.signal(of: notice.level)] = true }
    signals[.hardwareFault] = hasFault
    signals[.working] = router.count > 0
    signals[connectionSignal] = true
    return signals
  }

  /// A device that the configuration names is absent or broken. A camera may be plugged in when it is wanted.
  private var hasFault: Bool {
    if let motion, case .lost = motion.source { return true }
    return camera.hardware.state == .error || location.hardware.state == .error || microphoneHardware?.state == .error
  }

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
    case .online: advice?.finding == .withheld ? .commandsBlocked : .connected
    case .awaitingApproval, .paused: .awaitingApproval
    case .stopped, .connecting, .waiting, .untrusted:
      !hasNetwork ? .noNetwork : session.state == .connecting && !session.hasFailed ? .booting : .gatewayUnreachable
    }
  }
}

/// Why commands end when a person wants the board still.
enum HoldError: WireError {
  case held

  var wire: (code: StaticString, text: StaticString) { ("UNAVAILABLE", "a person holds this board (panic)") }
}
