// Fetch: an HTTP client for pictures, pages, messages of update servers and their bundles. It knows the gateway's
// addresses and certificate, but not what the content is for, and sockets only as `FetchTransport`.

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
  /// As `Transport.resumeReading`.
  func resumeReading()
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

/// Gets content that is larger than the fetcher's memory, piece by piece.
public protocol FetchSink: AnyObject {
  /// The header of a success has come: false gives the fetch up, without a call of the delegate.
  func fetchBegan(_ fetcher: Fetcher) -> Bool
  /// The next piece is in `fetcher.body` until `pieceTaken`, which may come later; meanwhile nothing is read. The last
  /// one may be empty.
  func fetchedPiece(_ fetcher: Fetcher)
}

/// Fetches one resource at a time with HTTP/1.1: limited in bytes and time, over at most `Budget.fetchRedirects`
/// redirects, each of which is checked like the first address. Sends no cookies and no referrer, and requests no
/// compression.
public final class Fetcher {
  private enum Phase { case idle, connecting, answering, redirecting, reopening, ended }

  private let transport: any FetchTransport
  private let clock: any Clock
  private let request: FixedBuffer
  private let line = FixedBuffer(capacity: Budget.fetchLineBytes)
  private let memory: ReservedBuffer
  private var reader: HTTPResponseReader
  private var phase = Phase.idle
  private var rule = FetchRule()
  private var sent = FetchRequest()
  /// The first address: the only server that gets what is secret of a request.
  private var first: WebURL?
  /// The header of a success was read.
  private var hasBegun = false
  /// A piece is with the sink; all content has come.
  private var (isHeld, isComplete) = (false, false)
  /// The current address, after redirects.
  public private(set) var url: WebURL?
  private var objection: FetchFailure.Kind?
  private var failure: FetchFailure?
  /// What is still to be sent of the request and of the body after it.
  private var unsent = 0..<0
  private var headerCount = 0
  private var redirects = 0
  /// The server to which the connection is still open after a request; nil without one.
  private var kept: WebURL?
  /// The current request was sent on such a connection, which the server may have closed meanwhile.
  private var isReused = false
  private var deadline: Int64 = .max
  private var idleDeadline: Int64 = .max
  /// Must live as long as the fetcher.
  public unowned(unsafe) var delegate: (any FetchDelegate)?
  /// Gets the content in pieces; nil: the delegate gets it as a whole. Must live as long as the fetcher.
  public unowned(unsafe) var sink: (any FetchSink)?

  /// Reserves the memory of the content, of `bodyBytes`, and takes that of requests, whose secrets have at most
  /// `requestBytes`; throws when the address space is full.
  @export(interface)
  public init(
    _ transport: any FetchTransport, clock: any Clock, bodyBytes: Int = Budget.fetchBodyBytes, requestBytes: Int = 0
  ) throws(Errno) {
    self.transport = transport
    self.clock = clock
    memory = try ReservedBuffer(capacity: bodyBytes)
    request = FixedBuffer(capacity: Budget.fetchURLBytes + 1024 + requestBytes)
    reader = HTTPResponseReader(line: line.bytes, body: memory.bytes)
  }

