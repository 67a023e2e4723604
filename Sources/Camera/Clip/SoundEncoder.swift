import Runtime

/// Sound as encoders of a clip take it: 16-bit samples of one channel.
public enum ClipSound {
  /// Samples in a second of what goes in.
  public static let rate = 16_000
  /// Samples of one packet, which is 20 ms.
  public static let packetSamples = 320
  /// Opus counts time in 48,000ths of a second, whatever goes in (RFC 7845, section 4).
  static let ticksPerSecond: Int64 = 48_000
  /// Ticks of one packet.
  static let packetTicks: Int64 = 960
}

/// Opus (RFC 6716) for one worker at a time: each packet is 20 ms, and each has the same size.
public protocol SoundEncoder: AnyObject {
  /// Makes it ready. Answers how many ticks of a 48,000th of a second what comes out lags behind what went in. Throws `.encoder`.
  func start() throws(ClipError) -> Int

  /// Encodes `ClipSound.packetSamples` samples into `packet`, which has `Budget.clipPacketBytes`, and fills it. Throws `.encoder`.
  func encode(_ samples: UnsafeBufferPointer<Int16>, into packet: UnsafeMutableBufferPointer<UInt8>) throws(ClipError)

  /// Gives everything back. Harmless when nothing was started.
  func stop()
}

/// Sound that was heard, in a buffer of its reader.
public struct HeardSound: Equatable, Sendable {
  /// Samples.
  public var count: Int
  /// When the first of them was heard, in microseconds of a clock that only goes up.
  public var time: Int64

  /// Sound; see the properties.
  public init(count: Int, time: Int64) {
    self.count = count
    self.time = time
  }
}

/// Who has sound for clips, on the loop's thread.
public protocol ClipSoundSource: AnyObject {
  /// Sound is wanted, until `end`: what a job may read meanwhile. Nil: nothing may be heard, and the clip has none.
  func begin() -> SoundTrack?
  /// Nobody reads any more. Harmless when nobody did.
  func end()
}

/// What a clip hears: the microphone, read by a worker while the loop fills it.
public protocol ClipMicrophone: AnyObject {
  /// What was heard since the last call, as much as there is room for, at `ClipSound.rate`; nil when there is nothing. What nobody
  /// reads for long is forgotten, the oldest first.
  func read(into samples: UnsafeMutableBufferPointer<Int16>) -> HeardSound?
}
