import Codec
import Hands
import Node
import Runtime

/// `kind = serial` with `protocol = text`: a request and its answer.
final class SerialHand: LineHand {
  /// One exchange, on a worker.
  private final class Exchange: Job {
    let line: any SerialLine
    let exchange: SerialExchange
    let clock: any Clock
    let request = FixedBuffer(capacity: Budget.serialRequestBytes)
    var requestBytes = 0
    let raw = FixedBuffer(capacity: Budget.serialAnswerBytes)
    let answer = FixedBuffer(capacity: 2 * Budget.serialAnswerBytes)
    var answerBytes = 0
    var outcome = SerialExchange.Outcome.silence
    unowned(unsafe) var hand: SerialHand! = nil

    init(_ line: any SerialLine, _ settings: SerialSettings, _ clock: any Clock) {
      self.line = line
      self.clock = clock
      exchange = SerialExchange(terminator: settings.answerEnd, timeout: settings.timeout)
    }

    override func run() {
      let bytes = UnsafeBufferPointer(rebasing: request.bytes[..<requestBytes])
      outcome = exchange.run(bytes, over: line, into: raw.bytes, clock: clock)
      answerBytes = 0
      switch outcome {
      case .answer(let count), .cut(let count), .unfinished(let count):
        let text = UnsafeBufferPointer(rebasing: raw.bytes[..<count])
        answerBytes = SafeText.copy(text, into: answer.bytes)
      default: return
      }
    }

    override func finish() { hand.ended() }
  }

  private let job: Exchange
  private var serial: SerialSettings { settings.serial }
  private var trouble: Errno?

  init(_ settings: HandSettings, _ line: any SerialLine, _ surroundings: HandSurroundings, index: Int) {
    job = Exchange(line, settings.serial, surroundings.clock)
    super.init(settings, surroundings, index: index, exchange: job, line: line)
    job.hand = self
  }

  // MARK: What it is

  /// What a request does is known to the device alone.
  override var isReadOnly: Bool { false }

  override var explanation: String {
    serial.allowed == nil
      ? "Asks the device at a serial line, and returns its answer as text."
      : "Sends a request to the device at a serial line, and returns its answer as text. A request is one line."
  }

  override var schema: String {
    guard serial.allowed != nil else { return #"{"type":"object","properties":{}}"# }
    return SchemaText.object { writer in
      SchemaText.property("request", type: "string", &writer) { writer in
        writer.key("maxLength")
        writer.int(Int64(Budget.serialRequestBytes))
        writer.key("description")
        writer.string("What is sent. The whole of it must match this pattern: " + self.serial.allowedText)
      }
    }
  }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    guard isFree(for: token) else { return }
    guard prepare(parameters) else {
      return surroundings.router.fail(token, code: "INVALID_REQUEST") { line in
        line.text("INVALID_REQUEST: ")
        line.text(self.settings.name)
        line.text(": request must match the pattern ")
        line.text(self.serial.allowedText)
      }
    }
    guard submit(for: token) else { return }
    noteChange("asked")
  }

  /// Puts the request together; false when the agent may not send it.
  private func prepare(_ parameters: borrowing JSONView) -> Bool {
    var text = InlineText<256>()
    if let allowed = serial.allowed {
      guard let request = parameters.member("request") else { return false }
      guard text.fill({ request.copyString(into: $0) }), allowed.matches(text.span) else { return false }
    }
    var writer = ByteWriter(into: job.request.bytes)
    writer.bytes(serial.prefix.span)
    if serial.allowed == nil { writer.bytes(serial.request.span) } else { writer.bytes(text.span) }
    writer.bytes(serial.terminator.span)
    job.requestBytes = min(writer.count, job.request.bytes.count)
    return writer.isComplete
  }

  private func ended() {
    let token = takeToken()
    var failure: Errno?
    if case .failed(let error) = job.outcome { failure = error }
    if let failure, failure != trouble {
      surroundings.log.write(.warning, "io") { line in
        line.add(self.settings.name)
        line.add(": its line does not work: ")
        line.add(DeviceTrouble(failure, of: .serial))
      }
    }
    trouble = failure
    if let token { answer(token) }
  }

  private func answer(_ token: InvokeToken) {
    let text = UnsafeBufferPointer(rebasing: job.answer.bytes[..<job.answerBytes])
    switch job.outcome {
    case .answer: succeed(token) { Self.write("The device answered: ", text, isCut: false, to: &$0) }
    case .cut: succeed(token) { Self.write("The device answered more than is kept: ", text, isCut: true, to: &$0) }
    case .silence:
      fail(token) { $0.text("the device does not answer: look at its power, the wires, and the speed of the line") }
    case .unfinished:
      fail(token) { line in
        line.text("the device began an answer and did not end it in time: ")
        line.bytes(Span(_unsafeElements: text))
      }
    case .failed(let error):
      fail(token) { line in
        line.text("its line ")
        line.text(self.serial.device)
        line.text(" does not work (")
        let trouble = DeviceTrouble(error, of: .serial)
        line.text(trouble.text)
        line.text("): ")
        line.text(trouble.step)
        line.text("; it is opened again at the next call")
      }
    }
  }

  private static func write(
    _ words: StaticString, _ text: UnsafeBufferPointer<UInt8>, isCut: Bool, to writer: inout JSONWriter
  ) {
    writer.key("text")
    writer.beginString()
    writer.stringPiece(words.utf8Bytes)
    writer.stringPiece(Span(_unsafeElements: text))
    writer.endString()
    writer.key("answer")
    writer.string(Span(_unsafeElements: text))
    guard isCut else { return }
    writer.key("isCut")
    writer.bool(true)
  }

  // MARK: Reports

  override var troubleText: StaticString? { trouble?.text }
}
