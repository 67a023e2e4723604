import Runtime

/// Why a link could not be made, or ended.
public struct TransportFailure {
  /// The kind, on which the reaction depends.
  public enum Kind: Equatable, Sendable {
    /// The name has no address, or name resolution failed.
    case resolve
    /// No address of the name may be connected to.
    case forbidden
    /// No address accepted a TCP connection.
    case connect
    /// The proxy on the way is not there, or makes no tunnel to the gateway.
    case proxy
    /// TLS refused, or the peer does not speak it.
    case tls
    /// The peer closed in an orderly way.
    case closedByPeer
    /// The connection broke.
    case broken
  }

  public let kind: Kind
  /// The kernel's reason, where there is one.
  public let reason: Errno?
  /// The library's message: a literal or static text of the library.
  public let detail: UnsafePointer<CChar>?
  /// The HTTP status with which a proxy refused; 0 where there was none.
  public let status: UInt16

  public init(_ kind: Kind, reason: Errno? = nil, detail: UnsafePointer<CChar>? = nil, status: UInt16 = 0) {
    self.kind = kind
    self.reason = reason
    self.detail = detail
    self.status = status
  }

  /// Adds one clause for people: "could not connect: connection refused (errno 111)".
  public func describe(_ line: inout LogLine) {
    switch kind {
    case .resolve: line.add("the gateway's name has no address")
    case .forbidden: line.add("the name has no address that may be used")
    case .connect: line.add("could not connect")
    case .proxy: describeProxy(&line)
    case .tls: line.add("TLS failed")
    case .closedByPeer: line.add("the gateway closed the connection")
    case .broken: line.add("the connection broke")
    }
    if let detail {
      line.add(": ")
      line.add(cString: detail)
    }
    if let reason {
      line.add(": ")
      line.add(reason)
    }
  }
}

extension TransportFailure {
  private func describeProxy(_ line: inout LogLine) {
    line.add("the proxy ([gateway] proxy) ")
    if status == 0 { return line.add("makes no tunnel") }
    line.add("answered with HTTP ")
    line.add(status)
  }
}

/// A byte stream to the gateway: TCP with or without TLS. One connection at a time.
public protocol Transport: AnyObject {
  /// Starts name resolution, connection and TLS handshake with the server at `url`. Exactly one of `transportSecured`
  /// and `transportFailed` follows, unless `close` comes first.
  func open(_ url: GatewayURL, _ delegate: any TransportDelegate)

  /// Takes bytes to send, and returns how many: 0 when full. When fewer than offered, `transportWritable` follows.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int

  /// Delivers again after `transportReceived` did not take all bytes.
  func resumeReading()

  /// Closes the connection cleanly, without further calls of the delegate.
  func close()
}

/// Gets the events of a transport.
public protocol TransportDelegate: AnyObject {
  /// The connection is ready, and no application data was sent. `certificate` is nil without TLS.
  func transportSecured(certificate: PeerCertificate?)

  /// Bytes arrived. Returns how many were taken; the rest is kept until `resumeReading`.
  func transportReceived(_ bytes: Span<UInt8>) -> Int

  /// There is room to write again.
  func transportWritable()

  /// The connection has ended.
  func transportFailed(_ failure: TransportFailure)
}
