import Runtime
import Testing

@testable import Camera

private let small = VideoFormat(width: 640, height: 480, picturesPerKilosecond: 30_000, isFullRange: true)

/// What came of a clip.
private struct Made {
  var orders: [PictureOrder] = []
  var times: [Int64] = []
  var leftOut = 0
  /// Bytes of the file, and the length if the last picture lasts to the end.
  var bytes = 700
  var longestPause: Int64 { zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0 }
}

/// A clip whose encoder gives `factor` times what is ordered, key frames eight times as much, and some noise.
private func record(
  limit: Int, seconds: Int64, _ format: VideoFormat = small, factor: Double, noise: ClosedRange<Double> = 1...1
) -> Made {
  var control = ClipRateControl(limit: limit, duration: seconds * 1_000_000, format)
  var random = Seeded(7)
  var (made, time) = (Made(), Int64(9_000))
  while true {
    switch control.next(at: time, spent: made.bytes) {
    case .stop:
      #expect(abs(time - 9_000 - seconds * 1_000_000) <= format.interval / 2 + 1)
      return made
    case .leaveOut: made.leftOut += 1
    case .encode(let order):
      made.orders.append(order)
      made.times.append(time)
      let even = Double(order.bitsPerSecond) / 8 * Double(format.interval) / 1_000_000
      let size = even * factor * (order.isKeyframe ? 8 : 1) * Double.random(in: noise, using: &random)
      made.bytes += 16 + max(8, Int(size))
    }
    time += format.interval
  }
}

struct ClipRateControlTests {
  @Test("a clip is as long as asked, to half a picture, with a key frame every two seconds")
  func length() {
    let made = record(limit: Budget.clipBytes, seconds: 10, factor: 1)
    #expect(made.leftOut == 0 && made.times.count == 300)
    let keys = made.times.indices.filter { made.orders[$0].isKeyframe }
    #expect(keys.first == 0 && keys.count == 5)
    for (one, next) in zip(keys, keys.dropFirst()) { #expect((60...61).contains(next - one)) }
  }

  @Test("a wide limit is not spent for its own sake")
  func good() {
    let made = record(limit: Budget.clipBytes, seconds: 3, factor: 1)
    #expect(made.orders.allSatisfy { $0.bitsPerSecond == 640 * 480 * 30 / 8 })
    #expect(made.bytes < Budget.clipBytes / 5)
  }

  @Test("a limit that binds is used and kept, whatever the encoder makes of its orders", arguments: [0.5, 1, 1.6, 3])
  func binding(factor: Double) {
    for limit in [600_000, 1_200_000] {
      let made = record(limit: limit, seconds: 20, factor: factor, noise: 0.6...1.4)
      #expect(made.bytes <= limit)
      #expect(made.leftOut < 60, "of 600")
      if factor >= 1 { #expect(made.bytes > limit * 3 / 4) }
    }
  }

  @Test("pictures are left out where the rate cannot go low enough, and one a second stays")
  func leavingOut() {
    let made = record(limit: 120_000, seconds: 20, factor: 12)
    #expect(made.leftOut > 100)
    #expect(made.bytes <= 120_000)
    #expect(made.longestPause <= 1_000_000 + small.interval)
  }

  @Test("a minute of the largest picture stays below what fits a message")
  func minute() {
    let format = VideoFormat(width: 1920, height: 1080, picturesPerKilosecond: 60_000, isFullRange: false)
    let made = record(limit: Budget.clipBytes, seconds: 60, format, factor: 1.2, noise: 0.5...1.5)
    #expect(made.bytes <= Budget.clipBytes)
    #expect(made.times.count <= Budget.clipSamples)
  }

  @Test("the first picture is always taken, and time that stands still or goes back is no trap")
  func edges() {
    var control = ClipRateControl(limit: 0, duration: 250_000, small)
    #expect(control.next(at: .max, spent: 0) == .encode(PictureOrder(bitsPerSecond: 0, isKeyframe: true)))
    #expect(control.next(at: .min / 2, spent: 700) == .leaveOut)
    var still = ClipRateControl(limit: 100_000, duration: 0, small)
    #expect(still.next(at: 5, spent: 0) != .leaveOut)
    #expect(still.next(at: 5, spent: 100) == .stop)
  }
}
