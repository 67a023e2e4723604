// Gateway: the protocol between a board and its gateway: addresses and discovery, trust, identity, `connect`, requests,
// replies and liveness. It knows sockets only as `Transport`, flash only as `RecordStore`, and no command or
// capability.

import Codec
import Runtime

/// One connection of this board to its gateway, as a node or as an operator: connects, authenticates, waits for
/// approval, stays online, and starts again whenever the connection ends. A pure state machine: bytes and time go in
/// through the link and `advance(to:)`, frames and deadlines come out.
///
/// One attempt is in `Session+Connecting`, its end in `Session+Ending`, inbound messages while online in
/// `Session+Online`, outbound ones in `Session+Requests` and `Session+Replies`.
public final class Session {
  enum Phase {
    case idle, finding, opening, storingPin, upgrading, challenge, hello, storingToken, online, ending, waiting
  }

  private(set) var configuration: SessionConfiguration
  public let identity: NodeIdentity
  let keeper: RecordKeeper
  let clock: any Clock
  let random: any RandomSource
  let cryptography: any Cryptography
  let log: Log
  unowned(unsafe) let delegate: any SessionDelegate
  /// Searches the gateway on the network; set before `start`, if at all.
  public var finder: (any EndpointFinder)?
  // Implicitly unwrapped because the link needs the session as its delegate in `init`.
  private(set) var link: WebSocketLink! = nil

  var phase = Phase.idle
  public private(set) var state = SessionState.stopped
  public private(set) var explanation = Explanation()
  /// A connection was made since the start, over TCP and TLS, whatever the gateway said on it.
  public internal(set) var hasReached = false
  var phaseDeadline: Int64?
  var endpoints: Endpoints
  var backoff = Backoff()
  var attempts = AttemptLimiter()
  var liveness = Liveness()
  var inbound: Inbound
  var early: EarlyEvents
  var requests = RequestTable()
  var acceptance = Acceptance()
  var rivalry = Rivalry()
  var hopLimit = MessageLimit()
  /// Counts the results of invokes, for their ids.
  var results = 0
  let scratch = FixedBuffer(capacity: Budget.tokenBytes + Budget.nonceBytes + 1024)

  var credential = Credential.none
  var refused = RefusedCredentials()
  /// Quirks that this session found since its last `hello-ok`, in addition to those in the record.
  var triedQuirks = Quirks()
  var hasRetried = false
  var hasSearched = false
  /// The commands that the last connect request declared.
  var declaredCommands: [String] = []
  /// The network is being asked where the gateway is.
  var isSearching = false
  var searchesAt: Int64 = 0
  var scopes: Scopes
  var refusal: Refusal?
  var approval = ApprovalWait()
  var restartIn: Int64?
  /// Answers 401 and 403 to the upgrade since an address last answered otherwise.
  var forbidden = 0
  /// The last `hello-ok`.
  public internal(set) var hello = HelloOk()
  /// The address of the pages on which people approve, as it is reached from elsewhere; empty where the last gateway
  /// named none.
  public internal(set) var controlPage = InlineText<192>()
  var onlineSince: Int64 = 0
  private var loggedCause: UInt32 = 0
  var unsavedTrust = UnsavedTrust()
  /// Until when an authority vouches for the gateway's certificate, in milliseconds since the epoch; nil where none
  /// does.
  public internal(set) var vouchedUntil: Int64?
  var isHeldBack = false
  var isStopping = false
  private var stopSentence: StaticString = "stopped"
  /// The last attempt or connection failed.
  public private(set) var hasFailed = false
  /// Number of times that `hello-ok` was received since start.
  public internal(set) var connections: UInt64 = 0
  public internal(set) var counters = SessionCounters()
  /// The request that a person must approve, in `.awaitingApproval`; else empty. Never one that has expired at the
  /// gateway.
  public var requestID: InlineText<128> { approval.requestID }

  /// In `.awaitingApproval`: milliseconds since the gateway named the request.
  public var approvalAge: Int64? { state == .awaitingApproval ? clock.monotonic - approval.reportedAt : nil }

  /// Milliseconds until the next attempt; nil while one is under way, or none is planned.
  public var pauseLeft: Int64? {
    guard phase == .waiting, let phaseDeadline else { return nil }
    return max(phaseDeadline - clock.monotonic, 0)
  }

