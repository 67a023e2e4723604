import Codec

/// The range of a driver's control (`VIDIOC_QUERYCTRL`).
public struct ControlRange: Equatable, Sendable {
  /// Least and most.
  public let minimum, maximum: Int
  /// Distance of values.
  public let step: Int

  /// A range; reversed ends and steps below 1 are corrected.
  public init(minimum: Int, maximum: Int, step: Int = 1) {
    self.minimum = minimum
    self.maximum = max(minimum, maximum)
    self.step = max(step, 1)
  }

  /// The nearest valid value.
  public func nearest(_ value: Int) -> Int {
    let below = floor(value)
    let over = UInt(bitPattern: min(max(value, minimum), maximum) &- below)
    guard over > UInt(step) - over, UInt(bitPattern: maximum &- below) >= UInt(step) else { return below }
    return below + step
  }

  /// The nearest valid value at or below `value`. Some drivers report the ends of the type, whose distance overflows a
  /// signed number.
  func floor(_ value: Int) -> Int {
    let way = UInt(bitPattern: min(max(value, minimum), maximum) &- minimum)
    return minimum &+ Int(bitPattern: way / UInt(step) * UInt(step))
  }
}

/// The exposure of a sensor.
public struct ExposureSetting: Equatable, Sendable {
  /// `V4L2_CID_EXPOSURE`, in lines.
  public var lines: Int
  /// `V4L2_CID_ANALOGUE_GAIN`, in the sensor's own units.
  public var gain: Int
}

/// Automatic exposure for a raw sensor: statistics of a frame in, setting out.
///
/// Brightness is proportional to time and gain, so each frame gives the correction of its own setting; settings move
/// seven eighths of the way there, in stops, and stay when they are close enough. Exposure time is raised before gain,
/// which adds noise. The setting of a frame is known because a sensor applies it after a fixed number of frames; a lost
/// frame only slows convergence.
public struct AutoExposure: Sendable {
  /// Target mean brightness, in 1/4095: 0.165 of full, as in libcamera's tuning files for Raspberry Pi; the tone curve
  /// shows it as middle gray.
  static let target = 676
  /// Longest delay of a setting in frames.
  private static let longestDelay = 7
  /// Share of overexposed pixels, in thousandths, from which on the picture gets darker.
  private static let clippedAllowed = 50.0
  /// Tolerance around the target, and the tolerance that a new setting must reach.
  private static let tolerance = 0.1, aim = 0.07
  /// A picture that was darkened because of highlights stays so until it is too dark by this factor.
  private static let shade = 2.2
  /// Range of the correction from one frame.
  private static let step = 1.0 / 32...32.0

  /// The current setting.
  public private(set) var setting: ExposureSetting
  /// True when the last frame had the target brightness, or as close as the controls allow, and was made with
  /// `setting`.
  public private(set) var isSettled = false

  private let lines, gain: ControlRange
  private let law: GainLaw
  private let delay: Int
  /// The last settings, the newest first; the next frame has entry `delay`.
  private var history: InlineArray<8, ExposureSetting>
  private var sparesLights = false

  /// Starts in the middle of the controls' range, in stops.
  /// - Parameters:
  ///   - law: the law of the gain; nil: proportional when the minimum is above 0, else unknown, and the gain stays at
  ///     its minimum.
  ///   - delay: frames until a setting takes effect, 2 for the sensors of Raspberry Pi's cameras.
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

  /// Takes the statistics of the next raw frame, and returns `setting`.
  public mutating func add(_ frame: FrameStatistics) -> ExposureSetting {
    let made = history[delay]
    let wrong = error(frame)
    let (least, most) = limits
    // The error of `setting`, estimated from this frame, which may have an older setting.
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

  /// The factor by which a frame is too dark.
  private mutating func error(_ frame: FrameStatistics) -> Double {
    // Highlights contribute to the mean, but do not get brighter.
    let (target, luma) = (Double(Self.target), Double(max(frame.luma, 1)))
    let lights = min(Double(frame.clipped) * 4.095, target / 2)
    let wanted = (target - lights) / max(luma - lights, luma / 4)
    let excess = (Double(frame.clipped) - Self.clippedAllowed) / 900
    if excess >= 0.5 || wanted > Self.shade {
      sparesLights = false
    } else if excess > 0 {
      sparesLights = true
    }
    // When most is overexposed the amount is unknown; a step of this size converges quickly and overshoots little.
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

  /// Range of lines times gain.
  private var limits: (Double, Double) {
    (
      light(ExposureSetting(lines: lines.minimum, gain: gain.minimum)),
      light(ExposureSetting(lines: lines.floor(lines.maximum), gain: gain.floor(gain.maximum)))
    )
  }

  /// The setting for an amount of light: first lines, then gain.
  private func nearest(_ light: Double) -> ExposureSetting {
    let base = max(law.factor(gain.minimum), 1e-3)
    let wanted = light / base
    let count = lines.floor(wanted < Double(lines.maximum) ? Int(clamping: wanted.rounded()) : lines.maximum)
    let factor = max(light / Double(max(count, 1)), base)
    let value = law.value(min(factor, 1e6))
    return ExposureSetting(lines: count, gain: gain.floor(value))
  }
}
