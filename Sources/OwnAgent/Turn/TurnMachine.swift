import Codec
import Completion
import Runtime

/// Does what a turn needs, and hears what comes of it.
public protocol TurnDelegate: AnyObject {
  /// The model is to be asked with the turn's prompt. `mayCall` false: it is to answer now, without calls.
  func turnAsks(mayCall: Bool)
  /// The question to the model is not wanted any more.
  func turnDropsQuestion()
  /// A tool is to be called: `toolEnded` with this place tells the result, now or later. The arguments, a JSON object,
  /// are valid during the call.
  func turnCalls(_ place: Int, tool: Int, arguments: UnsafeBufferPointer<UInt8>, flags: CallFlags)
  /// The result of the call at this place is not wanted any more.
  func turnDropsCall(_ place: Int)
  /// The agent says more; whole characters.
  func turnSaid(_ text: UnsafeBufferPointer<UInt8>)
  /// A tool has begun or ended.
  func turnStepped(_ tool: Int, _ step: TurnStep)
  /// What the agent does has changed.
  func turnChanged(_ state: AgentState)
  /// The turn is over; `sentence` says why it has failed.
  func turnEnded(_ end: TurnEnd, _ sentence: UnsafeBufferPointer<UInt8>)
}

/// How far a tool is in a turn.
public enum TurnStep: UInt8, Sendable { case begun = 0, done = 1, failed = 2 }

/// One turn: a person says something; the model is asked, calls tools, gets their results, is asked again, until it has
/// answered. A pure state machine, `idle`, `thinking`, `waiting`, `speaking`: what is to be done goes to a delegate,
/// and what comes of it comes back by method calls. One turn at a time; a cancel ends it in any state.
public final class TurnMachine {
  let prompt: Prompt
  let book: ToolBook
  private unowned(unsafe) let delegate: any TurnDelegate
  var rules = ToolRules()
  private var history = TurnHistory()
  private var calls = TurnCalls()
  private let question = FixedBuffer(capacity: Budget.agentMessageBytes)
  private var questionCount = 0
  private let answer = FixedBuffer(capacity: Budget.agentAnswerBytes)
  private var answerCount = 0
  private let result = FixedBuffer(capacity: Budget.agentResultBytes + OutsideWords.frameBytes)
  /// Around words of others in this turn.
  private var mark: UInt64 = 0
  private var rounds = 0
  /// The prompt was cut because the model found it too long.
  private var cuts = 0
  private var hasSaidInRound = false
  /// The picture that the last tool gave. Results are texts, so it comes in a message after them.
  private var pictured = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// Calls of an answer are being begun, whose results may come at once.
  private var isBeginning = false
  private var deadline: Int64 = .max
  public private(set) var state = AgentState.idle
  /// The tools that sensed or acted in this turn, for the summary.
  private(set) var deeds = InlineText<96>()

  /// An idle agent. `delegate` lives as long as it.
  @export(interface)
  public init(_ prompt: Prompt, _ book: ToolBook, _ delegate: any TurnDelegate) {
    self.prompt = prompt
    self.book = book
    self.delegate = delegate
  }

