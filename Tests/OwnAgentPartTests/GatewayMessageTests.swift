import Foundation
import Node
import OwnAgent
import Runtime
import Testing

@testable import Benches
@testable import OwnAgentPart

@Suite("Messages by the gateway's channels") struct GatewayMessageTests {
  private func bench(hasRoute: Bool = true, isGatewayThere: Bool = true) throws -> OwnAgentBench {
    let bench = try OwnAgentBench { settings in
      guard hasRoute else { return }
      settings.route = GatewayRoute(channel: InlineText(cutting: "telegram"), recipient: InlineText(cutting: "1234"))
    }
    if isGatewayThere {
      bench.outbox.online(bench.channel)
      bench.part.gatewayCame()
    }
    _ = bench.link.take()
    return bench
  }

  private func send(_ bench: OwnAgentBench, _ text: String) {
    bench.send(.message, OwnAgentBench.number(7, 4) + Array(text.utf8))
    bench.advance()
  }

  private func answer(_ bench: OwnAgentBench) -> String { bench.frames().joined(separator: "\n") }

  @Test func `The gateway's agent is asked to pass the words on`() throws {
    let bench = try bench()
    send(bench, "the \"gate\" is open")
    #expect(answer(bench).contains("the gateway passes the message on"))
    let event = try #require(bench.channel.asked("node.event").first)
    #expect(event.event == "agent.request")
    #expect(event.payload["deliver"] as? Bool == true)
    #expect(event.payload["channel"] as? String == "telegram" && event.payload["to"] as? String == "1234")
    let message = try #require(event.payload["message"] as? String)
    #expect(message.hasPrefix("The board's own agent has a message for a person."))
    #expect(message.hasSuffix("\n\nthe \"gate\" is open"))
  }

  @Test func `Without the gateway, or without a channel, nothing is sent`() throws {
    for (hasRoute, isThere, sentence) in [
      (true, false, "the gateway is away"), (false, true, "this board has no channel of the gateway"),
    ] {
      let bench = try bench(hasRoute: hasRoute, isGatewayThere: isThere)
      send(bench, "hello")
      #expect(answer(bench).contains(sentence))
      #expect(bench.channel.asked("node.event").isEmpty)
    }
  }

  @Test func `A message that no event has room for is refused`() throws {
    let bench = try bench()
    send(bench, String(repeating: "\u{1}", count: Budget.outboxEventBytes / 2))
    #expect(answer(bench).contains("the message is too long for the gateway"))
    #expect(bench.channel.asked("node.event").isEmpty)
  }

  @Test func `A frame that is too short ends the connection`() throws {
    let bench = try bench()
    bench.send(.message, [1, 2])
    #expect(!bench.part.isConnected)
  }
}
