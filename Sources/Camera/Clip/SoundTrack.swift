import Runtime

/// The sound of a clip: packets of one size, synchronized with its pictures. Missing sound (before the microphone was
/// open, or while it failed) is silence; drift between the microphone's and the camera's clocks is corrected.
///
/// Used by one worker: `begin`, `start` with the first picture, `listen` now and then, `finish`. Made once.
public final class SoundTrack {
  private let microphone: any ClipMicrophone
  private let encoder: any SoundEncoder
  private let packets: ReservedBuffer
  private let heard: UnsafeMutableBufferPointer<Int16>
  private let packet: UnsafeMutableBufferPointer<Int16>
  /// Samples of the packet that is being filled.
  private var filled = 0
  /// Samples from the first picture on, silence among them.
  private var position: Int64 = 0
  /// Time of the first picture in microseconds.
  private var startTime: Int64?
  /// Largest number of packets.
  private var capacity = 0
  private var hasHeard = false
  private var isBroken = false
  /// Microseconds of the microphone's clock at time 0 of the pictures' clock. Set it before a clip begins.
  public var epoch: Int64 = 0
  /// Ticks that the decoder drops at the beginning.
  private(set) var preSkip = 0
  /// Packets so far.
  private(set) var count = 0

  /// Tolerated drift in samples: 10 ms, which is not noticeable, but more than clock jitter.
  private static let tolerance: Int64 = 160
  /// Microseconds from the first picture, in either direction, beyond which a timestamp is wrong.
  private static let farthest: Int64 = 120_000_000
  /// How much longer than requested a clip may be: its last picture.
  private static let margin: Int64 = 500_000

  /// A track from `microphone`. Reserves address space; uses memory only while there is a clip with sound.
  @export(interface)
  public init(microphone: any ClipMicrophone, encoder: any SoundEncoder) throws(Errno) {
    self.microphone = microphone
    self.encoder = encoder
    packets = try ReservedBuffer(capacity: Budget.clipPackets * Budget.clipPacketBytes)
    heard = .allocate(capacity: Budget.clipHeardSamples)
    packet = .allocate(capacity: ClipSound.packetSamples)
    heard.initialize(repeating: 0)
    packet.initialize(repeating: 0)
  }

  deinit {
    heard.deallocate()
    packet.deallocate()
  }

  /// Begins the sound of a clip of `duration` microseconds. If the encoder fails, the clip has no sound.
  func begin(duration: Int64) {
    (filled, position, count, startTime, hasHeard, isBroken) = (0, 0, 0, nil, false, false)
    capacity = Self.capacity(duration)
    do throws(ClipError) { preSkip = try encoder.start() } catch { isBroken = true }
  }

  /// Bytes to reserve for the sound of a clip of `duration` microseconds.
  static func bytes(duration: Int64) -> Int { capacity(duration) * Budget.clipPacketBytes + SoundHeader.bytes }

  private static func capacity(_ duration: Int64) -> Int {
    min(
      Budget.clipPackets,
      Int((max(0, duration) + margin) * ClipSound.ticksPerSecond / 1_000_000 / ClipSound.packetTicks))
  }

  /// Sets the time of the first picture, in microseconds of the pictures' clock. Later calls are ignored.
  func start(at time: Int64) {
    if startTime == nil { startTime = time }
  }

  /// Takes new sound. Does nothing before the first picture.
  func listen() {
    guard !isBroken, let startTime else { return }
    while let sound = microphone.read(into: heard) {
      take(UnsafeBufferPointer(rebasing: heard[..<sound.count]), at: sound.time &- epoch &- startTime)
    }
  }

  /// Extends or cuts it to the clip's duration in microseconds. False: there was no sound, and there is no track.
  func finish(duration: Int64) -> Bool {
    defer { encoder.stop() }
    listen()
    guard hasHeard else { return false }
    let ticks = duration * ClipSound.ticksPerSecond / 1_000_000 + Int64(preSkip)
    let wanted = min(capacity, Int((ticks + ClipSound.packetTicks - 1) / ClipSound.packetTicks))
    // The last sound from the microphone.
    while count < wanted, !isBroken { add(0) }
    count = min(count, wanted)
    return count > 0
  }

  /// Ends it without a clip.
  func abandon() { encoder.stop() }

  /// Bytes of all packets; valid until `release`.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: packets.bytes[..<(count * Budget.clipPacketBytes)])
  }

  /// Releases the memory.
  func release() { packets.release() }

  // MARK: Samples

  /// `time`: microseconds from the first picture.
  private func take(_ samples: UnsafeBufferPointer<Int16>, at time: Int64) {
    let place = min(max(time, -Self.farthest), Self.farthest) * Int64(ClipSound.rate) / 1_000_000
    let ahead = place - position
    // The first block is placed exactly; after that small jitter is ignored.
    let mayStay = hasHeard && abs(ahead) <= Self.tolerance
    if ahead > 0, !mayStay { add(silence: ahead) }
    let late = mayStay ? 0 : Int(min(max(0, -ahead), Int64(samples.count)))
    guard late < samples.count else { return }
    hasHeard = true
    for index in late..<samples.count { add(samples[index]) }
  }

  private func add(silence samples: Int64) {
    // Limited to the clip's capacity.
    for _ in 0..<min(samples, Int64(Budget.clipPackets * ClipSound.packetSamples)) { add(0) }
  }

  private func add(_ sample: Int16) {
    position += 1
    guard count < capacity, !isBroken else { return }
    packet[filled] = sample
    filled += 1
    if filled == ClipSound.packetSamples { encode() }
  }

  private func encode() {
    filled = 0
    let place = count * Budget.clipPacketBytes
    do throws(ClipError) {
      try encoder.encode(
        UnsafeBufferPointer(packet), into: packets.bytes.extracting(place..<place + Budget.clipPacketBytes))
      count += 1
    } catch {
      // Later sound would be out of sync.
      isBroken = true
    }
  }
}
