import Codec
import Hands
import Node
import Runtime

/// `kind = program`: a program of the owner, whose typed arguments the agent chooses.
final class ProgramHand: Hand {
  /// Milliseconds before the end of a call at which the program is ended, so that its output can be told.
  private static let answerMilliseconds: Int64 = 500

  /// One run, on a worker.
  private final class Run: Job {
    let runner: any ProgramRunner
    let path: Path
    let words = ProgramWords()
    let cancellation = Cancellation()
    var milliseconds: Int64 = 0
    let rawOutput = FixedBuffer(capacity: Budget.programOutputBytes)
    let rawErrors = FixedBuffer(capacity: Budget.programErrorBytes)
    /// The same as safe text.
    let output = FixedBuffer(capacity: Budget.programOutputBytes)
    let errors = FixedBuffer(capacity: Budget.programErrorBytes)
    var end = ProgramEnd(.cancelled)
    unowned(unsafe) var hand: ProgramHand! = nil

    init(_ runner: any ProgramRunner, _ path: Path) {
      self.runner = runner
      self.path = path
    }

    override func run() {
      end = runner.run(
        path, words, milliseconds: milliseconds, output: rawOutput.bytes, errors: rawErrors.bytes,
        cancellation: cancellation)
      end.outputBytes = SafeText.copy(
        UnsafeBufferPointer(rebasing: rawOutput.bytes[..<end.outputBytes]), into: output.bytes)
      end.errorBytes = SafeText.copy(
        UnsafeBufferPointer(rebasing: rawErrors.bytes[..<end.errorBytes]), into: errors.bytes)
    }

    override func finish() { hand.ended() }
  }

  private let job: Run
  private let template: ProgramTemplate?
  private var token: InvokeToken?
  private var beganAt: Int64 = 0
  private var runs: UInt64 = 0
  private var failure: Errno?

  init(_ settings: HandSettings, _ runner: any ProgramRunner, _ surroundings: HandSurroundings, index: Int) {
    template = settings.program.template
    let path = Path()
    do throws(Errno) { try path.append(template?.path ?? "") } catch { path.truncate() }
    job = Run(runner, path)
    super.init(settings, surroundings, index: index)
    job.hand = self
  }

  private var now: Int64 { surroundings.clock.monotonic }

  // MARK: What it is

  override var isReadOnly: Bool { false }

  override var explanation: String {
    "Runs a program on the board, and returns how it ended and what it wrote. It is ended after "
      + "\(settings.program.timeout / 1000) s."
  }

  override var schema: String {
    guard let values = template?.values else { return super.schema }
    return SchemaText.object(required: values.map { $0.name }) { writer in
      for value in values { Self.write(value, to: &writer) }
    }
  }

  private static func write(_ value: ProgramValue, to writer: inout JSONWriter) {
    switch value.kind {
    case .number(let range, let isWhole):
      SchemaText.property(value.name, type: isWhole ? "integer" : "number", &writer) { writer in
        writer.key("minimum")
        writer.double(range.lowerBound)
        writer.key("maximum")
        writer.double(range.upperBound)
      }
    case .choice(let words):
      SchemaText.property(value.name, type: "string", &writer) { writer in
        writer.key("enum")
        writer.beginArray()
        for word in words { writer.string(word) }
        writer.endArray()
      }
    case .text(let most, _):
      SchemaText.property(value.name, type: "string", &writer) { writer in
        writer.key("maxLength")
        writer.int(Int64(most))
      }
    }
  }

  // MARK: Life

  override func start() {
    if let refusal = job.runner.refusal { say(.warning, refusal) }
  }

  override func stop() {
    token = nil
    job.cancellation.request()
  }

  override var isStopped: Bool { !job.isPending }

  override func hold() { job.cancellation.request() }

  // MARK: Calls

  override func begin(_ token: InvokeToken, _ parameters: borrowing JSONView, deadline: Int64) {
    if let refusal = job.runner.refusal { return fail(token) { $0.text(refusal) } }
    guard let template, !job.isPending else {
      return fail(token) { $0.text("it runs already: try again when that has ended") }
    }
    do throws(ProgramTemplate.Refusal) {
      if parameters.kind == .object {
        try template.fill(job.words, parameters)
      } else {
        try template.fill(job.words, JSONView(("{}" as StaticString).utf8Bytes))
      }
    } catch {
      return refuse(token, error)
    }
    job.cancellation.reset()
    job.milliseconds = max(min(settings.program.timeout, deadline - now - Self.answerMilliseconds), 1)
    guard surroundings.programs.submit(job) else {
      return fail(token) { $0.text("the board runs other programs: try again in some seconds") }
    }
    self.token = token
    beganAt = now
    noteChange("program begun")
  }

