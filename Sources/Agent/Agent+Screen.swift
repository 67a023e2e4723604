import A2UI
import Canvas
import Codec
import Device
import Gateway
import Runtime

// The screen in the life of the agent; nothing in a build without the canvas.
extension Agent {
  #if TALON_CANVAS
    func startScreen() {
      guard let screen else { return }
      screen.listener = self
      screen.host.gateway = self
      notices.shown = { screen.face.toast($0.title.span, $0.body.span) }
      if let desk, let page = screen.face.chat, conversation == nil {
        conversation = Conversation(page, screen.face, desk.makeFeed(), title: displayName, clock: clock)
      }
      screen.face.start()
    }

    /// Opens the screen to another program at the board: what takes its lines; nil without a screen. Before `start`.
    public func openDoor(_ server: any LineServer) throws(Errno) -> (any LineServerDelegate)? {
      try screen?.openDoor(server, clock: clock, random: random)
    }

    func stopScreen() {
      screen?.recordings?.stop()
      screen?.face.stop()
      #if TALON_SCRIPT
        screen?.scripts?.stop()
      #endif
    }

    var isScreenStopped: Bool {
      #if TALON_SCRIPT
        if screen?.scripts?.isAtRest == false { return false }
      #endif
      if screen?.recordings?.isAtRest == false { return false }
      return screen?.face.pump.isStopped ?? true
    }

    func screenOnline(_ channel: any RequestChannel) { screen?.presses.online(channel) }

    func screenOffline() { screen?.presses.offline() }

    var screenDeadline: Int64? {
      guard let screen else { return nil }
      var earliest = screen.nextDeadline ?? .max
      if screen.face.isHomeVisible, clock.wall >= Budget.earliestWall {
        earliest = min(earliest, clock.monotonic + 60_000 - clock.wall % 60_000)
      }
      return earliest == .max ? nil : earliest
    }

    func advanceScreen(to now: Int64) {
      guard let screen else { return }
      screen.advance(to: now)
      conversation?.update()
      screen.face.say(homeFacts)
      screen.face.say(overlayFacts)
      if notices.notice == nil { screen.face.endToast() }
    }

    /// The display, for `device.health`.
    var canvasHardware: HardwareState {
      guard let screen else { return HardwareState(.absent, detail: "no screen configured", isPermitted: false) }
      return screen.face.pump.mode == nil
        ? HardwareState(.absent, detail: "no display found; pages wait for one") : HardwareState(.ok)
    }

    /// What content cannot cover.
    private var overlayFacts: OverlayFacts {
      var facts = OverlayFacts()
      facts.isCameraLive = camera.isOpen
      facts.isMicrophoneLive = isMicrophoneOpen
      facts.isRecorded = screen?.recordings?.isRecording == true
      facts.isHeld = isHeld
      switch notices.notice?.level {
      case nil: facts.border = .none
      case .passive: facts.border = .passive
      case .notify: facts.border = .notify
      case .active: facts.border = .active
      case .interrupt: facts.border = .interrupt
      case .urgent: facts.border = .urgent
      }
      return facts
    }

    /// What home says: who this is, how the connection is, and what a person has to do.
    private var homeFacts: HomeFacts {
      var facts = HomeFacts()
      facts.name = displayName
      facts.state = InlineText(cutting: session.state.word)
      facts.sentence = InlineText(cutting: session.explanation.span)
      facts.time = timeOfDay
      sayChat(in: &facts)
      guard session.state == .awaitingApproval else { return facts }
      facts.command.fill { buffer in
        var line = LogLine(buffer)
        session.writeApproval(to: &line)
        return line.count
      }
      return facts
    }

    /// Whether a person can talk to the agent; where they could if something were done, what that is.
    private func sayChat(in facts: inout HomeFacts) {
      guard screen?.face.chat != nil else { return }
      guard let desk else {
        facts.noChat = InlineText(cutting: "Chat needs enabled = yes in [operator] of talon.conf")
        return
      }
      let granted = desk.session.hello.scopes
      let isOnline = desk.session.state == .online
      // A gateway that does not tell grants what was asked for.
      facts.canChat = isOnline && (granted.isEmpty || granted.contains(.console))
      guard !facts.canChat else { return }
      facts.noChat.fill { buffer in
        var line = LogLine(buffer)
        line.add("Chat: ")
        if isOnline {
          line.add("the console connection lacks operator.read or operator.write in its scopes")
        } else {
          line.add(desk.unavailable.sentence.span)
        }
        return line.count
      }
    }

