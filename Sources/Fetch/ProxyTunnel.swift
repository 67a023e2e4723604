import Codec
import Gateway
import Runtime

/// A tunnel through a proxy, by HTTP (CONNECT, RFC 9110 section 9.3.6) or by SOCKS 5 (RFC 1928): what to send, and what
/// the answers mean. No I/O. The proxy resolves the gateway's name; what passes the tunnel is checked as without one.
public final class ProxyTunnel {
  /// How far the tunnel is.
  public enum Outcome {
    case pending, open
    /// The proxy wants to hear this before it goes on. The bytes are there until the next call.
    case send(UnsafeBufferPointer<UInt8>)
    case refused(TransportFailure)
  }

  public let address: ProxyAddress
  private let buffer = FixedBuffer(capacity: Budget.fetchLineBytes)
  private var reader: HTTPResponseReader
  private var received = 0
  private var dialog: SOCKSDialog?

  /// A tunnel of the proxy at `address`.
  @export(interface)
  public init(_ address: ProxyAddress) {
    self.address = address
    reader = HTTPResponseReader(line: buffer.bytes, body: UnsafeMutableBufferPointer(start: nil, count: 0))
  }

  /// Starts over, and writes what begins a tunnel to `url` into the buffer that answers are read with, which is
  /// free until then: the bytes to send.
  public func request(to url: GatewayURL) -> UnsafeBufferPointer<UInt8> {
    dialog = address.kind == .socks5 ? SOCKSDialog(address, to: url) : nil
    if let dialog { return write(dialog) }
    reader = HTTPResponseReader(line: buffer.bytes, body: UnsafeMutableBufferPointer(start: nil, count: 0))
    received = 0
    var writer = ByteWriter(into: buffer.bytes)
    let place = "\(url.bracketedHost):\(url.port)"
    writer.text("CONNECT ")
    writer.text(place)
    writer.text(" HTTP/1.1\r\nHost: ")
    writer.text(place)
    if !address.credentials.isEmpty {
      writer.text("\r\nProxy-Authorization: Basic ")
      writer.text(address.credentials)
    }
    writer.text("\r\n\r\n")
    precondition(writer.isComplete, "host and credentials are bounded by the configuration")
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<writer.count])
  }

  private func write(_ dialog: SOCKSDialog) -> UnsafeBufferPointer<UInt8> {
    var writer = ByteWriter(into: buffer.bytes)
    dialog.write(to: &writer)
    precondition(writer.isComplete, "host and credentials are bounded by the configuration")
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<writer.count])
  }

  /// Reads the proxy's next bytes. Nothing may follow an answer: here the client speaks first.
  public func receive(_ bytes: Span<UInt8>) -> Outcome {
    if dialog != nil { return receiveSOCKS(bytes) }
    for index in 0..<bytes.count {
      received += 1
      guard received <= Budget.proxyAnswerBytes else { return refused("its answer is too long") }
      do throws(HTTPError) {
        try reader.take(bytes.extracting(index..<(index + 1)))
      } catch {
        // The page that comes with a refusal is not read, so its length and encoding do not matter.
        return reader.status >= 300 ? refusedByStatus() : refused("its answer is not HTTP")
      }
      guard reader.hasHeader else { continue }
      guard reader.status < 300 else { return refusedByStatus() }
      return index + 1 == bytes.count ? .open : refused("it sent more than its answer")
    }
    return .pending
  }

  private func receiveSOCKS(_ bytes: Span<UInt8>) -> Outcome {
    for index in 0..<bytes.count {
      let isLast = index + 1 == bytes.count
      switch dialog!.receive(bytes[index]) {
      case .more: continue
      case .send: return isLast ? .send(write(dialog!)) : refused("it sent more than its answer")
      case .open: return isLast ? .open : refused("it sent more than its answer")
      case .refused(let words): return refused(words)
      }
    }
    return .pending
  }

  private func refused(_ detail: StaticString) -> Outcome { .refused(TransportFailure(.proxy, detail: detail.path)) }

  private func refusedByStatus() -> Outcome {
    .refused(TransportFailure(.proxy, detail: words(for: reader.status).path, status: reader.status))
  }

  private func words(for status: UInt16) -> StaticString {
    switch status {
    // 401 is what tinyproxy says to a wrong password.
    case 401 where address.credentials.isEmpty, 407 where address.credentials.isEmpty:
      "it wants a user and a password (http://USER:PASSWORD@HOST:PORT)"
    case 401, 407: "it does not take this user and password"
    case 403: "it does not let this board reach the gateway"
    case 400, 404, 405, 501: "it makes no tunnels; is this the address of an HTTP proxy?"
    case 502, 503, 504: "it does not reach the gateway"
    default: "it makes no tunnel"
    }
  }
}
