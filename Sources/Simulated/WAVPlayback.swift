import Codec
import Runtime
import Sound

/// A simulated speaker that writes a WAV file, at the pace of a clock. Each opening starts a new file.
///
/// A loop drives it by a timer; without one, its owner calls `advance(to:)` when `nextDeadline` has come.
public final class WAVPlayback: SoundPlayback, TimerHandler {
  private let path: Path
  private let clock: any Clock
  private let loop: Loop?
  private var file: Descriptor?
  private var facts: SoundFacts?
  private var delegate: (any SoundDeviceDelegate)?
  /// Written frames, and when the first was played.
  private var written: Int64 = 0
  private var began: Int64?
  private var isListening = false
  public private(set) var gaps = 0
  /// When to call `advance(to:)`: milliseconds of `Clock.monotonic`.
  public private(set) var nextDeadline: Int64?

  /// A closed speaker. Throws when the path is too long.
  @export(interface)
  public init(path: String, clock: any Clock, loop: Loop? = nil) throws(Errno) {
    self.path = try Path(path)
    self.clock = clock
    self.loop = loop
  }

  public func open(_ order: SoundOrder) throws(SoundError) -> SoundFacts {
    close()
    let rate = order.rate ?? UInt32(Budget.soundRate)
    let name = SoundName(cutting: "simulated" as StaticString)
    let facts = SoundFacts(
      card: name, name: name, device: 0, format: .s16, rate: rate, channels: order.channels ?? 1,
      period: Int(rate) * Budget.soundPeriodMilliseconds / 1000,
      buffer: Int(rate) * Budget.soundBufferMilliseconds / 1000)
    do throws(Errno) {
      file = try Syscall.open(path, [.write, .create, .truncate], permissions: 0o644)
    } catch { throw SoundError(error) }
    self.facts = facts
    (written, began, gaps) = (0, nil, 0)
    try writeHeader(facts)
    return facts
  }

  /// Writes the header with the current number of bytes.
  private func writeHeader(_ facts: SoundFacts) throws(SoundError) {
    guard let file else { return }
    let header = WAVHeader(
      coding: .linear, channels: facts.channels, rate: facts.rate, bits: 16, sampleBytes: 2,
      dataOffset: WAVHeader.writtenBytes,
      dataBytes: Int(clamping: written * Int64(facts.frameBytes)))
    var text = InlineText<44>()
    text.fill { bytes in
      var writer = ByteWriter(into: bytes)
      header.write(to: &writer)
      return writer.count
    }
    var failure: Errno?
    text.span.withUnsafeBufferPointer { bytes in
      do throws(Errno) { try Syscall.writeAll(file, UnsafeRawBufferPointer(bytes), at: 0) } catch {
        failure = error
      }
    }
    if let failure { throw SoundError(failure) }
  }

  public func start(_ delegate: any SoundDeviceDelegate) throws(SoundError) {
    self.delegate = delegate
    listen(true)
  }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(SoundError) -> Int {
    guard let file, let facts else { throw .disconnected }
    let room = Int64(facts.buffer) - Int64(try waiting())
    let count = min(Int64(bytes.count / facts.frameBytes), room)
    guard count > 0 else { return 0 }
    let part = UnsafeRawBufferPointer(rebasing: bytes[..<(Int(count) * facts.frameBytes)])
    let offset = Int64(WAVHeader.writtenBytes) + written * Int64(facts.frameBytes)
    do throws(Errno) { try Syscall.writeAll(file, part, at: offset) } catch { throw SoundError(error) }
    written += count
    return Int(count)
  }

  public func begin() throws(SoundError) {
    if began == nil { began = clock.monotonic }
  }

  public func waiting() throws(SoundError) -> Int {
    guard let facts else { throw .disconnected }
    guard let began else { return Int(written) }
    return Int(max(written - (clock.monotonic - began) * Int64(facts.rate) / 1000, 0))
  }

  public func listen(_ isOn: Bool) {
    isListening = isOn
    wake(at: isOn ? clock.monotonic : nil)
  }

  public func stop() {
    listen(false)
    delegate = nil
  }

  public func close() {
    guard let facts else { return }
    do throws(SoundError) { try writeHeader(facts) } catch {}
    file?.close()
    (file, self.facts) = (nil, nil)
  }

  public func timerFired(_ id: TimerID) { advance(to: clock.monotonic) }

  /// Calls the delegate when there is room.
  public func advance(to now: Int64) {
    guard isListening, let due = nextDeadline, due <= now else { return }
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
}
