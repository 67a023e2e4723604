import Codec

/// How a picture shall be encoded.
public struct PictureOrder: Equatable, Sendable {
  /// The rate to aim at from here on.
  public let bitsPerSecond: Int
  /// True for a picture that needs no other.
  public let isKeyframe: Bool

  /// An order; see the properties.
  public init(bitsPerSecond: Int, isKeyframe: Bool) {
    self.bitsPerSecond = bitsPerSecond
    self.isKeyframe = isKeyframe
  }
}

/// Spreads the bytes of a clip over its length. What was spent is looked at before each picture: the rate follows, and
/// where that is not enough, pictures are left out.
public struct ClipRateControl {
  /// What becomes of a picture.
  public enum Decision: Equatable, Sendable {
    case encode(PictureOrder)
    /// The clip is ahead of what it may have spent by now.
    case leaveOut
    /// The clip is as long as was asked.
    case stop
  }

  /// The rate that no order exceeds.
  public let most: Int
  private let least: Int
  private let limit: Int
  private let duration, interval: Int64
  private var start: Int64?
  /// Since the start, in microseconds.
  private var lastKeyframe: Int64 = 0, lastPicture: Int64 = 0
  private var spentBefore = 0
  private var largest = 0
  private var current = 0
  /// Bytes that came and that were ordered, of late: what an encoder makes of its orders.
  private var came = 0.0, ordered = 0.0

  /// Microseconds between key frames, so that a player can go to any place within two seconds.
  private static let keyframeInterval: Int64 = 2_000_000
  /// Microseconds without a picture at most: a still is better than a pause that looks like a failure.
  private static let longestPause: Int64 = 1_000_000
  /// Pixels for each bit at which baseline H.264 of a camera looks good, and at which it is still worth showing.
  public static let goodPixelsPerBit = 8
  private static let poorPixelsPerBit = 200
  /// Bytes of a picture in the header's tables, at most.
  private static let rowBytes = 16
  /// How much of the memory of an encoder's ways is left after a picture: four seconds at 30 pictures a second.
  private static let memory = 1 - 1.0 / 128

  /// - Parameters:
  ///   - limit: bytes of the whole file.
  ///   - duration: microseconds that were asked.
  ///   - pixelsPerBit: at which the picture looks good.
  public init(limit: Int, duration: Int64, _ format: VideoFormat, pixelsPerBit: Int = goodPixelsPerBit) {
    self.limit = limit
    self.duration = max(duration, 1)
    interval = max(format.interval, 1)
    let pixels = Int64(format.width) * Int64(format.height) * Int64(format.picturesPerKilosecond) / 1000
    let good = Int(clamping: pixels / Int64(max(pixelsPerBit, 1)))
    most = min(max(good, 64_000), Self.rate(bytes: limit, over: self.duration))
    least = min(max(Int(clamping: pixels / Int64(Self.poorPixelsPerBit)), 16_000), most)
  }

  /// Decides on a picture.
  /// - Parameters:
  ///   - time: its microseconds; the first one begins the clip.
  ///   - spent: bytes of the file if it ended here.
  public mutating func next(at time: Int64, spent: Int) -> Decision {
    let elapsed = elapsed(at: time)
    // The picture on the border belongs to the clip when more than half of it is inside.
    if start != nil, elapsed >= duration - interval / 2 { return .stop }
    learn(spent)
    let usable = usable(after: elapsed)
    let isAhead = start != nil && spent > allowance(usable, elapsed)
    if isAhead, elapsed - lastPicture < Self.longestPause { return .leaveOut }
    let isKeyframe = start == nil || (!isAhead && elapsed - lastKeyframe >= Self.keyframeInterval)
    if start == nil { start = time }
    lastPicture = elapsed
    if isKeyframe { lastKeyframe = elapsed }
    aim(Self.rate(bytes: usable - spent, over: duration - elapsed))
    ordered += Double(current) * Double(interval) / 8_000_000
    return .encode(PictureOrder(bitsPerSecond: current, isKeyframe: isKeyframe))
  }

  /// Microseconds since the first picture; 0 for a time that cannot be.
  private func elapsed(at time: Int64) -> Int64 {
    guard let start else { return 0 }
    let (elapsed, overflow) = time.subtractingReportingOverflow(start)
    return overflow ? 0 : max(0, elapsed)
  }

  /// Looks at what the picture before cost.
  private mutating func learn(_ spent: Int) {
    let cost = max(0, spent - spentBefore)
    spentBefore = spent
    guard cost > 0 else { return }
    largest = max(largest, cost)
    came = came * Self.memory + Double(cost)
    ordered *= Self.memory
  }

  /// The limit without the rows of pictures to come, and with room for the largest picture to come twice: the last one
  /// may be larger than its order.
  private func usable(after elapsed: Int64) -> Int {
    let rows = Int((duration - elapsed) / interval + 1) * Self.rowBytes
    return max(0, limit - rows - max(limit / 32, 2 * largest))
  }

  /// Bytes that may be spent by now: an even share, and at the start an eighth more, for the first picture is large.
  private func allowance(_ usable: Int, _ elapsed: Int64) -> Int {
    let left = Double(max(0, duration - elapsed)) / Double(duration)
    return Int(clamping: Double(usable) * (1 - left + left / 8))
  }

  /// Follows the rate that is left, in steps large enough to matter to an encoder. One that gives more than was ordered
  /// is asked for less; the first second, of which a key frame is most, says nothing yet.
  private mutating func aim(_ rate: Int) {
    var rate = Double(rate)
    if ordered * 8 > Double(current), came > ordered { rate *= max(0.125, ordered / came) }
    let wanted = min(max(Int(clamping: rate), least), most)
    if abs(wanted - current) > current / 16 { current = wanted }
  }

  private static func rate(bytes: Int, over duration: Int64) -> Int {
    Int(clamping: Int64(max(0, bytes)) * 8_000_000 / max(duration, 1))
  }
}
