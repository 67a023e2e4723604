import Board
import Fetch
import Gateway
import Runtime

/// The one request of a join URL, on a loop of its own.
final class JoinRun: JoinDelegate, TimerHandler {
  private let url: JoinURL
  private let store: FileStore
  private var record: JoinRecord
  private let loop: Loop
  private let clock = SystemClock()
  private let transport: NetworkTransport
  private let access: EdgeAccess?
  /// The host of the URL, when the authorities that vouch for it vouch for the gateway too; otherwise empty.
  private let vouchedHost: String
  private var request: JoinRequest?
  private var failure: JoinFailure?
  private var hasEnded = false
  private var isInterrupted = false

  init(
    _ url: JoinURL, _ configuration: Configuration, _ store: FileStore, _ record: JoinRecord
  ) throws(Failure) {
    self.url = url
    self.store = store
    self.record = record
    access = configuration.access
    do throws(Errno) {
      loop = try Loop(clock: clock)
    } catch {
      throw Failure(.system, "the event loop could not be set up: \(String(error.text))")
    }
    let certificate = configuration.route.certificate
    let configured = configuration.way.authorities
    let gateway = configured.isEmpty ? CertificateAuthorities.usualPath : configured
    let path = configured.isEmpty ? configuration.canvas.authorities : configured
    transport = NetworkTransport(
      loop: loop, clock: clock, route: configuration.route,
      authorities: CertificateAuthorities(path: path, certificate: certificate))
    vouchedHost = path == gateway && url.endpoint.isSecure ? url.endpoint.host : ""
  }

  /// Asks; the payload is in the record, and on flash, when this returns.
  func ask() throws(Failure) {
    let request = JoinRequest(
      url, access: access, version: Version.number, transport: transport, delegate: self)
    self.request = request
    do throws(Errno) {
      let signals = try Signals(loop: loop) { [self] _ in
        isInterrupted = true
        request.timeOut()
      }
      defer { signals.close() }
      loop.setTimer(TimerID(0), of: self, at: clock.monotonic + Budget.joinMilliseconds)
      request.start()
      if !hasEnded { try loop.run() }
    } catch {
      throw Failure(.system, "the event loop failed: \(String(error.text))")
    }
    loop.cancelTimer(TimerID(0), of: self)
    if isInterrupted, failure?.isFinal == false { throw Failure(.temporary, "interrupted; nothing was asked for") }
    if let failure { throw failed(failure) }
    try keep(request.payload)
  }

  func timerFired(_ id: TimerID) { request?.timeOut() }

  func joinWillAsk() -> Bool {
    record.noteAsked(JoinCommand.digest(url))
    do throws(StoreError) {
      try record.save(to: store)
      return true
    } catch {
      return false
    }
  }

  func joinEnded(_ failure: JoinFailure?) {
    self.failure = failure
    hasEnded = true
    loop.stop()
  }

  private func keep(_ payload: UnsafeBufferPointer<UInt8>) throws(Failure) {
    do throws(SetupCodeError) {
      _ = try JoinCommand.readCode(Array(payload))
    } catch {
      throw Failure(.unavailable, "what \(url.origin) answered \(String(error.text))")
    }
    record.keep(payload, vouchedHost: vouchedHost)
    do throws(StoreError) {
      try record.save(to: store)
    } catch {
      throw Failure(.cannotCreate, "the answer to the join URL cannot be kept: \(StateFolder.text(error))")
    }
  }

  // MARK: Sentences

  private func failed(_ failure: JoinFailure) -> Failure {
    let place = url.origin
    switch failure {
    case .unreached(let reason): return Failure(.temporary, "\(place): \(words(reason)). \(Self.stillCounts)")
    case .silent: return Failure(.temporary, "\(place) does not answer. \(Self.stillCounts)")
    case .notNoted:
      return Failure(.cannotCreate, "the state folder takes no record, so \(place) was not asked: a URL counts once")
    case .limited(let seconds):
      let wait = seconds.map { "for \($0) s" } ?? "for now"
      return Failure(
        .unavailable, "\(place) takes no more join requests from here \(wait) (HTTP 429); then \(JoinCommand.another)")
    default: return Failure(.unavailable, "\(place) \(Self.words(for: failure)); \(JoinCommand.another)")
    }
  }

  private static let stillCounts = "Nothing was asked of it, so the URL still counts: try again"

  private static func words(for failure: JoinFailure) -> String {
    switch failure {
    case .unknown: "does not know this code: it was used, is older than ten minutes, or was not copied whole (HTTP 404)"
    case .redirect(let status):
      "redirects (HTTP \(status)), which is not followed: the URL must be the gateway's own, and a sign-in page on the "
        + "way needs [gateway] cloudflare_id or an exception for /j/*"
    case .status(let status): "answered with HTTP \(status)"
    case .type: "answered with something other than application/json"
    case .tooLarge: "answered with more than the \(Budget.joinBodyBytes / 1024) KiB that are taken"
    case .malformed: "sent an answer that is not HTTP"
    case .cut: "closed the connection before the end of its answer"
    default: "took too long to answer"
    }
  }

  private func words(_ failure: TransportFailure) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      var line = LogLine(buffer)
      failure.describe(&line)
      return String(decoding: buffer[..<line.count], as: UTF8.self)
    }
  }
}
