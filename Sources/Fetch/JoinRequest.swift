import Codec
import Gateway
import Runtime

/// Why a join URL gave no payload. `isFinal` tells whether the URL was used, and is worthless now.
public enum JoinFailure {
  /// The gateway was not reached, and nothing was asked of it.
  case unreached(TransportFailure)
  /// It was not reached in time.
  case silent
  /// What keeps a URL from being asked twice could not be noted.
  case notNoted
  /// 404: never made, used, or expired.
  case unknown
  /// 429, with the seconds to wait, if told.
  case limited(seconds: UInt32?)
  /// A redirect, which is not followed.
  case redirect(UInt16)
  case status(UInt16)
  /// Not `application/json`.
  case type
  case tooLarge, malformed, cut, timedOut

  /// True when the URL was asked for, and counts no more.
  public var isFinal: Bool {
    switch self {
    case .unreached, .silent, .notNoted: false
    default: true
    }
  }
}

/// Gets the steps of a join request.
public protocol JoinDelegate: AnyObject {
  /// The server is the right one, and the only request follows. False if that could not be noted: nothing is sent then.
  func joinWillAsk() -> Bool
  /// It has ended: `payload` holds the body, or the failure says why not. Called once.
  func joinEnded(_ failure: JoinFailure?)
}

/// Asks a gateway for the payload of a join URL: exactly one GET, no redirects, at most `Budget.joinBodyBytes`
/// (newer-gateways 4.2). The transport checks the certificate by the board's authorities.
public final class JoinRequest: TransportDelegate {
  private enum Phase { case idle, connecting, answering, ended }

  private let url: JoinURL
  private let access: EdgeAccess?
  private let userAgent: String
  private let transport: any Transport
  private unowned(unsafe) let delegate: any JoinDelegate
  private var phase = Phase.idle
  private let request = FixedBuffer(capacity: Budget.joinRequestBytes)
  private let line = FixedBuffer(capacity: Budget.fetchLineBytes)
  private let body = FixedBuffer(capacity: Budget.joinBodyBytes)
  private var reader: HTTPResponseReader
  private var unsent = 0..<0

  /// A request that has not begun. `delegate` must live as long.
  @export(interface)
  public init(
    _ url: JoinURL, access: EdgeAccess?, version: String, transport: any Transport, delegate: any JoinDelegate
  ) {
    self.url = url
    self.access = access
    userAgent = UserAgent.text(version: version)
    self.transport = transport
    self.delegate = delegate
    reader = HTTPResponseReader(line: line.bytes, body: body.bytes)
  }

  /// Connects, and asks.
  public func start() {
    phase = .connecting
    transport.open(url.endpoint, self)
  }

  /// The time is over.
  public func timeOut() {
    switch phase {
    case .idle, .ended: return
    case .connecting: end(.silent)
    case .answering: end(.timedOut)
    }
  }

  /// The answer's body, once it has ended without a failure.
  public var payload: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(body.bytes).extracting(0..<reader.count) }

  private func end(_ failure: JoinFailure?) {
    guard phase != .ended else { return }
    phase = .ended
    transport.close()
    delegate.joinEnded(failure)
  }

  public func transportSecured(certificate: PeerCertificate?) {
    guard phase == .connecting else { return }
    guard delegate.joinWillAsk() else { return end(.notNoted) }
    phase = .answering
    var writer = ByteWriter(into: request.bytes)
    writer.text("GET ")
    writer.text(url.endpoint.path)
    writer.text(" HTTP/1.1\r\nHost: ")
    writer.text(url.endpoint.hostHeader)
    writer.text("\r\nUser-Agent: ")
    writer.text(userAgent)
    writer.text("\r\nAccept: application/json\r\nAccept-Encoding: identity\r\nConnection: close\r\n")
    access?.write(for: url.endpoint, to: &writer)
    writer.text("\r\n")
    precondition(writer.isComplete, "the URL and the headers are bounded")
    unsent = 0..<writer.count
    transportWritable()
  }

  public func transportWritable() {
    guard phase == .answering, !unsent.isEmpty else { return }
    let sent = transport.write(UnsafeBufferPointer(request.bytes).extracting(unsent))
    unsent = (unsent.lowerBound + sent)..<unsent.upperBound
  }

  public func transportReceived(_ bytes: Span<UInt8>) -> Int {
    guard phase == .answering else { return bytes.count }
    do throws(HTTPError) {
      try reader.take(bytes)
      if reader.hasHeader, let failure = objection { end(failure) }
      if phase == .answering, reader.isDone { end(nil) }
    } catch {
      end(failure(for: error))
    }
    return bytes.count
  }

  public func transportFailed(_ failure: TransportFailure) {
    switch phase {
    case .idle, .ended: return
    case .connecting: end(.unreached(failure))
    case .answering:
      do throws(HTTPError) {
        try reader.end()
        end(failure.kind == .closedByPeer ? objection : .cut)
      } catch {
        end(.cut)
      }
    }
  }

  /// What is wrong with the header; nil for a payload.
  private var objection: JoinFailure? {
    switch reader.status {
    case 200: reader.type.equals(("application/json" as StaticString).utf8Bytes) ? nil : .type
    case 404: .unknown
    case 429: .limited(seconds: reader.retryAfterSeconds)
    case 300..<400: .redirect(reader.status)
    default: .status(reader.status)
    }
  }

  private func failure(for error: HTTPError) -> JoinFailure {
    // The page that comes with a refusal may have any length.
    if reader.hasHeader || reader.status > 200, let objection { return objection }
    return error == .tooLarge ? .tooLarge : .malformed
  }
}
