import Runtime
import Testing

@testable import Completion

@Suite("What models use")
struct ModelUsageTests {
  private func tokens(_ prompt: Int64, _ completion: Int64) -> TokenCount {
    TokenCount(prompt: prompt, completion: completion, isEstimated: false)
  }

  @Test("tokens, time and money of requests add up")
  func sums() {
    var usage = ModelUsage()
    let price = ModelPrice(prompt: 150_000, completion: 600_000)
    usage.addTurn()
    for _ in 0..<3 { usage.add(tokens(1000, 500), price, milliseconds: 1500) }
    #expect(usage.turns == 1 && usage.promptTokens == 3000 && usage.completionTokens == 1500 && usage.tokens == 4500)
    #expect(usage.seconds == 4 && usage.money == 1350 && !usage.isEstimated)
  }

  @Test("the cheapest requests are not rounded away")
  func rounding() {
    var usage = ModelUsage()
    for _ in 0..<1000 { usage.add(tokens(1, 0), ModelPrice(prompt: 20_000), milliseconds: 0) }
    #expect(usage.money == 20)
  }

  @Test("where the server counts nothing, four bytes are a token, and the day says so")
  func estimates() {
    let estimate = TokenCount.estimate(promptBytes: 9, completionBytes: 8)
    #expect(estimate == TokenCount(prompt: 3, completion: 2, isEstimated: true))
    #expect(TokenCount.estimate(promptBytes: -1, completionBytes: .max).prompt == 0)
    var usage = ModelUsage()
    usage.add(estimate, ModelPrice(), milliseconds: 0)
    usage.add(tokens(1, 1), ModelPrice(), milliseconds: 0)
    #expect(usage.isEstimated && usage.tokens == 7)
  }

  @Test("what is spent is named, and a limit that is not set never is")
  func spent() {
    var usage = ModelUsage()
    #expect(!usage.isSpent(ModelBudget()) && usage.spent(ModelBudget(turns: 0)) == .turns)
    usage.addTurn()
    usage.add(tokens(60, 40), ModelPrice(prompt: 1_000_000, completion: 1_000_000), milliseconds: 2000)
    #expect(usage.spent(ModelBudget(turns: 1)) == .turns && usage.spent(ModelBudget(turns: 2)) == nil)
    #expect(usage.spent(ModelBudget(tokens: 100)) == .tokens && usage.spent(ModelBudget(tokens: 101)) == nil)
    #expect(usage.spent(ModelBudget(seconds: 2)) == .seconds && usage.spent(ModelBudget(seconds: 3)) == nil)
    #expect(usage.spent(ModelBudget(money: 100)) == .money && usage.spent(ModelBudget(money: 101)) == nil)
    #expect(usage.isSpent(ModelBudget(turns: 5, tokens: 100)))
  }

  @Test("a later day begins at zero, and a clock that is corrected by hours gives nothing back")
  func days() {
    var usage = ModelUsage(day: 20_000)
    usage.addTurn()
    usage.tell(localMinutes: 20_000 * 1440 + 1439)
    #expect(usage.turns == 1)
    usage.tell(localMinutes: 19_999 * 1440)
    #expect(usage.turns == 1 && usage.day == 20_000)
    usage.tell(localMinutes: 20_001 * 1440)
    #expect(usage.turns == 0 && usage.day == 20_001)
  }

  @Test("a clock that was far ahead does not keep a budget spent")
  func wrongClock() {
    var usage = ModelUsage(day: 99_999)
    usage.addTurn()
    usage.tell(localMinutes: 20_000 * 1440)
    #expect(usage.turns == 0 && usage.day == 20_000)
    usage.tell(localMinutes: -1)
    #expect(usage.day == -1)
    usage.tell(localMinutes: .min)
    usage.tell(localMinutes: .max)
    #expect(usage.day == Int64.max / 1440)
  }

  @Test("sums end at the largest number, and nothing is below zero")
  func saturation() {
    var usage = ModelUsage(day: 0, turns: .max, prompt: -5, completion: .max, milliseconds: .max, cost: .max - 1)
    usage.addTurn()
    usage.add(tokens(.max, .max), ModelPrice(prompt: .max, completion: .max), milliseconds: .max)
    #expect(usage.turns == .max && usage.tokens == .max && usage.cost == .max && usage.milliseconds == .max)
    usage.add(tokens(.min, .min), ModelPrice(prompt: .min, completion: -1), milliseconds: .min)
    #expect(usage.promptTokens == .max && usage.cost == .max)
    #expect(usage.isSpent(ModelBudget(money: usage.money)))
  }

  @Test("a recorded day goes on where it was")
  func recorded() {
    let usage = ModelUsage(
      day: 7, turns: 1, prompt: 2, completion: 3, milliseconds: 4000, cost: 5_000_000, isEstimated: true)
    #expect(usage.turns == 1 && usage.tokens == 5 && usage.seconds == 4 && usage.money == 5 && usage.isEstimated)
  }
}
