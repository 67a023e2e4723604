import Runtime

/// Sound for a clip's encoder: 16-bit samples of one channel.
public enum ClipSound {
  /// Samples a second of the input.
  public static let rate = 16_000
  /// Samples of one packet, which is 20 ms.
  public static let packetSamples = 320
  /// Opus counts time in 48,000ths of a second for any input rate (RFC 7845, section 4).
  static let ticksPerSecond: Int64 = 48_000
  /// Ticks of one packet.
  static let packetTicks: Int64 = 960
}

/// Opus (RFC 6716) for one worker at a time: each packet is 20 ms, and each has the same size.
public protocol SoundEncoder: AnyObject {
  /// Prepares the encoder, and returns its delay in ticks of a 48,000th of a second. Throws `.encoder`.
  func start() throws(ClipError) -> Int

  /// Encodes `ClipSound.packetSamples` samples into `packet`, which has `Budget.clipPacketBytes`, and fills it. Throws
  /// `.encoder`.
  func encode(_ samples: UnsafeBufferPointer<Int16>, into packet: UnsafeMutableBufferPointer<UInt8>) throws(ClipError)

  /// Releases everything. Does nothing when it was not started.
  func stop()
}

/// Sound from the microphone, in a buffer of its reader.
public struct HeardSound: Equatable, Sendable {
  /// Samples.
  public var count: Int
  /// The time of the first, in microseconds of a monotonic clock.
  public var time: Int64

  /// Sound; see the properties.
  public init(count: Int, time: Int64) {
    self.count = count
    self.time = time
  }
}

/// A source of sound for clips, on the loop's thread.
public protocol ClipSoundSource: AnyObject {
  /// Starts the sound until `end`, and returns the track for a job. Nil: sound is not allowed, and the clip has none.
  func begin() -> SoundTrack?
  /// Stops the sound. Does nothing when it was not started.
  func end()
}

/// A clip's microphone, read by a worker while the loop fills it.
public protocol ClipMicrophone: AnyObject {
  /// Reads the sound since the last call, as far as there is room, at `ClipSound.rate`; nil when there is none. Sound
  /// that is not read for long is dropped, the oldest first.
  func read(into samples: UnsafeMutableBufferPointer<Int16>) -> HeardSound?
}
