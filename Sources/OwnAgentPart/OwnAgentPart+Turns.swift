import Codec
import Node
import OwnAgent
import Runtime

/// People's messages and the agent's answers: one turn at a time.
extension OwnAgentPart: ChatStandIn {
  public var answersAlways: Bool { settings.answersAlways }

  public func begin(_ message: UnsafeBufferPointer<UInt8>, for run: StandInRun) -> DeskFailure? {
    guard isConnected, !isHeld else {
      return DeskFailure("UNAVAILABLE", "the board's own agent is not there just now; try again in a moment")
    }
    guard !message.isEmpty, message.count <= Budget.agentMessageBytes else {
      return DeskFailure("TOO_LARGE", "a message has 1 to 6144 bytes")
    }
    guard turn == nil else {
      return DeskFailure(
        "BUSY", "the board's own agent answers another message; try again when that has ended, or stop it")
    }
    // No turn has the number 0.
    lastTurn = lastTurn == .max ? 1 : lastTurn + 1
    let number = lastTurn
    // Before the desk would give it up.
    let until = clock.monotonic + Budget.agentTurnMilliseconds
    turn = Turn(number: number, run: run, until: until)
    countTurn()
    pieces.reset()
    send(.say) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.bytes(Span(_unsafeElements: message))
    }
    return nil
  }

  public func cancel(_ run: StandInRun) {
    guard let turn, turn.run == run else { return }
    self.turn = nil
    send(.cancel) { $0.littleEndian(UInt64(turn.number), bytes: 4) }
    failCalls("the person has stopped this")
  }

  /// Ends the turn, if there is one, with a failure.
  func failTurn(_ failure: DeskFailure) {
    guard let turn else { return }
    self.turn = nil
    note(failure)
    desk.standInFailed(turn.run, failure)
  }

  // MARK: Frames of a turn

  /// Takes a frame that begins with a turn's number; false when it is malformed. One of a turn that is over, or was
  /// cancelled, is ignored.
  func takeOfTurn(_ kind: AgentFrame.Kind, _ body: UnsafeBufferPointer<UInt8>) -> Bool {
    var fields = FrameFields(Span(_unsafeElements: body))
    let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
    switch kind {
    case .text:
      let text = fields.rest().withUnsafeBufferPointer { $0 }
      if fields.isComplete { said(number, text) }
    case .step:
      let state = fields.number(bytes: 1)
      let name = fields.word().withUnsafeBufferPointer { $0 }
      let arguments = fields.rest().withUnsafeBufferPointer { $0 }
      if fields.isComplete {
        stepped(number, ChatStep.State(rawValue: UInt8(truncatingIfNeeded: state)), name, arguments)
      }
    default:
      let end = fields.number(bytes: 1)
      let sentence = fields.rest().withUnsafeBufferPointer { $0 }
      if fields.isComplete { ended(number, TurnEnd(rawValue: UInt8(truncatingIfNeeded: end)), sentence) }
    }
    return fields.isComplete
  }

  private func said(_ number: UInt32, _ text: UnsafeBufferPointer<UInt8>) {
    guard let turn, turn.number == number else { return }
    let whole = pieces.add(text)
    desk.standInSaid(turn.run, whole)
  }

  private func stepped(
    _ number: UInt32, _ state: ChatStep.State?, _ name: UnsafeBufferPointer<UInt8>,
    _ arguments: UnsafeBufferPointer<UInt8>
  ) {
    guard let turn, turn.number == number, let state else { return }
    var step = ChatStep(.tool, state)
    step.name = InlineText(cutting: Span(_unsafeElements: words.whole(name)))
    step.detail = InlineText(cutting: Span(_unsafeElements: words.whole(arguments)))
    desk.standInStepped(turn.run, step)
  }

  private func ended(_ number: UInt32, _ end: TurnEnd?, _ sentence: UnsafeBufferPointer<UInt8>) {
    guard let turn, turn.number == number else { return }
    switch end {
    case .answered, .cancelled:
      let rest = pieces.finish()
      desk.standInSaid(turn.run, rest)
      // Whoever got that may have begun another turn.
      guard self.turn?.number == number else { return }
      self.turn = nil
      desk.standInEnded(turn.run, isAborted: end == .cancelled)
    case .failed, nil:
      let reason = words.whole(sentence)
      failTurn(
        DeskFailure("RUN_FAILED") { line in
          if reason.isEmpty { line.add("the board's own agent has no answer, and does not say why") }
          line.add(reason)
        })
    }
  }
}
