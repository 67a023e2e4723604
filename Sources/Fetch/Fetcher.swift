// Fetch: an HTTP client for pictures and pages. It knows the gateway's addresses and certificate, but not what the
// content is for, and sockets only as `FetchTransport`.

import Codec
import Gateway
import Runtime

/// How a server's certificate is checked.
public enum FetchTrust: Equatable, Sendable {
  /// By the certificate authorities that the board trusts.
  case authorities
  /// By the caller, which compares it with a pin.
  case pin
}

/// Connects to servers, one at a time.
public protocol FetchTransport: AnyObject {
  /// As `Transport.open`. `judge` is called for every resolved address before a connection to it.
  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate)
  /// As `Transport.write`.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int
  /// As `Transport.close`.
  func close()
}

/// Decides which addresses may be connected to.
public protocol AddressPolicy: AnyObject {
  func permits(_ address: SocketAddress) -> Bool
}

/// Gets the end of a fetch: exactly one of the first two calls, from inside `advance`.
public protocol FetchDelegate: AnyObject {
  /// The content is in `fetcher.body` until `release` or the next start.
  func fetched(_ fetcher: Fetcher)
  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure)
  /// True when this is the certificate of the gateway that the board is connected to.
  func isGateway(_ certificate: PeerCertificate) -> Bool
}

/// Fetches one resource at a time with HTTP/1.1: limited in bytes and time, over at most `Budget.fetchRedirects`
/// redirects, each of which is checked like the first address. Sends no cookies and no referrer, and requests no
/// compression.
public final class Fetcher {
  private enum Phase { case idle, connecting, answering, redirecting, ended }

  private let transport: any FetchTransport
  private let clock: any Clock
  private let request = FixedBuffer(capacity: Budget.fetchURLBytes + 1024)
  private let line = FixedBuffer(capacity: Budget.fetchLineBytes)
  private let memory: ReservedBuffer
  private var reader: HTTPResponseReader
  private var phase = Phase.idle
  private var rule = FetchRule()
  /// The current address, after redirects.
  public private(set) var url: WebURL?
  private var objection: FetchFailure.Kind?
  private var failure: FetchFailure?
  private var unsent = 0..<0
  private var redirects = 0
  private var deadline: Int64 = .max
  private var idleDeadline: Int64 = .max
  /// Must live as long as the fetcher.
  public unowned(unsafe) var delegate: (any FetchDelegate)?

  /// Reserves the memory of the content; throws when the address space is full.
  public init(_ transport: any FetchTransport, clock: any Clock) throws(Errno) {
    self.transport = transport
    self.clock = clock
    memory = try ReservedBuffer(capacity: Budget.fetchBodyBytes)
    reader = HTTPResponseReader(line: line.bytes, body: memory.bytes)
  }