  /// What the person said in this turn, or the last one, and what the agent has answered so far.
  public var said: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(question.bytes)[..<questionCount])
  }
  public var answered: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(answer.bytes)[..<answerCount])
  }
  /// Words of others have come into this turn, or into the last one.
  public var isTainted: Bool { rules.isTainted }

  // MARK: A turn

  /// A person says `text`. `system` is what the model is told first; `mark` is a random number.
  /// - Returns: false, and nothing begins, when a turn runs, or there is nothing or too much to say.
  public func begin(_ text: Span<UInt8>, system: Span<UInt8>, mark: UInt64, at now: Int64) -> Bool {
    guard state == .idle, (1...Budget.agentMessageBytes).contains(text.count) else { return false }
    prompt.removeAll()
    guard prompt.addSystem(system) else { return false }
    history.tell(prompt)
    while !prompt.addUser(text) { guard prompt.dropOldest() else { return false } }
    for index in 0..<text.count { question.bytes[index] = text[index] }
    (questionCount, answerCount, rounds, cuts, self.mark) = (text.count, 0, 0, 0, mark)
    deeds.clear()
    rules.beginTurn(text)
    deadline = now.adding(clamping: Budget.agentTurnMilliseconds)
    ask()
    return true
  }

  private func ask() {
    rounds += 1
    hasSaidInRound = false
    set(.thinking)
    delegate.turnAsks(mayCall: rounds < Budget.agentRounds)
  }

  private func set(_ new: AgentState) {
    guard state != new else { return }
    state = new
    delegate.turnChanged(new)
  }

  private func end(_ end: TurnEnd, _ sentence: UnsafeBufferPointer<UInt8>) {
    dropCalls()
    deadline = .max
    if end != .failed || answerCount > 0 {
      history.add(Span(_unsafeElements: said), Span(_unsafeElements: answered), isTainted: rules.isTainted)
    }
    set(.idle)
    delegate.turnEnded(end, sentence)
  }

  private func fail(_ sentence: StaticString) { end(.failed, sentence.bytes) }

  /// The person does not want the answer any more.
  public func cancel() {
    guard state != .idle else { return }
    if state != .waiting { delegate.turnDropsQuestion() }
    end(.cancelled, UnsafeBufferPointer(start: nil, count: 0))
  }

  /// What was said before this run of the program: a person's words, and the answer to them.
  public func recall(_ question: Span<UInt8>, _ answer: Span<UInt8>, isTainted: Bool) {
    history.add(question, answer, isTainted: isTainted)
  }

  /// Forgets the conversation; a turn that runs ends.
  public func forget() {
    cancel()
    history.removeAll()
    rules.forget()
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? {
    guard state != .idle else { return nil }
    return min(deadline, calls.nextDeadline ?? .max)
  }

  /// Gives up what takes too long.
  public func advance(to now: Int64) {
    guard state != .idle else { return }
    if deadline <= now {
      if state != .waiting { delegate.turnDropsQuestion() }
      return fail("the answer took longer than the 10 minutes that a turn has")
    }
    while let place = calls.overdue(at: now) {
      delegate.turnDropsCall(place)
      toolEnded(place, Span(_unsafeElements: Self.tooSlow.bytes), isError: true)
    }
  }

  private static let tooSlow: StaticString = "the tool took longer than two minutes, and was given up"

  // MARK: The model

  /// The model says more; whole characters.
  public func modelSaid(_ text: UnsafeBufferPointer<UInt8>) {
    guard state == .thinking || state == .speaking, !text.isEmpty else { return }
    set(.speaking)
    // After tools, the answer goes on in a line of its own.
    if !hasSaidInRound, answerCount > 0 { say(Self.paragraph.bytes) }
    hasSaidInRound = true
    say(text)
  }

  private static let paragraph: StaticString = "\n\n"

  private func say(_ text: UnsafeBufferPointer<UInt8>) {
    let end = Span(_unsafeElements: text).characters(in: answer.bytes.count - answerCount)
    for index in 0..<end { answer.bytes[answerCount + index] = text[index] }
    answerCount += end
    delegate.turnSaid(text)
  }

  /// The model's answer has ended; `text` and `calls` are those of its reader.
  public func modelEnded(
    _ outcome: CompletionOutcome, _ text: UnsafeBufferPointer<UInt8>, _ calls: CallList, at now: Int64
  ) {
    guard state == .thinking || state == .speaking else { return }
    switch outcome {
    case .answered, .cutAtLimit:
      if answerCount == 0 { return fail("the model has answered with nothing") }
      end(.answered, UnsafeBufferPointer(start: nil, count: 0))
    case .calls:
      guard rounds < Budget.agentRounds else { return fail("the model goes on calling tools, and does not answer") }
      begin(calls, text, at: now)
    }
  }

  /// No model gives an answer. A prompt that is too long for it is cut, and asked again.
  public func modelFailed(_ fault: ModelFault) {
    guard state == .thinking || state == .speaking else { return }
    if fault.kind == .promptTooLong, !hasSaidInRound, cuts < Self.cutsMost, prompt.dropOldest() {
      cuts += 1
      rounds -= 1
      return ask()
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 400) { room in
      var writer = ByteWriter(into: room)
      fault.write(to: &writer)
      end(.failed, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<min(writer.count, room.count)]))
    }
  }

  /// Times that a prompt is cut for one turn: all that was said before, and the results of some rounds.
  private static var cutsMost: Int { Budget.agentHistoryTurns + Budget.agentRounds }

  // MARK: Tools

  private func begin(_ list: CallList, _ text: UnsafeBufferPointer<UInt8>, at now: Int64) {
    while !prompt.addAnswer(Span(_unsafeElements: text), calls: list) {
      guard prompt.dropOldest() else { return fail("the conversation is too long for what the model has called") }
    }
    set(.waiting)
    isBeginning = true
    for index in 0..<list.count where state == .waiting { begin(list[index], at: now) }
    isBeginning = false
    goOn()
  }

  private func begin(_ call: ModelCall, at now: Int64) {
    if let refusal = call.refusal {
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 200) { room in
        var writer = ByteWriter(into: room)
        refusal.write(to: &writer)
        add(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<min(writer.count, room.count)]), for: call.id)
      }
    }
    guard let tool = book.index(of: call.name) else { return add(Self.unknown.bytes, for: call.id) }
    guard book.takeCall(tool, at: now) else { return add(Self.tooOften.bytes, for: call.id) }
    let arguments = JSONView(Span(_unsafeElements: call.arguments))
    switch rules.verdict(book.runner(tool), book.effect(tool), arguments) {
    case .refused(let refusal): add(refusal.sentence.bytes, for: call.id)
    case .runs(let flags):
      var entry = TurnCall(tool: tool, deadline: now.adding(clamping: Budget.agentToolMilliseconds))
      entry.id.set(Span(_unsafeElements: call.id))
      guard let place = calls.add(entry) else { return add(Self.tooOften.bytes, for: call.id) }
      delegate.turnStepped(tool, .begun)
      delegate.turnCalls(place, tool: tool, arguments: call.arguments, flags: flags)
    }
  }

  private static let unknown: StaticString = "there is no tool of this name"
  private static let tooOften: StaticString = "this tool was called too often: wait a minute, or do without it"

  /// The tool at a place has ended. What came from others comes with its `origin`, such as a host; also where the tool
  /// itself only recalls (`hasWordsOfOthers`).
  public func toolEnded(
    _ place: Int, _ text: Span<UInt8>, isError: Bool = false, hasWordsOfOthers: Bool = false,
    origin: Span<UInt8> = Span(),
    picture: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0)
  ) {
    guard state == .waiting, let call = calls.remove(place) else { return }
    let effect = book.effect(call.tool)
    if effect == .acts, !isError { note(call.tool) }
    delegate.turnStepped(call.tool, isError ? .failed : .done)
    var writer = ByteWriter(into: result.bytes)
    // Failures of the agent's own tools are sentences of its own.
    if book.brings(call.tool) || !isError && (hasWordsOfOthers || effect == .brings) {
      rules.received(text, of: .brings)
      var source = InlineText<64>(cutting: origin)
      if source.isEmpty { source = InlineText(cutting: book.tools.list[call.tool].name) }
      OutsideWords.write(text, from: source.span, mark: mark, to: &writer, limit: Budget.agentResultBytes)
    } else {
      writer.bytes(text.extracting(0..<min(text.count, Budget.agentResultBytes)))
    }
    call.id.span.withUnsafeBufferPointer { id in
      add(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(result.bytes)[..<writer.count]), for: id)
    }
    if !picture.isEmpty { pictured = picture }
    goOn()
  }

  /// Adds a result; what does not fit makes older turns go, and in the end is left out.
  private func add(_ text: UnsafeBufferPointer<UInt8>, for id: UnsafeBufferPointer<UInt8>) {
    while !prompt.addResult(id: id, Span(_unsafeElements: text)) {
      guard prompt.dropOldest() else {
        // Servers want a result for each call.
        _ = prompt.addResult(id: id, Self.noRoom.utf8Bytes)
        return
      }
    }
  }

  private static let noRoom: StaticString = "the result is too long for this conversation"

  /// Asks the model again when all results are there.
  private func goOn() {
    guard state == .waiting, !isBeginning, calls.isEmpty else { return }
    if !pictured.isEmpty {
      _ = prompt.addUser(Self.pictureWords.utf8Bytes, picture: pictured)
      pictured = UnsafeBufferPointer(start: nil, count: 0)
    }
    ask()
  }

  private static let pictureWords: StaticString = "(The board: this is the picture that the tool has taken.)"

  private func note(_ tool: Int) {
    let before = deeds
    deeds.fill { room in
      var writer = ByteWriter(into: room)
      writer.bytes(before.span)
      if !before.isEmpty { writer.text(", ") }
      writer.text(self.book.tools.list[tool].name)
      return writer.isComplete ? writer.count : before.count
    }
  }

  private func dropCalls() {
    while let place = calls.any {
      _ = calls.remove(place)
      delegate.turnDropsCall(place)
    }
    pictured = UnsafeBufferPointer(start: nil, count: 0)
  }
}
