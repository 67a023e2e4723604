import Codec
import Runtime

/// What answered the WebSocket upgrade in the gateway's place, or the gateway itself, and what to do about it: a TLS
/// port that was asked without TLS, a page to sign in, a filter, a proxy whose gateway is away.
public struct UpgradeRefusal {
  public let status: UInt16
  /// Seconds that the server asks to wait; nil where it does not.
  public let retryAfterSeconds: UInt32?
  /// Where it leads to, as much as is kept. Of others: quoted where it is shown.
  public let location: InlineText<120>
  /// The first words of its page. Of others: quoted where they are shown.
  public let words: InlineText<120>

  /// What a response said.
  init(status: UInt16, retryAfterSeconds: UInt32?, location: Span<UInt8>, words: Span<UInt8>) {
    self.status = status
    self.retryAfterSeconds = retryAfterSeconds
    self.location = InlineText(cutting: location)
    self.words = InlineText(cutting: words)
  }

  /// A person must do something before another attempt can succeed, as far as anybody can tell.
  var needsPerson: Bool { status == 401 || status == 403 || status == 407 }

  /// Adds a clause about an attempt at `url`: the status, the remedy where one is known, else what the server says.
  func describe(_ url: GatewayURL, _ line: inout LogLine) {
    line.add("the server answered the WebSocket upgrade with HTTP ")
    line.add(status)
    if let advice = advice(url) {
      line.add(": ")
      line.add(advice)
      return
    }
    if isRedirect, !location.isEmpty {
      line.add(", a redirect to ")
      line.quote(location.span)
      return line.add(", which is not followed: if that is the gateway, write it into [gateway] url")
    }
    guard !words.isEmpty else { return }
    line.add(": ")
    line.quote(words.span)
  }

  private var isRedirect: Bool { (300...399).contains(status) }

  private func advice(_ url: GatewayURL) -> StaticString? {
    if !url.isSecure, wantsTLS(url) { return "it expects TLS there; write wss:// in [gateway] url" }
    if isRedirect, host(of: location.span).hasSuffix(lowercased: "cloudflareaccess.com") {
      return "Cloudflare Access stands before the gateway; set [gateway] cloudflare_id and cloudflare_secret_file"
    }
    switch status {
    case 401: return "something before the gateway wants a sign-in; set [gateway] headers_file, or let it pass boards"
    case 407: return "a proxy wants a user and a password; set [gateway] proxy"
    case 404, 405,
      426 where words.isEmpty, 200:
      return "no gateway is at this path; compare [gateway] url with the gateway's"
    case 502, 504: return "what stands before the gateway does not reach it"
    default: return nil
    }
  }

  /// The answers of nginx, Go, Apache and others to HTTP at a port of TLS, and a redirect to https at the same host.
  private func wantsTLS(_ url: GatewayURL) -> Bool {
    let location = location.span
    if isRedirect, location.hasPrefix(lowercased: "https://") {
      let host = host(of: location)
      return host.count == url.host.utf8.count && host.hasSuffix(lowercased: url.host.utf8.span)
    }
    guard status == 400 || status == 426 || status == 497 else { return false }
    return words.span.contains("HTTPS") || words.span.contains("SSL") || words.span.contains("TLS")
  }

  /// The host of a URL with a scheme; empty where there is none.
  @_lifetime(copy url)
  private func host(of url: Span<UInt8>) -> Span<UInt8> {
    var start = 0
    while start < url.count, url[start] != UInt8(ascii: ":") { start += 1 }
    start += 3
    guard start < url.count, url[start - 1] == UInt8(ascii: "/") else { return url.extracting(first: 0) }
    var end = start
    while end < url.count, !Self.endsHost(url[end]) { end += 1 }
    return url.extracting(start..<end)
  }

  private static func endsHost(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }
}

extension Span where Element == UInt8 {
  /// True when it ends with `text`, which is in lower case, in any case.
  fileprivate func hasSuffix(lowercased text: StaticString) -> Bool { hasSuffix(lowercased: text.utf8Bytes) }

  fileprivate func hasSuffix(lowercased text: Span<UInt8>) -> Bool {
    guard count >= text.count else { return false }
    let start = count - text.count
    for index in 0..<text.count {
      let byte = self[start + index]
      let isLarge = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
      if (isLarge ? byte | 0x20 : byte) != text[index] { return false }
    }
    return true
  }
}
