import Codec
import Fetch
import Gateway
import Runtime

@testable import OwnAgent

/// Numbers that follow from a seed (xorshift), the same on every machine.
struct PageDice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % max(bound, 1)
  }
}

/// Memory for a text, and its text.
func withPage(_ bytes: [UInt8], pieces: [Int] = [], room: Int = 4096, base: String = "", charset: PageCharset? = nil)
  -> String
{
  let page = PageText()
  let memory = FixedBuffer(capacity: room)
  base.withBytes { page.begin(into: memory.bytes, charset: charset, base: $0) }
  var start = 0
  for end in pieces + [bytes.count] where end > start {
    let piece = Array(bytes[start..<end])
    page.take(piece.span)
    start = end
  }
  let count = page.end()
  return String(decoding: memory.bytes[..<count], as: UTF8.self)
}

/// The text of a page.
func pageText(_ html: String, base: String = "") -> String { withPage(Array(html.utf8), base: base) }

/// The text of something plain.
func plainText(_ text: String, keepsLines: Bool = true) -> String {
  let reader = PlainText()
  let memory = FixedBuffer(capacity: 4096)
  reader.begin(into: memory.bytes, keepsLines: keepsLines)
  let bytes = Array(text.utf8)
  reader.take(bytes.span)
  let count = reader.end()
  return String(decoding: memory.bytes[..<count], as: UTF8.self)
}

/// Time that tests move.
final class PageClock: Clock {
  var monotonic: Int64 = 1_000
  var wall: Int64 { 1_795_824_000_000 + monotonic }
}

/// A connection whose other end the test is.
final class PageServer: FetchTransport {
  private var delegate: (any TransportDelegate)?
  /// Names and their addresses; others have a public one.
  var addresses: [String: String] = [:]
  var visits: [String] = []
  var sent = ""
  /// Bytes that it takes at once.
  var appetite = 50
  var isOpen: Bool { delegate != nil }

  func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    visits.append("\(url.isSecure ? "https" : "http")://\(url.host):\(url.port)\(url.path)")
    sent = ""
    guard let address = SocketAddress(literal: addresses[url.host] ?? "8.8.8.8", port: url.port) else { return }
    guard judge.permits(address) else { return delegate.transportFailed(TransportFailure(.forbidden)) }
    self.delegate = delegate
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let count = min(bytes.count, appetite)
    sent += String(decoding: bytes[..<count], as: UTF8.self)
    return count
  }

  func resumeReading() {}
  func close() { delegate = nil }

  func secure() {
    let digest = Fingerprint(digest: InlineArray(repeating: 1))
    delegate?.transportSecured(certificate: PeerCertificate(leaf: digest, key: digest))
    drain()
  }

  func drain() { for _ in 0..<2000 where isOpen { delegate?.transportWritable() } }

  func deliver(_ text: String) { deliver(Array(text.utf8)) }

  func deliver(_ bytes: [UInt8]) { _ = delegate?.transportReceived(bytes.span) }

  func fail(_ failure: TransportFailure) {
    let delegate = delegate
    self.delegate = nil
    delegate?.transportFailed(failure)
  }

  /// An answer with a length.
  static func answer(_ body: String, status: String = "200 OK", type: String = "text/html", fields: String = "")
    -> String
  {
    "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}

/// Chance that is the same each time.
final class PageRandom: RandomSource {
  func fill(_ bytes: UnsafeMutableRawBufferPointer) { for index in 0..<bytes.count { bytes[index] = 0 } }
}
