import Location
import Runtime

/// A position receiver on a UART or a USB serial adapter (termios(3), raw 8N1).
///
/// After the first byte of a burst the port is not watched for a moment, so that a burst wakes the loop twice instead
/// of for every few bytes. A port that fails, hangs up or is unplugged is closed and opened again with growing pauses
/// until it delivers.
public final class SerialPort: PositionSource, ReceiverLine, DescriptorHandler, TimerHandler {
  /// When to read what arrived.
  static let gatherTimer = TimerID(0)
  /// When to open again.
  static let retryTimer = TimerID(1)
  /// Size of the kernel's tty input buffer (N_TTY_BUF_SIZE) in bytes.
  private static let kernelBufferBytes: Int64 = 4096

  private let path: Path
  /// The speed of the line, in bits a second.
  public private(set) var baud: UInt32
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private let buffer = FixedBuffer(capacity: Budget.serialReadBytes)
  private var sink: (any PositionSourceDelegate)?
  private var port: Descriptor?
  /// When the unread bytes were first seen.
  private var seen: Int64 = 0
  private var retryMilliseconds = Budget.serialRetryMilliseconds.lowerBound
  /// The failure that was logged last; nil once the port delivers again.
  private var logged: Errno?
  public private(set) var state = PositionSourceState.absent
  public var language: PositionLanguage { .receiver }
  public var line: (any ReceiverLine)? { self }

  /// A closed port. `path` is a device, `baud` a rate that termios supports, in bits per second. Throws when the path
  /// is too long.
  @export(interface)
  public init(
    path: String, baud: UInt32, loop: Loop, clock: any Clock, log: Log
  ) throws(Errno) {
    self.path = try Path(path)
    self.baud = baud
    self.loop = loop
    self.clock = clock
    self.log = log
  }

  /// How long to gather: until half of the kernel's buffer is filled, with ten bits per byte on the line.
  private var gatherMilliseconds: Int64 {
    min(Budget.serialGatherMilliseconds, Self.kernelBufferBytes / 2 * 10 * 1000 / Int64(max(baud, 1)))
  }

  public func start(_ sink: any PositionSourceDelegate) {
    self.sink = sink
    open()
  }

  public func stop() {
    close()
    loop.cancelTimer(Self.retryTimer, of: self)
    sink = nil
    state = .absent
  }

  public func retry() {
    guard sink != nil, port == nil else { return }
    loop.cancelTimer(Self.retryTimer, of: self)
    retryMilliseconds = Budget.serialRetryMilliseconds.lowerBound
    open()
  }

  // MARK: Talking to the receiver

  public func send(_ bytes: Span<UInt8>) {
    guard let port else { return }
    do throws(Errno) {
      try bytes.withUnsafeBytes { raw throws(Errno) in _ = try Syscall.write(port, raw) }
    } catch {
      // A broken line is detected when it is read.
    }
  }

  public func setSpeed(_ baud: UInt32) {
    guard baud != self.baud else { return }
    self.baud = baud
    guard let port else { return }
    do throws(Errno) {
      try Syscall.makeSerialRaw(port, baud: baud)
    } catch {
      lose(error)
    }
  }

  // MARK: Opening and closing

  private func open() {
    do throws(Errno) {
      port = try opened()
    } catch {
      lose(error)
      return
    }
    state = .open
    sink?.positionSourceOpened()
  }

  private func opened() throws(Errno) -> Descriptor {
    let port = try Syscall.open(path, [.readWrite, .nonBlocking, .noControllingTerminal])
    do throws(Errno) {
      try Syscall.makeSerialRaw(port, baud: baud)
      try loop.watch(port, for: .readable, self)
      return port
    } catch {
      port.close()
      throw error
    }
  }

  private func close() {
    guard let port else { return }
    loop.cancelTimer(Self.gatherTimer, of: self)
    loop.unwatch(port)
    port.close()
    self.port = nil
  }

  private func lose(_ reason: Errno) {
    close()
    // The delegate may have stopped the port.
    guard sink != nil else { return }
    if logged != reason {
      log.write(.warning, "serial") { line in
        line.add(path)
        line.add(": ")
        line.add(DeviceTrouble(reason, of: .serial))
      }
      logged = reason
    }
    loop.setTimer(Self.retryTimer, of: self, at: clock.monotonic + retryMilliseconds)
    retryMilliseconds = min(2 * retryMilliseconds, Budget.serialRetryMilliseconds.upperBound)
    let isNews = state != .lost(reason)
    state = .lost(reason)
    if isNews { sink?.positionSourceLost(reason) }
  }

  // MARK: Reading

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    guard let port else { return }
    seen = clock.monotonic
    // A hang-up cannot be masked: bytes before it are read now.
    guard readiness.isDisjoint(with: .failed) else { return hungUp() }
    do throws(Errno) {
      try loop.change(port, to: [])
    } catch {
      lose(error)
      return
    }
    loop.setTimer(Self.gatherTimer, of: self, at: seen + gatherMilliseconds)
  }

  public func timerFired(_ id: TimerID) {
    if id == Self.retryTimer { open() } else { gathered() }
  }

  private func gathered() {
    do throws(Errno) {
      try drain()
      if let port { try loop.change(port, to: .readable) }
    } catch {
      lose(error)
    }
  }

  private func hungUp() {
    do throws(Errno) {
      try drain()
      lose(.inputOutput)
    } catch {
      lose(error)
    }
  }

  /// Delivers available bytes. Without data, a raw port reads 0 bytes (VMIN and VTIME are 0).
  private func drain() throws(Errno) {
    for _ in 0..<Budget.serialReadsPerWakeup {
      guard let port else { return }
      let count = try read(port)
      if count == 0 { return }
      delivers()
      sink?.positionSourceReceived(
        Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<count])), at: seen)
    }
  }

  private func read(_ port: Descriptor) throws(Errno) -> Int {
    do throws(Errno) {
      return try Syscall.read(port, into: UnsafeMutableRawBufferPointer(buffer.bytes))
    } catch {
      if error == .wouldBlock { return 0 }
      throw error
    }
  }

  /// Only received bytes prove that a port works: one that opens and fails again is opened less and less often without
  /// log lines.
  private func delivers() {
    retryMilliseconds = Budget.serialRetryMilliseconds.lowerBound
    guard logged != nil else { return }
    logged = nil
    log.write(.notice, "serial") { line in
      line.add(path)
      line.add(": delivers again")
    }
  }
}
