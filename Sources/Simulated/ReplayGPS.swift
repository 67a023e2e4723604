import Location
import Runtime

/// A simulated position receiver that replays a recording of NMEA sentences, epoch by epoch, at the pace of its times,
/// and repeats it. The recording is not changed: fixes have its dates. A recording that cannot be read is tried again
/// like a lost serial port.
///
/// A loop drives it by a timer; without one, its owner calls `advance(to:)` when `nextDeadline` has come.
public final class ReplayGPS: PositionSource, TimerHandler {
  /// Pause between epochs without a time, and between the last and the first, in milliseconds.
  private static let usualPause: Int64 = 1000
  /// A longer pause in a recording is skipped, in milliseconds.
  private static let pauseMax: Int64 = 60_000

  private let path: Path
  private let speed: Int64
  private let clock: any Clock
  private let loop: Loop?
  private let window = FixedBuffer(capacity: Budget.replayWindowBytes)
  private var windowCount = 0
  private var file: Descriptor?
  private var sink: (any PositionSourceDelegate)?
  private var lastTime: Int64?
  private var retryMilliseconds = Budget.serialRetryMilliseconds.lowerBound
  public private(set) var state = PositionSourceState.absent
  public var language: PositionLanguage { .receiver }
  /// A recording takes no commands.
  public var line: (any ReceiverLine)? { nil }
  /// When to call `advance(to:)`: milliseconds of `Clock.monotonic`.
  public private(set) var nextDeadline: Int64?

  /// A receiver that is not started. `path` is that of the recording, `speed` how many times faster than it was
  /// recorded to replay it, at least 1. Throws when the path is too long.
  @export(interface)
  public init(path: String, speed: Int, clock: any Clock, loop: Loop? = nil) throws(Errno) {
    self.path = try Path(path)
    self.speed = Int64(max(speed, 1))
    self.clock = clock
    self.loop = loop
  }

  public func start(_ sink: any PositionSourceDelegate) {
    self.sink = sink
    open(clock.monotonic)
  }

  private func open(_ now: Int64) {
    do throws(Errno) {
      try refill()
    } catch {
      lose(error, now)
      return
    }
    state = .open
    sink?.positionSourceOpened()
    wake(at: now)
  }

  public func retry() {
    if sink != nil, state != .open { open(clock.monotonic) }
  }

  public func stop() {
    file?.close()
    file = nil
    windowCount = 0
    wake(at: nil)
    sink = nil
    state = .absent
  }

  public func timerFired(_ id: TimerID) { advance(to: clock.monotonic) }

  /// Delivers the epoch that is due, if one is.
  public func advance(to now: Int64) {
    guard let due = nextDeadline, due <= now else { return }
    if state != .open { return open(now) }
    deliver(now)
    guard sink != nil else { return }
    do throws(Errno) {
      try refill()
    } catch {
      lose(error, now)
      return
    }
    wake(at: now + max(pause() / speed, 1))
  }

  private func deliver(_ now: Int64) {
    let epoch = nextEpoch()
    retryMilliseconds = Budget.serialRetryMilliseconds.lowerBound
    lastTime = epoch.timeOfDay
    let start = window.bytes.baseAddress!
    sink?.positionSourceReceived(
      Span(_unsafeElements: UnsafeBufferPointer(start: start, count: epoch.count)), at: now)
    windowCount = max(windowCount - epoch.count, 0)
    start.update(from: start + epoch.count, count: windowCount)
  }

  private func nextEpoch() -> ReplayEpoch {
    ReplayEpoch(Span(_unsafeElements: UnsafeBufferPointer(rebasing: window.bytes[..<windowCount])))
  }

  /// The pause before the current epoch.
  private func pause() -> Int64 {
    guard let last = lastTime, let time = nextEpoch().timeOfDay else { return Self.usualPause }
    let step = (time - last + ReplayEpoch.day) % ReplayEpoch.day
    return step == 0 ? Self.usualPause : min(step, Self.pauseMax)
  }

  // MARK: The recording

  /// Reads on, and starts over at the end. An empty recording is an error: `EINVAL`.
  private func refill() throws(Errno) {
    try fill()
    if windowCount > 0 { return }
    file?.close()
    file = nil
    file = try Syscall.open(path, .read)
    lastTime = nil
    try fill()
    guard windowCount > 0 else { throw .invalidArgument }
  }

  /// Reads on until the window is full or the recording ends.
  private func fill() throws(Errno) {
    guard let file else { return }
    let free = UnsafeMutableBufferPointer(rebasing: window.bytes[windowCount...])
    windowCount += try Syscall.readAll(file, into: UnsafeMutableRawBufferPointer(free))
  }

  private func lose(_ reason: Errno, _ now: Int64) {
    file?.close()
    file = nil
    windowCount = 0
    wake(at: now + retryMilliseconds)
    retryMilliseconds = min(2 * retryMilliseconds, Budget.serialRetryMilliseconds.upperBound)
    let isNews = state != .lost(reason)
    state = .lost(reason)
    if isNews { sink?.positionSourceLost(reason) }
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