  /// Connections in a row on which the gateway refused what was asked, and that were ended for it.
  public var refusedConnections: Int { acceptance.ended }

  /// The size of message that passes what stands before the gateway, where that is less than the gateway allows.
  public var learnedMessageLimit: Int? { hopLimit.learned }

  /// Another machine seems to connect with this board's identity.
  public var hasRival: Bool { rivalry.isSuspected }

  /// When a connection has lasted for so long that no other machine can be after it.
  private var rivalEnd: Int64? { phase == .online && rivalry.isSuspected ? onlineSince + Rivalry.onlineMax : nil }

  /// Makes more transports, for attempts that overlap; nil where addresses are tried one after the other.
  public var moreTransports: (() -> any Transport)? {
    get { link.moreTransports }
    set { link.moreTransports = newValue }
  }

  /// The address in use while online.
  public var onlineURL: GatewayURL? { phase == .online ? endpoints.current : nil }

  /// Moves `url` before the other addresses, because the board's other connection succeeded there.
  public func prefer(_ url: GatewayURL) { endpoints.prefer(url) }

  /// The address in use, or the one to be tried next.
  public var address: String { endpoints.isEmpty ? "" : endpoints.current.text }

  /// The address in use has TLS.
  public var isSecure: Bool { !endpoints.isEmpty && endpoints.current.isSecure }

  /// Talon's version.
  public var version: String { configuration.version }

  /// SHA-256 of the certificate that is trusted, the first where several are; nil while none is, or authorities are.
  public var pin: Fingerprint? { configuration.trust.pins.first ?? record.pin }

  /// By what the gateway is known.
  public var trustWord: StaticString { configuration.trust.word(record.trust) }

  /// The gateway is known by something, so that a connection without TLS would be a step back.
  var knowsGateway: Bool { configuration.trust.knows(record.trust) }

  /// The gateway's release at the last `hello-ok`, now or before a restart; empty before the first.
  public var serverVersion: InlineText<64> { record.serverVersion }

  /// The gateway has invoked a command of this board, now or before a restart.
  public var wasInvoked: Bool { record.wasInvoked }

  /// Notes that the gateway invokes a command.
  public func noteInvoked() { setInvoked(true) }

  /// Kept on flash, so that a restart does not bring back the warning that nothing was ever invoked.
  func setInvoked(_ wasInvoked: Bool) {
    if record.wasInvoked == wasInvoked { return }
    record.wasInvoked = wasInvoked
    keeper.save(for: configuration.role, self)
  }

  /// In `.awaitingApproval`: writes the command that a person runs on the gateway's machine.
  public func writeApproval(to line: inout LogLine) { approval.writeCommand(to: &line) }

  /// In `.awaitingApproval`: writes why, in one sentence.
  public func writeApprovalReason(to line: inout LogLine) { approval.writeReason(to: &line) }

  var record: GatewayRecord { keeper.record }
  /// The gateway's quirks, which are the same for the sessions of both roles.
  var quirks: Quirks { record.quirks.union(triedQuirks) }
  var room: StaticString { configuration.role == .node ? "gateway" : "operator" }

  /// A session that does nothing until `start`.
  @export(interface)
  public init(
    configuration: SessionConfiguration, identity: NodeIdentity, keeper: RecordKeeper, transport: any Transport,
    clock: any Clock, random: any RandomSource, cryptography: any Cryptography, log: Log,
    delegate: any SessionDelegate
  ) throws(Errno) {
    self.configuration = configuration
    self.identity = identity
    self.keeper = keeper
    self.clock = clock
    self.random = random
    self.cryptography = cryptography
    self.log = log
    self.delegate = delegate
    endpoints = Endpoints(configuration.urls + configuration.learnedURLs)
    endpoints.preferKnown(keeper.record.lastURL)
    scopes = configuration.scopes
    let usual = configuration.role == .node ? Budget.inboundMessageBytes : Budget.operatorMessageBytes
    inbound = try Inbound(capacity: configuration.messageBytes ?? usual)
    early = try EarlyEvents()
    link = try WebSocketLink(
      userAgent: UserAgent.text(version: configuration.version), transport: transport, clock: clock,
      random: random, cryptography: cryptography, delegate: self)
    for secret in GatewayRecord.Secret.all { log.hide(keeper.record.secret(secret)) }
    configuration.sharedToken.withBytes { log.hide($0) }
    configuration.password.withBytes { log.hide($0) }
    if let access = configuration.access {
      for field in access.fields { field.value.withBytes { log.hide($0) } }
      link.access = access
    }
  }

