import Codec

/// Settings for encoding a picture.
public struct PictureOrder: Equatable, Sendable {
  /// The target bit rate from here on.
  public let bitsPerSecond: Int
  /// True for a key frame.
  public let isKeyframe: Bool

  /// An order; see the properties.
  public init(bitsPerSecond: Int, isKeyframe: Bool) {
    self.bitsPerSecond = bitsPerSecond
    self.isKeyframe = isKeyframe
  }
}

/// Rate control: spreads the bytes of a clip over its length. Before each picture the bit rate is adapted to the bytes
/// used so far, and if that is not enough, pictures are skipped.
public struct ClipRateControl {
  /// The decision on a picture.
  public enum Decision: Equatable, Sendable {
    case encode(PictureOrder)
    /// Skip it: the clip has used more bytes than its share so far.
    case leaveOut
    /// The clip has its requested length.
    case stop
  }

  /// The highest bit rate of all orders.
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
  /// Recent bytes from the encoder, and ordered bytes: how well it follows.
  private var came = 0.0, ordered = 0.0

  /// Microseconds between key frames, for seeking.
  private static let keyframeInterval: Int64 = 2_000_000
  /// Longest time without a picture in microseconds: longer ones look like a failure.
  private static let longestPause: Int64 = 1_000_000
  /// Pixels for each bit at which baseline H.264 of a camera looks good, and at which it is still worth showing.
  public static let goodPixelsPerBit = 8
  private static let poorPixelsPerBit = 200
  /// Bytes of a picture in the header's tables, at most.
  private static let rowBytes = 16
  /// Decay of `came` and `ordered` for each picture: four seconds at 30 pictures a second.
  private static let memory = 1 - 1.0 / 128

  /// - Parameters:
  ///   - limit: bytes of the whole file.
  ///   - duration: requested microseconds.
  ///   - pixelsPerBit: for a good picture.
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
  ///   - spent: bytes of the file so far.
  public mutating func next(at time: Int64, spent: Int) -> Decision {
    let elapsed = elapsed(at: time)
    // The last picture belongs to the clip when more than half of it is inside.
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

  /// Microseconds since the first picture; 0 for an invalid time.
  private func elapsed(at time: Int64) -> Int64 {
    guard let start else { return 0 }
    let (elapsed, overflow) = time.subtractingReportingOverflow(start)
    return overflow ? 0 : max(0, elapsed)
  }

  /// Learns from the size of the previous picture.
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

  /// Bytes that may be used by now: an even share, and an eighth more at the start, because the first picture is large.
  private func allowance(_ usable: Int, _ elapsed: Int64) -> Int {
    let left = Double(max(0, duration - elapsed)) / Double(duration)
    return Int(clamping: Double(usable) * (1 - left + left / 8))
  }

  /// Follows the remaining rate, in steps large enough for an encoder. An encoder that exceeds its orders gets lower
  /// ones; the first second, mostly a key frame, is ignored.
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
