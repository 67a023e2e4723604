import Codec
import Gateway
import Runtime
import Testing

@testable import Benches
@testable import Node

/// A gate that keeps everything, and notes it.
private final class KeepingGate: ConsentGate {
  var kept: [ConsentRequest] = []
  func asks(about command: String) -> Bool { false }
  func admits(_ request: ConsentRequest, _ parameters: borrowing JSONView) -> Bool {
    kept.append(request)
    return false
  }
  func cancel(_ token: InvokeToken) {}
  func ended(_ token: InvokeToken) {}
}

@Suite("Commands for the board's own agent") struct LentRouterTests {
  private let bench: RouterBench

  init() throws {
    bench = try RouterBench()
    bench.router.tools = bench
  }

  private func begin(_ id: String, _ lent: LentCall) -> Bool {
    bench.router.begin(
      tool: "do", JSONView("{}".utf8.span), id: InlineText(cutting: id), deadline: bench.clock.monotonic + 60_000,
      lent: lent)
  }

  private let call = LentCall(tool: "lamp", isSafe: false, mustAsk: false)
  private let tainted = LentCall(tool: "lamp", isSafe: false, mustAsk: true)

  @Test func `They do not end with the connection to the gateway`() {
    bench.invoke("gateway's")
    #expect(begin("1", call))
    bench.router.cancelAll()
    #expect(bench.cancelled == [bench.begun[0]])
    bench.succeed(1, "lit")
    #expect(bench.take() == [#"1: "lit""#])
  }

  @Test func `Panic ends them with an error, and they end at their deadline`() {
    #expect(begin("1", call))
    bench.router.hold()
    #expect(bench.take().first?.contains("a person holds") == true)
    #expect(begin("2", call))
    bench.pass(60_000)
    #expect(bench.take().first?.hasPrefix("2: ") == true && bench.cancelled.count == 2)
  }

  @Test func `The gate hears which tool it is, whether people must be asked, and whose session`() throws {
    let gate = KeepingGate()
    bench.router.gate = gate
    #expect(begin("1", tainted))
    let request = try #require(gate.kept.first)
    #expect(request.lent?.tool == "lamp" && request.lent?.mustAsk == true && request.command == "do")
    #expect(NotingListener.text(request.sessionKey.span) == "own agent")
    bench.invoke("2")
    #expect(gate.kept.last?.lent == nil)
  }

  @Test func `Where nobody can be asked, what must be asked about is refused, and what is safe is not`() {
    #expect(begin("1", tainted))
    #expect(bench.take().first?.contains("nobody at this board can be asked") == true)
    #expect(bench.begun.isEmpty)
    #expect(begin("2", LentCall(tool: "time", isSafe: true, mustAsk: true)))
    #expect(begin("3", call))
    #expect(bench.begun.count == 2)
  }
}
