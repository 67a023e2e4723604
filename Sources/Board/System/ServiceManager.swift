import Runtime

/// Tells the service manager how the program does (`sd_notify(3)`): that it serves, what it says of itself, that it
/// reads its configuration again, that it ends, and, as long as it makes progress, that it lives. Without a service
/// manager nothing happens. What it has no room for is told again later; no failure is an error.
public final class ServiceManager: TimerHandler {
  /// What the service manager asks for, as the environment says.
  public struct Wishes: Sendable {
    /// Where it listens (`NOTIFY_SOCKET`): an absolute path, or "@name" in the abstract namespace.
    public var socket: String?
    /// Microseconds within which it wants a sign of life (`WATCHDOG_USEC`), and of which process (`WATCHDOG_PID`).
    public var watchdog: String?
    public var process: String?

    /// Wishes; see the properties.
    public init(socket: String? = nil, watchdog: String? = nil, process: String? = nil) {
      self.socket = socket
      self.watchdog = watchdog
      self.process = process
    }

    /// Those of this process.
    public static var here: Wishes {
      Wishes(
        socket: Process.environment("NOTIFY_SOCKET"), watchdog: Process.environment("WATCHDOG_USEC"),
        process: Process.environment("WATCHDOG_PID"))
    }
  }

  private enum Phase { case starting, serving, reloading, stopping }

  private static let signOfLife = TimerID(0), again = TimerID(1)

  private let loop: Loop
  private let clock: any Clock
  private let makesProgress: () -> Bool
  private let address: Path
  /// Nil without a service manager, or without a socket to reach it by.
  private let socket: Descriptor?
  /// Milliseconds between signs of life; nil when none are wanted.
  private let period: Int64?
  private let message = FixedBuffer(capacity: Budget.serviceMessageBytes)
  private var length = 0

  private var phase = Phase.starting
  private var sentence = InlineText<256>()
  // What the service manager has not heard yet.
  private var owesPhase = false
  private var owesSentence = false
  private var owesLife = false
  private var isRetrying = false
  private var pause = Budget.serviceRetryMilliseconds.lowerBound

  /// A teller that is silent until `report`. `makesProgress` is asked before each sign of life: what it refuses until the
  /// period is over makes the service manager end the program and start it again.
  public init(
    loop: Loop, clock: any Clock, wishes: Wishes = .here, makesProgress: @escaping () -> Bool = { true }
  ) {
    self.loop = loop
    self.clock = clock
    self.makesProgress = makesProgress
    address = Path()
    socket = Self.open(wishes, address)
    period = socket == nil ? nil : Self.period(wishes)
  }

  deinit { socket?.close() }

  private static func open(_ wishes: Wishes, _ address: Path) -> Descriptor? {
    // Anything but a path or an abstract name is of another kind of socket (vsock, for virtual machines).
    guard let name = wishes.socket, let first = name.utf8.first, name.utf8.count > 1,
      first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
    else { return nil }
    do throws(Errno) {
      try address.append(name)
      return try Syscall.localDatagrams()
    } catch {
      return nil
    }
  }

  /// Half of what is asked for, so that one that comes late is still in time.
  private static func period(_ wishes: Wishes) -> Int64? {
    guard let text = wishes.watchdog, let microseconds = Int64(text), microseconds > 0 else { return nil }
    if let text = wishes.process, Int32(text) != Process.id { return nil }
    return max(microseconds / 2000, 1)
  }

  // MARK: News

  /// What the program says of itself, in one sentence for people. The first time it also says that it serves.
  public func report(_ news: Span<UInt8>) {
    guard socket != nil else { return }
    if phase == .starting {
      phase = .serving
      owesPhase = true
      feed()
    } else if sentence.equals(news) {
      return
    }
    sentence = InlineText(cutting: news)
    owesSentence = true
    tell()
  }

  /// The program reads its configuration again, and then serves again.
  public func reloading() { enter(.reloading) }

  /// The program ends.
  public func stopping() { enter(.stopping) }

  private func enter(_ phase: Phase) {
    guard socket != nil else { return }
    self.phase = phase
    owesPhase = true
    tell()
  }

  // MARK: Life

  public func timerFired(_ id: TimerID) {
    if id == Self.signOfLife { feed() } else { isRetrying = false }
    tell()
  }

  private func feed() {
    guard let period else { return }
    loop.setTimer(Self.signOfLife, of: self, at: clock.monotonic + period)
    owesLife = makesProgress()
  }

  // MARK: Telling

  private func tell() {
    guard let socket, owesPhase || owesSentence || owesLife else { return }
    compose()
    do throws(Errno) {
      try Syscall.send(socket, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(message.bytes)[..<length]), to: address)
    } catch {
      return tryAgain()
    }
    owesPhase = false
    owesSentence = false
    owesLife = false
    pause = Budget.serviceRetryMilliseconds.lowerBound
    isRetrying = false
    loop.cancelTimer(Self.again, of: self)
  }

  private func tryAgain() {
    if isRetrying { return }
    isRetrying = true
    loop.setTimer(Self.again, of: self, at: clock.monotonic + pause)
    pause = min(2 * pause, Budget.serviceRetryMilliseconds.upperBound)
  }

  private func compose() {
    length = 0
    if owesPhase { composePhase() }
    // A line makes "?" of control characters: what a gateway said cannot begin another assignment.
    if owesSentence {
      assign("STATUS=") { $0.add(self.sentence.span) }
    }
    if owesLife { assign("WATCHDOG=1") }
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
