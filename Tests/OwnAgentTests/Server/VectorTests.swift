import Completion
import Runtime
import Testing

@testable import OwnAgent

@Suite struct VectorTests {
  private func bench(budget: ModelBudget = ModelBudget()) throws -> ServerBench {
    let bench = try ServerBench(budget: budget, hasEmbeddings: true)
    bench.connect()
    return bench
  }

  private func remember(_ bench: ServerBench, _ fact: String) {
    bench.say("remember")
    bench.call([("remember", #"{"fact":"\#(fact)"}"#)])
    bench.answer(words: "done")
  }

  private func vectors(_ bench: ServerBench) -> Int { bench.table.rows.count { $0.code != nil } }

  @Test func entriesGetVectorsWhenNothingElseIsDone() throws {
    let bench = try bench()
    remember(bench, "the cat sleeps")
    #expect(!bench.embedding.isOpen)
    bench.pass(Budget.embeddingPause.lowerBound)
    let question = bench.embed(["[1,0]", "[0,1]", "[1,1]"])
    #expect(question.contains("POST /v1/embeddings") && question.contains("Bearer sk-vectors"))
    #expect(question.contains("the cat sleeps") && question.contains(#""model":"v""#))
    #expect(vectors(bench) == 3)
    bench.pass(Budget.embeddingPause.lowerBound)
    #expect(!bench.embedding.isOpen)
  }

  @Test func aSearchUsesTheVectorOfItsQuery() throws {
    let bench = try bench()
    remember(bench, "the cat sleeps")
    bench.pass(Budget.embeddingPause.lowerBound)
    bench.embed(["[0,1]", "[0,1]", "[1,0]"])
    bench.say("find")
    bench.call([("memory_search", #"{"query":"feline"}"#)])
    #expect(bench.embed(["[1,0.01]"]).contains("feline"))
    #expect(bench.question.contains("the cat sleeps"))
  }

  @Test func withoutAVectorItSearchesByWords() throws {
    let bench = try bench()
    remember(bench, "the cat sleeps")
    bench.say("find")
    bench.call([("memory_search", #"{"query":"cat"}"#)])
    bench.embed([], status: 500)
    #expect(bench.question.contains("the cat sleeps"))
    bench.answer(words: "found")
    bench.say("find")
    bench.call([("memory_search", #"{"query":"cat"}"#)])
    bench.pass(Budget.embeddingSearchMilliseconds + 1000)
    #expect(bench.question.contains("the cat sleeps"))
  }

  @Test func aCancelledTurnDropsItsSearch() throws {
    let bench = try bench()
    bench.say("find", number: 1)
    bench.call([("memory_search", #"{"query":"cat"}"#)])
    bench.settle()
    #expect(bench.embedding.isOpen)
    bench.give(.cancel) { $0.littleEndian(1, bytes: 4) }
    bench.settle()
    #expect(!bench.embedding.isOpen)
    bench.pass(10_000)
    bench.say("hello", number: 2)
    bench.answer(words: "hi")
    #expect(bench.take().last == "ended 2 answered")
  }

  @Test func aServerThatFailsIsAskedLessAndLess() throws {
    let bench = try bench()
    remember(bench, "the cat sleeps")
    var pauses: [Int64] = []
    var since = bench.clock.monotonic
    while pauses.count < 4 {
      bench.pass(1000)
      guard bench.embedding.isOpen else { continue }
      pauses.append(bench.clock.monotonic - since)
      since = bench.clock.monotonic
      bench.embed([], status: 503)
    }
    #expect(pauses == pauses.sorted() && pauses[3] >= 4 * pauses[0])
  }

  @Test func vectorsThatAreNotTakenAreNotAskedForEverySecond() throws {
    let bench = try bench()
    remember(bench, "the cat sleeps")
    bench.table.takesNoVectors = true
    bench.pass(Budget.embeddingPause.lowerBound)
    bench.embed(["[1,0]", "[0,1]", "[1,1]"])
    #expect(!bench.embedding.isOpen)
    bench.pass(1000)
    #expect(!bench.embedding.isOpen)
  }

  @Test func aDayWithoutTokensMakesNoVectors() throws {
    let bench = try bench(budget: ModelBudget(tokens: 100))
    bench.say("hello")
    bench.answer(words: "hi")
    bench.pass(60_000)
    #expect(!bench.embedding.isOpen)
  }

  @Test func whatItTakesIsCounted() throws {
    let bench = try bench()
    bench.say("hello")
    bench.answer(words: "hi")
    let before = bench.server.keeper.usage.tokens
    bench.pass(Budget.embeddingPause.lowerBound)
    bench.embed(["[1,0]", "[0,1]"])
    #expect(bench.server.keeper.usage.tokens > before && bench.server.keeper.usage.isEstimated)
  }

  @Test func aVectorOfMoreDimensionsThanTheMemoryHasRoomForIsNone() throws {
    let bench = try bench()
    remember(bench, "the cat sleeps")
    let memory = try #require(bench.server.means.memory)
    let id = try #require(bench.table.rows.first).entry.id
    for (count, taken) in [(Budget.embeddingDimensions + 1, 0), (Budget.embeddingDimensions, 1)] {
      [Float](repeating: 1, count: count).withUnsafeBufferPointer { _ = memory.attach($0, to: id) }
      bench.settle()
      #expect(vectors(bench) == taken)
    }
  }

  @Test func longTextsAreCutAndTooManyWait() throws {
    let bench = try bench()
    remember(bench, String(repeating: "word ", count: 400))
    for number in 0..<6 { remember(bench, "fact \(number)") }
    bench.pass(Budget.embeddingPause.lowerBound)
    let question = bench.embed((0..<8).map { "[1,\($0)]" })
    #expect(question.utf8.count < Budget.embeddingRequestBytes)
    #expect(vectors(bench) == 8)
    #expect(bench.embedding.isOpen)
  }
}
