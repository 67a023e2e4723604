import Location
import Runtime

/// A position source that reads from gpsd, for boards on which it already uses the receiver (gpsd(8), gpsd_json(5)).
///
/// The connection counts as open after the greeting (VERSION), and is probed from time to time because a daemon without
/// a receiver sends nothing. After an error, an end or a missing reply it is closed and opened again with growing
/// pauses until the next greeting.
public final class GPSDClient: PositionSource, DescriptorHandler, TimerHandler {
  private enum Phase { case closed, connecting, greeting, open }

  private enum Timer {
    /// The daemon must have sent something by then.
    static let answerDeadline = TimerID(0)
    static let retry = TimerID(1)
  }

  private static let watch: StaticString = "?WATCH={\"enable\":true,\"json\":true};\n"
  private static let question: StaticString = "?VERSION;\n"
  /// TCP_USER_TIMEOUT in milliseconds.
  private static let userTimeout: UInt32 = 20_000

  private let address: GPSDAddress
  private let name: Path
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private let buffer = FixedBuffer(capacity: Budget.gpsdReadBytes)
  private var sink: (any PositionSourceDelegate)?
  private var socket: Descriptor?
  private var phase = Phase.closed
  /// When the daemon last sent something.
  private var heard: Int64 = 0
  /// True when it was probed since.
  private var isAsked = false
  private var retryMilliseconds = Budget.serialRetryMilliseconds.lowerBound
  /// The failure that was logged last; nil once the daemon works again.
  private var logged: Errno?
  public private(set) var state = PositionSourceState.absent
  public var language: PositionLanguage { .gpsd }
  public var line: (any ReceiverLine)? { nil }

  /// A client that is not connected. `address` is as `GPSDAddress` reads it; throws what that throws.
  @export(interface)
  public init(address: String, loop: Loop, clock: any Clock, log: Log) throws(Errno) {
    self.address = try GPSDAddress(address)
    name = try Path(address.isEmpty ? "localhost" : address)
    self.loop = loop
    self.clock = clock
    self.log = log
  }

  public func start(_ sink: any PositionSourceDelegate) {
    self.sink = sink
    connect()
  }

  public func retry() {
    guard phase == .closed, sink != nil else { return }
    loop.cancelTimer(Timer.retry, of: self)
    connect()
  }

  public func stop() {
    close()
    loop.cancelTimer(Timer.retry, of: self)
    sink = nil
    state = .absent
  }

  // MARK: Connecting

  private func connect() {
    do throws(Errno) {
      let isConnected = try begin()
      loop.setTimer(Timer.answerDeadline, of: self, at: clock.monotonic + Budget.gpsdAnswerMilliseconds)
      if isConnected { try greet() }
    } catch {
      lose(error)
    }
  }

  /// True when connected at once.
  private func begin() throws(Errno) -> Bool {
    phase = .connecting
    let isConnected: Bool
    switch address {
    case .local(let path):
      let socket = try Syscall.localSocket()
      self.socket = socket
      try Syscall.connect(socket, to: path)
      isConnected = true
      try loop.watch(socket, for: .readable, self)
    case .tcp(let peer):
      let socket = try Syscall.tcpSocket(for: peer, userTimeout: Self.userTimeout)
      self.socket = socket
      isConnected = try Syscall.connect(socket, to: peer)
      try loop.watch(socket, for: isConnected ? .readable : .writable, self)
    }
    return isConnected
  }

  /// Connected: subscribes to reports and waits for the greeting.
  private func greet() throws(Errno) {
    phase = .greeting
    try send(Self.watch)
  }

  /// A new connection has room for so few bytes; a short write is a failure.
  private func send(_ text: StaticString) throws(Errno) {
    guard let socket else { return }
    let sent = try Syscall.send(socket, text.bytes)
    guard sent == text.utf8CodeUnitCount else { throw .noBufferSpace }
  }

  // MARK: Losing

  private func close() {
    phase = .closed
    isAsked = false
    loop.cancelTimer(Timer.answerDeadline, of: self)
    guard let socket else { return }
    loop.unwatch(socket)
    socket.close()
    self.socket = nil
  }

  private func lose(_ reason: Errno) {
    close()
    // The delegate may have stopped the source.
    guard sink != nil else { return }
    if logged != reason {
      log.write(.warning, "gpsd") { line in
        line.add(name)
        line.add(": ")
        line.add(DeviceTrouble(reason, of: .gpsd))
      }
      logged = reason
    }
    loop.setTimer(Timer.retry, of: self, at: clock.monotonic + retryMilliseconds)
    retryMilliseconds = min(2 * retryMilliseconds, Budget.serialRetryMilliseconds.upperBound)
    let isNews = state != .lost(reason)
    state = .lost(reason)
    if isNews { sink?.positionSourceLost(reason) }
  }

  // MARK: Listening

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    do throws(Errno) {
      if phase == .connecting { return try connected() }
      try receive()
    } catch {
      lose(error)
    }
  }

  private func connected() throws(Errno) {
    guard let socket else { return }
    try Syscall.finishConnect(socket)
    try loop.change(socket, to: .readable)
    try greet()
  }

  private func receive() throws(Errno) {
    for _ in 0..<Budget.serialReadsPerWakeup {
      guard let socket else { return }
      let count: Int
      do throws(Errno) {
        count = try Syscall.receiveStream(socket, into: buffer.bytes)
      } catch {
        if error == .wouldBlock { return }
        throw error
      }
      guard count > 0 else { throw .connectionReset }
      said(count)
    }
  }

  private func said(_ count: Int) {
    heard = clock.monotonic
    isAsked = false
    if phase == .greeting { opened() }
    sink?.positionSourceReceived(
      Span(_unsafeElements: UnsafeBufferPointer(rebasing: buffer.bytes[..<count])), at: heard)
  }

  private func opened() {
    phase = .open
    state = .open
    retryMilliseconds = Budget.serialRetryMilliseconds.lowerBound
    loop.setTimer(Timer.answerDeadline, of: self, at: heard + Budget.gpsdSilenceMilliseconds)
    if logged != nil {
      logged = nil
      log.write(.notice, "gpsd") { line in
        line.add(name)
        line.add(": answers again")
      }
    }
    sink?.positionSourceOpened()
  }

  public func timerFired(_ id: TimerID) {
    if id == Timer.retry { return connect() }
    guard phase == .open, !isAsked else { return lose(.timedOut) }
    let due = heard + Budget.gpsdSilenceMilliseconds
    if clock.monotonic < due { return loop.setTimer(Timer.answerDeadline, of: self, at: due) }
    do throws(Errno) {
      try send(Self.question)
      isAsked = true
      loop.setTimer(Timer.answerDeadline, of: self, at: clock.monotonic + Budget.gpsdAnswerMilliseconds)
    } catch {
      lose(error)
    }
  }
}
