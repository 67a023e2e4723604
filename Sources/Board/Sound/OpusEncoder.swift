import COpus
import Camera
import Runtime

/// Opus by libopus 1.3, for the sound of clips: one channel of 16 kHz at 32,000 bits a second, on the calling thread.
public final class OpusEncoder: SoundEncoder {
  private var encoder: OpaquePointer?

  private static let packetsPerSecond = ClipSound.rate / ClipSound.packetSamples

  /// An encoder that takes memory while it runs.
  @export(interface)
  public init() {}

  deinit { stop() }

  /// See `SoundEncoder`.
  public func start() throws(ClipError) -> Int {
    stop()
    var lookahead: Int32 = 0
    let bits = Budget.clipPacketBytes * 8 * Self.packetsPerSecond
    guard let opened = tl_opus_open(Int32(ClipSound.rate), Int32(bits), &lookahead) else { throw .encoder }
    encoder = opened
    return Int(lookahead) * 48_000 / ClipSound.rate
  }

  /// See `SoundEncoder`.
  public func encode(
    _ samples: UnsafeBufferPointer<Int16>, into packet: UnsafeMutableBufferPointer<UInt8>
  ) throws(ClipError) {
    guard let encoder, samples.count == ClipSound.packetSamples, packet.count == Budget.clipPacketBytes else {
      throw .encoder
    }
    let count = tl_opus_encode(
      encoder, samples.baseAddress, Int32(samples.count), packet.baseAddress, Int32(packet.count))
    guard count == Int32(packet.count) else { throw .encoder }
  }

  /// See `SoundEncoder`.
  public func stop() {
    if let encoder { tl_opus_close(encoder) }
    encoder = nil
  }
}
