/// The sequence of sizes and qualities at which a photo is encoded until it is small enough
/// (node-commands 5.2 and 5.5): Apple's, without encoding anything twice.
struct PhotoAttempts {
  /// One encoding to try.
  struct Attempt: Equatable {
    var width: Int
    var height: Int
    var quality: Double
  }

  private static let qualitiesPerSize = 6
  private static let sizes = 6
  private static let shortestLongEdge = 256

  private let sourceWidth: Int
  private let sourceHeight: Int
  private let startQuality: Double
  private let leastQuality: Double
  private var longEdge: Int
  private var quality: Double
  private var qualitiesTried = 0
  private var sizesTried = 0

  /// - Parameter maxWidth: most pixels across; the picture is never enlarged.
  init(width: Int, height: Int, maxWidth: Int, quality: Double) {
    sourceWidth = width
    sourceHeight = height
    startQuality = min(max(quality, 0.05), 1)
    leastQuality = max(0.2, 0.35 * startQuality)
    self.quality = startQuality
    longEdge = max(width, height)
    if width > maxWidth { longEdge = max(1, Self.rounded(longEdge, maxWidth, width)) }
  }

  /// The next encoding to try, or nil when the photo cannot be made small enough.
  mutating func next() -> Attempt? {
    if qualitiesTried == Self.qualitiesPerSize || (qualitiesTried > 0 && quality <= leastQuality) {
      guard reduceSize() else { return nil }
    } else if qualitiesTried > 0 {
      quality = max(leastQuality, 0.75 * quality)
    }
    qualitiesTried += 1
    let (width, height) = size
    return Attempt(width: width, height: height, quality: quality)
  }

  /// The size now: the aspect of the source, the height even and never above the source's.
  private var size: (width: Int, height: Int) {
    let long = max(sourceWidth, sourceHeight)
    let width = Self.rounded(sourceWidth, longEdge, long)
    let height = Self.rounded(sourceHeight, longEdge, 2 * long) * 2
    return (max(width, 1), max(min(height, sourceHeight / 2 * 2), 2))
  }

  private mutating func reduceSize() -> Bool {
    sizesTried += 1
    let shorter = max(Self.shortestLongEdge, longEdge * 85 / 100)
    guard sizesTried < Self.sizes, shorter < longEdge else { return false }
    longEdge = shorter
    quality = startQuality
    qualitiesTried = 0
    return true
  }

  /// `value` x `numerator` / `denominator`, rounded half up.
  private static func rounded(_ value: Int, _ numerator: Int, _ denominator: Int) -> Int {
    Int((Int64(value) * Int64(numerator) * 2 + Int64(denominator)) / (2 * Int64(denominator)))
  }
}
