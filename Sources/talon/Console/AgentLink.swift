import Codec
import Runtime

/// Gets changes of the agent's state.
protocol AgentLinkDelegate: AnyObject {
  func agentChanged()
}

/// Polls the running agent, across its restarts.
final class AgentLink: ControlConnectionDelegate, TimerHandler {
  enum State {
    /// No agent runs; it ran until a moment ago; it was just found; it answers; it has not answered for a while.
    case absent, lost, starting, here, silent
  }

  private static let pollTimer = TimerID(0)
  private static let statusID: Int64 = 1, logID: Int64 = 2
  /// Milliseconds after its end in which an agent counts as restarting.
  private static let restartMilliseconds: Int64 = 20_000
  /// Lines of the log to keep.
  static let logLines = 4

  private let loop: Loop
  private let clock: any Clock
  private let folder: String
  private var connection: ControlConnection?
  private let text = FixedBuffer(capacity: Budget.consoleAnswerBytes)
  private var count = 0
  private var polls = 0
  private var askedAt: Int64?
  private var lostAt: Int64?
  private var hasLog = true
  private var newLog: [String] = []
  /// True when nobody has typed for a while: polling rarely is enough.
  var isIdle = false
  /// The last log lines that are warnings or errors.
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

  /// The agent's last status: one line of JSON; empty without one.
  var status: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(text.bytes)[..<count]) }

  /// Polls now, and from now on.
  func look() {
    let now = clock.monotonic
    let pause = Budget.consolePollMilliseconds * (isIdle ? Budget.consoleIdleFactor : 1)
    loop.setTimer(Self.pollTimer, of: self, at: now + pause)
    guard let connection else { return }
    if !connection.isOpen { open(connection, now) }
    guard connection.isOpen else { return }
    if let askedAt {
      if now - askedAt >= Budget.consoleSilenceMilliseconds { become(.silent) }
      return
    }
    askedAt = now
    // The agent accepts no request: its silence shows in the state.
    _ = connection.ask("status", id: Self.statusID)
    if hasLog, polls % Budget.consolePollsPerLog == 0 {
      newLog = []
      _ = connection.ask("log", id: Self.logID) { writer in
        writer.key("lines")
        writer.int(Int64(Self.logLines))
        writer.key("level")
        writer.string("warning")
      }
    }
    polls += 1
  }

  func close() {
    loop.cancelTimer(Self.pollTimer, of: self)
    connection?.close()
  }

  private func open(_ connection: ControlConnection, _ now: Int64) {
    do throws(Errno) {
      try connection.open(folder: folder)
      (askedAt, hasLog, polls) = (nil, true, 0)
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

  // MARK: Answers

  func controlEnded() {
    lostAt = clock.monotonic
    askedAt = nil
    become(.lost)
    // It may be back at once.
    loop.setTimer(Self.pollTimer, of: self, at: clock.monotonic + 500)
  }

  func controlLineReceived(_ line: borrowing JSONView, _ text: UnsafeBufferPointer<UInt8>) {
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
        // An older agent does not send its log.
        hasLog = type.equals("end")
        log = newLog
        delegate.agentChanged()
      }
    }
  }
}
