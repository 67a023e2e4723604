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

  /// `order` with as many channels as those that are chosen need, unless their number is configured: a card that offers
  /// any number is otherwise opened with one.
  public var opening: SoundOrder {
    var order = order
    if order.channels == nil, case .only(let channels) = channel { order.channels = channels.width }
    return order
  }
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
