import Camera
import Runtime
import Sound
import Synchronization

/// Hears what the microphone hears, whoever's turn it is.
protocol MicrophoneTap: AnyObject {
  /// The next block; valid until it returns.
  func tapHeard(_ block: UnsafeBufferPointer<Int16>)
  /// What comes next does not follow what came last.
  func tapInterrupted()
}

/// What a clip or a recording of the screen hears: all that the microphone does, whoever else listens. The loop fills it, a worker
/// reads; where neither waits for the other, what is not read in time is lost, the newest.
public final class ClipEar: ClipSoundSource, ClipMicrophone, MicrophoneTap {
  private let microphone: Microphone
  /// For the job that makes the file. One at a time: there is one encoder of pictures, too.
  private var track: SoundTrack! = nil
  private let clock: any Clock
  private let storage: ReservedBuffer
  private let samples: UnsafeMutableBufferPointer<Int16>
  private let times = UnsafeMutableBufferPointer<Int64>.allocate(capacity: Budget.clipEarBlocks)
  /// Blocks that were heard, by the loop alone, and that were read, by the worker alone, since the start.
  private let heard = Atomic<Int>(0)
  private let taken = Atomic<Int>(0)
  private var timing = BlockTiming()

  /// An ear on this microphone. Takes address space, and memory only while there is a clip.
  public init(_ microphone: Microphone, encoder: any SoundEncoder, clock: any Clock) throws(Errno) {
    self.microphone = microphone
    self.clock = clock
    storage = try ReservedBuffer(capacity: 2 * Budget.clipEarBlocks * Budget.soundBlock)
    samples = UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
    times.initialize(repeating: 0)
    track = try SoundTrack(microphone: self, encoder: encoder)
  }

  deinit { times.deallocate() }

  /// See `ClipSoundSource`. A microphone that fails is silence.
  public func begin() -> SoundTrack? {
    guard microphone.mayHear else { return nil }
    timing = BlockTiming()
    // What is left of another clip is old.
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
    guard count - taken.load(ordering: .acquiring) < Budget.clipEarBlocks else { return }
    let slot = count % Budget.clipEarBlocks
    (samples.baseAddress! + slot * Budget.soundBlock).update(from: block.baseAddress!, count: block.count)
    times[slot] = time
    heard.store(count + 1, ordering: .releasing)
  }

  func tapInterrupted() { timing = BlockTiming() }

  // MARK: A worker

  /// See `ClipMicrophone`: a block at a time.
  public func read(into target: UnsafeMutableBufferPointer<Int16>) -> HeardSound? {
    let count = taken.load(ordering: .relaxed)
    guard count < heard.load(ordering: .acquiring), target.count >= Budget.soundBlock else { return nil }
    let slot = count % Budget.clipEarBlocks
    target.baseAddress!.update(from: samples.baseAddress! + slot * Budget.soundBlock, count: Budget.soundBlock)
    let time = times[slot]
    taken.store(count + 1, ordering: .releasing)
    return HeardSound(count: Budget.soundBlock, time: time)
  }
}

/// When a block was heard. Blocks come late, by the card's period and by what else the loop does, but never early: the earliest so far
/// says when the first was heard, and a little is given in for a card whose clock is slow.
struct BlockTiming {
  private static let blockMicroseconds = Int64(Budget.soundBlock) * 1_000_000 / Int64(Budget.soundRate)
  /// Microseconds a block that the card's clock may lose: 100 in a million.
  private static let slack: Int64 = 2

  /// The begin of the first block, as far as is known.
  private var origin = Int64.max
  private var blocks: Int64 = 0

  /// The microseconds at which the next block began, which came at `now`.
  mutating func start(ofBlockAt now: Int64) -> Int64 {
    let place = blocks * Self.blockMicroseconds
    blocks += 1
    let found = now - Self.blockMicroseconds - place
    origin = origin == .max ? found : min(found, origin + Self.slack)
    return origin + place
  }
}
