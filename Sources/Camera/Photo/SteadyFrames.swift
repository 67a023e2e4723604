import Codec

/// Detects when a camera has settled: brightness and white balance hardly change over three frames.
public struct SteadyFrames: Sendable {
  /// Frames that are compared.
  private static let frames = 3
  /// Largest difference of brightness: the larger of 1/4095ths of full scale, and a fraction of itself.
  private static let lumaChange = 24, lumaPart = 20
  /// Largest difference of red and blue, in 1/256 of green.
  private static let colorChange = 13

  private var luma = InlineArray<3, Int>(repeating: 0)
  private var red = InlineArray<3, Int>(repeating: 0)
  private var blue = InlineArray<3, Int>(repeating: 0)
  private var count = 0

  /// No frames yet.
  public init() {}

  /// Adds the next frame; true when it and the two before it are alike.
  public mutating func add(_ frame: FrameStatistics) -> Bool {
    let place = count % Self.frames
    luma[place] = frame.luma
    red[place] = frame.red * 256 / max(frame.green, 1)
    blue[place] = frame.blue * 256 / max(frame.green, 1)
    // Wraps around, because only the position and whether three frames were seen matter.
    count = count == 2 * Self.frames - 1 ? Self.frames : count + 1
    guard count >= Self.frames else { return false }
    let isDark = frame.green < Self.lumaChange
    return Self.spread(luma) <= max(Self.lumaChange, frame.luma / Self.lumaPart)
      && (isDark || Self.spread(red) <= Self.colorChange && Self.spread(blue) <= Self.colorChange)
  }

  private static func spread(_ values: InlineArray<3, Int>) -> Int {
    max(values[0], values[1], values[2]) - min(values[0], values[1], values[2])
  }
}

/// How a frame looks, while its camera settles.
public enum FrameExposure: Sendable {
  /// Neither of the others.
  case right
  /// Dim, bright or of one color: so is the scene, or the camera has not begun to regulate.
  case doubtful
  /// Nearly all of it is black.
  case black
  /// Nearly all of it is overexposed.
  case burntOut

  /// True when a photo of it shows next to nothing.
  public var isExtreme: Bool { self == .black || self == .burntOut }

  /// What is wrong with a photo that shows nothing, and what to do; nil for others.
  public var warning: StaticString? {
    switch self {
    case .right, .doubtful: nil
    case .black:
      "the photo is nearly black: the scene is dark, the lens is covered, or the camera needs a longer delay to begin"
    case .burntOut:
      "the photo is nearly white: the scene is too bright, the exposure is fixed, or the camera needs a longer delay"
    }
  }
}

extension FrameStatistics {
  /// Brightness in 1/4095 of gamma-encoded full scale: 10 and 40 of 255, and 206 and 235.
  private static let black = 160, dim = 640, bright = 3300, burnt = 3760
  /// Overexposed pixels in thousandths.
  private static let brightPixels = 300, burntPixels = 900
  /// Red or blue of more than this many times green, or less than this part of it, when both are on the same side of
  /// green; in any case. Without white balance both are below green. In the light of a lamp or of a sunset red is above
  /// and blue below it.
  private static let colorCast = 2, strongCast = 3

  /// How the frame looks.
  /// - Parameter isLinear: true for statistics of a raw frame.
  public func exposure(isLinear: Bool = false) -> FrameExposure {
    // The square root is near enough to the gamma of sRGB.
    let luma = isLinear ? Int(clamping: Double(max(self.luma, 0) * 4095).squareRoot()) : self.luma
    if luma <= Self.black { return .black }
    if luma >= Self.burnt || clipped >= Self.burntPixels { return .burntOut }
    if luma < Self.dim || luma > Self.bright || clipped >= Self.brightPixels { return .doubtful }
    // A raw frame has no white balance yet.
    return isLinear || !hasColorCast ? .right : .doubtful
  }

  private var hasColorCast: Bool {
    let isOneSided = max(red, blue) < green || min(red, blue) > green
    let limit = isOneSided ? Self.colorCast : Self.strongCast
    return max(red, blue) > limit * green || limit * min(red, blue) < green
  }
}

/// The warm-up of a camera: until it has settled, or until its time is over.
///
/// Frames that do not change are not yet right: some cameras send black or overexposed frames, or frames of one color,
/// for half a second before they begin to regulate. So a doubtful picture must stay for longer, and one that shows
/// nothing is accepted only when the time is over.
public struct WarmUp: Sendable {
  /// Milliseconds for which a doubtful picture must not change: longer than cameras take to begin, which was measured
  /// as up to 0.53 s.
  public static let doubtfulMilliseconds: Int64 = 700
  /// Least milliseconds from the first frame to the accepted one: three frames of a usual camera. A fast camera sends
  /// three alike while it still changes.
  public static let leastMilliseconds = 66

  /// How the last frame looked; nil before the first one.
  public private(set) var exposure: FrameExposure?
  private var steady = SteadyFrames()
  /// Since when frames are alike, and how often they were.
  private var calm: (since: Int64, count: Int)?
  private let leastCount: Int
  private let renewal: Renewal
  /// When the frame counts whatever it looks like.
  private(set) var end: Int64

  /// How the time begins anew with a first frame that came after its end and shows nothing.
  struct Renewal {
    /// Milliseconds from that frame on.
    var delay: Int64 = 0
    /// When it is over in any case.
    var latest: Int64 = 0
  }

  /// - Parameters:
  ///   - end: when the frame counts whatever it looks like, in milliseconds of `Clock.monotonic`.
  ///   - rate: frames in a thousand seconds; 0: unknown.
  public init(until end: Int64, rate: Int = 0) { self.init(until: end, rate: rate, Renewal()) }

  init(until end: Int64, rate: Int, _ renewal: Renewal) {
    self.end = end
    self.renewal = renewal
    // The first frame begins the time, and the first three are compared for the first time.
    leastCount = max((min(max(rate, 0), 1_000_000) * Self.leastMilliseconds + 999_999) / 1_000_000 - 1, 1)
  }

  /// True when this frame is accepted.
  /// - Parameters:
  ///   - isExposed: `AutoExposure.isSettled`; nil when the camera exposes by itself.
  ///   - isLinear: true for a raw frame.
  public mutating func isOver(
    _ frame: FrameStatistics, at now: Int64, isExposed: Bool? = nil, isLinear: Bool = false
  ) -> Bool {
    let isSteady = steady.add(frame)
    let exposure = frame.exposure(isLinear: isLinear)
    // A camera that was slow to start has had no time to regulate.
    if self.exposure == nil, now >= end, exposure.isExtreme { end = min(now + renewal.delay, renewal.latest) }
    self.exposure = exposure
    calm = isSteady ? (calm?.since ?? now, (calm?.count ?? 0) &+ 1) : nil
    if now >= end { return true }
    guard let calm, isExposed ?? true, calm.count >= leastCount else { return false }
    return switch exposure {
    case .right: true
    // What is exposed here is known to be as bright as it can be.
    case .doubtful: isExposed != nil || now - calm.since >= Self.doubtfulMilliseconds
    case .black, .burntOut: false
    }
  }
}
