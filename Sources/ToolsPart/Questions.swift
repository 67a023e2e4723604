import Codec
import Node
import Runtime

/// The question of a tool to whoever is at the board: it is shown with buttons, spoken, and answered by a press on the
/// screen, a press of the board's button, or spoken words, whichever comes first. One at a time. Each way is a command
/// of another part, begun as a tool begins its own.
final class Questions {
  /// The command of the tool, which is here and not at the router.
  static let command = "tool.ask"
  static let listening = "tool.listen"

  /// How a question ends.
  enum End {
    /// Somebody answered in this way; the answer is a string of JSON, valid until `ended` returns.
    case answered(by: StaticString, UnsafeBufferPointer<UInt8>)
    case nobody
    case failed(InlineText<256>)
  }

  /// A command that runs for the question, and the letter by which its id differs from that of the call.
  private enum Step: UInt8 {
    case choose, say, press, listen

    var command: String {
      switch self {
      case .choose: "tool.choose"
      case .say: "tool.say"
      case .press: "tool.press"
      case .listen: Questions.listening
      }
    }

    /// What the agent reads of how somebody answered.
    var word: StaticString {
      switch self {
      case .choose: "screen"
      case .say, .listen: "voice"
      case .press: "button"
      }
    }
  }

  private let router: Router
  private let clock: any Clock
  private let ended: (InlineText<128>, End) -> Void
  /// Whether a question may be answered by voice: the owner lets the agent listen.
  var canListen = false
  /// The call that asks; empty without one.
  private var id = InlineText<128>()
  private var running: UInt8 = 0
  private var until: Int64?
  private var failure = InlineText<256>()
  /// The call is one of the board's own agent.
  private var lent: LentCall?
  private let parameters = FixedBuffer(capacity: 2 * Budget.questionBytes + 128)

  init(router: Router, clock: any Clock, ended: @escaping (InlineText<128>, End) -> Void) {
    self.router = router
    self.clock = clock
    self.ended = ended
  }

  /// True where somebody could be asked, and could answer.
  var canBeAnswered: Bool {
    has(.choose) || has(.say) && (has(.press) || canListen)
  }

  private func has(_ step: Step) -> Bool { router.has(step.command) }

  /// When `advance` is to be called.
  var nextDeadline: Int64? { until }

  func advance(to now: Int64) {
    guard let until, until <= now else { return }
    end(.nobody)
  }

  // MARK: A question

