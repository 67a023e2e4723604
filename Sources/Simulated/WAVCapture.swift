import Codec
import Runtime
import Sound

/// A simulated microphone: a WAV file, repeated at the pace of a clock, or a pipe. It has the recording's rate,
/// channels and sample format.
///
/// A loop drives it by a timer; without one, its owner calls `advance(to:)` when `nextDeadline` has come.
public final class WAVCapture: SoundCapture, TimerHandler {
  private let file: WAVFile
  private let isRepeated: Bool
  private let clock: any Clock
  private let loop: Loop?
  private var facts: SoundFacts?
  private var delegate: (any SoundDeviceDelegate)?
  /// Bytes of an incomplete frame from a pipe.
  private var cut = InlineArray<512, UInt8>(repeating: 0)
  private var cutCount = 0
  private var started: Int64 = 0
  private var given: Int64 = 0
  /// When to call `advance(to:)`: milliseconds of `Clock.monotonic`.
  public private(set) var nextDeadline: Int64?

  /// A closed microphone. `isRepeated` false: at the end it throws `.ended`. Throws when the path is too long.
  @export(interface)
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

  public func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {
    self.delegate = delegate
    (started, given) = (clock.monotonic, 0)
    wake(at: started + Int64(Budget.soundPeriodMilliseconds))
  }

  public func stop() {
    delegate = nil
    wake(at: nil)
  }

  public func close() { file.close() }

  public func timerFired(_ id: TimerID) { advance(to: clock.monotonic) }

  /// Calls the delegate when frames are due.
  public func advance(to now: Int64) {
    guard let due = nextDeadline, due <= now else { return }
    wake(at: now + Int64(Budget.soundPeriodMilliseconds))
    delegate?.soundReady()
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
      // Frames that are not fetched are lost, as with a card.
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

  /// Starts the recording over.
  private func begin() throws(SoundError) -> SoundRead {
    guard isRepeated, !file.isPipe, given > 0 else { throw .ended }
    _ = try file.open()
    cutCount = 0
    return .nothing
  }
}
