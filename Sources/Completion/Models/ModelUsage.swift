import Codec
import Runtime

/// Tokens of one request and its answer.
public struct TokenCount: Equatable, Sendable {
  public var prompt: Int64
  public var completion: Int64
  /// True when they were not counted by the server, but made of bytes.
  public var isEstimated: Bool

  /// Counts; see the properties.
  public init(prompt: Int64, completion: Int64, isEstimated: Bool) {
    (self.prompt, self.completion, self.isEstimated) = (prompt, completion, isEstimated)
  }

  /// What texts of so many bytes have about, at `Budget.modelTokenBytes` a token.
  public static func estimate(promptBytes: Int, completionBytes: Int) -> TokenCount {
    TokenCount(prompt: tokens(promptBytes), completion: tokens(completionBytes), isEstimated: true)
  }

  private static func tokens(_ bytes: Int) -> Int64 {
    Int64(clamping: max(bytes, 0)).adding(clamping: Budget.modelTokenBytes - 1) / Budget.modelTokenBytes
  }
}

/// What a model costs: millionths of a unit of some currency for a million tokens, so 150,000 for 0.15.
public struct ModelPrice: Equatable, Sendable {
  public var prompt: Int64
  public var completion: Int64

  /// A price; a model in the house costs nothing.
  public init(prompt: Int64 = 0, completion: Int64 = 0) { (self.prompt, self.completion) = (prompt, completion) }

  /// What so many tokens cost, in millionths of a millionth of the unit.
  func cost(_ tokens: TokenCount) -> Int64 {
    let prompt = max(tokens.prompt, 0).multiplied(clamping: max(self.prompt, 0))
    return prompt.adding(clamping: max(tokens.completion, 0).multiplied(clamping: max(completion, 0)))
  }
}

/// What models may use in a day of local time; nil: without a limit.
public struct ModelBudget: Equatable, Sendable {
  public var turns: Int64?
  public var tokens: Int64?
  /// Of waiting for models.
  public var seconds: Int64?
  /// In millionths of the prices' unit.
  public var money: Int64?

  /// A budget; see the properties.
  public init(turns: Int64? = nil, tokens: Int64? = nil, seconds: Int64? = nil, money: Int64? = nil) {
    (self.turns, self.tokens, self.seconds, self.money) = (turns, tokens, seconds, money)
  }

  /// What of a budget is spent.
  public enum Part: UInt8, Sendable {
    case turns, tokens, seconds, money

    /// What a person reads.
    public var text: StaticString {
      switch self {
      case .turns: "the turns of this day are spent"
      case .tokens: "the tokens of this day are spent"
      case .seconds: "the seconds of this day are spent"
      case .money: "the money of this day is spent"
      }
    }
  }
}

/// What models have used on a day. A day ends at midnight of local time. (`DayWindow` is about hours of a day, and not
/// used for it.) Every sum ends at the largest number.
public struct ModelUsage: Equatable, Sendable {
  private static let minutesPerDay: Int64 = 1440
  private static let costPerMillionth: Int64 = 1_000_000

  /// Days of local time since 1 January 1970.
  public private(set) var day: Int64
  public private(set) var turns: Int64
  public private(set) var promptTokens: Int64
  public private(set) var completionTokens: Int64
  public private(set) var milliseconds: Int64
  /// Some of the tokens were not counted by a server.
  public private(set) var isEstimated: Bool
  /// In millionths of a millionth of the unit, so that cheap requests are not rounded away.
  public private(set) var cost: Int64

  /// A day on which nothing was used.
  public init(day: Int64 = 0) { self.init(day: day, turns: 0, prompt: 0, completion: 0, milliseconds: 0, cost: 0) }

  /// What was used so far, as it was recorded; what is below zero is zero.
  public init(
    day: Int64, turns: Int64, prompt: Int64, completion: Int64, milliseconds: Int64, cost: Int64,
    isEstimated: Bool = false
  ) {
    self.day = day
    self.turns = max(turns, 0)
    promptTokens = max(prompt, 0)
    completionTokens = max(completion, 0)
    self.milliseconds = max(milliseconds, 0)
    self.cost = max(cost, 0)
    self.isEstimated = isEstimated
  }

  public var tokens: Int64 { promptTokens.adding(clamping: completionTokens) }
  public var seconds: Int64 { milliseconds / 1000 }
  /// Millionths of the prices' unit.
  public var money: Int64 { cost / Self.costPerMillionth }

  /// Tells the time, in minutes of local time since 1 January 1970. A later day begins at zero. An earlier one does
  /// not, unless it is earlier by more than a day: a clock that is corrected by hours gives nobody the budget twice,
  /// and one that was years ahead does not keep it spent.
  public mutating func tell(localMinutes: Int64) {
    let (quotient, rest) = localMinutes.quotientAndRemainder(dividingBy: Self.minutesPerDay)
    let today = rest < 0 ? quotient - 1 : quotient
    guard today > day || today < day.subtracting(clamping: 1) else { return }
    self = ModelUsage(day: today)
  }

  /// Counts a turn: something that a person said or a timer began.
  public mutating func addTurn() { turns = turns.adding(clamping: 1) }

  /// Counts a request: its tokens at a price, and how long it took.
  public mutating func add(_ tokens: TokenCount, _ price: ModelPrice, milliseconds: Int64) {
    promptTokens = promptTokens.adding(clamping: max(tokens.prompt, 0))
    completionTokens = completionTokens.adding(clamping: max(tokens.completion, 0))
    isEstimated = isEstimated || tokens.isEstimated
    self.milliseconds = self.milliseconds.adding(clamping: max(milliseconds, 0))
    cost = cost.adding(clamping: price.cost(tokens))
  }

  /// What of a budget is spent; nil when there is something left of everything.
  public func spent(_ budget: ModelBudget) -> ModelBudget.Part? {
    if let most = budget.turns, turns >= most { return .turns }
    if let most = budget.tokens, tokens >= most { return .tokens }
    if let most = budget.seconds, seconds >= most { return .seconds }
    if let most = budget.money, money >= most { return .money }
    return nil
  }

  /// True when something of a budget is spent.
  public func isSpent(_ budget: ModelBudget) -> Bool { spent(budget) != nil }
}
