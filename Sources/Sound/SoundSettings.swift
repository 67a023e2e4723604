import Runtime

/// What a person may choose about hearing: `[microphone]`.
public struct MicrophoneSettings: Sendable {
  /// False: the device is never opened.
  public var isEnabled = true
  public var order = SoundOrder()
  public var channel = SoundChannel.mix
  public var gain = SoundGain.fixed(0)
  /// Noise is taken out.
  public var denoises = false
  /// What a light has to do with it.
  public var light = Light.unlit

  /// What the light that shows an open microphone has to do with it.
  public enum Light: Sendable {
    /// There is none.
    case unlit
    /// It should be lit.
    case lit
    /// It must be lit, or nothing is heard.
    case required
  }

  /// The first card, as it is.
  public init() {}
}

/// What a person may choose about speaking: `[speaker]`.
public struct SpeakerSettings: Sendable {
  /// False: the device is never opened.
  public var isEnabled = true
  public var order = SoundOrder()
  /// Decibels that all is changed by.
  public var decibels = 0

  /// The first card, as it is.
  public init() {}
}
