import Runtime

/// Notifies the service manager (`sd_notify(3)`): ready, status text, reloading, stopping, and watchdog keep-alives
/// while the program makes progress. Without a service manager it does nothing. A message that cannot be sent is sent
/// again later; failures are not errors.
public final class ServiceManager: TimerHandler {
  /// The service manager's settings in the environment.
  public struct Environment: Sendable {
    /// Its socket (`NOTIFY_SOCKET`): an absolute path, or "@name" in the abstract namespace.
    public var socket: String?
    /// Watchdog timeout in microseconds (`WATCHDOG_USEC`), and the watched process (`WATCHDOG_PID`).
    public var watchdog: String?
    public var process: String?

    /// Settings; see the properties.
    public init(socket: String? = nil, watchdog: String? = nil, process: String? = nil) {
      self.socket = socket
      self.watchdog = watchdog
      self.process = process
    }

    /// The settings of this process.
    public static var here: Environment {
      Environment(
        socket: Process.environment("NOTIFY_SOCKET"), watchdog: Process.environment("WATCHDOG_USEC"),
        process: Process.environment("WATCHDOG_PID"))
    }
  }

  private enum Phase { case starting, serving, reloading, stopping }

  private static let watchdog = TimerID(0), retry = TimerID(1)

  private let loop: Loop
  private let clock: any Clock
  private let makesProgress: () -> Bool
  private let address: Path
  /// Nil without a service manager, or when no socket can be opened.
  private let socket: Descriptor?
  /// Milliseconds between keep-alives; nil without a watchdog.
  private let period: Int64?
  private let message = FixedBuffer(capacity: Budget.serviceMessageBytes)
  private var length = 0

  private var phase = Phase.starting
  private var status = InlineText<256>()
  // What still has to be sent.
  private var owesPhase = false
  private var owesStatus = false
  private var owesWatchdog = false
  private var isRetrying = false
  private var pause = Budget.serviceRetryMilliseconds.lowerBound

  /// A notifier that sends nothing before `report`. No keep-alive is sent while `makesProgress` returns false; after
  /// the watchdog timeout the service manager restarts the program.
  @export(interface)
  public init(
    loop: Loop, clock: any Clock, environment: Environment = .here, makesProgress: @escaping () -> Bool = { true }
  ) {
    self.loop = loop
    self.clock = clock
    self.makesProgress = makesProgress
    address = Path()
    socket = Self.open(environment, address)
    period = socket == nil ? nil : Self.period(environment)
  }

  deinit { socket?.close() }

  private static func open(_ environment: Environment, _ address: Path) -> Descriptor? {
    // Other values are other kinds of socket (vsock, for virtual machines).
    guard let name = environment.socket, let first = name.utf8.first, name.utf8.count > 1,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
    else { return nil }
    do throws(Errno) {
      try address.append(name)
      return try Syscall.localDatagrams()
    } catch {
      return nil
    }
  }

  /// Half of the timeout, so that a delayed keep-alive is still in time.
  private static func period(_ environment: Environment) -> Int64? {
    guard let text = environment.watchdog, let microseconds = Int64(text), microseconds > 0 else { return nil }
    if let text = environment.process, Int32(text) != Process.id { return nil }
    return max(microseconds / 2000, 1)
  }

  // MARK: Status

  /// Sets the status, one sentence for people. The first call also reports that the program is ready.
  public func report(_ text: Span<UInt8>) {
    guard socket != nil else { return }
    if phase == .starting {
      phase = .serving
      owesPhase = true
      feedWatchdog()
    } else if status.equals(text) {
      return
    }
    status = InlineText(cutting: text)
    owesStatus = true
    send()
  }

  /// The program reloads its configuration, and then is ready again.
  public func reloading() { enter(.reloading) }

  /// The program is stopping.
  public func stopping() { enter(.stopping) }

  private func enter(_ phase: Phase) {
    guard socket != nil else { return }
    self.phase = phase
    owesPhase = true
    send()
  }

  // MARK: Watchdog

  public func timerFired(_ id: TimerID) {
    if id == Self.watchdog { feedWatchdog() } else { isRetrying = false }
    send()
  }

  private func feedWatchdog() {
    guard let period else { return }
    loop.setTimer(Self.watchdog, of: self, at: clock.monotonic + period)
    owesWatchdog = makesProgress()
  }

  // MARK: Sending

  private func send() {
    guard let socket, owesPhase || owesStatus || owesWatchdog else { return }
    compose()
    do throws(Errno) {
      try Syscall.send(
        socket, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(message.bytes)[..<length]), to: address)
    } catch {
      return retryLater()
    }
    owesPhase = false
    owesStatus = false
    owesWatchdog = false
    pause = Budget.serviceRetryMilliseconds.lowerBound
    isRetrying = false
    loop.cancelTimer(Self.retry, of: self)
  }

  private func retryLater() {
    if isRetrying { return }
    isRetrying = true
    loop.setTimer(Self.retry, of: self, at: clock.monotonic + pause)
    pause = min(2 * pause, Budget.serviceRetryMilliseconds.upperBound)
  }

  private func compose() {
    length = 0
    if owesPhase { composePhase() }
    // A line replaces control characters by "?": text of a gateway cannot begin another assignment.
    if owesStatus {
      assign("STATUS=") { $0.add(self.status.span) }
    }
    if owesWatchdog { assign("WATCHDOG=1") }
  }

  private func composePhase() {
    switch phase {
    case .starting: break
    case .serving: assign("READY=1")
    case .reloading:
      assign("RELOADING=1")
      assign("MONOTONIC_USEC=") { $0.add(SystemClock.monotonicMicroseconds) }
    case .stopping: assign("STOPPING=1")
    }
  }

  private func assign(_ name: StaticString, _ value: (inout LogLine) -> Void = { _ in }) {
    let room = message.bytes[length...]
    var line = LogLine(UnsafeMutableBufferPointer(rebasing: room.dropLast()))
    line.add(name)
    value(&line)
    length += line.count
    message.bytes[length] = UInt8(ascii: "\n")
    length += 1
  }
}
