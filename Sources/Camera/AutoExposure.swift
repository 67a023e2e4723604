import Codec

/// What a driver's control takes (`VIDIOC_QUERYCTRL`).
public struct ControlRange: Equatable, Sendable {
  /// Least and most.
  public let minimum, maximum: Int
  /// From one value to the next.
  public let step: Int

  /// A range; ends in the wrong order and steps below 1 do no harm.
  public init(minimum: Int, maximum: Int, step: Int = 1) {
    self.minimum = minimum
    self.maximum = max(minimum, maximum)
    self.step = max(step, 1)
  }

  /// The nearest value that the control takes.
  public func nearest(_ value: Int) -> Int {
    let below = floor(value)
    let over = UInt(bitPattern: min(max(value, minimum), maximum) &- below)
    guard over > UInt(step) - over, UInt(bitPattern: maximum &- below) >= UInt(step) else { return below }
    return below + step
  }

  /// The nearest value at or below `value`. Drivers name the ends of the type as well: the way from one to the other is longer than any
  /// number with a sign.
  func floor(_ value: Int) -> Int {
    let way = UInt(bitPattern: min(max(value, minimum), maximum) &- minimum)
    return minimum &+ Int(bitPattern: way / UInt(step) * UInt(step))
  }
}

/// What a sensor is set to.
public struct ExposureSetting: Equatable, Sendable {
  /// `V4L2_CID_EXPOSURE`, in lines.
  public var lines: Int
  /// `V4L2_CID_ANALOGUE_GAIN`, in the sensor's own counting.
  public var gain: Int
}

/// Finds exposure time and gain for a sensor that does not by itself: statistics of a frame in, setting out.
///
/// Brightness is in proportion to time and gain, so each frame tells what the setting that it was made with should
/// have been; settings go seven eighths of the way there, in stops, and stay when they are near enough. Longer
/// exposure comes before gain, which costs noise. The setting of a frame is known because a sensor takes a fixed number
/// of frames to follow; a frame that was lost in between makes the way longer, not wrong.
public struct AutoExposure: Sendable {
  /// Mean light wanted, in 1/4095: 0.165 of full, as in libcamera's tuning files for Raspberry Pi; the tone curve
  /// shows it as middle gray.
  static let target = 676
  /// Frames that a setting may be on its way.
  private static let longestDelay = 7
  /// Share of overexposed pixels, in thousandths, from which on the picture gets darker.
  private static let clippedAllowed = 50.0
  /// How far from the target is good enough, and how near to it a setting must be expected to get.
  private static let tolerance = 0.1, aim = 0.07
  /// A picture that was made darker for its lights may be so dark before it is made brighter again.
  private static let shade = 2.2
  /// Most and least by which one frame may be wrong.
  private static let step = 1.0 / 32...32.0

  /// What the sensor is to be set to now.
  public private(set) var setting: ExposureSetting
  /// True when the last frame was as bright as wanted, or as near as the controls get, and was made with `setting`.
  public private(set) var isSettled = false

  private let lines, gain: ControlRange
  private let law: GainLaw
  private let delay: Int
  /// The last settings, the newest first; entry `delay` made the frame that comes.
  private var history: InlineArray<8, ExposureSetting>
  private var sparesLights = false

  /// Starts in the middle of what the controls allow, in stops.
  /// - Parameters:
  ///   - law: how gain counts; nil: in proportion when the least is above 0, else nobody knows, and it stays there.
  ///   - delay: frames from setting to seeing, 2 for the sensors of Raspberry Pi's cameras.
  public init(lines: ControlRange, gain: ControlRange, law: GainLaw?, delay: Int = 2) {
    self.lines = lines
    let isKnown = law != nil || gain.minimum > 0
    self.gain = isKnown ? gain : ControlRange(minimum: gain.minimum, maximum: gain.minimum)
    self.law = law ?? .linear(one: max(gain.minimum, 1))
    self.delay = min(max(delay, 0), Self.longestDelay)
    setting = ExposureSetting(lines: lines.minimum, gain: gain.minimum)
    history = InlineArray(repeating: setting)
    let (least, most) = limits
    setting = nearest((least * most).squareRoot())
    history = InlineArray(repeating: setting)
  }

  /// Takes the statistics of the next frame, a raw one; answers `setting`.
  public mutating func add(_ frame: FrameStatistics) -> ExposureSetting {
    let made = history[delay]
    let wrong = error(frame)
    let (least, most) = limits
    // What `setting` is wrong by, as far as this frame, which may be of an older setting, can tell.
    let way = min(max(light(made) * wrong, least), most) / light(setting)
    let isGood = made == setting && isNear(wrong)
    var next = setting
    if !isGood, !isNear(way, tolerance: Self.aim) {
      // Seven eighths of the way in stops: way^(7/8).
      let (half, quarter) = (way.squareRoot(), way.squareRoot().squareRoot())
      next = nearest(light(setting) * half * quarter * quarter.squareRoot())
    }
    isSettled = made == setting && next == setting
    setting = next
    for index in stride(from: Self.longestDelay, to: 0, by: -1) { history[index] = history[index - 1] }
    history[0] = setting
    return setting
  }

  /// By what factor the light of a frame was too little.
  private mutating func error(_ frame: FrameStatistics) -> Double {
    // What few lights add to the mean stays when all else gets brighter.
    let (target, luma) = (Double(Self.target), Double(max(frame.luma, 1)))
    let lights = min(Double(frame.clipped) * 4.095, target / 2)
    let wanted = (target - lights) / max(luma - lights, luma / 4)
    let excess = (Double(frame.clipped) - Self.clippedAllowed) / 900
    if excess >= 0.5 || wanted > Self.shade {
      sparesLights = false
    } else if excess > 0 {
      sparesLights = true
    }
    // Where most is overexposed, nobody knows by how much; half as bright again shows it soon and overshoots little.
    let factor = wanted * max(1 - max(excess, 0), 0.5)
    return min(max(factor, Self.step.lowerBound), Self.step.upperBound)
  }

  private func isNear(_ wrong: Double, tolerance: Double = AutoExposure.tolerance) -> Bool {
    let most = sparesLights ? Self.shade : 1 + tolerance
    return wrong >= 1 - tolerance && wrong <= most
  }

  // MARK: Controls

  /// Lines times gain.
  private func light(_ setting: ExposureSetting) -> Double {
    Double(max(setting.lines, 1)) * max(law.factor(setting.gain), 1e-3)
  }

  /// Least and most of lines times gain.
  private var limits: (Double, Double) {
    (
      light(ExposureSetting(lines: lines.minimum, gain: gain.minimum)),
      light(ExposureSetting(lines: lines.floor(lines.maximum), gain: gain.floor(gain.maximum)))
    )
  }

  /// The setting for so much light: lines as far as they go, then gain for the rest.
  private func nearest(_ light: Double) -> ExposureSetting {
    let base = max(law.factor(gain.minimum), 1e-3)
    let wanted = light / base
    let count = lines.floor(wanted < Double(lines.maximum) ? Int(clamping: wanted.rounded()) : lines.maximum)
    let factor = max(light / Double(max(count, 1)), base)
    let value = law.value(min(factor, 1e6))
    return ExposureSetting(lines: count, gain: gain.floor(value))
  }
}
