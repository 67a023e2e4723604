import A2UI
import Canvas
import Codec
import Gateway
import Runtime

// The screen in the life of the agent; nothing in a build without the canvas.
extension Agent {
  #if TALON_CANVAS
    func startScreen() {
      screen?.listener = self
      screen?.face.start()
    }

    func stopScreen() {
      screen?.face.stop()
      #if TALON_SCRIPT
        screen?.scripts?.stop()
      #endif
    }

    var isScreenStopped: Bool {
      #if TALON_SCRIPT
        if screen?.scripts?.isAtRest == false { return false }
      #endif
      return screen?.face.pump.isStopped ?? true
    }

    var screenDeadline: Int64? {
      #if TALON_SCRIPT
        if let script = screen?.scripts?.nextDeadline { return min(script, screen?.face.nextDeadline ?? script) }
      #endif
      return screen?.face.nextDeadline
    }

    func advanceScreen(to now: Int64) {
      guard let screen else { return }
      screen.face.advance(to: now)
      #if TALON_SCRIPT
        screen.scripts?.advance(to: now)
      #endif
      screen.face.say(homeFacts)
    }

    /// What home says: who this is, how the connection is, and what a person has to do.
    private var homeFacts: HomeFacts {
      var facts = HomeFacts()
      facts.name = displayName
      facts.state = InlineText(cutting: session.state.word)
      facts.sentence = InlineText(cutting: session.explanation.span)
      guard session.state == .awaitingApproval else { return facts }
      facts.command.fill { buffer in
        var line = LogLine(buffer)
        session.writeApproval(to: &line)
        return line.count
      }
      return facts
    }
  #else
    func startScreen() {}
    func stopScreen() {}
    var isScreenStopped: Bool { true }
    var screenDeadline: Int64? { nil }
    func advanceScreen(to now: Int64) {}
  #endif
}

#if TALON_CANVAS
  extension Agent: CanvasListener {
    /// A press waits in the outbox while the gateway is away, but not for long: who pressed looks at the screen.
    private static let pressAge: Int64 = 120_000

    func pressed(_ tree: InstanceTree, _ index: Int) {
      let id = UUIDText.make(random)
      let sessionKey = session.hello.mainSession.isEmpty ? InlineText<256>(cutting: "main") : session.hello.mainSession
      let tags = ActionTags(session: sessionKey.span, host: displayName.span, instance: session.identity.id.span)
      var line = ByteWriter(into: pressLine.bytes)
      guard tree.writeLine(index, tags, sendsObscured: false, into: &line) else { return }
      let count = line.count
      let text = UnsafeBufferPointer(pressLine.bytes).extracting(0..<count)
      let posted = outbox.post("agent.request", ageLimit: Self.pressAge, hasID: false) { writer in
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
      if case .tooLarge = posted { log.write(.warning, "canvas", "what a button would tell the agent is too long") }
    }

    /// Three fingers do what the button does: the same gesture lets go.
    func panicWanted() {
      let who: StaticString = "by three fingers on the screen"
      isHeld ? letGo(who) : holdStill(who)
    }
  }
#endif
