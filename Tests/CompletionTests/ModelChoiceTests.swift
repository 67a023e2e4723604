import Runtime
import Testing

@testable import Completion

@Suite("Which model to ask")
struct ModelChoiceTests {
  private let shortest = SameBytes(0)
  private let longest = SameBytes(255)

  private func fault(_ kind: ModelFault.Kind, retryAfter: Int64? = nil) -> ModelFault {
    ModelFault(kind, retryAfterMilliseconds: retryAfter)
  }

  @Test("the first one is asked, and remains the first while it answers")
  func first() {
    var choice = ModelChoice(models: 3)
    #expect(choice.begin(at: 100) == .ask(0, at: 100) && choice.current == 0)
    choice.succeeded()
    #expect(choice.current == nil && choice.begin(at: 200) == .ask(0, at: 200))
  }

  @Test("after a fault that may pass it is asked again, after pauses that double")
  func retries() {
    var choice = ModelChoice(models: 1, retries: 5)
    var pauses: [Int64] = []
    _ = choice.begin(at: 0)
    while case .ask(0, let at) = choice.failed(fault(.serverError), at: 0, longest) { pauses.append(at) }
    #expect(pauses == [500, 1000, 2000, 4000, 8000])
    _ = choice.begin(at: 0)
    #expect(choice.failed(fault(.serverError), at: 1000, shortest) == .ask(0, at: 1250))
  }

  @Test("after the last attempt the next one is asked, and each gets all its attempts")
  func next() {
    var choice = ModelChoice(models: 2, retries: 1)
    #expect(choice.begin(at: 0) == .ask(0, at: 0))
    #expect(choice.failed(fault(.timedOut), at: 0, shortest) == .ask(0, at: 250))
    #expect(choice.failed(fault(.timedOut), at: 300, shortest) == .ask(1, at: 300))
    #expect(choice.failed(fault(.timedOut), at: 400, shortest) == .ask(1, at: 650))
    #expect(choice.failed(fault(.timedOut), at: 700, shortest) == .giveUp && choice.current == nil)
    #expect(choice.failed(fault(.timedOut), at: 700, shortest) == .giveUp)
  }

  @Test("a fault that does not pass leads to the next one at once")
  func noRetry() {
    var choice = ModelChoice(models: 4)
    #expect(choice.begin(at: 0) == .ask(0, at: 0))
    for (index, kind) in [ModelFault.Kind.refusedKey, .notFound, .promptTooLong].enumerated() {
      #expect(choice.failed(fault(kind), at: 10, shortest) == .ask(index + 1, at: 10))
    }
    #expect(choice.failed(fault(.endless), at: 10, shortest) == .giveUp)
  }

