import Codec
import Fetch
import Gateway
import Runtime

/// Gets changes of what the gateway hosts.
protocol LiveReloadDelegate: AnyObject {
  /// True while a page of the gateway's canvas host is visible.
  var showsHosted: Bool { get }
  /// Fetches it again. False while something else is loaded: it is called again later.
  func reload() -> Bool
}

/// Follows the gateway's canvas host while a page of it is on the screen, and has the page fetched again when the host
/// sends `reload` (canvas reference 2.7). It gives up, until the next connection, on a gateway that does not report
/// changes.
final class LiveReload: LinkDelegate {
  private enum Phase {
    /// There is no connection.
    case closed
    case opening, open
    /// Waits for the next attempt.
    case waiting
    /// Waits for a new address of the canvas host.
    case refreshing
    case givenUp
  }

  /// The only message that is known.
  private static let word: StaticString = "reload"

  private let host: CanvasHost
  private let clock: any Clock
  private let random: any RandomSource
  private let log: Log
  private var link: WebSocketLink! = nil
  private var phase = Phase.closed
  private var isSecure = false
  /// When the phase times out.
  private var instant: Int64 = .max
  private var openedAt: Int64 = 0
  private var backoff = Backoff()
  /// The revision of the canvas host's address in use, and whether it was refreshed since it last worked.
  private var revision: UInt32 = 0
  private var hasRefreshed = false
  /// Changes may have been missed since the page was fetched.
  private var isOld = false
  /// When the page is fetched again, and when it was fetched last.
  private var reloadAt: Int64?
  private var reloadedAt: Int64 = .min / 2
  /// How many bytes of the message so far match the word; nil for another message.
  private var matched: Int?
  /// Lives as long as this.
  unowned(unsafe) let delegate: any LiveReloadDelegate

  init(
    _ transport: any Transport, host: CanvasHost, clock: any Clock, random: any RandomSource,
    cryptography: any Cryptography, log: Log, delegate: any LiveReloadDelegate
  ) throws(Errno) {
    self.host = host
    self.clock = clock
    self.random = random
    self.log = log
    self.delegate = delegate
    link = try WebSocketLink(
      userAgent: "Talon", transport: transport, clock: clock, random: random, cryptography: cryptography, delegate: self
    )
  }

  /// Another page was just fetched.
  func pageArrived() {
    isOld = false
    reloadAt = nil
  }

  // MARK: Time

  /// When `advance` is to be called.
  var nextDeadline: Int64? {
    guard delegate.showsHosted else { return phase == .closed || phase == .givenUp ? nil : clock.monotonic }
    var earliest = min(link.deadline ?? .max, reloadAt ?? .max)
    switch phase {
    case .closed: earliest = host.isPresent ? clock.monotonic : earliest
    case .opening, .waiting: earliest = min(earliest, instant)
    case .refreshing: earliest = min(earliest, host.surface.revision == revision ? instant : clock.monotonic)
    case .open, .givenUp: break
    }
    return earliest == .max ? nil : earliest
  }

  /// Does what is due.
  func advance(to now: Int64) {
    link.advance(to: now)
    guard host.isPresent else {
      // There is no gateway; the next one may be different.
      close()
      hasRefreshed = false
      return phase = .closed
    }
    guard delegate.showsHosted else {
      close()
      if phase != .givenUp { phase = .closed }
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
        giveUp()
      }
    case .open, .givenUp: break
    }
    guard let time = reloadAt, now >= time else { return }
    // A page that is being fetched may be older than the change.
    guard delegate.reload() else { return reloadAt = now + Budget.reloadDelayMilliseconds }
    (reloadAt, reloadedAt) = (nil, now)
  }

  /// The page will be fetched again, once for all changes until then.
  private func wantReload() {
    guard reloadAt == nil else { return }
    let now = clock.monotonic
    reloadAt = max(now + Budget.reloadDelayMilliseconds, reloadedAt + Budget.reloadSpacingMilliseconds)
  }

  // MARK: The connection

  private func open(_ now: Int64) {
    guard let url = host.reloads else { return giveUp() }
    (phase, revision, isSecure, matched) = (.opening, host.surface.revision, url.isSecure, nil)
    instant = now + Budget.reloadOpenMilliseconds
    link.open(url)
  }

  private func close() {
    if phase == .open || phase == .opening { link.abort() }
    // Changes from now on are missed.
    if phase != .closed { isOld = true }
    (reloadAt, instant) = (nil, .max)
  }

  private func retry(_ now: Int64) {
    link.abort()
    (phase, isOld) = (.waiting, true)
    instant = now + backoff.pause(random)
  }

  private func giveUp() {
    phase = .givenUp
    log.write(.debug, "canvas", "the gateway does not report changes of what it hosts")
  }

  func linkMissed(_ url: GatewayURL, _ failure: TransportFailure) {}
  func linkSecured(certificate: PeerCertificate?) {
    if isSecure {
      guard let certificate, host.gateway?.isGateway(certificate) == true else { return retry(clock.monotonic) }
    }
    link.upgrade()
  }

  func linkOpened() {
    (phase, hasRefreshed, openedAt, instant) = (.open, false, clock.monotonic, .max)
    log.write(.debug, "canvas", "the gateway reports changes of what it hosts")
    if isOld { wantReload() }
  }

  func linkEnded(_ end: LinkEnd) {
    let now = clock.monotonic
    if phase == .open, now - openedAt >= Backoff.flapGuard { backoff.reset() }
    switch end {
    case .refused(let refusal): refused(refusal.status, now)
    // No WebSocket, or one for another purpose (RFC 6455 section 7.4.1: policy violation).
    case .handshake: giveUp()
    case .closed(let close) where close.code == 1008: giveUp()
    case .transport, .violation, .closed, .unanswered: retry(now)
    }
  }

  /// The capability has expired, or nothing is at this address: a new address shows which.
  private func refused(_ status: UInt16, _ now: Int64) {
    switch status {
    case 401, 403, 404:
      guard !hasRefreshed, host.surface.revision != revision || host.surface.refresh() else { return giveUp() }
      (phase, hasRefreshed) = (.refreshing, true)
      instant = now + Budget.canvasRefreshMilliseconds
    case 429, 500...: retry(now)
    default: giveUp()
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
  func linkIsAlive() {}
}
