import Testing

@testable import talon_lab

@Suite("Polls per second")
struct PollCountsTests {
  @Test("polls count in the second in which they come; what comes before or after the run does not")
  func seconds() {
    var counts = PollCounts(seconds: 3)
    for instant in [Int64(0), 999, 1000, 2999, 3000, -1000, .max, .min] { counts.add(at: instant) }
    #expect(counts.seconds == [2, 1, 1])
  }

  @Test("the mean, the second that is busier than 99 of 100 and the busiest are those of the part that is asked for")
  func summary() {
    var counts = PollCounts(seconds: 300)
    // A calm hundred, one with a single wave, and one with two.
    for second in 0..<300 { for _ in 0..<2 { counts.add(at: Int64(second) * 1000) } }
    for second in [150, 210, 220] { for _ in 0..<48 { counts.add(at: Int64(second) * 1000) } }
    func numbers(_ range: Range<Int>) -> [Double]? {
      counts.summary(range).map { [$0.mean, Double($0.high), Double($0.most)] }
    }
    #expect(numbers(0..<100) == [2, 2, 2])
    #expect(numbers(100..<200) == [2.48, 50, 50])
    #expect(numbers(100..<300) == [2.72, 50, 50])
    #expect(numbers(0..<200) == [2.24, 2, 50])
    #expect(numbers(300..<400) == nil)
  }
}
