import Testing
import TestSupport

@testable import Runtime

@Suite("Sorting")
struct HeapSortTests {
  @Test("any order becomes the same")
  func sorts() {
    var random = Seeded(7)
    for count in 0..<40 {
      var numbers = (0..<count).map { _ in Int.random(in: 0..<20, using: &random) }
      let expected = numbers.sorted()
      numbers.withUnsafeMutableBufferPointer { numbers in
        HeapSort.sort(numbers.count, by: { numbers[$0] < numbers[$1] }, swap: { numbers.swapAt($0, $1) })
      }
      #expect(numbers == expected)
    }
  }
}
