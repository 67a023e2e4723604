import Completion
import Runtime
import Testing

@testable import OwnAgent

@Suite struct GatewayMessageTests {
  private func bench(isGatewayThere: Bool) throws -> ServerBench {
    let bench = try ServerBench(hasTelegram: true, hasGatewayRoute: true)
    bench.connect(isGatewayThere: isGatewayThere)
    bench.say("tell them")
    _ = bench.take()
    bench.call([("send_message", #"{"text":"the gate is open"}"#)])
    return bench
  }

  @Test func aMessageGoesByTheGatewayWhileItIsThere() throws {
    let bench = try bench(isGatewayThere: true)
    let message = try #require(bench.take().first { $0.hasPrefix("message ") })
    #expect(message.hasSuffix(" the gate is open"))
    let number = try #require(UInt32(message.split(separator: " ")[1]))
    bench.result(number, "the gateway passes the message on")
    #expect(bench.question.contains("the gateway passes the message on"))
    bench.answer(words: "done")
    #expect(bench.take().last == "ended 1 answered")
  }

  @Test func whileItIsAwayTheOtherWaysAreUsed() throws {
    let bench = try bench(isGatewayThere: false)
    #expect(!bench.take().contains { $0.hasPrefix("message ") })
    #expect(bench.sending.isOpen)
  }

  @Test func aTurnThatIsCancelledDropsItsMessage() throws {
    let bench = try bench(isGatewayThere: true)
    let message = try #require(bench.take().first { $0.hasPrefix("message ") })
    bench.give(.cancel) { $0.littleEndian(1, bytes: 4) }
    bench.settle()
    #expect(bench.take().contains("drop \(message.split(separator: " ")[1])"))
  }
}