  /// Asks `{question, buttons?, seconds?, speak?}` for the call `id`; `ended` is told the end, once.
  func begin(_ id: InlineText<128>, _ arguments: borrowing JSONView, deadline: Int64, lent: LentCall? = nil) {
    guard self.id.isEmpty else { return fail(id, "this board asks another question: try again later") }
    guard let question = arguments.member("question"), question.kind == .string, question.rawText.count > 2,
      question.rawText.count <= Budget.questionBytes
    else { return fail(id, "question is a text of at most 1000 bytes") }
    var seconds = Budget.questionSeconds
    if let member = arguments.member("seconds") {
      guard let value = member.int64, Budget.questionSecondsRange.contains(value) else {
        return fail(id, "seconds is a whole number from 5 to 110")
      }
      seconds = value
    }
    (self.id, self.lent) = (id, lent)
    (running, failure) = (0, InlineText())
    let now = clock.monotonic
    until = min(now + seconds * 1000, max(deadline - Budget.toolAnswerMilliseconds, now))
    if has(.press) { start(.press, deadline) { _ in } }
    if has(.choose) {
      start(.choose, deadline) { writer in
        writer.key("text")
        writer.raw(question.rawText)
        writer.key("buttons")
        if let buttons = arguments.member("buttons") {
          writer.raw(buttons.rawText)
        } else {
          writer.raw((#"["Yes","No"]"# as StaticString).utf8Bytes)
        }
      }
    }
    let isSilent = arguments.member("speak")?.bool == false
    if has(.say), !isSilent {
      start(.say, deadline) { writer in
        writer.key("text")
        writer.raw(question.rawText)
      }
    } else {
      listen()
    }
    endWithoutSteps()
  }

  private func fail(_ id: InlineText<128>, _ reason: StaticString) {
    ended(id, .failed(InlineText(cutting: reason.utf8Bytes)))
  }

  private func start(_ step: Step, _ deadline: Int64, _ members: (inout JSONWriter) -> Void) {
    // A step that has failed for good has ended the question.
    guard !id.isEmpty else { return }
    var writer = JSONWriter(into: parameters.bytes)
    writer.beginObject()
    members(&writer)
    writer.endObject()
    guard writer.isComplete else { return end(.failed(InlineText(cutting: tooLong.utf8Bytes))) }
    running |= bit(step)
    let text = UnsafeBufferPointer(parameters.bytes).extracting(..<writer.count)
    let view = JSONView(Span(_unsafeElements: text))
    if !router.begin(tool: step.command, view, id: stepID(step), deadline: deadline, lent: lent) {
      running &= ~bit(step)
    }
  }

  private let tooLong: StaticString = "buttons are at most 6 short strings"

  /// Listens for the answer, if the owner lets the agent listen and there is time.
  private func listen() {
    guard canListen, let until, until - clock.monotonic >= 2_000 else { return }
    let seconds = min((until - clock.monotonic) / 1000, Budget.listenMost / 1000)
    start(.listen, until) { writer in
      writer.key("seconds")
      writer.int(seconds)
    }
  }

  /// The agent does not wait for the answer any more. False when it is not this call that asks.
  func cancel(_ id: InlineText<128>) -> Bool {
    guard !self.id.isEmpty, self.id.equals(id.span) else { return false }
    stopAll()
    return true
  }

  // MARK: Steps

  private func bit(_ step: Step) -> UInt8 { 1 << step.rawValue }

  private func stepID(_ step: Step) -> InlineText<128> {
    var text = InlineText<128>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.bytes(self.id.span)
      writer.byte(UInt8(ascii: "a") + step.rawValue)
      return writer.count
    }
    return text
  }

  /// True for the id of a question's command, which ends in a letter.
  func isStep(_ id: Span<UInt8>) -> Bool { !id.isEmpty && id[id.count - 1] >= UInt8(ascii: "a") }

  private func step(_ id: Span<UInt8>) -> Step? {
    guard !self.id.isEmpty, id.count == self.id.count + 1 else { return nil }
    guard let step = Step(rawValue: id[id.count - 1] &- UInt8(ascii: "a")) else { return nil }
    return running & bit(step) != 0 && stepID(step).equals(id) ? step : nil
  }

  /// A step's command has answered.
  func succeeded(_ id: Span<UInt8>, _ facts: borrowing JSONView) {
    guard let step = step(id) else { return }
    running &= ~bit(step)
    switch step {
    case .say: listen()
    case .choose, .press: return answer(step, facts.member("answer"))
    case .listen:
      if let said = facts.member("transcript"), said.kind == .string { return answer(step, said) }
      listen()
    }
    endWithoutSteps()
  }

  /// A step's command has failed: the others may still succeed.
  func failed(_ id: Span<UInt8>, _ message: Span<UInt8>) {
    guard let step = step(id) else { return }
    running &= ~bit(step)
    failure = InlineText(cutting: message)
    // Its buttons are wrong.
    if step == .choose { return end(.failed(failure)) }
    if step == .say { listen() }
    endWithoutSteps()
  }

  /// Nobody can answer any more.
  private func endWithoutSteps() {
    guard !id.isEmpty, running == 0 else { return }
    end(failure.isEmpty ? .nobody : .failed(failure))
  }

  // MARK: Ends

  private func answer(_ step: Step, _ text: JSONView?) {
    guard let text, text.kind == .string else { return endWithoutSteps() }
    end(.answered(by: step.word, text.rawText.withUnsafeBufferPointer { $0 }))
  }

  /// The facts that the call of the question is answered with.
  static func write(_ end: End, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("text")
    guard case .answered(let way, let answer) = end else {
      writer.string("Nobody answered. There may be nobody near.")
      writer.key("answer")
      writer.null()
      return writer.endObject()
    }
    writer.beginString()
    writer.stringPiece(("Somebody answered: " as StaticString).utf8Bytes)
    writer.escapedPiece(Span(_unsafeElements: answer.extracting(1..<answer.count - 1)))
    writer.endString()
    writer.key("answer")
    writer.raw(Span(_unsafeElements: answer))
    writer.key("by")
    writer.string(way)
    writer.endObject()
  }

  private func end(_ end: End) {
    guard !id.isEmpty else { return }
    let id = id
    stopAll()
    ended(id, end)
  }

  private func stop(_ step: Step) { if running & bit(step) != 0 { router.cancel(tool: stepID(step)) } }

  private func stopAll() {
    stop(.choose)
    stop(.say)
    stop(.press)
    stop(.listen)
    id.clear()
    running = 0
    until = nil
  }
}
