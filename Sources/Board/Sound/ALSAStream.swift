import CALSA
import Runtime
import Sound

/// An open PCM stream: the common part of capture and playback.
final class ALSAStream {
  private let pcm: OpaquePointer
  let facts: SoundFacts
  let descriptor: Descriptor

  /// Opens and configures the device of an order, and sets the mixer of its card. Blocks.
  init(_ order: SoundOrder, captures: Bool) throws(SoundError) {
    let (card, device) = try ALSACards.find(order, captures: captures)
    var opened: OpaquePointer?
    try Self.check(tl_pcm_open(Int32(card.number), Int32(device), captures ? 1 : 0, &opened))
    guard let pcm = opened else { throw .noMemory }
    do throws(SoundError) {
      var facts = try Self.set(pcm, order, card, device)
      ALSAMixer.prepare(card, order, captures: captures, &facts)
      self.facts = facts
      let number = tl_pcm_descriptor(pcm)
      guard number >= 0 else { throw SoundError.io(.noSuchDevice) }
      descriptor = Descriptor(number)
    } catch {
      tl_pcm_close(pcm)
      throw error
    }
    self.pcm = pcm
  }

  deinit { tl_pcm_close(pcm) }

  private static func set(
    _ pcm: OpaquePointer, _ order: SoundOrder, _ card: SoundCard, _ device: Int
  ) throws(SoundError) -> SoundFacts {
    var offer = tl_pcm_offer()
    try check(tl_pcm_offers(pcm, &offer))
    guard let (number, format) = ALSAFormat.choose(offer.formats, wanted: order.format) else {
      throw .noFormat
    }
    let rate = order.rate ?? UInt32(Budget.soundRate)
    let channels = UInt32(clamping: order.channels ?? 1)
    var setup = tl_pcm_setup(
      format: number, rate: rate, channels: channels,
      period: UInt64(rate) * UInt64(Budget.soundPeriodMilliseconds) / 1000,
      buffer: UInt64(rate) * UInt64(Budget.soundBufferMilliseconds) / 1000)
    try check(tl_pcm_set(pcm, &setup))
    guard (1...Budget.soundChannels).contains(Int(setup.channels)), Budget.soundCardRates.contains(setup.rate)
    else { throw .noFormat }
    return SoundFacts(
      card: card.id, name: card.name, device: device, format: format, rate: setup.rate,
      channels: Int(setup.channels),
      period: Int(clamping: setup.period), buffer: Int(clamping: setup.buffer))
  }

  // MARK: Calls

  func start() throws(SoundError) { try Self.check(tl_pcm_start(pcm)) }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead {
    let result = tl_pcm_read(pcm, bytes.baseAddress, UInt64(bytes.count / facts.frameBytes))
    if result > 0 { return .frames(Int(result)) }
    if result == 0 || result == -Int64(Errno.wouldBlock.number) { return .nothing }
    try recover(result)
    return .gap
  }

  /// Number of frames written; nil after an underrun, when the stream was restarted.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int? {
    let result = tl_pcm_write(pcm, bytes.baseAddress, UInt64(bytes.count / facts.frameBytes))
    if result >= 0 { return Int(result) }
    if result == -Int64(Errno.wouldBlock.number) { return 0 }
    try recover(result)
    return nil
  }

  /// Frames that are not played yet; 0 after an underrun.
  func waiting() throws(SoundError) -> Int {
    let result = tl_pcm_delay(pcm)
    if result == -Int64(Errno.brokenPipe.number) { return 0 }
    try Self.check(result)
    return Int(result)
  }

  private func recover(_ result: Int64) throws(SoundError) {
    let error = Int32(clamping: result)
    guard error == -Errno.brokenPipe.number || error == -Self.suspended else { return try Self.check(result) }
    let outcome = tl_pcm_recover(pcm, error)
    if outcome == -Int64(Errno.wouldBlock.number) { throw .suspended }
    try Self.check(outcome)
  }

  /// ESTRPIPE: the board was suspended.
  private static let suspended: Int32 = 86

  static func check(_ result: Int64) throws(SoundError) {
    guard result < 0 else { return }
    throw SoundError(Errno(Int32(clamping: -result)))
  }
}
