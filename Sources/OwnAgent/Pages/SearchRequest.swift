import Codec
import Fetch
import Runtime

/// Whose search is asked.
public enum SearchProvider: UInt8, Sendable {
  /// A server of one's own that asks others: `GET /search?q=...&format=json`.
  case searxng
  /// `GET /res/v1/web/search?q=...&count=...`.
  case brave
  /// `POST /search` with JSON.
  case tavily

  /// Where it is, unless the configuration says otherwise; SearXNG is nowhere else.
  var usualAddress: StaticString {
    switch self {
    case .searxng: ""
    case .brave: "https://api.search.brave.com"
    case .tavily: "https://api.tavily.com"
    }
  }
}

/// Why a search cannot be asked.
public enum SearchError: Error, Equatable, Sendable {
  /// In the configuration: no valid address; one without TLS that would show the key; no key, or one with characters
  /// that no header takes.
  case address, plaintext, key
  /// Of the query: empty, too long, not UTF-8.
  case empty, tooLong, notUTF8

  /// What a person or a model reads.
  public var text: StaticString {
    switch self {
    case .address: "the address of the search provider is not valid: it must begin with https:// or http://"
    case .plaintext: "the search provider has a key, so its address must begin with https://"
    case .key: "the key of the search provider is missing, too long, or has characters that are not allowed"
    case .empty: "the query is empty"
    case .tooLong: "the query is longer than 400 bytes"
    case .notUTF8: "the query is not UTF-8"
    }
  }
}

/// Writes the requests to one search provider. The key goes to its server alone, and is in no address.
public final class SearchRequest {
  public let provider: SearchProvider
  private let base: WebURL
  private var authorization = InlineText<600>()
  /// The address's target, or the body.
  private let room = FixedBuffer(capacity: max(Budget.fetchURLBytes, Budget.searchRequestBytes))

  /// Requests to `provider`, at `address` unless it is empty. `key` may be empty for SearXNG.
  @export(interface)
  public init(_ provider: SearchProvider, address: String, key: String) throws(SearchError) {
    self.provider = provider
    let isUsual = address.utf8.isEmpty
    guard address.utf8.count <= Budget.searchURLBytes else { throw .address }
    let bytes = isUsual ? Self.bytes(of: provider.usualAddress) : Array(address.utf8)
    do throws(WebURLError) { base = try WebURL(bytes.span) } catch { throw .address }
    try setKey(key)
  }

  private static func bytes(of text: StaticString) -> [UInt8] {
    [UInt8](UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private func setKey(_ key: String) throws(SearchError) {
    let bytes = Array(key.utf8)
    guard bytes.count <= Budget.searchKeyBytes, !bytes.isEmpty || provider == .searxng else { throw .key }
    for byte in bytes where byte <= 0x20 || byte >= 0x7F { throw .key }
    guard !bytes.isEmpty else { return }
    guard base.isSecure || base.isLoopback else { throw .plaintext }
    authorization.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("Bearer ")
      writer.text(key)
      if provider == .brave {
        // Brave reads a field of its own name. A request has room for one secret field, so this one follows in it.
        writer.text("\r\nX-Subscription-Token: ")
        writer.text(key)
      }
      return writer.isComplete ? writer.count : nil
    }
  }

  /// The request for a query. Its body is in memory of this object until the next one.
  public func request(
    _ query: UnsafeBufferPointer<UInt8>, version: InlineText<64>
  ) throws(SearchError) -> (url: WebURL, request: FetchRequest) {
    let query = Self.trimmed(query)
    guard !query.isEmpty else { throw .empty }
    guard query.count <= Budget.searchQueryBytes else { throw .tooLong }
    guard UTF8Validator.isValid(query.span) else { throw .notUTF8 }
    var request = FetchRequest()
    request.accept = "application/json"
    request.authorization = authorization
    request.agent = version
    request.totalMilliseconds = Budget.searchMilliseconds
    request.idleMilliseconds = Budget.searchIdleMilliseconds
    var writer = ByteWriter(into: room.bytes)
    guard provider == .tavily else {
      writeTarget(query, to: &writer)
      guard writer.isComplete, writer.count <= Budget.fetchURLBytes else { throw .tooLong }
      return (base.with(target: string(writer.count)), request)
    }
    var json = JSONWriter(continuing: writer)
    writeBody(query, to: &json)
    guard json.isComplete else { throw .tooLong }
    request.method = .post
    request.body = UnsafeBufferPointer(room.bytes).extracting(0..<json.count)
    return (base.with(target: path("/search")), request)
  }

  private func string(_ count: Int) -> String { String(decoding: room.bytes[..<count], as: UTF8.self) }

  /// White space around it means nothing.
  private static func trimmed(_ query: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, query.count)
    while start < end, query[start] <= 0x20 { start += 1 }
    while end > start, query[end - 1] <= 0x20 { end -= 1 }
    return query.extracting(start..<end)
  }

  /// The configured path, without a slash at its end, and what follows.
  private func path(_ rest: String) -> String {
    var own = base.target
    while own.utf8.last == UInt8(ascii: "/") { own.removeLast() }
    return own + rest
  }

  private func writeTarget(_ query: UnsafeBufferPointer<UInt8>, to writer: inout ByteWriter) {
    writer.text(path(provider == .searxng ? "/search?format=json&q=" : "/res/v1/web/search?count="))
    if provider == .brave {
      writer.decimal(Int64(Budget.searchResults))
      writer.text("&q=")
    }
    // Everything but the unreserved characters (RFC 3986 section 2.3).
    for byte in query {
      let lower = byte.asciiLowercased
      if byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || byte == UInt8(ascii: "-")
        || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
      {
        writer.byte(byte)
      } else {
        writer.byte(UInt8(ascii: "%"))
        writer.byte(Self.digit(byte >> 4))
        writer.byte(Self.digit(byte & 15))
      }
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }

  private func writeBody(_ query: UnsafeBufferPointer<UInt8>, to json: inout JSONWriter) {
    json.beginObject()
    json.key("query")
    json.string(query.span)
    json.key("max_results")
    json.int(Int64(Budget.searchResults))
    json.key("search_depth")
    json.string("basic")
    json.endObject()
  }
}
