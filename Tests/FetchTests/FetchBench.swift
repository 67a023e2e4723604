import Codec
import Gateway
import Runtime
import Testing

@testable import Fetch

/// A server that does what the test says, and who asks it.
final class Bench: FetchTransport, FetchDelegate, Clock {
  var monotonic: Int64 = 1_000
  var wall: Int64 { 0 }
  private(set) var fetcher: Fetcher! = nil
  private var delegate: (any TransportDelegate)?
  var gatewayLeaf = Fingerprint(digest: InlineArray(repeating: 7))
  var addresses: [String: String] = [:]
  /// Where it went, with who vouches: "https://a:443/x authorities".
  var visits: [String] = []
  var sent = ""
  var outcome = ""
  var isOpen: Bool { delegate != nil }

  init() throws {
    fetcher = try Fetcher(self, clock: self)
    fetcher.delegate = self
  }

  /// It has to live as long as the bench.
  func send(to sink: any FetchSink) { fetcher.sink = sink }

  func start(_ text: String, _ rule: FetchRule = FetchRule(), deadline: Int64 = .max) throws {
    (outcome, sent) = ("", "")
    fetcher.start(try WebURL(text.utf8.span), rule, deadline: deadline)
  }

  /// A request to a server that the configuration names.
  func start(_ text: String, _ request: FetchRequest) throws {
    (outcome, sent) = ("", "")
    fetcher.start(try WebURL(text.utf8.span), request)
  }

  /// A request with a body over a connection that stays open.
  func push(_ text: String, _ body: FixedBuffer) throws {
    (outcome, sent) = ("", "")
    var request = FetchRequest()
    request.method = .post
    request.body = UnsafeBufferPointer(body.bytes)
    request.contentType = "application/x-protobuf"
    request.fields = "Content-Encoding: snappy\r\n"
    request.keepsConnection = true
    fetcher.start(try WebURL(text.utf8.span), request)
  }

  /// The server answers on the connection that is open.
  func answerAgain(_ text: String) {
    for _ in 0..<100 { delegate?.transportWritable() }
    deliver(text)
  }

  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    visits.append("\(url.isSecure ? "https" : "http")://\(url.host):\(url.port)\(url.path) \(trust)")
    guard let address = SocketAddress(literal: addresses[url.host] ?? "8.8.8.8", port: url.port) else { return }
    guard judge.permits(address) else { return delegate.transportFailed(TransportFailure(.forbidden)) }
    self.delegate = delegate
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    // Little by little.
    let count = min(bytes.count, 50)
    sent += String(decoding: bytes[..<count], as: UTF8.self)
    return count
  }

  func resumeReading() {}
  func close() { delegate = nil }

  /// TLS stands; the request is taken, and answered.
  func answer(_ text: String, leaf: UInt8 = 1) {
    let digest = Fingerprint(digest: InlineArray(repeating: leaf))
    delegate?.transportSecured(certificate: PeerCertificate(leaf: digest, key: digest))
    for _ in 0..<100 { delegate?.transportWritable() }
    deliver(text)
  }

  func deliver(_ text: String) {
    let bytes = Array(text.utf8)
    _ = delegate?.transportReceived(bytes.span)
    pass(0)
  }

  func fail(_ failure: TransportFailure) {
    let delegate = delegate
    self.delegate = nil
    delegate?.transportFailed(failure)
    pass(0)
  }

  func pass(_ milliseconds: Int64) {
    monotonic += milliseconds
    while let deadline = fetcher.nextDeadline, deadline <= monotonic { fetcher.advance(to: monotonic) }
  }

  func fetched(_ fetcher: Fetcher) {
    outcome += "got \(String(decoding: fetcher.body, as: UTF8.self)) of \(Answer.text(fetcher.type.span))"
  }

  func fetchFailed(_ fetcher: Fetcher, _ failure: FetchFailure) {
    let buffer = FixedBuffer(capacity: 300)
    var writer = ByteWriter(into: buffer.bytes)
    failure.write(to: &writer)
    outcome += String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
  }

  func isGateway(_ certificate: PeerCertificate) -> Bool { certificate.leaf == gatewayLeaf }
}

/// Keeps what comes until it is asked.
final class Sink: FetchSink {
  var pieces: [String] = []
  var held: Fetcher?

  func fetchBegan(_ fetcher: Fetcher) -> Bool { true }

  func fetchedPiece(_ fetcher: Fetcher) {
    pieces.append(String(decoding: fetcher.body, as: UTF8.self))
    held = fetcher
  }
}

/// A picture of two bytes.
let ok = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 2\r\n\r\nhi"
