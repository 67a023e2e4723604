import Completion
import Runtime
import Testing

@testable import OwnAgent

@Suite struct ModelListerTests {
  private func bench() throws -> ServerBench {
    let bench = try ServerBench()
    bench.connect()
    _ = bench.take()
    bench.give(.ask) { writer in
      writer.littleEndian(5, bytes: 4)
      writer.byte(OwnerRequest.models.rawValue)
    }
    bench.settle()
    return bench
  }

  /// The server that is asked answers; returns what it was asked.
  @discardableResult
  private func answer(_ bench: ServerBench, _ body: String, status: String = "200 OK") -> String {
    bench.listing.appetite = 10_000
    bench.listing.secure()
    let question = bench.listing.sent
    bench.listing.deliver(PageServer.answer(body, status: status, type: "application/json"))
    bench.settle()
    return question
  }

  @Test func eachServerIsAskedForItsModels() throws {
    let bench = try bench()
    let first = answer(bench, #"{"data":[{"id":"m"}]}"#)
    #expect(first.contains("GET /v1/models") && !first.contains("Authorization"))
    let second = answer(bench, #"{"data":[{"id":"small"},{"id":"large"}]}"#)
    #expect(second.contains("Bearer sk-vectors"))
    #expect(
      bench.take() == [
        "answer 5 ok m at model.example: it is there\n"
          + "v at model.example: it is not among the 2 models of this server, of which the first is small"
      ])
  }

  @Test func aServerThatRefusesIsToldWithoutTheKey() throws {
    let bench = try bench()
    answer(bench, "nonsense")
    answer(bench, #"{"error":{"message":"sk-vectors is no key"}}"#, status: "401 X")
    let text = bench.take().joined()
    #expect(text.contains("m at model.example: the model's answer cannot be read"))
    #expect(text.contains("v at model.example: the model's server refuses the key (status 401)"))
    #expect(!text.contains("sk-vectors"))
  }

  @Test func aServerThatIsSilentIsLeftAfterItsTime() throws {
    let bench = try bench()
    bench.pass(Budget.modelListMilliseconds)
    answer(bench, #"{"data":[{"id":"v"}]}"#)
    let text = bench.take().joined()
    #expect(text.contains("m at model.example: the model's server takes too long"))
    #expect(text.contains("v at model.example: it is there"))
    #expect(Budget.modelListMilliseconds * Int64(Budget.models + 1) < Budget.ownerMilliseconds)
  }

  @Test func namesThatAreNoWordsAreShownAsOneLine() throws {
    let bench = try bench()
    answer(bench, ##"{"data":[{"id":"a\u001b[2J\nb"}]}"##)
    answer(bench, #"{"data":[]}"#)
    let text = bench.take().joined()
    #expect(text.contains("the first is a [2J b\n"))
    #expect(text.hasSuffix("it is not among the 0 models of this server"))
  }

  @Test func aListThatNobodyWaitsForMakesRoomForTheNextQuestion() throws {
    let bench = try bench()
    #expect(bench.listing.isOpen)
    #expect(bench.ask(.status, id: 7).hasPrefix("answer 7 ok"))
    #expect(!bench.listing.isOpen)
    bench.pass(10 * Budget.modelListMilliseconds)
    #expect(!bench.take().contains { $0.hasPrefix("answer ") })
    bench.give(.ask) { writer in
      writer.littleEndian(8, bytes: 4)
      writer.byte(OwnerRequest.models.rawValue)
    }
    bench.settle()
    answer(bench, #"{"data":[{"id":"m"}]}"#)
    answer(bench, #"{"data":[{"id":"v"}]}"#)
    let said = bench.take().filter { $0.hasPrefix("answer ") }
    #expect(said.count == 1 && said[0].hasPrefix("answer 8 ok"))
  }

  @Test func theListEndsWithTheConnectionOfWhoeverAsked() throws {
    let bench = try bench()
    bench.disconnect()
    #expect(!bench.listing.isOpen)
  }
}
