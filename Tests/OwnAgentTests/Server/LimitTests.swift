import Completion
import Fetch
import Runtime
import Testing

@testable import OwnAgent

@Suite struct AgentLimitTests {
  @Test func theOwnersFilesAreToldAsFarAsThereIsRoom() throws {
    let bench = try ServerBench()
    bench.files[.persona] = String(repeating: "a", count: Budget.agentFileBytes) + "b"
    bench.files[.memory] = String(repeating: "c", count: Budget.agentFileBytes - 1) + "z"
    bench.connect()
    bench.say("hello")
    let question = bench.question
    #expect(question.contains(String(repeating: "a", count: Budget.agentFileBytes)) && !question.contains("ab"))
    // Both whole files, the rules and the longest names fit what is told before a turn.
    #expect(question.contains("cz"))
  }

  @Test func theLongestNamesLeaveTheRulesWhole() throws {
    let bench = try ServerBench()
    bench.connect()
    let name = String(repeating: "n", count: 128)
    bench.give(.board) { $0.text(#"{"name":"\#(name)","language":"zh-Hant-TW-x-lon","utcOffsetMinutes":840}"#) }
    bench.say("hello")
    #expect(bench.question.contains(name) && bench.question.contains("zh-Hant-TW-x-lon"))
    bench.answer(words: "hi")
    #expect(bench.server.words.write(at: .max / 2, bench).count <= Budget.agentWordsBytes)
  }

  @Test func addressesAndQueriesThatAreTooLongAreRefused() throws {
    let bench = try ServerBench()
    bench.connect()
    bench.say("read it")
    let long = String(repeating: "x", count: Budget.agentWaitingBytes + 1)
    bench.call([("web_fetch", #"{"url":"https://a.example/\#(long)"}"#), ("web_search", #"{"query":"\#(long)"}"#)])
    let question = bench.question
    #expect(question.contains("refused: url is the text of one web address, of at most 2048 bytes"))
    #expect(question.contains("a query and an address are texts of at most 2048 bytes"))
    #expect(!bench.web.isOpen)
  }

  @Test func aPersonIsShownSoManyEntries() throws {
    let bench = try ServerBench()
    bench.connect()
    for number in 0..<(Budget.ownerResults + 5) {
      if number % 5 == 0 { bench.pass(60_000) }
      bench.say("remember")
      bench.call([("remember", #"{"fact":"gate \#(number)"}"#)])
      bench.answer(words: "done")
    }
    _ = bench.take()
    #expect(bench.ask(.search, "gate").split(separator: "\n").count == Budget.ownerResults)
  }

  @Test func aKeyThatIsLongerThanAHeaderFieldIsRefused() throws {
    let base = try WebURL("https://model.example/v1".utf8.span)
    let longest = 600 - "Bearer ".utf8.count
    #expect(ModelSettings(base: base, name: "m", key: String(repeating: "k", count: longest)) != nil)
    #expect(ModelSettings(base: base, name: "m", key: String(repeating: "k", count: longest + 1)) == nil)
    // With the name of the field.
    #expect(longest + "Authorization: Bearer \r\n".utf8.count <= Budget.modelSecretBytes)
  }

  @Test func anAnswerHasSoManyTokensUnlessTheOwnerSaysOtherwise() throws {
    let bench = try ServerBench()
    bench.connect()
    bench.say("hello")
    #expect(bench.question.contains("\"max_tokens\":\(Budget.modelAnswerTokens)"))
  }

  @Test func textsForVectorsAreCut() throws {
    let bench = try ServerBench(hasEmbeddings: true)
    bench.connect()
    bench.say(String(repeating: "w", count: Budget.embeddingTextBytes) + "v")
    bench.answer(words: "hi")
    bench.pass(Budget.embeddingPause.lowerBound)
    let question = bench.embed(["[1,0]", "[0,1]"])
    #expect(question.contains(String(repeating: "w", count: Budget.embeddingTextBytes) + "\""))
  }

  @Test func aServerOfVectorsIsLeftAfterItsTime() throws {
    let bench = try ServerBench(hasEmbeddings: true)
    bench.connect()
    bench.say("hello")
    bench.answer(words: "hi")
    bench.pass(Budget.embeddingPause.lowerBound)
    #expect(bench.embedding.isOpen)
    bench.pass(Budget.embeddingMilliseconds)
    #expect(!bench.embedding.isOpen)
  }
}
