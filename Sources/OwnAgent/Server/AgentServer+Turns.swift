import Codec
import Completion
import Runtime

/// Turns: who begins them, what they may use, and where their text goes.
extension AgentServer: TurnDelegate, ModelClientDelegate {
  // MARK: Beginning

  /// A person says something.
  func say(_ text: Span<UInt8>, for listener: Listener) {
    if let sentence = objection(to: text) { return refuse(listener, sentence) }
    keeper.usage.addTurn()
    keeper.keep(.usage)
    self.listener = listener
    let system = words.write(at: clock.wall, host)
    let mark = UInt64(randomNumber(below: .max, random)) << 32 | UInt64(randomNumber(below: .max, random))
    let isBegun = machine.begin(text, system: Span(_unsafeElements: system), mark: mark, at: clock.monotonic)
    if isBegun { return }
    self.listener = .nobody
    refuse(listener, "AGENT.md and MEMORY.md leave no room for a question")
  }

  private func objection(to text: Span<UInt8>) -> StaticString? {
    if machine.state != .idle { return "the board's own agent is busy with another question" }
    if text.isEmpty || text.count > Budget.agentMessageBytes { return "a message has 1 to 6144 bytes" }
    if settings.models.isEmpty { return "no model is configured: add a section [model NAME]" }
    if let date = BelievableDate.of(clock.wall) { keeper.usage.tell(localMinutes: words.localMinutes(date)) }
    return keeper.usage.spent(settings.budget)?.text
  }

  private func refuse(_ listener: Listener, _ sentence: StaticString) {
    switch listener {
    case .nobody: return
    case .node(let number): sendEnd(number, .failed, sentence.bytes)
    case .telegram: reply(sentence.bytes)
    }
  }

  private func sendEnd(_ number: UInt32, _ end: TurnEnd, _ sentence: UnsafeBufferPointer<UInt8>) {
    host.send(.ended) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.byte(end.rawValue)
      writer.bytes(Span(_unsafeElements: sentence))
    }
  }

  // MARK: TurnDelegate

  public func turnAsks(mayCall: Bool) {
    // Another round may be more than the day has left.
    if let part = keeper.usage.spent(
      ModelBudget(
        tokens: settings.budget.tokens, seconds: settings.budget.seconds, money: settings.budget.money))
    {
      return machine.modelFailed(
        ModelFault(.refused, message: part.text.utf8Bytes, hiding: StaticString("").utf8Bytes))
    }
    means.models.ask(machine.prompt, book.tools, mayCall: mayCall)
  }

  public func turnDropsQuestion() { means.models.cancel() }

  public func turnSaid(_ text: UnsafeBufferPointer<UInt8>) {
    guard case .node(let number) = listener else { return }
    // A frame has room for the largest piece of an answer, but for its number.
    var start = 0
    while start < text.count {
      let end = min(start + Budget.agentFrameBytes - 4, text.count)
      host.send(.text) { writer in
        writer.littleEndian(UInt64(number), bytes: 4)
        writer.bytes(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text[start..<end])))
      }
      start = end
    }
  }

  public func turnStepped(_ tool: Int, _ step: TurnStep) {
    guard case .node(let number) = listener else { return }
    let name = book.tools.list[tool].name
    host.send(.step) { writer in
      writer.littleEndian(UInt64(number), bytes: 4)
      writer.byte(step.rawValue)
      writer.text(name)
      writer.byte(0)
    }
  }

  public func turnChanged(_ state: AgentState) { sendState(state) }

  public func turnEnded(_ end: TurnEnd, _ sentence: UnsafeBufferPointer<UInt8>) {
    let listener = listener
    self.listener = .nobody
    calls.removeAll()
    remember(end, sentence)
    switch listener {
    case .nobody: return
    case .node(let number): sendEnd(number, end, sentence)
    case .telegram: if end != .cancelled { reply(end == .failed ? sentence : machine.answered) }
    }
  }

  /// Keeps what was said: in the memory, and for the gateway while that is away.
  private func remember(_ end: TurnEnd, _ sentence: UnsafeBufferPointer<UInt8>) {
    if end == .answered, let memory = means.memory {
      let (none, empty) = (UnsafeBufferPointer<Float>(start: nil, count: 0), StaticString("").bytes)
      let speaker = machine.isTainted ? MemorySpeaker.tool : .agent
      _ = memory.remember(.conversation(.person, at: clock.wall), subject: empty, text: machine.said, vector: none)
      _ = memory.remember(.conversation(speaker, at: clock.wall), subject: empty, text: machine.answered, vector: none)
      vectors?.remembered()
    }
    guard !isGatewayThere else { return }
    let told = end == .failed ? sentence : machine.answered
    keeper.handOver.add(
      AwayTurn(
        time: clock.wall, end: end, question: Span(_unsafeElements: machine.said),
        answer: Span(_unsafeElements: told), deeds: machine.deeds.span))
    keeper.keep(.handOver)
  }

  // MARK: ModelClientDelegate

  public func modelSaid(_ text: UnsafeBufferPointer<UInt8>) { machine.modelSaid(text) }

  public func modelEnded(_ outcome: CompletionOutcome, _ reader: CompletionReader) {
    machine.modelEnded(outcome, reader.text, reader.calls, at: clock.monotonic)
  }

  public func modelFailed(_ fault: ModelFault) {
    log.write(.warning, "agent") { line in
      line.add("no model answers: ")
      line.add(fault)
    }
    machine.modelFailed(fault)
  }

  public func modelUsed(_ tokens: TokenCount, _ price: ModelPrice, milliseconds: Int64) {
    keeper.usage.add(tokens, price, milliseconds: milliseconds)
    keeper.keep(.usage)
  }
}