  /// Sets what is declared to the gateway. Before `start`: what changes later is not declared again.
  public func declare(
    capabilities: [StaticString], commands: [String], permissions: [(name: StaticString, isGranted: Bool)]
  ) {
    configuration.capabilities = capabilities
    configuration.commands = commands
    configuration.permissions = permissions
  }

  /// Ends a connection whose gateway was told less than what is declared now; another one follows at once.
  public func connectAnew() {
    guard phase == .online, configuration.commands.contains(where: { !declaredCommands.contains($0) }) else { return }
    restartIn = Self.quickRetry
    phase = .ending
    lose()
    link.close(1000, "declares more commands")
  }

  // MARK: Life

  /// Begins the first attempt.
  public func start() {
    guard phase == .idle else { return }
    beginRound()
  }

  /// Closes the connection (code 1000, with the reason) when online. Then `state` is `.stopped` and `explanation` is
  /// `sentence`, at the latest after `WebSocketLink.closeTimeout`. `start` connects again.
  public func stop(_ reason: StaticString = "node stops", _ sentence: StaticString = "stopped") {
    stopSentence = sentence
    guard phase == .online else {
      if isStopping { return }
      finder?.cancel()
      isSearching = false
      link.abort()
      return stopped()
    }
    phase = .ending
    isStopping = true
    lose()
    link.close(1000, reason)
  }

  func stopped() {
    phase = .idle
    isStopping = false
    phaseDeadline = nil
    approval.end()
    early.clear()
    inbound.reset()
    let sentence = stopSentence
    set(.stopped) { $0.add(sentence) }
  }

  /// Tries the addresses from the first.
  func beginRound() {
    let now = clock.monotonic
    if now < attempts.earliest {
      if state == .stopped { return wait(attempts.earliest - now, .waiting) { $0.add("connects again in a moment") } }
      return wait(attempts.earliest - now, state) { $0.add(self.explanation.span) }
    }
    hasSearched = false
    attempts.note(now)
    if configuration.role == .node, record.forgetExpiredBootstrap(wall: clock.wall) {
      log.write(.warning, room, "the setup code was not used in time and is erased: talon connect takes a new one")
      keeper.save(for: configuration.role, self)
    }
    if endpoints.isEmpty, finder?.hasName != true {
      return wait(Self.pausedPoll, .paused) {
        $0.add("no gateway is known yet: run talon connect with a setup code of the gateway, or set [gateway] url")
      }
    }
    if endpoints.isEmpty { return attemptFailed { $0.add("no address of the gateway is known") } }
    endpoints.rewind(at: now)
    searchesAt = now + Self.searchDelay
    connect()
  }

  /// Tries the addresses that this round has not tried.
  func connect() {
    restartIn = nil
    for url in endpoints.untried where !mayUse(url) {
      endpoints.use(url)
      return attemptFailed { line in
        line.add(url.text)
        line.add(" is not encrypted, and the gateway has a certificate that is trusted")
      }
    }
    var urls = endpoints.untried
    // Without TLS an address answers sooner: it is tried when none with TLS is left.
    if urls.contains(where: { $0.isSecure }) { urls.removeAll { !$0.isSecure && !$0.isLoopback } }
    guard let first = urls.first else { preconditionFailure("connect() is called when an address is left") }
    endpoints.use(first)
    phase = .opening
    refusal = nil
    inbound.reset()
    early.clear()
    isHeldBack = false
    phaseDeadline = clock.monotonic + Self.openTimeout
    if state != .awaitingApproval, state != .paused, state != .untrusted {
      set(.connecting) { line in
        line.add("connecting to ")
        line.add(self.endpoints.current.text)
      }
    }
    // Before anything is trusted the order is the owner's word on which machine is the gateway.
    link.open(urls, isPreferred: !knowsGateway || first.text == record.lastURL)
  }