  /// The content.
  public var body: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(memory.bytes).extracting(0..<reader.count) }
  /// Its media type from the server; empty when there is none.
  public var type: InlineText<64> { reader.type }
  /// The answer's status, its length if it was told, its tag, where its part begins, and when to ask again.
  public var status: UInt16 { reader.status }
  public var length: Int? { reader.length }
  public var etag: InlineText<128> { reader.etag }
  /// The session that an MCP server gives.
  public var session: InlineText<128> { reader.session }
  public var rangeStart: Int? { reader.rangeStart }
  public var retryAfterSeconds: UInt32? { reader.retryAfterSeconds }
  /// The server's clock in milliseconds since 1970; nil when it did not say.
  public var date: Int64? { reader.date }

  /// Starts a fetch and drops the previous one. It ends at the monotonic instant `deadline`, or after
  /// `Budget.fetchMilliseconds` if that is earlier.
  public func start(_ url: WebURL, _ rule: FetchRule, deadline: Int64) {
    begin(url, FetchRequest(), rule, deadline: min(deadline, clock.monotonic + Budget.fetchMilliseconds))
  }

  /// Starts a stream for the sink, which may go on for ever, from an address that the rule allows; drops the previous
  /// fetch.
  public func start(_ url: WebURL, _ request: FetchRequest, _ rule: FetchRule) {
    begin(url, request, rule, deadline: .max)
  }

  /// Starts a request to a server that the configuration names, at whatever address; drops the previous one. Only a GET
  /// follows redirects.
  @export(interface) public func start(_ url: WebURL, _ request: FetchRequest) {
    begin(url, request, .anywhere, deadline: clock.monotonic + request.totalMilliseconds)
  }

  private func begin(_ url: WebURL, _ request: FetchRequest, _ rule: FetchRule, deadline: Int64) {
    let isReused = phase == .idle && request.keepsConnection && kept?.isSameOrigin(as: url) == true
    isReused ? release() : cancel()
    (self.rule, sent, first, self.deadline, redirects) = (rule, request, url, deadline, 0)
    if isReused { return ask(url) }
    open(url)
  }

  /// Sends the request on the connection that is still open.
  private func ask(_ url: WebURL) {
    begin(url)
    (phase, kept, isReused) = (.answering, nil, true)
    sendRequest()
  }

  /// Cancels a fetch without a call of the delegate.
  public func cancel() {
    kept = nil
    transport.close()
    release()
  }

  /// The content is not needed any more.
  public func release() {
    phase = .idle
    failure = nil
    (isHeld, isComplete) = (false, false)
    reader = HTTPResponseReader(line: line.bytes, body: memory.bytes)
    memory.release()
  }

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? {
    switch phase {
    case .idle: nil
    case .connecting, .answering: isHeld ? deadline : min(deadline, idleDeadline)
    case .redirecting, .reopening, .ended: clock.monotonic
    }
  }

  /// Lets time pass, follows redirects, and calls the delegate.
  @export(interface) public func advance(to now: Int64) {
    switch phase {
    case .idle: return
    case .connecting, .answering:
      guard now >= (isHeld ? deadline : min(deadline, idleDeadline)) else { return }
      fail(.timedOut)
      report()
    case .redirecting:
      redirect()
      if phase == .ended { report() }
    case .reopening: if let url { open(url) }
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

  private func begin(_ url: WebURL) {
    self.url = url
    (objection, failure, unsent) = (nil, nil, 0..<0)
    (hasBegun, isHeld, isComplete, isReused) = (false, false, false, false)
    reader = HTTPResponseReader(line: line.bytes, body: memory.bytes, limit: sent.limit)
    idleDeadline = clock.monotonic + sent.idleMilliseconds
  }

  private func open(_ url: WebURL) {
    begin(url)
    (phase, kept) = (.connecting, nil)
    let isPinned = sent.pin != nil || rule.isGateway(url)
    transport.open(url.endpoint, trust: isPinned ? .pin : .authorities, judge: self, self)
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
    sent.write(url, isFirst: first?.isSameOrigin(as: url) == true, to: &writer)
    guard writer.isComplete else { return fail(.badAddress(.tooLong)) }
    headerCount = writer.count
    unsent = 0..<(headerCount + (sent.method == .get ? 0 : sent.body.count))
    transportWritable()
  }

  // MARK: Response

  /// Takes bytes of the response, and returns how many: not all while a piece is with the sink.
  private func take(_ bytes: Span<UInt8>) -> Int {
    idleDeadline = clock.monotonic + sent.idleMilliseconds
    var taken = 0
    while taken < bytes.count, phase == .answering, !isHeld {
      do throws(HTTPError) {
        taken += try reader.take(bytes.extracting(taken..<bytes.count))
      } catch {
        fail(kind(error))
        return bytes.count
      }
      if reader.hasHeader { judge() }
    }
    return isHeld && phase == .answering ? taken : bytes.count
  }

  /// The header is there, and perhaps content.
  private func judge() {
    if !hasBegun {
      if leadsElsewhere, sent.method == .get {
        transport.close()
        return phase = .redirecting
      }
      guard takesContent else { return fail(.status(reader.status)) }
      hasBegun = true
      if let sink, !sink.fetchBegan(self) || phase != .answering {
        if phase == .answering { cancel() }
        return
      }
    }
    isComplete = reader.isDone
    if sink == nil {
      if isComplete { finish() }
    } else if isComplete || reader.isFull || sent.isPrompt && reader.count > 0 {
      handOver()
    }
  }

  private var takesContent: Bool { sent.readsFailures || sent.accepts(reader.status) }

  private func handOver() {
    isHeld = true
    sink?.fetchedPiece(self)
  }

  /// The sink is done with the piece in `body`: what follows is read.
  public func pieceTaken() {
    guard phase == .answering, isHeld else { return }
    isHeld = false
    reader.empty()
    idleDeadline = clock.monotonic + sent.idleMilliseconds
    if isComplete { return finish() }
    transport.resumeReading()
  }

  private var leadsElsewhere: Bool {
    switch reader.status {
    case 301, 302, 303, 307, 308: !reader.location.isEmpty
    default: false
    }
  }

  private func finish() {
    if sent.keepsConnection, reader.keepsConnection, unsent.isEmpty {
      kept = url
    } else {
      transport.close()
    }
    end(nil)
  }

  private func kind(_ error: HTTPError) -> FetchFailure.Kind {
    // The length of an error page does not matter.
    if reader.status != 0, !takesContent { return .status(reader.status) }
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
    if url.isSecure, let pin = sent.pin {
      guard let certificate, certificate.leaf == pin else { return fail(.wrongCertificate) }
    } else if url.isSecure, rule.isGateway(url) {
      guard let certificate, delegate?.isGateway(certificate) == true else { return fail(.notTheGateway) }
    }
    phase = .answering
    idleDeadline = clock.monotonic + sent.idleMilliseconds
    sendRequest()
  }

  public func transportReceived(_ bytes: Span<UInt8>) -> Int {
    // What nobody asked for ends a connection that was kept.
    if kept != nil { cancelKept() }
    return phase == .answering ? take(bytes) : bytes.count
  }

  private func cancelKept() {
    kept = nil
    transport.close()
  }

  public func transportWritable() {
    guard phase == .answering, !unsent.isEmpty else { return }
    if unsent.lowerBound < headerCount {
      let count = transport.write(UnsafeBufferPointer(request.bytes).extracting(unsent.lowerBound..<headerCount))
      unsent = (unsent.lowerBound + count)..<unsent.upperBound
      guard phase == .answering, unsent.lowerBound == headerCount, !unsent.isEmpty else { return }
    }
    let count = transport.write(
      sent.body.extracting((unsent.lowerBound - headerCount)..<(unsent.upperBound - headerCount)))
    unsent = (unsent.lowerBound + count)..<unsent.upperBound
  }

  public func transportFailed(_ failure: TransportFailure) {
    if kept != nil { return kept = nil }
    // The server closed the connection before it got this request: it is sent again on another one.
    if phase == .answering, isReused, reader.status == 0 { return phase = .reopening }
    // All content has come, and the sink still has its last piece.
    if phase == .answering, isComplete { return }
    guard phase == .connecting || phase == .answering, let url else { return }
    if phase == .answering, failure.kind == .closedByPeer {
      do throws(HTTPError) {
        try reader.end()
        guard sink != nil else { return end(nil) }
        isComplete = true
        if !isHeld { handOver() }
        return
      } catch {
        return end(FetchFailure(.cut, host: url.host))
      }
    }
    if failure.kind == .forbidden, let objection { return end(FetchFailure(objection, host: url.host)) }
    end(FetchFailure(failure, host: url.host))
  }
}
