import Codec
import Runtime

/// Told that what is known of the agent has changed.
protocol AgentLinkDelegate: AnyObject {
  func agentChanged()
}

/// Looks at the running agent again and again, and survives its restarts.
final class AgentLink: ControlConnectionDelegate, TimerHandler {
  enum State {
    /// No agent runs; it ran until just now; it was found just now; it answers; it has not answered for a while.
    case absent, lost, starting, here, silent
  }

  private static let lookTimer = TimerID(0)
  private static let statusID: Int64 = 1, logID: Int64 = 2
  /// Milliseconds for which an agent that is gone is thought to start anew.
  private static let restartMilliseconds: Int64 = 20_000
  /// Lines of the log that are kept.
  static let logLines = 4

  private let loop: Loop
  private let clock: any Clock
  private let folder: String
  private var connection: ControlConnection?
  private let text = FixedBuffer(capacity: Budget.consoleAnswerBytes)
  private var count = 0
  private var looks = 0
  private var askedAt: Int64?
  private var lostAt: Int64?
  private var hasLog = true
  private var newLog: [String] = []
  /// Nobody has typed for a while: looking now and then is enough.
  var isIdle = false
  /// The last lines of the log that are warnings or worse.
  private(set) var log: [String] = []
  private(set) var state = State.absent
  unowned(unsafe) var delegate: any AgentLinkDelegate

  init(loop: Loop, clock: any Clock, folder: String, delegate: any AgentLinkDelegate) throws(Errno) {
    self.loop = loop
    self.clock = clock
    self.folder = folder
    self.delegate = delegate
    connection = try ControlConnection(loop: loop, lineBytes: Budget.consoleAnswerBytes, delegate: self)
  }

  /// The agent's state as it told it last: one line of JSON; empty when it did not.
  var status: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count]) }

  /// Looks now, and from now on.
  func look() {
    let now = clock.monotonic
    let pause = Budget.consoleLookMilliseconds * (isIdle ? Budget.consoleIdleFactor : 1)
    loop.setTimer(Self.lookTimer, of: self, at: now + pause)
    guard let connection else { return }
    if !connection.isOpen { open(connection, now) }
    guard connection.isOpen else { return }
    if let askedAt {
      if now - askedAt >= Budget.consoleSilenceMilliseconds { become(.silent) }
      return
    }
    askedAt = now
    // An agent that takes no question shows it by silence.
    _ = connection.ask("status", id: Self.statusID)
    if hasLog, looks % Budget.consoleLooksPerLog == 0 {
      newLog = []
      _ = connection.ask("log", id: Self.logID) { writer in
        writer.key("lines")
        writer.int(Int64(Self.logLines))
        writer.key("level")
        writer.string("warning")
      }
    }
    looks += 1
  }

  func close() {
    loop.cancelTimer(Self.lookTimer, of: self)
    connection?.close()
  }

  private func open(_ connection: ControlConnection, _ now: Int64) {
    do throws(Errno) {
      try connection.open(folder: folder)
      (askedAt, hasLog, looks) = (nil, true, 0)
      become(.starting)
    } catch {
      let isFresh = lostAt.map { now - $0 < Self.restartMilliseconds } ?? false
      become(isFresh ? .lost : .absent)
    }
  }

  func timerFired(_ id: TimerID) { look() }

  private func become(_ state: State) {
    if state == self.state { return }
    self.state = state
    if state == .absent || state == .lost { count = 0 }
    delegate.agentChanged()
  }

  // MARK: What it says

  func controlEnded() {
    lostAt = clock.monotonic
    askedAt = nil
    become(.lost)
    // It may be back at once.
    loop.setTimer(Self.lookTimer, of: self, at: clock.monotonic + 500)
  }

  func controlSaid(_ line: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>) {
    let id = line.number("id")
    guard let type = line.member("type") else { return }
    if id == Self.statusID {
      askedAt = nil
      guard type.equals("result"), text.count <= self.text.bytes.count else { return }
      for index in 0..<text.count { self.text.bytes[index] = text[index] }
      count = text.count
      state = .here
      delegate.agentChanged()
    } else if id == Self.logID {
      if type.equals("line") {
        if newLog.count < Self.logLines { newLog.append(LogCommand.text(line, now: clock.wall)) }
      } else {
        // An older agent keeps its log to itself.
        hasLog = type.equals("end")
        log = newLog
        delegate.agentChanged()
      }
    }
  }
}
