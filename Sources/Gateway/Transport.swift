import Runtime

/// Why a link could not be made, or ended.
public struct TransportFailure {
  /// What to do about it depends on the kind alone.
  public enum Kind: Equatable, Sendable {
    /// The name has no address, or nobody answered for it.
    case resolve
    /// It may not be connected to the addresses that the name has.
    case forbidden
    /// No address accepted a TCP connection.
    case connect
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
  /// What the library said; a literal or text of the library that lives for ever.
  public let detail: UnsafePointer<CChar>?

  public init(_ kind: Kind, reason: Errno? = nil, detail: UnsafePointer<CChar>? = nil) {
    self.kind = kind
    self.reason = reason
    self.detail = detail
  }

  /// Adds one clause for people: "could not connect: connection refused (errno 111)".
  public func describe(_ line: inout LogLine) {
    switch kind {
    case .resolve: line.add("the gateway's name has no address")
    case .forbidden: line.add("the name has no address that may be used")
    case .connect: line.add("could not connect")
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

/// A byte stream to the gateway: TCP with or without TLS. One connection at a time.
public protocol Transport: AnyObject {
  /// Starts resolving, connecting and shaking hands with the server at `url`. Exactly one of `transportSecured` and
  /// `transportFailed` follows, unless `close` comes first.
  func open(_ url: GatewayURL, _ delegate: any TransportDelegate)

  /// Takes bytes to send: how many, 0 when full. When fewer than offered, `transportWritable` follows.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int

  /// Delivers again after `transportReceived` left bytes behind.
  func resumeReading()

  /// Ends the link in an orderly way. The delegate hears nothing more of it.
  func close()
}

/// Told what happens on a link.
public protocol TransportDelegate: AnyObject {
  /// The link stands and not one byte of ours has been sent over it. `certificate` is nil without TLS.
  func transportSecured(certificate: PeerCertificate?)

  /// Bytes arrived: how many were taken. When fewer than given, the rest waits for `resumeReading`.
  func transportReceived(_ bytes: Span<UInt8>) -> Int

  /// There is room to write again.
  func transportWritable()

  /// The link is gone.
  func transportFailed(_ failure: TransportFailure)
}
