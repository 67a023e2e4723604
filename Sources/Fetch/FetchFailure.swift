import Codec
import Gateway
import Runtime

/// Why something could not be fetched.
public struct FetchFailure: Error {
  public enum Kind: Equatable, Sendable {
    /// The target of a redirect is not a valid address.
    case badAddress(WebURLError)
    /// `http` to a host for which it is not allowed.
    case plaintext
    /// The name has no address.
    case name
    /// All its addresses are the board's, private, or special.
    case refusedAddress
    case connect
    /// The proxy on the way is not there, or makes no tunnel.
    case proxy
    /// No TLS, or a certificate that no authority vouches for.
    case tls
    /// The address is the gateway's, but not the certificate.
    case notTheGateway
    /// The certificate is not the one that the request pins.
    case wrongCertificate
    /// The response is not valid HTTP.
    case malformed
    /// Compressed, or with an unknown transfer encoding.
    case encoding
    /// A status other than success and redirects.
    case status(UInt16)
    case redirects
    case tooLarge
    case timedOut
    /// The connection ended before the end of the content.
    case cut
    /// An address without a host, but the gateway has no canvas host or does not renew its address.
    case noCanvasHost
  }

  public let kind: Kind
  /// The name of the host; empty where it does not matter. Never the path, which may be secret.
  public let host: InlineText<64>
  /// The kernel's reason and the library's message, if any.
  public let reason: Errno?
  nonisolated(unsafe) public let detail: UnsafePointer<CChar>?

  /// A failure; see the properties.
  public init(_ kind: Kind, host: String = "", reason: Errno? = nil, detail: UnsafePointer<CChar>? = nil) {
    self.kind = kind
    self.host = InlineText(cutting: host)
    self.reason = reason
    self.detail = detail
  }

  /// A failure of the transport.
  init(_ failure: TransportFailure, host: String) {
    var kind = Kind.cut
    switch failure.kind {
    case .resolve: kind = .name
    case .connect: kind = .connect
    case .proxy: kind = .proxy
    case .forbidden: kind = .refusedAddress
    case .tls: kind = .tls
    case .closedByPeer, .broken: kind = .cut
    }
    if kind == .connect, failure.reason == .timedOut { kind = .timedOut }
    self.init(kind, host: host, reason: failure.reason, detail: failure.detail)
  }

  /// True when it may work later: the network or the server may be back.
  public var isTransient: Bool {
    switch kind {
    case .name, .connect, .proxy, .timedOut, .cut, .noCanvasHost: true
    case .status(let status): status >= 500 || status == 408 || status == 429
    default: false
    }
  }

  /// What a person reads: "example.org answered with status 404".
  public func write(to writer: inout ByteWriter) {
    if !host.isEmpty { writer.bytes(host.span) }
    if case .status(let status) = kind {
      writer.text(" answered with status ")
      return writer.decimal(Int64(status))
    }
    writer.text(text)
    if let detail {
      writer.text(": ")
      var index = 0
      while detail[index] != 0 {
        writer.byte(UInt8(bitPattern: detail[index]))
        index += 1
      }
    } else if let reason {
      writer.text(": ")
      writer.text(reason.text)
    }
  }

  private var text: StaticString {
    switch kind {
    case .badAddress(.scheme): " redirects to something other than an https address"
    case .badAddress: " redirects to an address that is not valid"
    case .plaintext: " is not encrypted: use https, or allow the host with allow in [canvas]"
    case .name: ": this name has no address"
    case .refusedAddress:
      " has an address of this board or its network, from which nothing is fetched; allow in [canvas] makes exceptions"
    case .connect: " does not accept connections"
    case .proxy: ": the proxy ([gateway] proxy) makes no tunnel"
    case .tls: " could not be trusted"
    case .wrongCertificate: " showed another certificate than the one that is pinned"
    case .notTheGateway: " showed another certificate than the gateway's"
    case .malformed: " sent a response that is not HTTP"
    case .encoding: " sent a response in an encoding that was not requested"
    case .status: ""
    case .redirects: " redirects too often"
    case .tooLarge: " sent more than the 8 MiB that are taken"
    case .timedOut: " took too long"
    case .cut: " closed the connection before the end of the response"
    case .noCanvasHost: "the gateway hosts no canvas for this board, so an address needs a host"
    }
  }
}
