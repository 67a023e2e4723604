import Foundation
import Node
import OwnAgent
import Runtime
import Testing

@testable import Benches
@testable import OwnAgentPart

@Suite("The connection to the board's own agent") struct OwnAgentConnectionTests {
  @Test func `The board describes itself, its tools, and whether the gateway is there`() throws {
    let bench = try OwnAgentBench()
    let frames = bench.link.take()
    #expect(frames.map(\.kind) == [.board, .tool, .tool, .ready, .gateway])
    let board = try AgentBench.object(frames[0].body)
    #expect(board["name"] as? String == "Kitchen \"1\"" && board["language"] as? String == "de")
    #expect(board["release"] as? String == "1.2" && board["hasCamera"] as? Bool == true)
    #expect(board["utcOffsetMinutes"] as? Int == 60)
    #expect(frames[1...2].map { String(decoding: $0.body, as: UTF8.self) } == bench.lender.tools)
    #expect(frames[4].body == [0])
  }

  @Test func `The agent hears of each change of the gateway`() throws {
    let bench = try OwnAgentBench()
    _ = bench.link.take()
    bench.part.gatewayCame()
    bench.part.gatewayWent()
    #expect(bench.frames() == ["gateway 1", "gateway 0"])
  }

  @Test func `A process that is not there is tried again, ever less often, and a person should look`() throws {
    let bench = try OwnAgentBench(isThere: false)
    var pauses: [Int64] = []
    for _ in 0..<8 {
      let next = try #require(bench.part.nextDeadline)
      pauses.append(next - bench.clock.monotonic)
      bench.pass(next - bench.clock.monotonic)
    }
    // Between them the loop sleeps, whatever it may wait for besides.
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { $0 * 1_000 })
    #expect(bench.part.hasFault)
    bench.link.isThere = true
    bench.pass(60_000)
    #expect(bench.part.isConnected && !bench.part.hasFault)
    #expect(bench.link.take().first?.kind == .board)
  }

  @Test func `Tools that have changed are told at once, or when the agent has ended what it does`() throws {
    let bench = try OwnAgentBench.answering()
    _ = bench.link.take()
    bench.part.toolsChanged()
    #expect(bench.link.take().first?.kind == .board)
    bench.send(.state, [1])
    bench.part.toolsChanged()
    #expect(bench.link.take().isEmpty)
    bench.send(.state, [0])
    #expect(bench.link.take().first?.kind == .board)
  }

  @Test func `An agent that asks for the tools again is told them`() throws {
    let bench = try OwnAgentBench.answering()
    _ = bench.link.take()
    bench.send(.describe, [])
    #expect(bench.link.take().first?.kind == .board)
  }

  @Test func `A process that ends at once is not tried every second, and one that has spoken is`() throws {
    let bench = try OwnAgentBench()
    bench.link.lose()
    #expect(bench.part.nextDeadline == bench.clock.monotonic + 1_000)
    bench.pass(1_000)
    bench.link.lose()
    #expect(bench.part.nextDeadline == bench.clock.monotonic + 2_000)
    bench.pass(2_000)
    bench.send(.state, [0])
    bench.link.lose()
    #expect(bench.part.nextDeadline == bench.clock.monotonic + 1_000)
  }

  @Test func `It answers once the gateway has been away for a while, and not at a short loss`() throws {
    let bench = try OwnAgentBench()
    #expect(!bench.desk.desk.canTalk)
    bench.pass(Budget.standInPatience - 1)
    #expect(!bench.desk.desk.canTalk)
    bench.pass(1)
    #expect(bench.desk.desk.canTalk && bench.desk.desk.standsIn)
    bench.part.gatewayCame()
    #expect(!bench.desk.desk.canTalk)
    bench.part.gatewayWent()
    bench.pass(Budget.standInPatience - 1)
    #expect(!bench.desk.desk.canTalk)
    bench.pass(1)
    #expect(bench.desk.desk.canTalk)
  }

  @Test func `With answers = always it answers at once, and while the gateway is there`() throws {
    let bench = try OwnAgentBench { $0.answersAlways = true }
    #expect(bench.desk.desk.canTalk)
    try bench.desk.connect()
    _ = try bench.desk.requests()
    bench.part.gatewayCame()
    _ = bench.link.take()
    #expect(bench.desk.desk.standsIn)
    #expect(try bench.say() != nil)
    #expect(try !bench.desk.requests().contains { $0.method == "chat.send" })
  }

  @Test func `A gateway that is there gets the message, whatever the agent could do`() throws {
    let bench = try OwnAgentBench.answering()
    try bench.desk.connect()
    #expect(try bench.desk.chat("hello") != nil)
    #expect(bench.frames().isEmpty)
  }

  @Test func `What is no frame, and what only a node sends, ends the connection, wherever it is cut`() throws {
    let wrong: [[UInt8]] = [
      [0, 1, 0, 0, 0, 1], [0x53, 0xFF, 0xFF, 0xFF, 0x7F], OwnAgentBench.frame(.say, [1, 0, 0, 0]),
      OwnAgentBench.frame(.ready, []), OwnAgentBench.frame(.text, [1]), OwnAgentBench.frame(.summary, [1, 2]),
      OwnAgentBench.frame(.call, [1, 0, 0, 0, 0, 0x61]), OwnAgentBench.frame(.step, [1, 0, 0, 0, 0, 0x61]),
      OwnAgentBench.frame(.drop, [1]), OwnAgentBench.frame(.state, []), OwnAgentBench.frame(.ended, [1, 0, 0, 0]),
    ]
    for (index, bytes) in wrong.enumerated() {
      for size in [1, 3, .max] {
        let bench = try OwnAgentBench()
        bench.link.send(bytes + [0, 0, 0], by: size)
        #expect(!bench.part.isConnected && bench.link.closed == 1, "\(index)")
        bench.pass(1_000)
        #expect(bench.part.isConnected)
      }
    }
  }

  @Test func `Frames of turns and calls that are not there, and unknown states are ignored`() throws {
    let bench = try OwnAgentBench.answering()
    bench.send(.text, number: 99, "for nobody")
    bench.send(.ended, number: 99, byte: 0)
    bench.send(.drop, number: 99)
    bench.send(.state, [200])
    bench.send(.remind, [])
    #expect(bench.part.isConnected && bench.frames().isEmpty)
  }

  @Test func `A process that reads nothing is left when the queue is full, and the turn fails`() throws {
    let bench = try OwnAgentBench.answering()
    _ = try bench.say(tag: 1)
    bench.link.capacity = 0
    let result = String(repeating: "x", count: 16_000)
    var number: UInt32 = 1
    while bench.part.isConnected, number < 100 {
      bench.call(number, "photo")
      bench.lender.end(bench.lender.begun.last!.tag, result)
      number += 1
    }
    #expect(!bench.part.isConnected && number <= 14)
    #expect(number > UInt32(Budget.agentQueueBytes / 16_200))
    #expect(bench.listener.heard.last?.contains("does not read") == true)
    bench.link.capacity = .max
    bench.pass(1_000)
    #expect(bench.link.take().map(\.kind) == [.board, .tool, .tool, .ready, .gateway])
  }

  @Test func `A slow process gets all frames in their order`() throws {
    let bench = try OwnAgentBench()
    bench.link.capacity = 7
    bench.part.gatewayCame()
    bench.part.gatewayWent()
    let kinds = bench.link.take().map(\.kind)
    #expect(kinds == [.board, .tool, .tool, .ready, .gateway, .gateway, .gateway])
  }

  @Test func `A part that was stopped connects no more, and has nothing open`() throws {
    let bench = try OwnAgentBench()
    bench.part.stop()
    bench.part.flush()
    #expect(bench.part.isStopped && bench.link.closed == 1)
    bench.pass(120_000)
    #expect(bench.link.opened == 1)
  }

  @Test func `Random bytes never trap, and the part connects again`() throws {
    var seed: UInt64 = 0x9E37_79B9
    func next() -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return seed >> 33
    }
    let kinds: [AgentFrame.Kind] = [.state, .text, .ended, .step, .call, .drop, .remind, .summary, .describe]
    let bench = try OwnAgentBench.answering()
    for round in 0..<2_000 {
      if !bench.part.isConnected { bench.pass(60_000) }
      if round % 7 == 0 { _ = try bench.desk.chat("hello", tag: Int(next() % 3)) }
      let body = (0..<Int(next() % 24)).map { _ in UInt8(truncatingIfNeeded: next() % 5 == 0 ? next() : next() % 4) }
      if next() % 50 == 0 {
        bench.link.send(body, by: 1 + Int(next() % 5))
      } else {
        bench.send(kinds[Int(next() % UInt64(kinds.count))], body)
      }
      if next() % 3 == 0, let call = bench.lender.begun.last { bench.lender.end(call.tag) }
      _ = bench.link.take()
    }
    bench.part.stop()
    #expect(!bench.part.isAwaited)
  }
}
