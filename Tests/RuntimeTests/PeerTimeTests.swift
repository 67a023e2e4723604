import Testing

@testable import Runtime

@Suite("Times that a peer names")
struct PeerTimeTests {
  private let hour: Int64 = 3_600_000

  @Test(
    "milliseconds are within an hour, whatever the peer says",
    arguments: [
      (Int64.min, 0), (-1, 0), (0, 0), (1, 1), (3_599_999, 3_599_999), (3_600_000, 3_600_000), (3_600_001, 3_600_000),
      (Int64.max, 3_600_000),
    ] as [(Int64, Int64)])
  func integers(value: Int64, expected: Int64) {
    #expect(PeerTime.milliseconds(value) == expected)
    #expect(Budget.peerMilliseconds == 0...hour)
  }

  @Test(
    "numbers that no integer holds are times as well",
    arguments: [
      (-Double.infinity, 0), (-0.5, 0), (0.9, 0), (1500.5, 1500), (3_600_000.5, 3_600_000), (9.3e18, 3_600_000),
      (1e308, 3_600_000),
      (Double.infinity, 3_600_000), (Double.nan, 0),
    ] as [(Double, Int64)])
  func fractions(value: Double, expected: Int64) {
    #expect(PeerTime.milliseconds(value) == expected)
  }

  @Test(
    "seconds of a header are within an hour, too",
    arguments: [(0, 0), (7, 7_000), (3_601, 3_600_000), (.max, 3_600_000)] as [(UInt32, Int64)])
  func seconds(value: UInt32, expected: Int64) {
    #expect(PeerTime.milliseconds(seconds: value) == expected)
  }
}