    /// Hours and minutes as the board's time zone has them; empty while the board does not know the date.
    private var timeOfDay: InlineText<16> {
      var text = InlineText<16>()
      let wall = clock.wall
      guard let screen, wall >= Budget.earliestWall else { return text }
      let minutes = (wall / 60_000 + screen.offset(wall)) % 1440
      text.fill { buffer in
        var line = LogLine(buffer)
        if minutes < 600 { line.add("0") }
        line.add(minutes / 60)
        line.add(minutes % 60 < 10 ? ":0" : ":")
        line.add(minutes % 60)
        return line.count
      }
      return text
    }
  #else
    func startScreen() {}
    func stopScreen() {}
    func screenOnline(_ channel: any RequestChannel) {}
    func screenOffline() {}
    var isScreenStopped: Bool { true }
    var screenDeadline: Int64? { nil }
    func advanceScreen(to now: Int64) {}
  #endif
}

#if TALON_CANVAS
  extension Agent: CanvasGateway {
    var onlineURL: GatewayURL? { session.onlineURL }

    func isGateway(_ certificate: PeerCertificate) -> Bool { session.isGateway(certificate) }
  }

  extension Agent: CanvasListener {
    func pressed(_ tree: InstanceTree, _ index: Int, session owner: Span<UInt8>) {
      guard let name = tree.actionName(index) else { return }
      let sessionKey = owner.isEmpty ? mainSession : InlineText<256>(cutting: owner)
      let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
      var line = ByteWriter(into: pressLine.bytes)
      guard let leftOut = tree.writeLine(index, tags, sendsObscured: false, into: &line) else { return }
      say(name, leftOut)
      post(name, line.count, sessionKey)
    }

    #if TALON_SCRIPT
      func acted(_ action: UnsafeBufferPointer<UInt8>, session owner: Span<UInt8>) -> Bool {
        let view = JSONView(Span(_unsafeElements: action))
        let sessionKey = owner.isEmpty ? mainSession : InlineText<256>(cutting: owner)
        let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
        var line = ByteWriter(into: pressLine.bytes)
        guard let written = ActionLine.write(view, tags, into: &line) else { return false }
        say(written.name.span, written.leftOut)
        post(written.name.span, line.count, sessionKey)
        return true
      }
    #endif

    /// Logs that a value was too long for the message to the agent, which says so too (`_truncated`).
    private func say(_ name: Span<UInt8>, _ leftOut: InlineText<64>) {
      guard !leftOut.isEmpty else { return }
      log.write(.notice, "canvas") { line in
        line.add("action ")
        line.add(name)
        line.add(": its context is too long for the agent, ")
        line.add(leftOut.span)
        line.add(" is left out")
      }
    }

    /// Posts what stands in `pressLine`.
    private func post(_ name: Span<UInt8>, _ count: Int, _ sessionKey: InlineText<256>) {
      let text = UnsafeBufferPointer(pressLine.bytes).extracting(0..<count)
      let id = UUIDText.make(random)
      screen?.presses.post(name) { writer in
        writer.key("message")
        writer.string(text.span)
        writer.key("sessionKey")
        writer.string(sessionKey.span)
        writer.key("thinking")
        writer.string("low")
        writer.key("deliver")
        writer.bool(false)
        writer.key("key")
        writer.string(id.span)
      }
    }

    private var mainSession: InlineText<256> {
      session.hello.mainSession.isEmpty ? InlineText<256>(cutting: "main") : session.hello.mainSession
    }

    /// Three fingers do what the button does: the same gesture lets go.
    func panicWanted() {
      let who: StaticString = "by three fingers on the screen"
      isHeld ? letGo(who) : holdStill(who)
    }
  }
#endif
