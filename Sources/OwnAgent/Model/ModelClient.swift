import Codec
import Completion
import Fetch
import Runtime

/// Gets what models answer.
public protocol ModelClientDelegate: AnyObject {
  /// The model says more; whole characters, without its thoughts. Called while bytes arrive; nothing may be asked or
  /// cancelled then.
  func modelSaid(_ text: UnsafeBufferPointer<UInt8>)
  // One of the next two for each question that is not cancelled, from inside `advance`, where the next question may be
  // asked.
  /// The answer is whole: its text and its calls are those of the reader until the next question.
  func modelEnded(_ outcome: CompletionOutcome, _ reader: CompletionReader)
  /// No model gives an answer, or one has broken off in the middle of it.
  func modelFailed(_ fault: ModelFault)
  /// A model was asked: how many tokens that took, what for, and how long.
  func modelUsed(_ tokens: TokenCount, _ price: ModelPrice, milliseconds: Int64)
}

/// Asks models over HTTP: the one that the configuration prefers, again after a while when it fails in a way that may
/// pass, then the next one. An answer that has begun to arrive is never begun again: what was said cannot be taken
/// back. All attempts together take no longer than one answer may take.
public final class ModelClient: CompletionDelegate {
  private enum Phase: Equatable {
    case idle
    /// The model with this index is asked at this instant.
    case waiting(Int, at: Int64)
    case asking(Int)
    /// The answer of this model, or its failure, is told.
    case ended(Int)
    /// No model may be asked; that is told.
    case refused
  }

  private let models: [ModelSettings]
  private let request: ModelRequest
  private let reader = CompletionReader()
  /// The body of a request. Address space until it is used.
  private let body: ReservedBuffer
  private let clock: any Clock
  private let random: any RandomSource
  private var choice: ModelChoice
  private var phase = Phase.idle
  private var prompt: Prompt?
  private var tools = ModelTools()
  private var mayCall = true
  private var requestBytes = 0
  /// The key of the model that is asked.
  private let secret = FixedBuffer(capacity: Budget.modelSecretBytes)
  private var secretBytes = 0
  private var askedAt: Int64 = 0
  /// When the time for all attempts is over.
  private var until = Int64.max
  private var hasSaid = false
  private var fault: ModelFault?
  /// Lives as long as the client.
  public unowned(unsafe) var delegate: (any ModelClientDelegate)?

  /// A client for these models, of which the first `Budget.models` count.
  @export(interface)
  public init(
    _ models: [ModelSettings], retries: Int = Budget.modelRetries, transport: any FetchTransport, clock: any Clock,
    random: any RandomSource
  ) throws(Errno) {
    self.models = Array(models.prefix(Budget.models))
    self.clock = clock
    self.random = random
    body = try ReservedBuffer(capacity: Budget.modelRequestBytes)
    choice = ModelChoice(models: self.models.count, retries: retries)
    request = try ModelRequest(transport, clock)
    request.take = { [unowned(unsafe) self] piece in self.reader.take(Span(_unsafeElements: piece)) }
    reader.delegate = self
  }

  /// True while an answer is awaited.
  public var isBusy: Bool { phase != .idle }

  /// The model that is asked, or was asked last; nil before the first question.
  public private(set) var current: Int?

  /// Asks; a question that is open is dropped. The prompt and the tools must not change until the answer.
  public func ask(_ prompt: Prompt, _ tools: ModelTools, mayCall: Bool) {
    cancel()
    (self.prompt, self.tools, self.mayCall) = (prompt, tools, mayCall)
    let now = clock.monotonic
    var longest: Int64 = 0
    for model in models { longest = max(longest, model.totalMilliseconds) }
    until = now.adding(clamping: longest)
    switch choice.begin(at: now) {
    case .ask(let index, let instant): phase = .waiting(index, at: instant)
    case .giveUp: phase = .refused
    }
  }

  /// The answer is not wanted any more; nothing follows.
  public func cancel() {
    if case .asking(let index) = phase, request.isAsking, hasSaid { tellUse(of: index) }
    request.cancel()
    choice.cancel()
    (phase, prompt, fault) = (.idle, nil, nil)
    body.release()
  }

