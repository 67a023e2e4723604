import Canvas
import Codec
import Device
import Gateway
import Node
import Runtime

/// The board's own texts on the screen, besides the agent's content.
extension Screen {
  /// Texts in front of all content.
  var overlayFacts: OverlayFacts {
    var facts = OverlayFacts()
    let live = table.live
    facts.isCameraLive = live.contains(.camera)
    facts.isMicrophoneLive = live.contains(.microphone)
    facts.isRecorded = recordings.isRecording
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

  /// The texts of home: the board's name, the state of the connection, and what a person has to do.
  var homeFacts: HomeFacts {
    var facts = HomeFacts()
    facts.name = displayName
    facts.state = InlineText(cutting: session.state.word)
    facts.sentence = InlineText(cutting: session.explanation.span)
    facts.time = timeOfDay
    sayChat(in: &facts)
    if session.state == .online, table.awaitsApproval {
      facts.sentence = InlineText(cutting: "The gateway waits for somebody to approve what this board can do.")
      facts.command = approvalCommand
    }
    guard session.state == .awaitingApproval else { return facts }
    facts.command.fill { buffer in
      var line = LogLine(buffer)
      session.writeApproval(to: &line)
      return line.count
    }
    return facts
  }

  /// What to type on the gateway's machine for the board's commands: with the id of their request, where the operator
  /// connection has read it.
  private var approvalCommand: InlineText<192> {
    var command = InlineText<192>()
    let request = desk?.policy.pendingRequest ?? InlineText()
    command.fill { buffer in
      var line = LogLine(buffer)
      line.add(request.isEmpty ? "openclaw nodes pending" : "openclaw nodes approve ")
      line.add(request.span)
      return line.count
    }
    return command
  }

  /// Whether a person can talk to the agent, or what has to be done first.
  private func sayChat(in facts: inout HomeFacts) {
    guard commands.face.chat != nil else { return }
    guard let desk else {
      facts.noChat = InlineText(cutting: "Chat needs enabled = yes in [operator] of talon.conf")
      return
    }
    let granted = desk.session.hello.scopes
    let isOnline = desk.session.state == .online
    // A gateway that does not list scopes grants those that were requested.
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

  /// Hours and minutes in the board's time zone; empty while the board does not know the date.
  private var timeOfDay: InlineText<16> {
    var text = InlineText<16>()
    let wall = clock.wall
    guard wall >= Budget.earliestWall else { return text }
    let minutes = (wall / 60_000 + commands.offset(wall)) % 1440
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
}
