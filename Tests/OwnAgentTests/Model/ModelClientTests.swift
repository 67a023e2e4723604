import Completion
import Fetch
import Gateway
import Runtime
import Testing

@testable import OwnAgent

@Suite struct ModelClientTests {
  @Test func anAnswerComesAsItIsWritten() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.begin()
    bench.say("good ")
    #expect(bench.take() == ["said good "])
    bench.say("day")
    #expect(bench.take() == ["said day"])
    bench.stop()
    #expect(bench.take() == ["used 3 5", "answered good day"])
    #expect(bench.visits == ["a.example:443/v1/chat/completions authorities"])
    #expect(!bench.isOpen && !bench.client.isBusy && bench.client.nextDeadline == nil)
  }

  @Test func theRequestHasTheKeyTheModelAndTheTools() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.accept()
    #expect(bench.sent.hasPrefix("POST /v1/chat/completions HTTP/1.1\r\nHost: a.example\r\n"))
    #expect(bench.sent.contains("\r\nAuthorization: Bearer sk-secret-123456\r\n"))
    #expect(bench.sent.contains(#""model":"model of a.example""#))
    #expect(bench.sent.contains(#""name":"photo""#) && bench.sent.contains(#""content":"hello""#))
    #expect(!bench.sent.contains("tool_choice"))
    bench.ask(mayCall: false)
    bench.accept()
    #expect(bench.sent.contains(#""tool_choice":"none""#))
  }

  @Test func aServerWithoutAKeyGetsNone() throws {
    let bench = try ModelBench([ModelBench.settings("a.example", key: "")])
    bench.ask()
    bench.accept()
    #expect(!bench.sent.contains("Authorization"))
  }

  @Test func aKeyThatNoHeaderMayHaveIsRefused() throws {
    let base = try WebURL("https://a.example/v1".utf8.span)
    for key in ["a b", "a\r\nX: y", "é", String(repeating: "k", count: 594)] {
      #expect(ModelSettings(base: base, name: "m", key: key) == nil)
    }
    #expect(ModelSettings(base: base, name: "m", key: String(repeating: "k", count: 593)) != nil)
  }

  @Test func callsOfToolsComeWhole() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.begin()
    bench.event(
      #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"photo","arguments":"{}"}}]}}]}"#)
    bench.stop("tool_calls")
    #expect(bench.take() == ["used 3 5", "called photo"])
  }

  @Test func aServerThatFailsIsAskedAgainAndThenTheNextOne() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.refuse(500, #"{"error":{"message":"busy"}}"#)
    #expect(bench.take().isEmpty && bench.visits.count == 1)
    bench.pass(8_000)
    #expect(bench.visits.count == 2)
    bench.end(TransportFailure(.connect, reason: .connectionRefused))
    #expect(bench.visits.last == "b.example:443/v1/chat/completions authorities")
    bench.begin()
    bench.say("I answer")
    bench.stop()
    #expect(bench.take() == ["said I answer", "used 3 5", "answered I answer"])
    #expect(bench.client.current == 1)
  }

  @Test func whenAllHaveFailedTheLastReasonIsTold() throws {
    let bench = try ModelBench(retries: 0)
    bench.ask()
    bench.refuse(500, "")
    bench.refuse(503, #"{"error":{"message":"down for repair"}}"#)
    #expect(bench.take() == ["failed: the model's server has failed (status 503): down for repair"])
    #expect(!bench.client.isBusy)
  }

  @Test func theKeyIsInNoSentence() throws {
    let bench = try ModelBench(retries: 0)
    bench.ask()
    bench.refuse(400, #"{"error":{"message":"what is sk-secret-123456 for?"}}"#)
    bench.refuse(401, #"{"error":{"message":"bad key sk-secret-123456"}}"#)
    let log = bench.take()
    #expect(log.count == 1 && !log[0].contains("sk-secret"))
  }

  @Test func aServerThatIsBusyIsAskedWhenItSays() throws {
    let bench = try ModelBench([ModelBench.settings("a.example")])
    bench.ask()
    bench.refuse(429, "{}", "Retry-After: 7\r\n")
    bench.pass(6_999)
    #expect(bench.visits.count == 1)
    bench.pass(1)
    #expect(bench.visits.count == 2)
  }

  @Test func aServerThatIsBusyForLongerThanAPersonWaitsIsToldAtOnce() throws {
    let bench = try ModelBench([ModelBench.settings("a.example")])
    bench.ask()
    bench.refuse(429, "{}", "Retry-After: 86400\r\n")
    let log = bench.take()
    #expect(log.count == 1 && log[0].hasPrefix("failed: the model's server gets too many requests (status 429)"))
    #expect(log.last?.hasSuffix("; try again in 120 s") == true)
    #expect(!bench.client.isBusy && bench.client.nextDeadline == nil)
    bench.pass(60_500)
    bench.ask()
    #expect(bench.take() == ["failed: the model's server gets too many requests; try again in 60 s"])
    #expect(bench.visits.count == 1 && !bench.client.isBusy)
    bench.pass(60_000)
    bench.ask()
    #expect(bench.visits.count == 2)
  }

  @Test func allAttemptsTogetherTakeNoLongerThanOneAnswerMay() throws {
    var models: [ModelSettings] = []
    for host in ["a.example", "b.example", "c.example", "d.example"] { models.append(try ModelBench.settings(host)) }
    let bench = try ModelBench(models, retries: 5)
    bench.ask()
    let start = bench.monotonic
    while bench.client.isBusy, bench.monotonic - start < 10 * Budget.modelMilliseconds { bench.pass(1_000) }
    #expect(bench.monotonic - start <= Budget.modelMilliseconds && bench.visits.count > 1)
    #expect(bench.take().last?.hasPrefix("failed: the model's server") == true)
  }

  @Test func anAnswerThatBreaksOffIsNotBegunAgain() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.begin()
    bench.say("half")
    bench.end()
    let log = bench.take()
    #expect(log[0] == "said half" && log[1].hasSuffix(" about"))
    #expect(log[2].hasPrefix("failed: the model's answer was cut"))
    #expect(bench.visits.count == 1 && !bench.client.isBusy)
  }

  @Test func anAnswerThatNeverBeginsIsAskedForAgain() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.begin()
    bench.end()
    bench.pass(8_000)
    #expect(bench.visits.count == 2)
  }

  @Test func aServerThatIsSilentIsGivenUp() throws {
    let bench = try ModelBench(retries: 0)
    bench.ask()
    bench.begin()
    bench.pass(Budget.modelIdleMilliseconds)
    #expect(bench.visits.count == 2)
    bench.begin()
    for _ in 0..<10 {
      bench.pass(Budget.modelIdleMilliseconds / 4)
      bench.deliver(": still here\n\n")
    }
    #expect(bench.take() == ["failed: the model's server takes too long: b.example took too long"])
  }

  @Test func anEndlessAnswerEnds() throws {
    let bench = try ModelBench([ModelBench.settings("a.example")], retries: 0)
    bench.ask()
    bench.begin()
    let line = String(repeating: "x", count: 4000)
    for _ in 0..<20 where bench.client.isBusy { bench.say(line) }
    #expect(bench.take().last?.hasPrefix("failed: the model's answer does not end") == true)
    #expect(!bench.isOpen)
  }

  @Test func aStreamOfNothingEndsAtItsBytes() throws {
    let bench = try ModelBench([ModelBench.settings("a.example")], retries: 0)
    bench.ask()
    bench.begin()
    let line = String(repeating: ": nothing\n", count: 20_000)
    var deliveries = 0
    while bench.client.isBusy, deliveries < 100 {
      bench.deliver(line)
      deliveries += 1
    }
    #expect(deliveries == Budget.modelStreamBytes / line.utf8.count + 1)
  }

  @Test func aPinnedServerMustShowItsCertificate() throws {
    var settings = try ModelBench.settings("a.example")
    settings.pin = Fingerprint(digest: InlineArray(repeating: 9))
    let bench = try ModelBench([settings], retries: 0)
    bench.ask()
    bench.begin()
    #expect(bench.visits == ["a.example:443/v1/chat/completions pin"])
    #expect(bench.take().first?.contains("another certificate than the one that is pinned") == true)
    #expect(!bench.sent.contains("secret"))
    bench.leaf = 9
    bench.ask()
    bench.begin()
    bench.say("x")
    #expect(bench.take() == ["said x"])
  }

  @Test func aCancelIsFollowedByNothing() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.client.cancel()
    #expect(!bench.isOpen && bench.client.nextDeadline == nil)
    bench.ask()
    bench.begin()
    bench.say("some")
    bench.client.cancel()
    let log = bench.take()
    #expect(log.count == 2 && log[0] == "said some" && log[1].hasSuffix(" 1 about"))
    bench.pass(1_000_000)
    #expect(bench.take().isEmpty)
  }

  @Test func thoughtsAreNotSaid() throws {
    let bench = try ModelBench()
    bench.ask()
    bench.begin()
    bench.say("<think>hm")
    bench.say("</think>yes")
    bench.stop()
    #expect(bench.take() == ["said yes", "used 3 5", "answered yes"])
  }

  @Test func aPromptThatFitsNoRequestIsTooLong() throws {
    let bench = try ModelBench([ModelBench.settings("a.example")], retries: 0)
    let prompt = Prompt(bytes: 2 * Budget.modelRequestBytes)
    _ = prompt.addUser(Array(repeating: UInt8(0x61), count: Budget.modelRequestBytes).span)
    bench.client.ask(prompt, ModelTools(), mayCall: true)
    bench.pass(0)
    #expect(bench.take() == ["failed: the conversation is too long for the model"])
    #expect(bench.visits.isEmpty)
  }

  @Test func aModelWithoutEyesGetsNoPicture() throws {
    var seeing = try ModelBench.settings("b.example")
    seeing.seesPictures = true
    for (settings, hasPicture) in [(try ModelBench.settings("a.example"), false), (seeing, true)] {
      let bench = try ModelBench([settings], retries: 0)
      let picture: [UInt8] = [0xFF, 0xD8, 0xFF]
      picture.withUnsafeBufferPointer { bytes in
        _ = bench.prompt.addUser("look".utf8.span, picture: bytes)
        bench.ask()
        bench.accept()
        #expect(bench.sent.contains("data:image/jpeg") == hasPicture)
        bench.client.cancel()
      }
    }
  }
}
