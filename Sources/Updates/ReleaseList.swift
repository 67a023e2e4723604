import Codec
import Runtime

/// Verifies signatures of Ed25519.
public protocol SignatureVerifier: AnyObject {
  /// True when `signature` (64 bytes) over `message` was made with the key whose public half is `key` (32 bytes; RFC
  /// 8032 section 5.1.7).
  func verifies(_ signature: Span<UInt8>, of message: Span<UInt8>, key: Span<UInt8>) -> Bool
}

/// Which releases of a list are looked at, and what this board has seen.
public struct ReleaseQuery: Sendable {
  /// The board's word (`arm64`) and the channel's name.
  public var board = InlineText<32>()
  public var channel = InlineText<32>()
  /// The running version.
  public var version = InlineText<64>()
  /// The public key of the list's publisher.
  public var key = InlineArray<32, UInt8>(repeating: 0)
  /// The highest number of a list that was accepted.
  public var highestNumber: Int64 = 0
  /// Milliseconds since 1970; nil while the board does not know the date.
  public var wall: Int64?

  /// A query that nothing answers.
  public init() {}
}

/// A signed list of releases on any web server: one line with the base64 of an Ed25519 signature, then JSON, which the
/// signature is of.
///
///     {"number": 12, "expires": "2027-01-31T00:00:00Z", "releases": [
///       {"board": "arm64", "channel": "stable", "version": "0.5.0", "minimum": "0.3.0",
///        "url": "https://example.org/talon-arm64-0.5.0.raucb", "size": 73400320, "sha256": "..."}]}
///
/// The number never goes down, so that nobody can play an old list; a list that expires cannot be kept from the board
/// for longer (The Update Framework, "rollback" and "freeze" attacks).
public struct ReleaseList: Sendable {
  public private(set) var number: Int64 = 0
  /// The newest release for this board that is newer than what runs and can be installed over it; nil without one.
  public private(set) var newest: Release?
  /// A newer release wants another one first, and that is not in the list.
  public private(set) var needsStep = false

  /// Verifies and reads the body of a list. The signature comes before the first look at the JSON.
  public init(
    _ body: Span<UInt8>, _ query: borrowing ReleaseQuery, _ verifier: any SignatureVerifier
  ) throws(UpdateMessageError) {
    var end = 0
    while end < body.count, body[end] != UInt8(ascii: "\n") { end += 1 }
    guard end < body.count, end <= 100 else { throw .notSigned }
    var line = end
    if line > 0, body[line - 1] == UInt8(ascii: "\r") { line -= 1 }
    let message = body.extracting((end + 1)..<body.count)
    guard Self.isSigned(body.extracting(0..<line), message, query.key.span, verifier) else { throw .notSigned }
    do throws(JSONError) {
      try JSONValidator.check(message, depthLimit: Budget.updateDepth)
    } catch {
      throw .notJSON
    }
    let root = JSONView(message)
    guard let number = root.member("number")?.int64, number > 0 else { throw .member(StaticText("number")) }
    self.number = number
    try Self.checkDate(root, query)
    guard number >= query.highestNumber else { throw .replayed }
    guard let releases = root.member("releases"), releases.kind == .array else {
      throw .member(StaticText("releases"))
    }
    var elements = releases.elements()
    var count = 0
    while let element = elements.next() {
      count += 1
      guard count <= Budget.updateReleases else { throw .severalReleases }
      try consider(element, query)
    }
    if newest != nil { needsStep = false }
  }

  private static func isSigned(
    _ line: Span<UInt8>, _ message: Span<UInt8>, _ key: Span<UInt8>, _ verifier: any SignatureVerifier
  ) -> Bool {
    var signature = InlineArray<64, UInt8>(repeating: 0)
    var span = signature.mutableSpan
    let count = span.withUnsafeMutableBufferPointer { Base64Decoder.decodeWhole(line, into: $0) }
    return count == 64 && verifier.verifies(signature.span, of: message, key: key)
  }

  private static func checkDate(
    _ root: borrowing JSONView, _ query: borrowing ReleaseQuery
  ) throws(UpdateMessageError) {
    var text = InlineText<40>()
    guard root.copy("expires", into: &text), let expires = ISO8601.unixMilliseconds(in: text.span) else {
      throw .member(StaticText("expires"))
    }
    guard let wall = query.wall else { throw .noDate }
    if wall >= expires { throw .expired }
  }

  private mutating func consider(
    _ element: borrowing JSONView, _ query: borrowing ReleaseQuery
  ) throws(UpdateMessageError) {
    guard let board = element.member("board"), let channel = element.member("channel"),
      board.equals(query.board.span), channel.equals(query.channel.span)
    else { return }
    var release = Release()
    guard element.copy("version", into: &release.version), release.version.isWord else {
      throw .member(StaticText("version"))
    }
    guard ReleaseVersion.compare(release.version.span, query.version.span) > 0 else { return }
    if let newest, ReleaseVersion.compare(release.version.span, newest.version.span) <= 0 { return }
    if element.member("minimum") != nil {
      var minimum = InlineText<64>()
      guard element.copy("minimum", into: &minimum), minimum.isWord else { throw .member(StaticText("minimum")) }
      guard ReleaseVersion.compare(query.version.span, minimum.span) >= 0 else { return needsStep = true }
    }
    guard let size = element.member("size")?.int64, (1...Budget.updateBundleBytes).contains(size) else { throw .size }
    release.size = size
    var digest = InlineText<64>()
    guard element.copy("sha256", into: &digest), let value = BundleDigest(.sha256, hex: digest.span) else {
      throw .noDigest
    }
    release.digest = value
    guard element.copy("url", into: &release.url) else { throw .member(StaticText("url")) }
    newest = release
  }
}

extension Base64Decoder {
  /// Decodes a whole text of the standard alphabet: its bytes; nil when it is not base64, or there is no room.
  static func decodeWhole(_ text: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    do throws(Base64Error) {
      return try Base64Decoder.decode(text, .standard, padding: .optional, into: output)
    } catch {
      return nil
    }
  }
}
