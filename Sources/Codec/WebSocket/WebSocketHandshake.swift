/// The client's opening handshake (RFC 6455 section 4.1): requests a plain WebSocket, without origin, subprotocol or
/// extensions. The caller supplies 16 random bytes and SHA-1:
///
///     key     = WebSocketHandshake.key(random16)                          24 characters
///     digest  = SHA-1 of what `hashInput(key:into:)` wrote                 20 bytes
///     answer  = WebSocketResponse(headerLimit: ..., digest: digest)
public enum WebSocketHandshake {
  /// How many characters the key has: the base64 of 16 bytes.
  public static let keyLength = 24
  /// How many bytes are hashed for `Sec-WebSocket-Accept`: the key and the GUID.
  public static let hashInputLength = 60
  /// How many bytes SHA-1 makes.
  public static let digestLength = 20
  /// Section 1.3: appended to the key by any server that knows the protocol.
  private static let guid: StaticString = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// Writes the key for 16 random bytes, fresh for each connection.
  /// - Returns: `keyLength`; less room is a programmer's error.
  @discardableResult
  public static func key(_ random: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    precondition(random.count == 16)
    return Base64.standard.encode(random, into: output)
  }

  /// Writes the text that the server hashes to prove that it received the key (section 4.2.2).
  /// - Returns: `hashInputLength`; less room is a programmer's error.
  @discardableResult
  public static func hashInput(key: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = ByteWriter(into: output)
    writer.bytes(key)
    writer.text(guid)
    precondition(writer.isComplete && writer.count == hashInputLength)
    return writer.count
  }

  /// Writes the request. Host, path and user agent must have been checked: visible ASCII (the user agent may
  /// have spaces).
  /// - Parameters:
  ///   - path: with its leading slash.
  ///   - host: as in the URL: a name or an address, an IPv6 one in brackets, with `:port` unless it is the
  ///     scheme's own.
  ///   - more: writes further header fields, each with its line end.
  public static func request(
    path: Span<UInt8>, host: Span<UInt8>, userAgent: Span<UInt8>, key: Span<UInt8>,
    into writer: inout ByteWriter, more: (inout ByteWriter) -> Void = { _ in }
  ) {
    writer.text("GET ")
    writer.bytes(path)
    writer.text(" HTTP/1.1\r\nHost: ")
    writer.bytes(host)
    writer.text(
      "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ")
    writer.bytes(key)
    writer.text("\r\nUser-Agent: ")
    writer.bytes(userAgent)
    writer.text("\r\n")
    more(&writer)
    writer.text("\r\n")
  }
}
