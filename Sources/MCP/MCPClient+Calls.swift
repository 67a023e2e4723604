import Codec
import Runtime

// Calls of tools, from `begin` to their one answer.
extension MCPClient {
  /// Begins a call of the tool at an index of `tools`, with arguments that are valid until this returns. It is answered
  /// once, with this tag, which may be before this returns. The server is begun when it sleeps. `deadline`: when nobody
  /// waits any more, in milliseconds of `Clock.monotonic`. `added`: an argument that the board has asked for, and that
  /// the server does not get unless its tool has one of that name: many refuse what they do not know.
  public func begin(
    _ tag: Int, tool: Int, _ arguments: borrowing JSONView, deadline: Int64, added: StaticString? = nil
  ) {
    counts.calls &+= 1
    let now = clock.monotonic
    switch session.phase {
    case .held: return refuse(tag, MCPFailure(.held))
    case .resting where now < session.restsUntil: return refuse(tag, resting)
    default: break
    }
    guard tool >= 0, tool < tools.count else { return refuse(tag, MCPFailure(.gone)) }
    guard arguments.kind == .object else { return refuse(tag, MCPFailure(.noObject)) }
    guard let free = calls.firstEmpty else { return refuse(tag, MCPFailure(.busy)) }
    let id = newID()
    var writer = ByteWriter(into: room(of: free))
    MCPWriter.beginCall(id, name: Span(_unsafeElements: tools[tool].remoteName), to: &writer)
    if let added, arguments.member(added) != nil, !tools[tool].hasArgument(added) {
      MCPWriter.write(arguments, without: added, to: &writer)
    } else {
      MCPWriter.line(arguments.rawText, to: &writer)
    }
    MCPWriter.endCall(id, to: &writer)
    guard writer.isComplete else { return refuse(tag, MCPFailure(.longArguments)) }
    calls[free] = Call(tag: tag, id: id, length: writer.count, deadline: deadline)
    handle(.calls(callsUnderWay))
    if session.phase == .ready { return send(free) }
    handle(.wanted)
  }

  /// Nobody waits for the call any more; it is not answered.
  public func cancel(_ tag: Int) {
    for index in calls.indices {
      guard let call = calls[index], call.tag == tag else { continue }
      calls[index] = nil
      if call.quietUntil != nil, session.phase == .ready {
        _ = sendLine { MCPWriter.cancel(call.id, to: &$0) }
      }
      handle(.calls(callsUnderWay))
    }
  }

  /// The memory of a call's line.
  private func room(of slot: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let start = slot * Budget.mcpRequestBytes
    return UnsafeMutableBufferPointer(rebasing: lines.bytes[start..<(start + Budget.mcpRequestBytes)])
  }

  /// Sends the calls that have waited for the server.
  func sendCalls() {
    for index in calls.indices {
      if let call = calls[index], call.quietUntil == nil { send(index) }
    }
  }

  private func send(_ slot: Int) {
    guard var call = calls[slot] else { return }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room(of: slot))[..<call.length])
    guard link.send(text) else { return end(slot, call, MCPFailure(.deaf)) }
    call.quietUntil = clock.monotonic + settings.timeout
    calls[slot] = call
  }

  private func refuse(_ tag: Int, _ failure: MCPFailure) {
    counts.failures &+= 1
    delegate?.callFailed(self, tag, failure)
  }

  /// Frees the slot of a call, and tells that it has failed.
  func end(_ slot: Int, _ call: Call, _ failure: MCPFailure) {
    calls[slot] = nil
    handle(.calls(callsUnderWay))
    refuse(call.tag, failure)
  }

  /// Frees the slot of a call, and gives its result.
  func end(_ slot: Int, _ call: Call, result: borrowing JSONView) {
    calls[slot] = nil
    handle(.calls(callsUnderWay))
    delegate?.callSucceeded(self, call.tag, result)
  }

  /// The call that was sent with this id.
  func slot(of id: Int64) -> Int? {
    for index in calls.indices {
      if let call = calls[index], call.id == id, call.quietUntil != nil { return index }
    }
    return nil
  }
}
