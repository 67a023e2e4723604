import Runtime

/// The configuration `[microphone]`.
public struct MicrophoneSettings: Sendable {
  /// False: the device is never opened.
  public var isEnabled = true
  public var order = SoundOrder()
  public var channel = SoundChannel.mix
  public var gain = SoundGain.fixed(0)
  /// Whether noise is reduced.
  public var denoises = false
  /// The requirement for the privacy light.
  public var light = Light.unlit

  /// Requirements for the privacy light.
  public enum Light: Sendable {
    /// No light.
    case unlit
    /// It should be lit.
    case lit
    /// It must be lit, or the microphone is not opened.
    case required
  }

  /// The defaults.
  public init() {}
}

/// The configuration `[speaker]`.
public struct SpeakerSettings: Sendable {
  /// False: the device is never opened.
  public var isEnabled = true
  public var order = SoundOrder()
  /// Gain in decibels.
  public var decibels = 0

  /// The defaults.
  public init() {}
}