  /// A gateway whose certificate is known is never connected to without TLS because of discovery; only a person may
  /// configure that (gateway reference 7.2).
  func mayUse(_ url: GatewayURL) -> Bool {
    if url.isSecure || url.isLoopback || !knowsGateway { return true }
    for configured in configuration.urls where configured.text == url.text { return true }
    return false
  }

  /// The network changed, so addresses may have become reachable or unreachable. Tries at once, but not twice within
  /// two seconds.
  public func networkChanged() {
    let now = clock.monotonic
    if phase == .online { return liveness.probe(now) }
    // On another network the right machine may answer at an address that showed a wrong certificate, or a sign-in page.
    endpoints.clearPostponements()
    guard phase == .waiting, let planned = phaseDeadline else { return }
    phaseDeadline = min(planned, max(now, attempts.latest + AttemptLimiter.spacing))
  }

  /// When `advance` wants to be called next.
  public var deadline: Int64? {
    var earliest = phaseDeadline ?? .max
    if phase == .online { earliest = liveness.deadline(tickInterval: hello.tickInterval) }
    if let instant = requests.nextDeadline { earliest = min(earliest, instant) }
    if let instant = link.deadline { earliest = min(earliest, instant) }
    if let instant = rivalEnd { earliest = min(earliest, instant) }
    if let instant = searchInstant { earliest = min(earliest, instant) }
    if let instant = approval.expiry { earliest = min(earliest, instant) }
    return earliest == .max ? nil : earliest
  }

  /// When the network is asked beside attempts that take long.
  private var searchInstant: Int64? { phase == .opening && !hasSearched && finder != nil ? searchesAt : nil }

  /// Lets time pass.
  public func advance(to now: Int64) {
    if let instant = searchInstant, now >= instant { beginSearch() }
    link.advance(to: now)
    expireRequests(now)
    forgetApproval(now)
    if let end = rivalEnd, now >= end {
      rivalry.forget()
      set(.online) { self.writeOnline(to: &$0) }
    }
    if phase == .online { return checkLiveness(now) }
    guard let phaseDeadline, now >= phaseDeadline else { return }
    if phase == .waiting { return beginRound() }
    attemptTimedOut()
  }

  private func checkLiveness(_ now: Int64) {
    switch liveness.check(now, tickInterval: hello.tickInterval) {
    case .alive: return
    case .ping:
      counters.pinged(at: now)
      link.ping()
    case .dead: giveUp("no answer to two pings")
    case .silent: giveUp("no message for two ticks")
    }
  }

  private func giveUp(_ why: StaticString) {
    log.write(.warning, room) { line in
      line.add(why)
      line.add(": the connection is dead, connecting again")
    }
    counters.silent += 1
    phase = .ending
    lose()
    link.close(4000, "tick timeout")
  }

  // MARK: Waiting

  /// Waits until the next round, and sets the reason.
  func retryLater(_ why: (inout LogLine) -> Void) {
    let now = clock.monotonic
    let usual = endpoints.earliest > now ? endpoints.earliest - now : backoff.pause(random)
    let pause = max(restartIn ?? usual, attempts.earliest - now)
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
    if state != .awaitingApproval { approval.forgetRequest() }
    if state == .waiting { hasFailed = true }
    if state == .online || state == .stopped { hasFailed = false }
    var sentence = Explanation()
    sentence.fill { buffer in
      var line = LogLine(buffer)
      explain(&line)
      return line.count
    }
    explanation = sentence
    let cause = self.cause
    let isNews = state == .connecting ? wasIdle : cause != loggedCause
    if isNews, state != .connecting { loggedCause = cause }
    log.write(isNews ? state.level : .debug, room) { $0.add(self.explanation.span) }
  }

  /// A checksum of the sentence as far as its first semicolon: what follows tells when, not why.
  private var cause: UInt32 {
    var checksum = Checksum()
    explanation.span.withUnsafeBytes { bytes in
      var end = 0
      while end < bytes.count, bytes[end] != UInt8(ascii: ";") { end += 1 }
      checksum.update(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
    }
    return checksum.value
  }
}
