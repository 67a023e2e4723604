import Codec
import Runtime

/// A control of a sound card's mixer for capture or for playback, as its driver describes it. Cards have every
/// combination: a volume without a switch, a switch without a volume, a volume without decibels, and values that exist
/// and cannot be read.
public struct MixerControl: Sendable {
  public var name = SoundName()
  /// It has a volume, in steps from `least` to `most`.
  public var hasVolume = false
  public var (least, most): (Int64, Int64) = (0, 0)
  /// The step where it is; nil: it cannot be read.
  public var step: Int64?
  /// Its volume has a scale, in hundredths of a decibel.
  public var hasDecibels = false
  public var (leastDecibels, mostDecibels): (Int64, Int64) = (0, 0)
  /// Hundredths of a decibel; nil: they cannot be read.
  public var decibels: Int64?
  /// It has a switch.
  public var hasSwitch = false
  /// nil: it has no switch, or its position cannot be read.
  public var isOn: Bool?

  /// A control that has nothing to set.
  public init() {}

  /// Steps beyond which a range is none: those of cards have at most 32 bits.
  private static let rangeMax: Int64 = 1 << 40

  private var range: Int64? {
    let range = most &- least
    return range > 0 && range < Self.rangeMax ? range : nil
  }

  /// Volume in percent of its range; nil: it has none, or it cannot be read.
  public var percent: Int? {
    guard hasVolume, let range, let step, step >= least, step <= most else { return nil }
    return Int(((step - least) * 100 + range / 2) / range)
  }

  /// True for a switch that is off. What cannot be read is not muted.
  public var isMuted: Bool { isOn == false }

  // MARK: Choice

  /// What an order needs, and how much of it a control lacks.
  private func lack(_ level: MixerLevel?) -> Int {
    switch level {
    case nil: 0
    case .percent: hasVolume ? 0 : 2
    case .decibels: hasDecibels ? 0 : hasVolume ? 1 : 2
    }
  }

  /// Controls used when the configuration names none, the best first; after them the first one that has a volume.
  private static let captures: InlineArray<5, StaticString> = ["Mic", "Capture", "Mic Capture", "Digital", "ADC"]
  private static let plays: InlineArray<6, StaticString> = [
    "Master", "PCM", "Speaker", "Headphone", "Digital", "HDMI",
  ]

  private func place(_ captures: Bool) -> Int? {
    if captures {
      for index in 0..<Self.captures.count where name.span.matches(Self.captures[index]) { return index }
    } else {
      for index in 0..<Self.plays.count where name.span.matches(Self.plays[index]) { return index }
    }
    return nil
  }

  /// How well it fits an order: the least is the best, of equals the first; nil: it does not fit at all.
  /// - Parameter wanted: the control's name; empty: a usual one.
  public func rank(for wanted: SoundName, captures: Bool, _ level: MixerLevel?) -> Int? {
    guard hasVolume || hasSwitch else { return nil }
    if !wanted.isEmpty { return name.equals(wanted.span) ? lack(level) : nil }
    let place = place(captures)
    // A switch of another name is no microphone's: it may be that of an effect.
    if place == nil, !hasVolume { return nil }
    return lack(level) * 100 + (place ?? 99)
  }

  // MARK: Setting

  /// What is set for a level.
  public struct Change: Equatable, Sendable {
    /// The step of the volume.
    public var step: Int64?
    /// Hundredths of a decibel.
    public var decibels: Int64?
    public var isOn: Bool?
    /// What the control lacks for this level, as the rest of a sentence after "no control "; nil: nothing.
    public var lack: StaticString?

    public static func == (left: Change, right: Change) -> Bool {
      left.step == right.step && left.decibels == right.decibels && left.isOn == right.isOn
        && (left.lack == nil) == (right.lack == nil)
    }
  }

  /// What to set, as far as the control has it. The control is switched on: a configured level should be audible.
  public func change(to level: MixerLevel) -> Change {
    var change = Change()
    switch level {
    case .percent(let percent):
      if hasSwitch { change.isOn = percent > 0 }
      if hasVolume {
        change.step = step(at: percent)
      } else if percent > 0 && percent < 100 || !hasSwitch {
        change.lack = "with a volume"
      }
    case .decibels(let hundredths):
      if hasSwitch { change.isOn = true }
      if hasDecibels {
        change.decibels = max(min(Int64(hundredths), mostDecibels), leastDecibels)
      } else {
        change.lack = hasVolume ? "that counts in dB" : "with a volume"
      }
    }
    return change
  }

  private func step(at percent: Int) -> Int64 {
    guard let range else { return percent > 0 ? most : least }
    return least + (range * Int64(percent) + 50) / 100
  }
}