  private func refuse(_ token: InvokeToken, _ refusal: ProgramTemplate.Refusal) {
    surroundings.router.fail(token, code: "INVALID_REQUEST") { line in
      line.text("INVALID_REQUEST: ")
      line.text(self.settings.name)
      line.text(": ")
      guard case .value(let index) = refusal, let value = self.template?.values[index] else {
        return line.text("the arguments are too long")
      }
      line.text(value.name)
      Self.writeRule(value.kind, to: &line)
    }
  }

  /// What a value must be.
  private static func writeRule(_ kind: ProgramValue.Kind, to line: inout ByteWriter) {
    switch kind {
    case .number(let range, let isWhole):
      line.text(isWhole ? " must be a whole number from " : " must be a number from ")
      line.shortest(range.lowerBound)
      line.text(" to ")
      line.shortest(range.upperBound)
    case .choice(let words):
      line.text(" must be one of ")
      for index in words.indices {
        if index > 0 { line.text(", ") }
        line.text(words[index])
      }
    case .text(let most, _):
      line.text(" must be a text of at most ")
      line.decimal(Int64(most))
      line.text(" characters, only of those that the owner allows, and must not begin with a minus")
    }
  }

  override func cancel(_ token: InvokeToken) {
    guard self.token == token else { return }
    self.token = nil
    job.cancellation.request()
  }

  private func ended() {
    runs += 1
    var failure: Errno?
    if case .failed(let error) = job.end.outcome { failure = error }
    if failure != nil, failure != self.failure { say(.warning, "the program does not start") }
    self.failure = failure
    guard let token else { return }
    self.token = nil
    if let failure {
      return fail(token) { line in
        line.text("the program does not start (")
        line.text(failure.text)
        line.text("): tell the owner")
      }
    }
    if job.end.outcome == .cancelled { return fail(token) { $0.text("it was ended, because the board is held") } }
    succeed(token) { self.writeEnd(to: &$0) }
  }

  private func writeEnd(to writer: inout JSONWriter) {
    writer.key("text")
    writer.beginString()
    var words = InlineText<128>()
    words.fill { bytes in
      var line = ByteWriter(into: bytes)
      self.writeOutcome(to: &line)
      return min(line.count, bytes.count)
    }
    writer.stringPiece(words.span)
    add(job.output, job.end.outputBytes, job.end.isOutputCut, " It wrote:\n", to: &writer)
    add(job.errors, job.end.errorBytes, job.end.isErrorCut, "\nIts errors:\n", to: &writer)
    writer.endString()
    switch job.end.outcome {
    case .exited(let status):
      writer.key("exitStatus")
      writer.int(Int64(status))
    case .signal(let number):
      writer.key("signal")
      writer.int(Int64(number))
    default:
      writer.key("isTimedOut")
      writer.bool(true)
    }
    writer.key("tookMs")
    writer.int(max(now - beganAt, 0))
  }

  private func writeOutcome(to line: inout ByteWriter) {
    switch job.end.outcome {
    case .exited(0): line.text("The program ended well.")
    case .exited(let status):
      line.text("The program failed with exit status ")
      line.decimal(Int64(status))
      line.text(".")
    case .signal(let number):
      line.text("The program was ended by signal ")
      line.decimal(Int64(number))
      line.text(": it crashed, or used more than it may.")
    default:
      line.text("The program took longer than ")
      line.decimal(job.milliseconds / 1000)
      line.text(" s and was killed.")
    }
  }

  private func add(
    _ text: FixedBuffer, _ count: Int, _ isCut: Bool, _ words: StaticString, to writer: inout JSONWriter
  ) {
    guard count > 0 else { return }
    writer.stringPiece(words.utf8Bytes)
    writer.stringPiece(Span(_unsafeElements: UnsafeBufferPointer(rebasing: text.bytes[..<count])))
    if isCut { writer.stringPiece(("\n(There was more.)" as StaticString).utf8Bytes) }
  }

  // MARK: Reports

  override var hasFault: Bool { failure != nil || job.runner.refusal != nil }

  override func writeStatus(to writer: inout JSONWriter) {
    writer.key("state")
    writer.string(hasFault ? "broken" : job.isPending ? "running" : "ok")
    if let refusal = job.runner.refusal ?? failure?.text {
      writer.key("trouble")
      writer.string(refusal)
    }
    writer.key("runs")
    writer.uint(runs)
  }
}
