import Codec
import Runtime

/// Why a join URL was refused.
public enum JoinURLError: Error, Equatable, Sendable {
  case tooLong, scheme, userInfo, queryOrFragment, host, port, path, code, plaintext

  /// What a person reads after "the join URL".
  public var text: StaticString {
    switch self {
    case .tooLong: "is longer than any join URL"
    case .scheme: "must begin with https://"
    case .userInfo: "must not contain a user name or password"
    case .queryOrFragment: "must not contain a query or fragment"
    case .host: "has no valid host"
    case .port: "has no valid port (1 to 65535)"
    case .path: "has characters that are not allowed in a path"
    case .code: "must end with /j/ and a code of 22 characters; was all of it copied?"
    case .plaintext: "is not encrypted: http:// is for a gateway on this board alone"
    }
  }
}

/// The address under which a gateway hands out one setup payload, once (newer-gateways 4.2):
/// `https://HOST[:PORT][/CONTEXT]/j/CODE`, or `http` for a gateway on this board. The context may hold anything, also
/// `/j/`: only the end of the path counts. The code is a secret until it was asked for.
public struct JoinURL: Sendable {
  /// Where to connect; its path ends with the code.
  public let endpoint: GatewayURL

  /// Characters of a code: 16 bytes in base64url.
  static let codeCharacters = 22
  private static let mark: StaticString = "/j/"

  /// True for a text that can only be meant as a URL of the web.
  public static func isMeant(by text: String) -> Bool {
    begins(text, with: "https://") || begins(text, with: "http://")
  }

  /// Parses a join URL without white space around it.
  public init(_ text: String) throws(JoinURLError) {
    guard text.utf8.count <= Budget.urlBytes else { throw .tooLong }
    guard Self.isMeant(by: text) else { throw .scheme }
    let url: GatewayURL
    do throws(GatewayURLError) {
      url = try GatewayURL(text)
    } catch {
      throw Self.error(for: error)
    }
    guard Self.hasCode(Array(url.path.utf8)) else { throw .code }
    guard url.isSecure || url.isLoopback else { throw .plaintext }
    endpoint = url
  }

  private static func error(for error: GatewayURLError) -> JoinURLError {
    switch error {
    case .scheme: .scheme
    case .userInfo: .userInfo
    case .token, .queryOrFragment: .queryOrFragment
    case .host, .letters: .host
    case .port: .port
    case .path: .path
    }
  }

  private static func hasCode(_ path: [UInt8]) -> Bool {
    let length = mark.utf8CodeUnitCount + codeCharacters
    guard path.count >= length else { return false }
    let end = path[(path.count - length)...]
    guard end.prefix(mark.utf8CodeUnitCount).elementsEqual(mark.bytes) else { return false }
    return end.dropFirst(mark.utf8CodeUnitCount).allSatisfy(isCodeCharacter)
  }

  private static func isCodeCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }

  private static func begins(_ text: String, with prefix: StaticString) -> Bool {
    var bytes = text.utf8.makeIterator()
    for expected in prefix.bytes {
      guard let byte = bytes.next() else { return false }
      let isLetter = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      if (isLetter ? byte | 0x20 : byte) != expected { return false }
    }
    return true
  }

  /// The server without the path, which holds the code: "https://host:443".
  public var origin: String {
    "\(endpoint.isSecure ? "https" : "http")://\(endpoint.bracketedHost):\(endpoint.port)"
  }

  /// The whole URL in canonical form.
  public var text: String { origin + endpoint.path }
}
