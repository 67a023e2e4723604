import Codec
import Gateway
import Runtime

/// Why something could not be fetched.
public struct FetchFailure: Error {
  public enum Kind: Equatable, Sendable {
    /// Where an answer leads is no address.
    case badAddress(WebURLError)
    /// `http` to where it is not allowed.
    case plaintext
    /// The name has no address.
    case name
    /// All its addresses are of the board, of its network, or special.
    case refusedAddress
    case connect
    /// No TLS, or a certificate that nobody vouches for.
    case tls
    /// It is the gateway's address, and not its certificate.
    case notTheGateway
    /// The answer is no HTTP.
    case malformed
    /// Compressed, or framed in a way that was not asked for.
    case encoding
    /// Neither success nor somewhere else.
    case status(UInt16)
    case redirects
    case tooLarge
    case timedOut
    /// The connection ended before the content did.
    case cut
    /// There is no canvas host for an address without a host, or the gateway does not renew its own.
    case noCanvasHost
  }

  public let kind: Kind
  /// The name of the host; empty where it does not matter. Never a path: one may be a secret.
  public let host: InlineText<64>
  /// The kernel's reason, and the library's, where there is one.
  public let reason: Errno?
  nonisolated(unsafe) public let detail: UnsafePointer<CChar>?

  /// A failure; see the properties.
  public init(_ kind: Kind, host: String = "", reason: Errno? = nil, detail: UnsafePointer<CChar>? = nil) {
    self.kind = kind
    self.host = InlineText(cutting: host)
    self.reason = reason
    self.detail = detail
  }

  /// How a transport failed.
  init(_ failure: TransportFailure, host: String) {
    var kind = Kind.cut
    switch failure.kind {
    case .resolve: kind = .name
    case .connect: kind = .connect
    case .forbidden: kind = .refusedAddress
    case .tls: kind = .tls
    case .closedByPeer, .broken: kind = .cut
    }
    if kind == .connect, failure.reason == .timedOut { kind = .timedOut }
    self.init(kind, host: host, reason: failure.reason, detail: failure.detail)
  }

  /// Another time it may work: the network or the server may be back.
  public var isPassing: Bool {
    switch kind {
    case .name, .connect, .timedOut, .cut, .noCanvasHost: true
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
    case .badAddress(.scheme): " leads to something that is no https address"
    case .badAddress: " leads to an address that makes no sense"
    case .plaintext: " is not encrypted: use https, or allow the host with allow in [canvas]"
    case .name: ": this name has no address"
    case .refusedAddress:
      " has an address of this board or its network, from which nothing is fetched; allow in [canvas] makes exceptions"
    case .connect: " does not accept connections"
    case .tls: " could not be trusted"
    case .notTheGateway: " showed another certificate than the gateway's"
    case .malformed: " gave an answer that is no HTTP"
    case .encoding: " gave an answer in an encoding that was not asked for"
    case .status: ""
    case .redirects: " leads elsewhere too often"
    case .tooLarge: " sent more than the 8 MiB that are taken"
    case .timedOut: " took too long"
    case .cut: " broke the connection off"
    case .noCanvasHost: "the gateway hosts no canvas for this board, so an address needs a host"
    }
  }
}
