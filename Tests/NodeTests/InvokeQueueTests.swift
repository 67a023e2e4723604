import Gateway
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("Invokes that wait their turn")
struct InvokeQueueTests {
  private let bench: RouterBench
  init() throws { bench = try RouterBench() }

  /// As many as run at once, and this many more.
  private func shoot(_ more: Int, timeout: Int = 30_000) {
    for number in 0..<2 + more { bench.invoke("\(number)", "shoot", key: nil, timeout: timeout) }
  }

  @Test("what an agent asks for at once is done in the order in which it came, and answered once each")
  func order() {
    shoot(Budget.waitingInvokes)
    #expect(bench.begun.count == 2 && bench.router.count == 2 + Budget.waitingInvokes)
    for number in 0..<2 + Budget.waitingInvokes {
      bench.succeed(number)
      #expect(bench.take() == ["\(number): \"done\""])
      if number < Budget.waitingInvokes { #expect(bench.router.nextDeadline == bench.clock.monotonic) }
      bench.pass(0)
    }
    #expect(bench.begun.count == 2 + Budget.waitingInvokes)
    #expect(bench.router.count == 0 && bench.router.nextDeadline == nil && bench.cancelled.isEmpty)
  }

  @Test("one more than there is room for, and one whose payload is longer than a place, are answered node busy")
  func bounds() {
    shoot(1)
    let long = "{\"x\":\"\(String(repeating: "x", count: Budget.waitingInvokeBytes))\"}"
    bench.invoke("long", "shoot", key: nil, params: long)
    #expect(bench.take() == ["long: UNAVAILABLE: node busy"])
    for number in 1..<Budget.waitingInvokes { bench.invoke("more \(number)", "shoot", key: nil) }
    #expect(bench.take() == [])
    bench.invoke("last", "shoot", key: nil)
    #expect(bench.take() == ["last: UNAVAILABLE: node busy"])
    // A command that nobody asks for several times at once does not wait, and is not kept out.
    for number in 0..<4 { bench.invoke("r\(number)", "read", key: nil) }
    #expect(bench.take() == ["r3: UNAVAILABLE: node busy"])
  }

  @Test("each waits within its own deadline, and its work is not begun after it")
  func deadline() {
    shoot(0)
    bench.invoke("short", "shoot", key: nil, timeout: 3_000)
    bench.invoke("long", "shoot", key: nil, timeout: 20_000)
    bench.pass(2_499)
    #expect(bench.take() == [])
    bench.pass(1)
    #expect(bench.take() == ["short: UNAVAILABLE: node invoke timed out"])
    bench.succeed(0)
    bench.pass(0)
    #expect(bench.begun.count == 3)
    bench.succeed(2)
    #expect(bench.take() == ["0: \"done\"", "long: \"done\""])
  }

  @Test("one that waits can be cancelled; with the connection all go, and nothing is answered")
  func ends() {
    shoot(3)
    bench.cancelInvoke("3")
    #expect(bench.take() == ["3: UNAVAILABLE: node invoke cancelled"])
    bench.router.cancelAll()
    #expect(bench.take() == [] && bench.router.count == 0)
    bench.pass(60_000)
    #expect(bench.begun.count == 2 && bench.cancelled.count == 2 && bench.take() == [])
  }

  @Test("a board that is held answers them, too")
  func held() {
    shoot(2)
    bench.router.hold()
    #expect(bench.take().count == 4 && bench.router.count == 0)
    bench.pass(60_000)
    #expect(bench.begun.count == 2)
  }

  @Test("a repeat of one that waits gets its answer, and nothing is done twice")
  func repeats() {
    bench.invoke("1", "move", key: "a")
    bench.invoke("2", "move", key: "b")
    bench.invoke("3", "move", key: "b")
    bench.invoke("4", "move", key: "a")
    bench.succeed(0)
    bench.pass(0)
    #expect(bench.begun.count == 2)
    bench.succeed(1)
    bench.pass(0)
    #expect(bench.take().sorted() == ["1", "2", "3", "4"].map { "\($0): \"done\"" })
    #expect(bench.begun.count == 2 && bench.router.count == 0)
  }

  @Test("a newcomer does not overtake what waits")
  func newcomer() {
    shoot(1)
    bench.succeed(0)
    // Before the one that waits has begun.
    bench.invoke("new", "shoot", key: nil)
    bench.pass(0)
    bench.succeed(2)
    bench.pass(0)
    bench.succeed(3)
    #expect(bench.take() == ["0: \"done\"", "2: \"done\"", "new: \"done\""])
  }
}
