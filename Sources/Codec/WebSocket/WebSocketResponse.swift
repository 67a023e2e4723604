/// Why an answer is not a WebSocket server's.
public enum WebSocketHandshakeError: UInt8, Error, Sendable {
  /// Not a header of HTTP/1 (RFC 9112): a bad status line, a field without a name, a bare line feed, a
  /// folded line.
  case malformed
  /// The first byte is that of a TLS record: an alert of a server that expects TLS (RFC 8446 section 5.1).
  case speaksTLS
  /// The header is longer than the limit.
  case headerTooLong
  /// `Upgrade` or `Connection` is missing or says something else (RFC 6455 section 4.1).
  case notUpgraded
  /// `Sec-WebSocket-Accept` is missing, repeated or not the one for our key.
  case wrongAccept
  /// The server chose an extension that we did not offer.
  case unexpectedExtension
  /// The server chose a subprotocol that we did not offer.
  case unexpectedProtocol
}

/// Reads a server's answer to the opening handshake (RFC 6455 section 4.1) as it arrives, and checks it.
public struct WebSocketResponse {
  /// How far the handshake is.
  public enum Outcome: Equatable, Sendable {
    /// The header is not all there.
    case pending
    /// The connection is a WebSocket; what comes next is its first frame.
    case upgraded
    /// The server answered with another status. What it says about that is in `words` and `location`; feed it until
    /// `isRead`.
    case refused(status: UInt16, retryAfterSeconds: UInt32?)
  }

  private static let lineMax = 256

  /// How far the handshake is.
  public private(set) var outcome = Outcome.pending
  private let headerLimit: Int
  private var headerLength = 0
  /// The line being read. Longer ones are cut: no field that counts here is that long.
  private var line = InlineArray<256, UInt8>(repeating: 0)
  private var lineLength = 0
  private var endsWithReturn = false
  private var isStatusLine = true
  private var fields: HandshakeFields
  private var page = PageWords()
  private var failure: WebSocketHandshakeError?

  /// A reader for the first byte of the answer.
  /// - Parameters:
  ///   - headerLimit: the most bytes of header to read.
  ///   - digest: SHA-1 of what `WebSocketHandshake.hashInput` wrote, 20 bytes.
  public init(headerLimit: Int, digest: Span<UInt8>) {
    precondition(digest.count == WebSocketHandshake.digestLength)
    self.headerLimit = headerLimit
    fields = HandshakeFields(digest: digest)
  }

  /// The first words of a refusal's body, without the tags of HTML.
  public var words: Span<UInt8> {
    @_lifetime(borrow self)
    get { page.words }
  }

  /// Where a refusal leads to; empty where it leads nowhere.
  public var location: Span<UInt8> {
    @_lifetime(borrow self)
    get { fields.location }
  }

  /// What counts of a refusal is there: no more of it is read.
  public var isRead: Bool { page.isFull || fields.isBodyRead(page.received) }

  /// Reads the next bytes. After an error every further call throws it again.
  /// - Returns: how many were read: all of them, unless the outcome is `upgraded`; the rest is the
  ///   WebSocket's.
  public mutating func feed(_ bytes: Span<UInt8>) throws(WebSocketHandshakeError) -> Int {
    if let failure { throw failure }
    var index = 0
    do throws(WebSocketHandshakeError) {
      while outcome == .pending, index < bytes.count {
        guard headerLength < headerLimit else { throw .headerTooLong }
        try read(bytes[index])
        headerLength += 1
        index += 1
      }
    } catch {
      failure = error
      throw error
    }
    guard outcome != .pending, outcome != .upgraded else { return index }
    page.add(bytes.extracting(index...), isChunked: fields.isChunked)
    return bytes.count
  }

  /// Reads a byte of the header. Lines end with CR LF and in no other way (RFC 9112 section 2.2).
  private mutating func read(_ byte: UInt8) throws(WebSocketHandshakeError) {
    if headerLength == 0, byte == 0x15 { throw .speaksTLS }
    guard endsWithReturn == (byte == 0x0A) else { throw .malformed }
    if byte == 0x0D {
      endsWithReturn = true
    } else if byte == 0x0A {
      endsWithReturn = false
      try endLine()
      lineLength = 0
    } else {
      guard byte >= 0x20 || byte == 0x09 else { throw .malformed }
      if lineLength < Self.lineMax { line[lineLength] = byte }
      lineLength += 1
    }
  }

  private mutating func endLine() throws(WebSocketHandshakeError) {
    let text = line.span.extracting(..<min(lineLength, Self.lineMax))
    if isStatusLine {
      isStatusLine = false
      try fields.status(text)
    } else if lineLength == 0 {
      outcome = try fields.outcome()
      // A response that is not the last (RFC 9110 section 15.2): the next one follows.
      guard outcome == .pending else { return }
      isStatusLine = true
      fields.restart()
    } else {
      try fields.field(text)
    }
  }
}
