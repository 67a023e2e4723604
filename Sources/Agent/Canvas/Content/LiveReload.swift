import Codec
import Fetch
import Gateway
import Runtime

/// Told that what the gateway hosts has changed.
protocol LiveReloadOwner: AnyObject {
  /// A person sees a page of the gateway's canvas host.
  var showsHosted: Bool { get }
  /// Fetches it again. False while something else is loaded: then it is asked again later.
  func reload() -> Bool
}

/// Listens to the gateway's canvas host while a page of it is on the screen, and has the page fetched again when that says `reload`
/// (canvas reference 2.7). A gateway that does not speak of changes is left alone until the next connection to it.
final class LiveReload: LinkDelegate {
  private enum Phase {
    /// Nothing is listened to.
    case closed
    case opening, open
    /// Until the next attempt.
    case waiting
    /// The gateway was asked for a new address of its canvas host.
    case refreshing
    case leftAlone
  }

  /// All that is understood.
  private static let word: StaticString = "reload"

  private let host: CanvasHost
  private let clock: any Clock
  private let random: any RandomSource
  private let log: Log
  private var link: WebSocketLink! = nil
  private var phase = Phase.closed
  private var isSecure = false
  /// When the phase has lasted long enough.
  private var instant: Int64 = .max
  private var openedAt: Int64 = 0
  private var backoff = Backoff()
  /// Which address of the canvas host is used, and whether it was asked for another since it last served.
  private var revision: UInt32 = 0
  private var hasRefreshed = false
  /// Nobody listened for a while since the page came.
  private var isOld = false
  /// When the page is fetched again, and when it was last.
  private var reloadAt: Int64?
  private var reloadedAt: Int64 = .min / 2
  /// Bytes of the message so far that are those of the word; nil: it is another.
  private var matched: Int?
  /// Lives as long as this.
  unowned(unsafe) let owner: any LiveReloadOwner

  init(
    _ transport: any Transport, host: CanvasHost, clock: any Clock, random: any RandomSource,
    cryptography: any Cryptography, log: Log, owner: any LiveReloadOwner
  ) throws(Errno) {
    self.host = host
    self.clock = clock
    self.random = random
    self.log = log
    self.owner = owner
    link = try WebSocketLink(
      userAgent: "Talon", transport: transport, clock: clock, random: random, cryptography: cryptography, delegate: self)
  }

  /// Another page was fetched just now.
  func pageArrived() {
    isOld = false
    reloadAt = nil
  }

  // MARK: Time

  /// When `advance` wants to be called.
  var nextDeadline: Int64? {
    guard owner.showsHosted else { return phase == .closed || phase == .leftAlone ? nil : clock.monotonic }
    var earliest = min(link.deadline ?? .max, reloadAt ?? .max)
    switch phase {
    case .closed: earliest = host.isPresent ? clock.monotonic : earliest
    case .opening, .waiting: earliest = min(earliest, instant)
    case .refreshing: earliest = min(earliest, host.surface.revision == revision ? instant : clock.monotonic)
    case .open, .leftAlone: break
    }
    return earliest == .max ? nil : earliest
  }

  /// Lets time pass.
  func advance(to now: Int64) {
    link.advance(to: now)
    guard host.isPresent else {
      // Without a gateway; another one may be different.
      close()
      hasRefreshed = false
      return phase = .closed
    }
    guard owner.showsHosted else {
      close()
      if phase != .leftAlone { phase = .closed }
      return
    }
    switch phase {
    case .closed: open(now)
    case .waiting: if now >= instant { open(now) }
    case .opening: if now >= instant { retry(now) }
    case .refreshing:
      if host.surface.revision != revision {
        open(now)
      } else if now >= instant {
        leaveAlone()
      }
    case .open, .leftAlone: break
    }
    guard let time = reloadAt, now >= time else { return }
    // One that is being fetched may be older than the change.
    guard owner.reload() else { return reloadAt = now + Budget.reloadDelayMilliseconds }
    (reloadAt, reloadedAt) = (nil, now)
  }

  /// The page will be fetched again, once for all that comes meanwhile.
  private func wantReload() {
    guard reloadAt == nil else { return }
    let now = clock.monotonic
    reloadAt = max(now + Budget.reloadDelayMilliseconds, reloadedAt + Budget.reloadSpacingMilliseconds)
  }

  // MARK: The link

  private func open(_ now: Int64) {
    guard let url = host.reloads else { return leaveAlone() }
    (phase, revision, isSecure, matched) = (.opening, host.surface.revision, url.isSecure, nil)
    instant = now + Budget.reloadOpenMilliseconds
    link.open(url)
  }

  private func close() {
    if phase == .open || phase == .opening { link.abort() }
    // What changes from now on is not heard of.
    if phase != .closed { isOld = true }
    (reloadAt, instant) = (nil, .max)
  }

  private func retry(_ now: Int64) {
    link.abort()
    (phase, isOld) = (.waiting, true)
    instant = now + backoff.pause(random)
  }

  private func leaveAlone() {
    phase = .leftAlone
    log.write(.debug, "canvas", "the gateway does not tell when what it hosts changes")
  }

  func linkSecured(certificate: PeerCertificate?) {
    if isSecure {
      guard let certificate, host.gateway?.isGateway(certificate) == true else { return retry(clock.monotonic) }
    }
    link.upgrade()
  }

  func linkOpened() {
    (phase, hasRefreshed, openedAt, instant) = (.open, false, clock.monotonic, .max)
    log.write(.debug, "canvas", "the gateway tells when what it hosts changes")
    if isOld { wantReload() }
  }

  func linkEnded(_ end: LinkEnd) {
    let now = clock.monotonic
    if phase == .open, now - openedAt >= Backoff.flapGuard { backoff.reset() }
    switch end {
    case .refused(let status, _): refused(status, now)
    // No WebSocket, or one for something else (RFC 6455 section 7.4.1: a policy is violated).
    case .handshake: leaveAlone()
    case .closed(let close) where close.code == 1008: leaveAlone()
    case .transport, .violation, .closed, .unanswered: retry(now)
    }
  }

  /// The capability has run out, or there is nothing by this address: that shows with a new one.
  private func refused(_ status: UInt16, _ now: Int64) {
    switch status {
    case 401, 403, 404:
      guard !hasRefreshed, host.surface.revision != revision || host.surface.refresh() else { return leaveAlone() }
      (phase, hasRefreshed) = (.refreshing, true)
      instant = now + Budget.canvasRefreshMilliseconds
    case 429, 500...: retry(now)
    default: leaveAlone()
    }
  }

  // MARK: Messages

  func linkReceived(_ bytes: Span<UInt8>, _ chunk: WebSocketChunk) {
    if chunk.isStart { matched = chunk.isText ? 0 : nil }
    let word = Self.word.utf8Bytes
    for index in 0..<bytes.count {
      guard let count = matched else { return }
      matched = count < word.count && bytes[index] == word[count] ? count + 1 : nil
    }
    if chunk.isFinal, matched == word.count { wantReload() }
  }

  func linkCanTakeMessage() -> Bool { true }
  func linkHasRoom() {}
  func linkHeard() {}
}