  /// The content.
  public var body: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(memory.bytes).extracting(0..<reader.count) }
  /// Its media type from the server; empty when there is none.
  public var type: InlineText<64> { reader.type }

  /// Starts a fetch and drops the previous one. It ends at the monotonic instant `deadline`, or after
  /// `Budget.fetchMilliseconds` if that is earlier.
  public func start(_ url: WebURL, _ rule: FetchRule, deadline: Int64) {
    cancel()
    self.rule = rule
    self.deadline = min(deadline, clock.monotonic + Budget.fetchMilliseconds)
    redirects = 0
    open(url)
  }

  /// Cancels a fetch without a call of the delegate.
  public func cancel() {
    transport.close()
    release()
  }

  /// The content is not needed any more.
  public func release() {
    phase = .idle
    failure = nil
    reader = HTTPResponseReader(line: line.bytes, body: memory.bytes)
    memory.release()
  }

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    switch phase {
    case .idle: nil
    case .connecting, .answering: min(deadline, idleDeadline)
    case .redirecting, .ended: clock.monotonic
    }
  }

  /// Lets time pass, follows redirects, and calls the delegate.
  public func advance(to now: Int64) {
    switch phase {
    case .idle: return
    case .connecting, .answering:
      guard now >= min(deadline, idleDeadline) else { return }
      fail(.timedOut)
      report()
    case .redirecting:
      redirect()
      if phase == .ended { report() }
    case .ended: report()
    }
  }

  private func report() {
    guard phase == .ended else { return }
    phase = .idle
    guard let failure else {
      delegate?.fetched(self)
      return
    }
    delegate?.fetchFailed(self, failure)
  }

  // MARK: Connecting

  private func open(_ url: WebURL) {
    self.url = url
    (phase, objection, failure, unsent) = (.connecting, nil, nil, 0..<0)
    reader = HTTPResponseReader(line: line.bytes, body: memory.bytes)
    idleDeadline = clock.monotonic + Budget.fetchIdleMilliseconds
    transport.open(url.endpoint, trust: rule.isGateway(url) ? .pin : .authorities, judge: self, self)
  }

  private func redirect() {
    guard let url else { return }
    guard redirects < Budget.fetchRedirects else { return fail(.redirects) }
    redirects += 1
    let location = reader.location
    do throws(WebURLError) {
      open(try url.resolving(location.span))
    } catch {
      fail(.badAddress(error))
    }
  }

  private func fail(_ kind: FetchFailure.Kind) {
    transport.close()
    end(FetchFailure(kind, host: url?.host ?? ""))
  }

  private func end(_ failure: FetchFailure?) {
    (self.failure, phase) = (failure, .ended)
  }

  private func sendRequest() {
    guard let url else { return }
    var writer = ByteWriter(into: request.bytes)
    writer.text("GET ")
    writer.text(url.target)
    writer.text(" HTTP/1.1\r\nHost: ")
    writer.text(url.endpoint.hostHeader)
    writer.text(
      "\r\nUser-Agent: Talon\r\nAccept: image/png, image/jpeg, image/webp, image/gif, image/svg+xml, */*;q=0.5\r\n")
    writer.text("Accept-Encoding: identity\r\nConnection: close\r\n\r\n")
    guard writer.isComplete else { return fail(.badAddress(.tooLong)) }
    unsent = 0..<writer.count
    transportWritable()
  }

  // MARK: Response

  private func take(_ bytes: Span<UInt8>) {
    idleDeadline = clock.monotonic + Budget.fetchIdleMilliseconds
    do throws(HTTPError) {
      try reader.take(bytes)
    } catch {
      return fail(kind(error))
    }
    guard reader.hasHeader else { return }
    if reader.status == 200 {
      if reader.isDone { finish() }
      return
    }
    guard leadsElsewhere else { return fail(.status(reader.status)) }
    transport.close()
    phase = .redirecting
  }

  private var leadsElsewhere: Bool {
    switch reader.status {
    case 301, 302, 303, 307, 308: !reader.location.isEmpty
    default: false
    }
  }

  private func finish() {
    transport.close()
    end(nil)
  }

  private func kind(_ error: HTTPError) -> FetchFailure.Kind {
    // The length of an error page does not matter.
    if reader.status > 200 { return .status(reader.status) }
    switch error {
    case .malformed: return .malformed
    case .encoding: return .encoding
    case .tooLarge: return .tooLarge
    case .cut: return .cut
    }
  }
}

extension Fetcher: AddressPolicy {
  public func permits(_ address: SocketAddress) -> Bool {
    guard let url else { return false }
    guard let objection = rule.objection(to: url, at: address) else { return true }
    self.objection = objection
    return false
  }
}

extension Fetcher: TransportDelegate {
  public func transportSecured(certificate: PeerCertificate?) {
    guard phase == .connecting, let url else { return }
    if url.isSecure, rule.isGateway(url) {
      guard let certificate, delegate?.isGateway(certificate) == true else { return fail(.notTheGateway) }
    }
    phase = .answering
    idleDeadline = clock.monotonic + Budget.fetchIdleMilliseconds
    sendRequest()
  }

  public func transportReceived(_ bytes: Span<UInt8>) -> Int {
    if phase == .answering { take(bytes) }
    return bytes.count
  }

  public func transportWritable() {
    guard phase == .answering, !unsent.isEmpty else { return }
    let sent = transport.write(UnsafeBufferPointer(request.bytes).extracting(unsent))
    unsent = (unsent.lowerBound + sent)..<unsent.upperBound
  }

  public func transportFailed(_ failure: TransportFailure) {
    guard phase == .connecting || phase == .answering, let url else { return }
    if phase == .answering, failure.kind == .closedByPeer {
      do throws(HTTPError) {
        try reader.end()
        return end(nil)
      } catch {
        return end(FetchFailure(.cut, host: url.host))
      }
    }
    if failure.kind == .forbidden, let objection { return end(FetchFailure(objection, host: url.host)) }
    end(FetchFailure(failure, host: url.host))
  }
}
