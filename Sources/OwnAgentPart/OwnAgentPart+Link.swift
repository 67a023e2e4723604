import Codec
import Node
import OwnAgent
import Runtime

/// Frames in both directions.
extension OwnAgentPart: AgentLinkDelegate {
  // MARK: To the agent

  /// Says what board this is, which tools it has, and whether the gateway is there.
  func describe() {
    areToolsOld = false
    send(.board) { writer in
      var json = JSONWriter(continuing: writer)
      json.beginObject()
      json.key("name")
      json.string(self.board.name.span)
      json.key("language")
      json.string(self.board.language.span)
      json.key("release")
      json.string(self.board.release.span)
      json.key("hasCamera")
      json.bool(self.board.hasCamera)
      json.key("utcOffsetMinutes")
      json.int(self.board.offset(self.clock.wall))
      json.endObject()
      writer = json.finish()
    }
    var (told, leftOut) = (0, 0)
    lender.forEachTool { tool in
      // The agent takes no more, and no longer ones; all of them have room in the queue.
      guard told < Budget.agentTools, tool.count <= Budget.agentToolBytes else { return leftOut += 1 }
      told += 1
      self.send(.tool) { $0.bytes(Span(_unsafeElements: tool)) }
    }
    if leftOut > 0 {
      log.write(.warning, "agent") { line in
        line.add("tools that are too long, or too many, for the board's own agent: ")
        line.add(leftOut)
      }
    }
    send(.ready) { _ in }
    tellGateway()
  }

  /// The board has other tools than before.
  public func toolsChanged() {
    areToolsOld = true
    describeAgain()
  }

  /// Tells the agent of other tools once it does nothing, for it works with those that it knows, and has read what it
  /// was sent.
  private func describeAgain() {
    if areToolsOld, isConnected, state == .idle, queue.isEmpty { describe() }
  }

  /// Sends a frame, now or when there is room. A process that reads nothing is left.
  func send(_ kind: AgentFrame.Kind, _ body: (inout ByteWriter) -> Void) {
    guard isConnected else { return }
    guard queue.append(kind, body) else { return end("it does not read what it is sent", closes: true) }
    sendWaiting()
  }

  /// Sends what waits, and adds pieces of pictures as there is room.
  func sendWaiting() {
    guard !isFlushing else { return }
    isFlushing = true
    let connection = connection
    while isConnected, self.connection == connection {
      while !queue.isEmpty {
        let front = queue.front
        let count = board.link.send(front)
        queue.sent(count)
        if count < front.count { break }
      }
      guard addPicturePiece() else { break }
    }
    isFlushing = false
  }

  public func agentLinkIsWritable() {
    sendWaiting()
    describeAgain()
  }

  // MARK: From the agent

  public func agentLinkRoom() -> UnsafeMutableBufferPointer<UInt8> { reader.room() }

  public func agentLinkLost() { end("its process has ended", closes: false) }

  @export(interface)
  public func agentLinkReceived(_ count: Int) {
    reader.wrote(count)
    let connection = connection
    while isConnected, self.connection == connection, let frame = reader.next() {
      heard()
      if !take(frame.kind, frame.body), self.connection == connection {
        return end("it sent a frame that is none of an agent", closes: true)
      }
    }
    if self.connection == connection, reader.isBroken { end("it sent what is no frame", closes: true) }
  }

  /// Takes a frame; false when it is malformed, or one of a node.
  private func take(_ kind: AgentFrame.Kind, _ body: UnsafeBufferPointer<UInt8>) -> Bool {
    var fields = FrameFields(Span(_unsafeElements: body))
    switch kind {
    case .state:
      let number = fields.number(bytes: 1)
      if let state = AgentState(rawValue: UInt8(truncatingIfNeeded: number)) { self.state = state }
      describeAgain()
    case .describe: toolsChanged()
    case .text, .ended, .step: return takeOfTurn(kind, body)
    case .call: return takeCall(body)
    case .message: return takeMessage(body)
    case .answer: return takeAnswer(body)
    case .drop:
      let number = UInt32(truncatingIfNeeded: fields.number(bytes: 4))
      if fields.isComplete { drop(number) }
    case .remind: remind(body)
    case .summary:
      let serial = fields.number(bytes: 8)
      let text = fields.rest().withUnsafeBufferPointer { $0 }
      guard fields.isComplete else { return false }
      summaries.take(serial, words.whole(text))
    case .board, .tool, .ready, .say, .cancel, .resultPiece, .result, .picturePiece, .gateway, .handedOver,
      .ask:
      return false
    }
    return fields.isComplete
  }
}

extension OwnAgentPart: SummaryDelegate {
  func summaryTaken(_ serial: UInt64) { send(.handedOver) { $0.littleEndian(serial, bytes: 8) } }
}

extension AgentState {
  /// As in `talon status`.
  var word: StaticString {
    switch self {
    case .idle: "idle"
    case .thinking: "thinking"
    case .waiting: "waiting"
    case .speaking: "speaking"
    }
  }
}
