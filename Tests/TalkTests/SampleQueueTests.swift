import Testing

@testable import Talk

@Suite("Sound that waits for a connection")
struct SampleQueueTests {
  private let queue = SampleQueue(capacity: 10)

  private func push(_ samples: [Int16]) { samples.withUnsafeBufferPointer { queue.push($0) } }

  private func pop(_ count: Int) -> [Int16] {
    withUnsafeTemporaryAllocation(of: Int16.self, capacity: count) { Array($0[..<queue.pop(into: $0)]) }
  }

  @Test("comes out in its order, however it is cut")
  func order() {
    push([1, 2, 3])
    #expect(pop(2) == [1, 2])
    push(Array(4...11))
    #expect(pop(20) == Array(3...11) && pop(1) == [] && queue.dropped == 0)
  }

  @Test("where more comes than it holds, the oldest goes and is counted")
  func overflow() {
    push(Array(0..<8))
    push(Array(8..<13))
    #expect(queue.count == 10 && queue.dropped == 3)
    #expect(pop(2) == [3, 4])
    push(Array(0..<25))
    #expect(queue.dropped == 26 && pop(10) == Array(15..<25))
  }

  @Test("keeps the newest samples while they must not be used")
  func keep() {
    push(Array(0..<9))
    queue.keep(4)
    #expect(queue.dropped == 0 && pop(9) == [5, 6, 7, 8])
    push([1])
    queue.clear()
    #expect(pop(1) == [])
  }
}