  /// When `advance` is to be called.
  public var nextDeadline: Int64? {
    switch phase {
    case .idle: nil
    case .waiting(_, let instant): instant
    case .asking: request.nextDeadline
    case .ended, .refused: clock.monotonic
    }
  }

  /// Lets time pass: asks when that is due, and tells what has ended.
  public func advance(to now: Int64) {
    if case .asking(let index) = phase, request.advance(to: now) { (phase, fault) = (.ended(index), request.fault) }
    switch phase {
    case .waiting(let index, let instant): if instant <= now { start(index) }
    case .ended(let index): conclude(index, at: now)
    case .refused: giveUp(busy(at: now))
    case .idle, .asking: return
    }
  }

  private func take(_ step: ModelChoice.Step) {
    if case .ask(let index, let instant) = step, instant < until { return phase = .waiting(index, at: instant) }
    giveUp(fault ?? ModelFault(.timedOut))
  }

  /// Why no model is asked at all.
  private func busy(at now: Int64) -> ModelFault {
    let wait = choice.waits(at: now)
    return wait > 0 ? ModelFault(.tooManyRequests, retryAfterMilliseconds: wait) : ModelFault(.unreachable)
  }

  private func giveUp(_ fault: ModelFault) {
    cancel()
    delegate?.modelFailed(fault)
  }

  // MARK: A question

  private func start(_ index: Int) {
    let model = models[index]
    (current, askedAt, hasSaid, fault) = (index, clock.monotonic, false, nil)
    var question = CompletionRequest(model: model.name)
    question.maximumTokens = model.maximumTokens
    question.temperature = model.temperature
    question.usesCompletionTokens = model.usesCompletionTokens
    if !mayCall { question.toolChoice = .never }
    if !model.seesPictures { prompt?.dropPictures() }
    guard let prompt, let count = question.write(prompt, tools, into: body.bytes) else {
      fault = ModelFault(.promptTooLong)
      return phase = .ended(index)
    }
    requestBytes = count
    var post = FetchRequest()
    post.method = .post
    post.accept = "text/event-stream, application/json"
    post.body = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(body.bytes)[..<count])
    post.limit = Budget.modelStreamBytes
    post.totalMilliseconds = min(model.totalMilliseconds, max(until.subtracting(clamping: askedAt), 1))
    post.idleMilliseconds = model.idleMilliseconds
    model.key.withBytes { keep($0) }
    reader.begin(hiding: key, startsInThought: model.startsInThought)
    phase = .asking(index)
    request.start(model, "/chat/completions", post)
  }

  private func keep(_ key: UnsafeBufferPointer<UInt8>) {
    secretBytes = min(key.count, secret.bytes.count)
    for index in 0..<secretBytes { secret.bytes[index] = key[index] }
  }

  private var key: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: UnsafeBufferPointer(secret.bytes)[..<secretBytes])
  }

  // MARK: The end of an answer

  private func conclude(_ index: Int, at now: Int64) {
    var outcome: CompletionOutcome?
    if fault == nil {
      do throws(ModelFault) { outcome = try reader.finish() } catch { fault = error }
    }
    tellUse(of: index)
    if let outcome {
      choice.succeeded()
      phase = .idle
      body.release()
      delegate?.modelEnded(outcome, reader)
    } else if let fault, hasSaid {
      giveUp(fault)
    } else {
      take(choice.failed(fault ?? ModelFault(.malformed), at: now, random))
    }
  }

  /// What was sent counts, also without an answer: servers charge for it.
  private func tellUse(of index: Int) {
    let estimate = TokenCount.estimate(promptBytes: requestBytes, completionBytes: reader.text.count)
    let isAnswered = fault == nil || hasSaid
    guard isAnswered || reader.usage != nil else { return }
    delegate?.modelUsed(
      reader.usage ?? estimate, models[index].price, milliseconds: max(clock.monotonic - askedAt, 0))
  }

  public func completionSaid(_ text: UnsafeBufferPointer<UInt8>) {
    hasSaid = true
    delegate?.modelSaid(text)
  }
}
