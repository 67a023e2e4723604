import Codec
import Runtime

/// The node's session with its gateway: connects, proves who it is, waits for approval, stays online, and starts
/// again whenever the connection ends. A pure state machine: bytes and time go in through the link and
/// `advance(to:)`, frames and deadlines come out.
///
/// What happens inside one attempt is in `Session+Connecting`, what happens afterwards in `Session+Online`.
public final class Session {
  enum Phase {
    case idle, opening, storingPin, upgrading, challenge, hello, storingToken, online, ending, waiting
  }

  /// Milliseconds for a whole attempt, from DNS to `hello-ok`, and for its two last steps (gateway reference 3.1).
  static let attemptPatience: Int64 = 30_000
  static let challengePatience: Int64 = 10_000
  static let helloPatience: Int64 = 12_000
  /// Milliseconds between looks while only a person can help (gateway reference 8.4).
  static let pausedPoll: Int64 = 900_000
  /// How long a request for approval is repeated quickly, and how slowly afterwards (gateway reference 5.3).
  static let quickPolling: Int64 = 600_000
  static let slowPoll: Int64 = 300_000
  /// Milliseconds of a lockout whose end the gateway does not name (gateway reference 5.6).
  static let lockout: Int64 = 300_000
  /// Milliseconds between looks when the gateway says that it will approve by itself.
  static let resolvingPoll: Int64 = 5_000

  let configuration: SessionConfiguration
  public let identity: NodeIdentity
  public let record: GatewayRecord
  let runner: any JobRunner
  let clock: any Clock
  let random: any RandomSource
  let cryptography: any Cryptography
  let log: Log
  unowned(unsafe) let delegate: any SessionDelegate
  // The link needs its delegate at birth, and the session is that delegate.
  private(set) var link: WebSocketLink! = nil

  var phase = Phase.idle
  public private(set) var state = SessionState.stopped
  public private(set) var explanation = Explanation()
  var phaseDeadline: Int64?
  var backoff = Backoff()
  var inbound: Inbound
  var early: EarlyEvents
  let saveJob: SaveJob
  let scratch = FixedBuffer(capacity: Budget.tokenBytes + Budget.nonceBytes + 1024)

  var credential = Credential.none
  var refusal: Refusal?
  var mayForgetToken = true
  var approvalSince: Int64?
  var restartIn: Int64?
  var maxPayload = 26_214_400
  var tickInterval: Int64 = 30_000
  var lastHeard: Int64 = 0
  var onlineSince: Int64 = 0
  var requestCount: UInt64 = 0
  private var loggedCause: UInt32 = 0
  var isHeldBack = false
  var isStopping = false
  var mustSaveAgain = false
  /// How often `hello-ok` was reached since start.
  public internal(set) var connections: UInt64 = 0
  /// The gateway's release, once known.
  public internal(set) var serverVersion = InlineText<64>()

  /// A session that does nothing until `start`.
  public init(
    configuration: SessionConfiguration, identity: NodeIdentity, record: GatewayRecord,
    store: any RecordStore, transport: any Transport, runner: any JobRunner, clock: any Clock,
    random: any RandomSource, cryptography: any Cryptography, log: Log, delegate: any SessionDelegate
  ) throws(Errno) {
    self.configuration = configuration
    self.identity = identity
    self.record = record
    self.runner = runner
    self.clock = clock
    self.random = random
    self.cryptography = cryptography
    self.log = log
    self.delegate = delegate
    inbound = try Inbound()
    early = try EarlyEvents()
    saveJob = SaveJob(store: store)
    link = try WebSocketLink(
      url: configuration.url, userAgent: UserAgent.text(version: configuration.version),
      transport: transport, clock: clock, random: random, cryptography: cryptography, delegate: self)
    log.hide(record.token(.node))
    configuration.sharedToken.utf8.span.withUnsafeBufferPointer { log.hide($0) }
    configuration.password.utf8.span.withUnsafeBufferPointer { log.hide($0) }
  }

  // MARK: Life

  /// Begins the first attempt.
  public func start() {
    guard phase == .idle else { return }
    connect()
  }

