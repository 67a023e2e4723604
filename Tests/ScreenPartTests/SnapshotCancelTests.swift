import Codec
import Testing
@testable import Benches
@testable import ScreenPart

@Suite("Cancelled snapshots")
struct SnapshotCancelTests {
  private func cancel(_ bench: CanvasBench, _ id: String) {
    let node = String(repeating: "n", count: 64)
    bench.router.cancel(JSONView(#"{"invokeId":"\#(id)","nodeId":"\#(node)"}"#.utf8.span))
  }

  @Test("one that waits leaves its place, and the one before it is sent")
  func waiting() throws {
    let bench = try CanvasBench()
    bench.invoke("first", "canvas.snapshot")
    for number in 0..<8 {
      bench.invoke("\(number)", "canvas.snapshot")
      cancel(bench, "\(number)")
    }
    // A queue of those eight would be full.
    bench.invoke("last", "canvas.snapshot")
    bench.pass(5_000)
    let answers = bench.take()
    #expect(answers.filter { !$0.contains("UNAVAILABLE") }.map { $0.prefix(6) } == ["first:", "last: "])
    #expect(answers.filter { $0.contains("UNAVAILABLE") }.count == 8)
  }

  @Test("one that is made goes nowhere, and the next is made")
  func making() throws {
    let bench = try CanvasBench()
    bench.invoke("1", "canvas.snapshot")
    cancel(bench, "1")
    bench.pass(2_000)
    #expect(bench.take() == ["1: UNAVAILABLE"])
    bench.invoke("2", "canvas.snapshot")
    bench.pass(2_000)
    #expect(bench.take().map { $0.hasPrefix("2: ") && !$0.contains("UNAVAILABLE") } == [true])
    #expect(bench.router.count == 0)
  }
}
