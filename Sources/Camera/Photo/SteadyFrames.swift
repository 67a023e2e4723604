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

/// The warm-up of a camera: until it has settled, or until its time is over.
public struct WarmUp: Sendable {
  private var steady = SteadyFrames()
  private let end: Int64

  /// - Parameter end: when the frame counts whatever it looks like, in milliseconds of `Clock.monotonic`.
  public init(until end: Int64) { self.end = end }

  /// True when this frame is accepted.
  /// - Parameter isExposed: `AutoExposure.isSettled`; true when the camera exposes by itself.
  public mutating func isOver(_ frame: FrameStatistics, at now: Int64, isExposed: Bool = true) -> Bool {
    let isSteady = steady.add(frame)
    return now >= end || isSteady && isExposed
  }
}
