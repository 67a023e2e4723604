import Pictures
import Testing

@testable import Board

/// The two phones' ways to make a photo small enough, step by step (node-commands 5.2 and 5.3).
struct PhoneLimiterTests {
  private func steps(
    _ phone: PhoneLimiter, _ width: Int, _ height: Int, quality: Double, fitsAfter count: Int = .max
  ) -> PhoneLimiter.Outcome {
    var encodings = 0
    return phone.limit(width: width, height: height, quality: quality, budget: 100) { _ in
      encodings += 1
      return encodings >= count ? 100 : 101
    }
  }

  @Test("Apple's qualities, with the first encoding made twice")
  func appleQualities() {
    let qualities = steps(.apple, 4000, 3000, quality: 0.9).steps.prefix(6).map { ($0.quality * 1000).rounded() }
    #expect(qualities == [900, 900, 675, 506, 380, 315])
    let full = steps(.apple, 4000, 3000, quality: 1).steps.prefix(6).map { ($0.quality * 10_000).rounded() }
    #expect(full == [10_000, 10_000, 7500, 5625, 4219, 3500])
  }

  @Test("Apple's sizes: six, the longest edge by 0.85, truncated")
  func appleSizes() {
    let outcome = steps(.apple, 4000, 3000, quality: 0.2)
    #expect(outcome.steps.map(\.width) == [4000, 4000, 3400, 2890, 2456, 2087, 1773])
    #expect(!outcome.fits && outcome.bytes == 101)
  }

  @Test("Apple never enlarges a picture below the shortest edge")
  func appleSmall() {
    #expect(steps(.apple, 100, 80, quality: 0.2).steps.allSatisfy { $0.width == 100 && $0.height == 80 })
  }

  @Test("Android's qualities: six each size, the lowest again and again")
  func androidQualities() {
    func qualities(_ start: Double) -> [Int] {
      steps(.android, 4000, 3000, quality: start).steps.prefix(7).map { Int(($0.quality * 100).rounded()) }
    }
    #expect(qualities(0.95) == [95, 95, 71, 53, 40, 30, 23])
    #expect(qualities(0.3) == [30, 30, 23, 20, 20, 20, 20])
  }

  @Test("Android's sizes: both sides by 0.85, 37 encodings in all")
  func androidSizes() {
    let outcome = steps(.android, 4000, 3000, quality: 0.95)
    let sizes = stride(from: 1, to: 37, by: 6).map { (outcome.steps[$0].width, outcome.steps[$0].height) }
    #expect(sizes.map(\.0) == [4000, 3400, 2890, 2457, 2088, 1775])
    #expect(sizes.map(\.1) == [3000, 2550, 2168, 1843, 1567, 1332])
    #expect(outcome.steps.count == 37)
  }

  @Test("both stop at the first encoding that fits", arguments: PhoneLimiter.allCases)
  func stop(phone: PhoneLimiter) {
    #expect(steps(phone, 640, 480, quality: 0.9, fitsAfter: 1).steps.count == 1)
    let outcome = steps(phone, 640, 480, quality: 0.9, fitsAfter: 4)
    #expect(outcome.steps.count == 4 && outcome.fits && outcome.bytes == 100)
  }

  @Test("with the real codec both keep the limit, and take more encodings than Talon", arguments: PhoneLimiter.allCases)
  func real(phone: PhoneLimiter) throws {
    let bench = try Workbench(codec: TurboJPEG())
    let image = try bench.draw(.foliage, width: 400, height: 300)
    let limit = try bench.encode(image, quality: 45).count
    let (outcome, jpeg) = try bench.fit(image, like: phone, quality: 90, budget: limit)
    #expect(outcome.fits && jpeg.count <= limit && jpeg.count == outcome.bytes)
    #expect(outcome.steps.count == 5)
    #expect(try bench.likeness(of: jpeg, to: image) > 20)
  }
}
