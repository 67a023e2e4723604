import Codec
import Runtime
import Testing

@testable import Benches
@testable import Node

/// A gate that refuses, keeps or admits, as the test says.
private final class Gate: ConsentGate {
  func asks(about command: String) -> Bool { false }

  enum Way { case admit, refuse, keep }

  let router: Router
  var way = Way.admit
  var kept: [InvokeToken] = []
  var cancelled: [InvokeToken] = []
  var ended: [InvokeToken] = []

  init(_ router: Router) {
    self.router = router
    router.gate = self
  }

  func admits(_ request: ConsentRequest, _ parameters: borrowing JSONView) -> Bool {
    switch way {
    case .admit: return true
    case .refuse: router.fail(request.token, code: "NO") { $0.text("NO: not now") }
    case .keep: kept.append(request.token)
    }
    return false
  }

  func cancel(_ token: InvokeToken) { cancelled.append(token) }

  func ended(_ token: InvokeToken) { ended.append(token) }
}

@Suite struct ConsentGateTests {
  private let bench: RouterBench
  private let gate: Gate

  init() throws {
    bench = try RouterBench()
    gate = Gate(bench.router)
  }

  @Test func `What is refused is answered and not begun, and is not remembered under its key`() {
    gate.way = .refuse
    bench.invoke("1")
    #expect(bench.take() == ["1: NO: not now"])
    #expect(bench.begun.isEmpty)
    gate.way = .admit
    bench.invoke("2")
    #expect(bench.begun.count == 1)
    bench.succeed()
    #expect(bench.take() == [#"2: "done""#])
    // Now it was done, so it is not done again.
    bench.invoke("3")
    #expect(bench.begun.count == 1)
    #expect(bench.take() == [#"3: "done""#])
  }

  @Test func `What waits begins when the gate resumes it, with its parameters`() {
    gate.way = .keep
    bench.invoke("1")
    #expect(bench.begun.isEmpty && gate.kept.count == 1)
    bench.router.resume(gate.kept[0], sessionKey: InlineText(), JSONView("{}".utf8.span))
    #expect(bench.begun == gate.kept)
    bench.router.resume(gate.kept[0], sessionKey: InlineText(), JSONView("{}".utf8.span))
    #expect(bench.begun.count == 1)
    bench.succeed()
    #expect(gate.ended == gate.kept)
  }

  @Test func `The end of a request that waits goes to the gate, and not to the command`() {
    gate.way = .keep
    bench.invoke("1", key: "one")
    bench.cancelInvoke("1")
    bench.invoke("2", key: "two", timeout: 1_000)
    bench.pass(1_000)
    bench.invoke("3", key: "three")
    bench.router.cancelAll()
    #expect(gate.cancelled == gate.kept && gate.kept.count == 3)
    #expect(bench.cancelled.isEmpty && bench.begun.isEmpty)
    bench.router.resume(gate.kept[2], sessionKey: InlineText(), JSONView("{}".utf8.span))
    #expect(bench.begun.isEmpty)
    #expect(bench.take().count == 2)
  }

  @Test func `A repeat of what waits gets the same answer`() {
    gate.way = .keep
    bench.invoke("1")
    bench.invoke("2")
    #expect(gate.kept.count == 1)
    bench.router.end(gate.kept[0], code: "NO") { $0.text("NO: over") }
    #expect(bench.take() == ["1: NO: over", "2: NO: over"])
  }
}
