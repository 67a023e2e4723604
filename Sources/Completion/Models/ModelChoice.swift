import Codec
import Runtime

/// Which of several models to ask, and when. A model is tried again after a fault that may pass, ever later; then the
/// next one of those in order of preference is asked. One that failed rests, and while it does, others are preferred.
/// A person waits for the answer: nothing is put off beyond `Budget.modelPatienceMilliseconds` after the question.
///
/// Instants are milliseconds of the monotonic clock.
public struct ModelChoice: Sendable {
  /// What to do next.
  public enum Step: Equatable, Sendable {
    /// Ask the model with this index, at this instant, which is now or later.
    case ask(Int, at: Int64)
    /// All have been asked, or no other would do better, or none may be asked soon enough (`waits`).
    case giveUp
  }

  private struct Standing {
    /// Until when others are preferred.
    var restsUntil = Int64.min
    /// Until when its server does not want to be asked.
    var notBefore = Int64.min
    /// Times in a row that it failed.
    var failures = 0
    /// It was asked for the current answer.
    var isTried = false
  }

  private var standings = InlineArray<4, Standing>(repeating: Standing())
  private let retries: Int
  /// Further attempts so far.
  private var attempt = 0
  /// Until when the person's patience lasts.
  private var patience = Int64.min
  /// How many models there are.
  public let count: Int
  /// The model that was named last; nil when no answer is wanted.
  public private(set) var current: Int?

  /// A choice among so many models, each of which is tried again up to `retries` times.
  public init(models: Int, retries: Int = Budget.modelRetries) {
    precondition(Budget.models == 4)
    count = min(max(models, 0), Budget.models)
    self.retries = min(max(retries, Budget.modelRetriesRange.lowerBound), Budget.modelRetriesRange.upperBound)
  }

  /// An answer is wanted.
  public mutating func begin(at now: Int64) -> Step {
    for index in 0..<count { standings[index].isTried = false }
    patience = now.adding(clamping: Budget.modelPatienceMilliseconds)
    return next(at: now)
  }

  /// The current model has answered: it is as good as new.
  public mutating func succeeded() {
    guard let index = current else { return }
    standings[index] = Standing()
    current = nil
  }

  /// The answer is not wanted any more.
  public mutating func cancel() { current = nil }

  /// The current model has failed.
  public mutating func failed(_ fault: ModelFault, at now: Int64, _ random: any RandomSource) -> Step {
    guard let index = current else { return .giveUp }
    let wanted = fault.retryAfterMilliseconds.map { min(max($0, 0), Budget.modelRetryAfterMilliseconds) } ?? 0
    if wanted > 0 { standings[index].notBefore = now.adding(clamping: wanted) }
    if fault.isWorthRetrying, attempt < retries {
      let pause = max(Self.pause(after: attempt, random), wanted)
      let instant = now.adding(clamping: pause)
      // Nobody waits long for one server while there is another.
      if instant <= patience, pause <= Budget.modelPauseMilliseconds.upperBound || !hasAnother {
        attempt += 1
        return .ask(index, at: instant)
      }
    }
    if fault.needsRest { rest(index, fault, at: now) }
    guard fault.isWorthAnother else {
      current = nil
      return .giveUp
    }
    return next(at: now)
  }

  /// Until when a model rests, or its server does not want to be asked; nil when neither is so.
  public func restsUntil(_ index: Int, at now: Int64) -> Int64? {
    guard index >= 0, index < count else { return nil }
    let end = max(standings[index].restsUntil, standings[index].notBefore)
    return end > now ? end : nil
  }

  /// Milliseconds until the first of the models may be asked; 0 when one may be asked now, or there is none.
  public func waits(at now: Int64) -> Int64 {
    var least = count == 0 ? 0 : Int64.max
    for index in 0..<count { least = min(least, max(standings[index].notBefore.subtracting(clamping: now), 0)) }
    return least
  }

  // MARK: Order

  private var hasAnother: Bool {
    for index in 0..<count where !standings[index].isTried { return true }
    return false
  }

  private mutating func next(at now: Int64) -> Step {
    guard let index = best(at: now), standings[index].notBefore <= max(now, patience) else {
      current = nil
      return .giveUp
    }
    (current, attempt) = (index, 0)
    standings[index].isTried = true
    return .ask(index, at: max(now, standings[index].notBefore))
  }

  /// The first that does not rest; if all do, the one that can be asked first, and of those the one whose rest ends
  /// first.
  private func best(at now: Int64) -> Int? {
    var best: Int?
    for index in 0..<count where !standings[index].isTried {
      guard restsUntil(index, at: now) != nil else { return index }
      guard let other = best else {
        best = index
        continue
      }
      let (start, earliest) = (max(standings[index].notBefore, now), max(standings[other].notBefore, now))
      if start < earliest || start == earliest && standings[index].restsUntil < standings[other].restsUntil {
        best = index
      }
    }
    return best
  }

  private mutating func rest(_ index: Int, _ fault: ModelFault, at now: Int64) {
    let range = Budget.modelRestMilliseconds
    let doubled = range.lowerBound << Int64(min(standings[index].failures, 10))
    let rest = fault.needsPerson ? Budget.modelRefusedMilliseconds : min(doubled, range.upperBound)
    standings[index].failures = min(standings[index].failures + 1, 10)
    standings[index].restsUntil = now.adding(clamping: rest)
  }

  /// The pause before an attempt: doubled each time, and shortened by up to half at random, so that boards that lost
  /// the same server do not all come back at once.
  private static func pause(after attempts: Int, _ random: any RandomSource) -> Int64 {
    let range = Budget.modelPauseMilliseconds
    let full = min(range.lowerBound << Int64(min(attempts, 10)), range.upperBound)
    return full / 2 + Int64(randomNumber(below: UInt32(clamping: full / 2 + 1), random))
  }
}
