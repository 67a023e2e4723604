import Testing

@testable import Camera

struct PhotoAttemptsTests {
  private func all(_ width: Int, _ height: Int, maxWidth: Int, quality: Double) -> [PhotoAttempts.Attempt] {
    var attempts = PhotoAttempts(width: width, height: height, maxWidth: maxWidth, quality: quality)
    var list: [PhotoAttempts.Attempt] = []
    while let attempt = attempts.next() { list.append(attempt) }
    return list
  }

  private func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

  @Test(
    "qualities fall by a quarter to 0.35 of the start, at least 0.2, six at most",
    arguments: [
      (0.9, [0.9, 0.675, 0.5063, 0.3797, 0.315]), (1.0, [1, 0.75, 0.5625, 0.4219, 0.35]),
      (0.3, [0.3, 0.225, 0.2]), (0.2, [0.2]), (0.05, [0.05]), (0.01, [0.05]),
      (7.0, [1, 0.75, 0.5625, 0.4219, 0.35]),
    ] as [(Double, [Double])])
  func qualities(start: Double, expected: [Double]) {
    let attempts = all(640, 480, maxWidth: 1600, quality: start)
    #expect(attempts.prefix { $0.width == 640 }.map { rounded($0.quality) } == expected)
  }

  @Test("the longest edge falls by 15 percent, truncated, six sizes in all")
  func sizes() {
    let widths = all(4000, 3000, maxWidth: 4000, quality: 0.2).map(\.width)
    #expect(widths == [4000, 3400, 2890, 2456, 2087, 1773])
  }

  @Test("no longest edge below 256 is tried")
  func smallest() {
    #expect(all(320, 240, maxWidth: 1600, quality: 0.2).map(\.width) == [320, 272, 256])
    #expect(all(256, 192, maxWidth: 1600, quality: 0.2).map(\.width) == [256])
    #expect(all(100, 80, maxWidth: 1600, quality: 0.2).map(\.width) == [100])
  }

  @Test(
    "the first size keeps the width, the aspect, an even height, and never enlarges",
    arguments: [
      (1920, 1080, 1600, 1600, 900), (1920, 1080, 1920, 1920, 1080), (640, 480, 1600, 640, 480),
      (640, 481, 1600, 640, 480), (641, 480, 641, 641, 480), (1920, 1080, 801, 801, 450),
      (1080, 1920, 540, 540, 960), (1920, 1080, 2, 2, 2), (4000, 10, 100, 100, 2), (3, 3, 1600, 3, 2),
    ])
  func firstSize(width: Int, height: Int, maxWidth: Int, expectedWidth: Int, expectedHeight: Int) {
    let first = all(width, height, maxWidth: maxWidth, quality: 0.9).first
    #expect(first == .init(width: expectedWidth, height: expectedHeight, quality: 0.9))
  }

  @Test("no attempt is made twice, and none is wider or taller than the source")
  func noWaste() {
    for width in stride(from: 2, through: 5000, by: 713) {
      for height in stride(from: 2, through: 4000, by: 571) {
        let attempts = all(width, height, maxWidth: 1600, quality: 0.9)
        #expect(Set(attempts.map { "\($0)" }).count == attempts.count)
        #expect(
          attempts.allSatisfy { $0.width <= min(width, 1600) && $0.height <= height && $0.height % 2 == 0 })
      }
    }
  }
}
