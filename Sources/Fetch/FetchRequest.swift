import Codec
import Gateway
import Runtime

/// A request as it is sent: the plain one gets a page or a picture.
public struct FetchRequest {
  public enum Method: Equatable, Sendable {
    case get, put, post

    fileprivate var word: StaticString {
      switch self {
      case .get: "GET "
      case .put: "PUT "
      case .post: "POST "
      }
    }
  }

  public var method = Method.get
  public var accept: StaticString = "image/png, image/jpeg, image/webp, image/gif, image/svg+xml, */*;q=0.5"
  /// The value of `Authorization`, for the server of the first address alone; empty: none.
  public var authorization = InlineText<600>()
  /// What is sent, JSON as a rule; must live until the end.
  public var body = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  public var contentType: StaticString = "application/json"
  /// Further header fields, each with its line end.
  public var fields: StaticString = ""
  /// The session of an MCP server, which it has given before; empty: none.
  public var session = InlineText<128>()
  /// The value of `User-Agent`.
  public var agent = InlineText<64>(cutting: "Talon")
  /// The only certificate that the server of an `https` address may show; nil: one that the board's authorities vouch
  /// for.
  public var pin: Fingerprint?
  /// A sink gets what has come at once, and not only when the fetcher's memory is full: for answers that are written
  /// while they are sent.
  public var isPrompt = false
  /// The content of an answer that is neither a success nor leads elsewhere is taken as well: servers say there what
  /// was wrong. `Fetcher.status` tells what it is.
  public var readsFailures = false
  /// The connection stays open for the next request to the same server.
  public var keepsConnection = false
  /// The first byte that is wanted (RFC 9110 section 14.2), of the file that has this tag if it is not empty.
  public var start = 0
  public var etag = InlineText<128>()
  /// Largest content in bytes; nil: what the fetcher has memory for.
  public var limit: Int?
  /// Timeouts for the whole, and for silence of the server.
  public var totalMilliseconds = Budget.fetchMilliseconds
  public var idleMilliseconds = Budget.fetchIdleMilliseconds

  /// The plain request.
  public init() {}

  /// True for a status that is a success.
  func accepts(_ status: UInt16) -> Bool {
    if method != .get { return (200..<300).contains(status) }
    return status == 200 || start > 0 && status == 206
  }

  /// Writes the request up to its body. `isFirst`: this is the server of the first address.
  func write(_ url: WebURL, isFirst: Bool, to writer: inout ByteWriter) {
    writer.text(method.word)
    writer.text(url.target)
    writer.text(" HTTP/1.1\r\nHost: ")
    writer.text(url.endpoint.hostHeader)
    writer.text("\r\nUser-Agent: ")
    writer.bytes(agent.span)
    writer.text("\r\nAccept: ")
    writer.text(accept)
    writer.text("\r\nAccept-Encoding: identity\r\n")
    if !keepsConnection { writer.text("Connection: close\r\n") }
    if isFirst, !authorization.isEmpty {
      writer.text("Authorization: ")
      writer.bytes(authorization.span)
      writer.text("\r\n")
    }
    if start > 0 {
      writer.text("Range: bytes=")
      writer.decimal(Int64(start))
      writer.text("-\r\n")
      if !etag.isEmpty {
        writer.text("If-Range: ")
        writer.bytes(etag.span)
        writer.text("\r\n")
      }
    }
    if method != .get {
      writer.text(fields)
      if !session.isEmpty {
        writer.text("Mcp-Session-Id: ")
        writer.bytes(session.span)
        writer.text("\r\n")
      }
      writer.text("Content-Type: ")
      writer.text(contentType)
      writer.text("\r\nContent-Length: ")
      writer.decimal(Int64(body.count))
      writer.text("\r\n")
    }
    writer.text("\r\n")
  }
}
