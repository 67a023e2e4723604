import Runtime
import Simulated
import Testing
@testable import Benches
@testable import Node

/// An invoke that is too long for a turn of the loop is opened by a worker, and is then one like all others.
@Suite("Invokes that a worker opens")
struct LongInvokeTests {
  private let runner = DeferredRunner()
  private let bench: RouterBench
  private let other: RouterBench
  /// The session's buffer, which workers exchange.
  private final class Memory {
    var buffer: ReservedBuffer
    init() throws { buffer = try ReservedBuffer(capacity: Budget.inboundMessageBytes) }
  }
  private let memory: Memory

  init() throws {
    bench = try RouterBench(runner: runner)
    other = try RouterBench()
    memory = try Memory()
  }

  /// Has a worker open an invoke as the session does; false when none does.
  private func open(_ payload: String) -> Bool {
    let frame = Array(#"{"type":"event","event":"node.invoke.request","payload":\#(payload),"seq":7}"#.utf8)
    let buffer = memory.buffer
    for index in frame.indices { buffer.bytes[index] = frame[index] }
    let isOpened = bench.router.open(in: &memory.buffer, count: frame.count)
    #expect((memory.buffer !== buffer) == isOpened)
    return isOpened
  }

  private static let text = String(repeating: #"\n\u00e9x"#, count: 20_000)

  /// Members of invokes, by what they are: tests are named by these, for the members are long.
  private static let cases: [String: String] = [
    "params": #""params":{"text":"\#(text)"},"sessionKey":"agent:main:main","idempotencyKey":"k""#,
    "text": #""paramsJSON":"{\"text\":\"\#(String(repeating: "x", count: 50_000))\"}","idempotencyKey":"k""#,
    "blank text": #""paramsJSON":"\#(String(repeating: " ", count: 50_000))""#,
    "none": #""pad":"\#(text)""#,
    "broken text": #""paramsJSON":"{\"text\":\"\#(String(repeating: "x", count: 50_000))""#,
    "long session": #""params":{},"sessionKey":"\#(String(repeating: "s", count: 50_000))""#,
    "long key": #""params":{"text":"\#(text)"},"idempotencyKey":"\#(String(repeating: "k", count: 50_000))""#,
    "no id": #""params":{"text":"\#(text)"},"id":7"#,
    "empty id": #""params":{"text":"\#(text)"},"id":"""#,
    "other node": #""params":{"text":"\#(text)"},"nodeId":"somebody""#,
    "unknown command": #""params":{"text":"\#(text)"},"command":"explode""#,
  ]

  @Test("it begins and is answered as one that the loop opens", arguments: cases.keys.sorted())
  func equal(name: String) throws {
    let members = try #require(Self.cases[name])
    for payload in [bench.payload("a", members), bench.payload("b", members)] {
      #expect(open(payload))
      #expect(bench.router.isOccupied && bench.router.isAwaited)
      runner.runAll()
      #expect(!bench.router.isOccupied)
      other.send(payload)
      for some in [bench, other] where some.begun.count > some.answers.count { some.succeed(some.begun.count - 1) }
      #expect(bench.sessions == other.sessions && bench.parameters == other.parameters)
      #expect(bench.take() == other.take())
    }
  }

  @Test("a worker that begins at once finds the invoke, and one that is refused leaves it to the session")
  func eager() throws {
    let eager = DeferredRunner(beginsAtOnce: true)
    let bench = try RouterBench(runner: eager)
    for id in ["a", "b"] {
      let frame = Array(#"{"payload":\#(bench.payload(id, #""params":{"text":"\#(id)"}"#))}"#.utf8)
      for index in frame.indices { memory.buffer.bytes[index] = frame[index] }
      let buffer = memory.buffer
      eager.isFull = true
      #expect(!bench.router.open(in: &memory.buffer, count: frame.count) && memory.buffer === buffer)
      eager.isFull = false
      #expect(bench.router.open(in: &memory.buffer, count: frame.count) && memory.buffer !== buffer)
      eager.runAll()
    }
    #expect(bench.parameters == [#"{"text":"a"}"#, #"{"text":"b"}"#])
  }

  @Test("its deadline counts from its arrival")
  func deadline() {
    #expect(open(bench.payload("a", #""timeoutMs":12000,"params":{"text":"\#(Self.text)"}"#)))
    bench.pass(10_000)
    runner.runAll()
    #expect(bench.begun.count == 1)
    bench.pass(1_499)
    #expect(bench.take() == [])
    bench.pass(1)
    #expect(bench.take() == ["a: UNAVAILABLE: node invoke timed out"])
  }

  @Test("one whose connection has ended does not begin, and the next one is read")
  func offline() {
    #expect(open(bench.payload("a", #""params":{}"#)))
    bench.router.offline()
    let reads = bench.reads
    runner.runAll()
    #expect(bench.begun.isEmpty && bench.take() == [])
    #expect(!bench.router.isOccupied && bench.reads == reads + 1)
    #expect(open(bench.payload("b", #""params":{}"#)))
    runner.runAll()
    #expect(bench.begun.count == 1)
  }

  @Test("no worker opens one while another is opened, or when a slow job would keep it waiting")
  func refused() {
    runner.hasIdleWorker = false
    #expect(!open(bench.payload("a", #""params":{}"#)))
    runner.hasIdleWorker = true
    #expect(open(bench.payload("b", #""params":{}"#)))
    #expect(!open(bench.payload("c", #""params":{}"#)))
    runner.runAll()
    #expect(bench.begun.count == 1)
  }
}
