import Canvas
import Gateway
import Runtime

// The screen in the life of the agent; nothing in a build without the canvas.
extension Agent {
  #if TALON_CANVAS
    func startScreen() { screen?.face.pump.start() }

    func stopScreen() { screen?.face.pump.stop() }

    var isScreenStopped: Bool { screen?.face.pump.isStopped ?? true }

    var screenDeadline: Int64? { screen?.face.pump.nextDeadline }

    func advanceScreen(to now: Int64) {
      guard let screen else { return }
      screen.face.pump.advance(to: now)
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
