import Codec
import Runtime
import Sound

/// A microphone that hears a recording: a WAV file, over and over and at the pace of a clock, or what comes out of a pipe, as it comes. It
/// has the rate, the channels and the form of sample that the recording has.
///
/// A loop drives it by a timer; without one, its owner calls `advance(to:)` when `nextDeadline` has come.
public final class WAVCapture: SoundCapture, TimerHandler {
  private let file: WAVFile
  private let isRepeated: Bool
  private let clock: any Clock
  private let loop: Loop?
  private var facts: SoundFacts?
  private var owner: (any SoundDeviceOwner)?
  /// Bytes of a frame that a pipe has cut.
  private var cut = InlineArray<512, UInt8>(repeating: 0)
  private var cutCount = 0
  private var started: Int64 = 0
  private var given: Int64 = 0
  /// When `advance(to:)` has something to do: milliseconds of `Clock.monotonic`.
  public private(set) var nextDeadline: Int64?

  /// A closed microphone. `isRepeated` false: at the end it throws `.ended`. Throws when the path is too long.
  public init(path: String, isRepeated: Bool = true, clock: any Clock, loop: Loop? = nil) throws(Errno) {
    file = try WAVFile(path: path)
    self.isRepeated = isRepeated
    self.clock = clock
    self.loop = loop
  }

  public func look(_ order: SoundOrder) throws(SoundError) { try file.look() }

  public func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    let header = try file.open()
    guard header.frameBytes <= Budget.soundFrameBytes else { throw .noFormat }
    let name = SoundName(cutting: "simulated" as StaticString)
    let facts = SoundFacts(
      card: name, name: name, device: 0, format: SampleFormat(header), rate: header.rate,
      channels: header.channels,
      period: Int(header.rate) * Budget.soundPeriodMilliseconds / 1000,
      buffer: Int(header.rate) * Budget.soundBufferMilliseconds / 1000)
    self.facts = facts
    cutCount = 0
    return facts
  }

  public func start(_ owner: any SoundDeviceOwner) throws(SoundError) {
    self.owner = owner
    (started, given) = (clock.monotonic, 0)
    wake(at: started + Int64(Budget.soundPeriodMilliseconds))
  }

  public func stop() {
    owner = nil
    wake(at: nil)
  }

  public func close() { file.close() }

  public func timerFired(_ id: TimerID) { advance(to: clock.monotonic) }

  /// Tells the owner when frames are due.
  public func advance(to now: Int64) {
    guard let due = nextDeadline, due <= now else { return }
    wake(at: now + Int64(Budget.soundPeriodMilliseconds))
    owner?.soundReady()
  }

  private func wake(at deadline: Int64?) {
    nextDeadline = deadline
    guard let loop else { return }
    if let deadline {
      loop.setTimer(TimerID(0), of: self, at: deadline)
    } else {
      loop.cancelTimer(TimerID(0), of: self)
    }
  }

  // MARK: Frames

  public func read(into bytes: UnsafeMutableRawBufferPointer) throws(SoundError) -> SoundRead {
    guard let facts else { throw .disconnected }
    let stride = facts.frameBytes
    var room = bytes.count / stride
    if !file.isPipe {
      let due = (clock.monotonic - started) * Int64(facts.rate) / 1000
      // As a card does with frames that nobody fetches.
      if due - given > Int64(facts.buffer) {
        given = due
        return .gap
      }
      room = min(room, Int(due - given))
    }
    guard room > 0 else { return .nothing }
    for index in 0..<cutCount { bytes[index] = cut[index] }
    let target = UnsafeMutableRawBufferPointer(rebasing: bytes[cutCount..<(room * stride)])
    guard let count = try file.read(into: target) else { return .nothing }
    if count == 0 { return try begin() }
    let total = cutCount + count
    cutCount = total % stride
    for index in 0..<cutCount { cut[index] = bytes[total - cutCount + index] }
    given += Int64(total / stride)
    return total >= stride ? .frames(total / stride) : .nothing
  }

  /// The recording is at its end: once more.
  private func begin() throws(SoundError) -> SoundRead {
    guard isRepeated, !file.isPipe, given > 0 else { throw .ended }
    _ = try file.open()
    cutCount = 0
    return .nothing
  }
}
