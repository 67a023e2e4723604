import Camera
import Runtime
import Sound
import Synchronization

/// Gets the sound of the microphone, whichever use has it.
protocol MicrophoneTap: AnyObject {
  /// The next block; valid until it returns.
  func tapHeard(_ block: UnsafeBufferPointer<Int16>)
  /// The next block does not continue the last one.
  func tapInterrupted()
}

/// The sound of a clip or of a recording of the screen: all that the microphone records. The loop writes it and a
/// worker reads it without locks; when the worker is too slow, the newest blocks are lost.
public final class ClipSoundBuffer: ClipSoundSource, ClipMicrophone, MicrophoneTap {
  private let microphone: Microphone
  /// For the job that makes the file. One at a time, as there is one video encoder.
  private var track: SoundTrack! = nil
  private let clock: any Clock
  private let storage: ReservedBuffer
  private let samples: UnsafeMutableBufferPointer<Int16>
  private let times = UnsafeMutableBufferPointer<Int64>.allocate(capacity: Budget.clipSoundBlocks)
  /// Blocks written, by the loop only, and blocks read, by the worker only, since start.
  private let heard = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  private var timing = BlockTiming()

  /// A buffer for this microphone. It reserves address space, and uses memory only while there is a clip.
  @export(interface)
  public init(_ microphone: Microphone, encoder: any SoundEncoder, clock: any Clock) throws(Errno) {
    self.microphone = microphone
    self.clock = clock
    storage = try ReservedBuffer(capacity: 2 * Budget.clipSoundBlocks * Budget.soundBlock)
    samples = UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
    times.initialize(repeating: 0)
    track = try SoundTrack(microphone: self, encoder: encoder)
  }

  deinit { times.deallocate() }

  /// See `ClipSoundSource`. A microphone that fails gives silence.
  public func begin() -> SoundTrack? {
    guard microphone.isAllowed else { return nil }
    timing = BlockTiming()
    // Blocks of an earlier clip are dropped.
    taken.store(heard.load(ordering: .relaxed), ordering: .relaxed)
    microphone.tap = self
    microphone.want(.clip, nil)
    return track
  }

  /// See `ClipSoundSource`.
  public func end() {
    microphone.tap = nil
    microphone.release(.clip)
    storage.release()
  }

  // MARK: The loop

  func tapHeard(_ block: UnsafeBufferPointer<Int16>) {
    let time = timing.start(ofBlockAt: clock.monotonic * 1000)
    let count = heard.load(ordering: .relaxed)
    guard count - taken.load(ordering: .acquiring) < Budget.clipSoundBlocks else { return }
    let slot = count % Budget.clipSoundBlocks
    (samples.baseAddress! + slot * Budget.soundBlock).update(from: block.baseAddress!, count: block.count)
    times[slot] = time
    heard.store(count + 1, ordering: .releasing)
  }

  func tapInterrupted() { timing = BlockTiming() }

  // MARK: A worker

  /// See `ClipMicrophone`: one block.
  public func read(into target: UnsafeMutableBufferPointer<Int16>) -> HeardSound? {
    let count = taken.load(ordering: .relaxed)
    guard count < heard.load(ordering: .acquiring), target.count >= Budget.soundBlock else { return nil }
    let slot = count % Budget.clipSoundBlocks
    target.baseAddress!.update(from: samples.baseAddress! + slot * Budget.soundBlock, count: Budget.soundBlock)
    let time = times[slot]
    taken.store(count + 1, ordering: .releasing)
    return HeardSound(count: Budget.soundBlock, time: time)
  }
}

/// The start times of blocks. Blocks arrive late, by the card's period and by other work of the loop, but never early:
/// the earliest arrival gives the start of the first block, with a tolerance for a card whose clock is slow.
struct BlockTiming {
  private static let blockMicroseconds = Int64(Budget.soundBlock) * 1_000_000 / Int64(Budget.soundRate)
  /// Microseconds in a block that the card's clock may lose: 100 ppm.
  private static let tolerance: Int64 = 2

  /// The start of the first block, as estimated so far.
  private var origin = Int64.max
  private var blocks: Int64 = 0

  /// The start in microseconds of the next block, which arrived at `now`.
  mutating func start(ofBlockAt now: Int64) -> Int64 {
    let place = blocks * Self.blockMicroseconds
    blocks += 1
    let found = now - Self.blockMicroseconds - place
    origin = origin == .max ? found : min(found, origin + Self.tolerance)
    return origin + place
  }
}