  @Test("one that failed rests, longer each time, and is preferred again afterwards")
  func rests() {
    var choice = ModelChoice(models: 2, retries: 0)
    var now: Int64 = 0
    for rest in [15_000, 30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000] as [Int64] {
      #expect(choice.begin(at: now) == .ask(0, at: now))
      #expect(choice.failed(fault(.cut), at: now, shortest) == .ask(1, at: now))
      choice.succeeded()
      #expect(choice.restsUntil(0, at: now) == now + rest)
      #expect(choice.begin(at: now + rest - 1) == .ask(1, at: now + rest - 1))
      choice.succeeded()
      now += rest
    }
    #expect(choice.begin(at: now) == .ask(0, at: now))
    choice.succeeded()
    #expect(
      choice.begin(at: now) == .ask(0, at: now) && choice.failed(fault(.cut), at: now, shortest) == .ask(1, at: now))
    #expect(choice.restsUntil(0, at: now) == now + 15_000)
  }

  @Test("a key that is refused, and what else needs a person, rests long")
  func refusedKey() {
    for kind in [ModelFault.Kind.refusedKey, .outOfCredit, .notFound] {
      var choice = ModelChoice(models: 2)
      _ = choice.begin(at: 0)
      #expect(choice.failed(fault(kind), at: 0, shortest) == .ask(1, at: 0))
      #expect(choice.restsUntil(0, at: 0) == Budget.modelRefusedMilliseconds && choice.restsUntil(1, at: 0) == nil)
    }
  }

  @Test("after an answer without an end, nobody else is asked")
  func endless() {
    var choice = ModelChoice(models: 2)
    _ = choice.begin(at: 0)
    #expect(choice.failed(fault(.endless), at: 0, shortest) == .giveUp && choice.restsUntil(0, at: 0) == nil)
  }

  @Test("what is the request's fault makes nobody rest")
  func noRest() {
    for kind in [ModelFault.Kind.promptTooLong, .refused, .tooLarge] {
      var choice = ModelChoice(models: 2)
      _ = choice.begin(at: 0)
      #expect(choice.failed(fault(kind), at: 0, shortest) == .ask(1, at: 0) && choice.restsUntil(0, at: 0) == nil)
    }
  }

  @Test("when all rest, the one whose rest ends first is asked at once")
  func allRest() {
    var choice = ModelChoice(models: 2, retries: 0)
    _ = choice.begin(at: 0)
    _ = choice.failed(fault(.refusedKey), at: 0, shortest)
    _ = choice.failed(fault(.cut), at: 0, shortest)
    #expect(choice.begin(at: 10) == .ask(1, at: 10))
    #expect(choice.failed(fault(.cut), at: 10, shortest) == .ask(0, at: 10))
  }

  @Test("a server's pause is obeyed as long as a person waits, up to a limit, also by the next answer")
  func retryAfter() {
    var choice = ModelChoice(models: 1)
    _ = choice.begin(at: 0)
    #expect(choice.waits(at: 0) == 0)
    #expect(choice.failed(fault(.tooManyRequests, retryAfter: 5_000), at: 100, shortest) == .ask(0, at: 5_100))
    #expect(choice.failed(fault(.tooManyRequests, retryAfter: .max), at: 5_100, shortest) == .giveUp)
    #expect(choice.waits(at: 5_100) == Budget.modelRetryAfterMilliseconds && choice.waits(at: 125_100) == 0)
    #expect(choice.begin(at: 6_000) == .giveUp && choice.current == nil)
    #expect(choice.begin(at: 125_099 - Budget.modelPatienceMilliseconds) == .giveUp)
    #expect(choice.begin(at: 125_100 - Budget.modelPatienceMilliseconds) == .ask(0, at: 125_100))
    #expect(choice.failed(fault(.serverError, retryAfter: -5), at: 125_100, longest) == .giveUp)
    #expect(choice.begin(at: 126_000) == .ask(0, at: 126_000))
    #expect(choice.failed(fault(.serverError, retryAfter: -5), at: 130_000, longest) == .ask(0, at: 130_500))
  }

  @Test("a long pause leads to another model where there is one")
  func longPause() {
    var choice = ModelChoice(models: 2)
    _ = choice.begin(at: 0)
    #expect(choice.failed(fault(.tooManyRequests, retryAfter: 60_000), at: 0, shortest) == .ask(1, at: 0))
    choice.succeeded()
    #expect(choice.restsUntil(0, at: 0) == 60_000)
    #expect(choice.begin(at: 45_000) == .ask(1, at: 45_000))
    #expect(choice.failed(fault(.refused), at: 45_000, shortest) == .ask(0, at: 60_000))
  }

  @Test("servers that all want to be left alone longer than a person waits end the question at once")
  func allBusy() {
    var choice = ModelChoice(models: 3)
    #expect(choice.begin(at: 0) == .ask(0, at: 0))
    for (index, wait) in [90_000, 60_000, 120_000].enumerated() {
      let step = choice.failed(fault(.tooManyRequests, retryAfter: Int64(wait)), at: 0, shortest)
      #expect(step == (index < 2 ? .ask(index + 1, at: 0) : .giveUp))
    }
    #expect(choice.waits(at: 10_000) == 50_000 && choice.begin(at: 10_000) == .giveUp)
  }

  @Test("counts outside of the limits are clamped")
  func limits() {
    var none = ModelChoice(models: -1)
    #expect(none.begin(at: 0) == .giveUp && none.restsUntil(0, at: 0) == nil && none.restsUntil(-1, at: 0) == nil)
    #expect(ModelChoice(models: 100).count == Budget.models)
    var choice = ModelChoice(models: 1, retries: 1000)
    _ = choice.begin(at: 0)
    for _ in 0..<Budget.modelRetriesRange.upperBound {
      #expect(choice.failed(fault(.cut), at: 0, shortest) != .giveUp)
    }
    #expect(choice.failed(fault(.cut), at: 0, shortest) == .giveUp)
    #expect(choice.begin(at: .max) == .ask(0, at: .max))
    #expect(choice.failed(fault(.cut, retryAfter: 1000), at: .max, longest) == .ask(0, at: .max))
  }

  @Test("whatever fails, every answer ends, and no model is asked before its server wants it")
  func random() {
    var random = ModelNumbers(state: 9)
    var choice = ModelChoice(models: 4)
    var notBefore = [Int64](repeating: 0, count: 4)
    var now: Int64 = 0
    for _ in 0..<500 {
      let begun = now
      var step = choice.begin(at: now)
      var asked = 0
      while case .ask(let index, let at) = step {
        asked += 1
        #expect(at >= now && at >= notBefore[index])
        #expect(at == now || at <= begun + Budget.modelPatienceMilliseconds)
        now = at + Int64.random(in: 0...5000, using: &random)
        guard Bool.random(using: &random),
          let kind = ModelFault.Kind(rawValue: UInt8.random(in: 0...12, using: &random))
        else {
          choice.succeeded()
          notBefore[index] = 0
          break
        }
        let wanted = Bool.random(using: &random) ? Int64.random(in: 0...200_000, using: &random) : nil
        if let wanted, wanted > 0 { notBefore[index] = now + min(wanted, Budget.modelRetryAfterMilliseconds) }
        step = choice.failed(fault(kind, retryAfter: wanted), at: now, longest)
      }
      #expect(asked <= 4 * (Budget.modelRetries + 1))
      now += Int64.random(in: 0...100_000, using: &random)
    }
  }
}