  /// Says goodbye (close 1000) when online; `state` is `.stopped` when done, at the latest after the link's patience.
  public func stop() {
    guard phase == .online else {
      link.abort()
      return stopped()
    }
    phase = .ending
    isStopping = true
    delegate.sessionLost()
    link.close(1000, "node stops")
  }

  func stopped() {
    phase = .idle
    isStopping = false
    phaseDeadline = nil
    set(.stopped) { $0.add("stopped") }
  }

  func connect() {
    phase = .opening
    refusal = nil
    restartIn = nil
    inbound.reset()
    early.clear()
    isHeldBack = false
    phaseDeadline = clock.monotonic + Self.attemptPatience
    if state != .awaitingApproval, state != .paused, state != .untrusted {
      set(.connecting) { line in
        line.add("connecting to ")
        line.add(self.configuration.url.text)
      }
    }
    link.open()
  }

  /// When `advance` wants to be called next.
  public var deadline: Int64? {
    var earliest = phaseDeadline
    if phase == .online { earliest = lastHeard + 2 * tickInterval }
    guard let other = link.deadline else { return earliest }
    return min(earliest ?? other, other)
  }

  /// Lets time pass.
  public func advance(to now: Int64) {
    link.advance(to: now)
    if phase == .online {
      if now >= lastHeard + 2 * tickInterval { watchdogFired() }
      return
    }
    guard let phaseDeadline, now >= phaseDeadline else { return }
    if phase == .waiting { return connect() }
    attemptTimedOut()
  }

  private func watchdogFired() {
    log.write(.warning, "gateway") { line in
      line.add("nothing heard for ")
      line.add(2 * self.tickInterval / 1000)
      line.add(" s: the connection is dead, connecting again")
    }
    phase = .ending
    delegate.sessionLost()
    link.close(4000, "tick timeout")
  }

  private func attemptTimedOut() {
    // Refused, but the gateway did not close: what it said still counts.
    if let refusal {
      link.abort()
      return follow(refusal)
    }
    let step: StaticString
    switch phase {
    case .opening: step = "no connection in time"
    case .upgrading: step = "no answer to the WebSocket upgrade in time"
    case .challenge: step = "no challenge from the gateway in time"
    case .hello: step = "no answer to connect in time"
    default: step = "the attempt took too long"
    }
    link.abort()
    retryLater { $0.add(step) }
  }

  // MARK: Waiting

  /// Waits out the pause before the next attempt, and says why.
  func retryLater(_ why: (inout LogLine) -> Void) {
    let pause = restartIn ?? backoff.pause(random)
    wait(pause, .waiting) { line in
      why(&line)
      line.add("; trying again in ")
      line.add((pause + 999) / 1000)
      line.add(" s")
    }
  }

  /// Waits `pause` milliseconds in `state`.
  func wait(_ pause: Int64, _ state: SessionState, _ why: (inout LogLine) -> Void) {
    phase = .waiting
    phaseDeadline = clock.monotonic + pause
    early.clear()
    inbound.reset()
    set(state, why)
  }

  /// Changes the state and its sentence. A sentence is logged once, until it changes or the node was online
  /// again: an outage of a week leaves a line, not twenty thousand.
  func set(_ state: SessionState, _ explain: (inout LogLine) -> Void) {
    let wasIdle = self.state == .stopped || self.state == .online
    self.state = state
    explanation.fill { buffer in
      var line = LogLine(buffer)
      explain(&line)
      return line.count
    }
    let cause = self.cause
    let isNews = state == .connecting ? wasIdle : cause != loggedCause
    if isNews, state != .connecting { loggedCause = cause }
    log.write(isNews ? Self.level(of: state) : .debug, "gateway") { $0.add(self.explanation.span) }
    delegate.sessionChanged()
  }

  /// A checksum of the sentence as far as its first semicolon: what follows tells when, not why.
  private var cause: UInt32 {
    var checksum = Checksum()
    explanation.span.withUnsafeBytes { bytes in
      let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
      checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    }
    return checksum.value
  }

  private static func level(of state: SessionState) -> LogLevel {
    switch state {
    case .untrusted: .error
    case .paused: .error
    case .waiting: .warning
    case .awaitingApproval, .online: .notice
    case .connecting, .stopped: .info
    }
  }
}
