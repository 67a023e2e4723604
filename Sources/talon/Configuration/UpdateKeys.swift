import Board
import Codec
import Fetch
import Runtime
import Updates

extension UpdateSettings {
  /// What makes no sense together, with its key; nil when all is right.
  var complaint: (key: String, reason: String)? {
    if !server.isEmpty, !list.isEmpty { return ("url", "is set beside server: a board asks one of them") }
    if !list.isEmpty, !hasListKey {
      return ("channel_key", "is missing: a list of releases counts only when it is signed")
    }
    if certificate.isEmpty != key.isEmpty {
      return (certificate.isEmpty ? "certificate" : "key", "is missing: a certificate and its key belong together")
    }
    if proof == .server, server.isEmpty, list.isEmpty { return ("proof", "server needs server or url in [update]") }
    return nil
  }
}

extension ConfigurationKey {
  /// Keys of `[update]`.
  static let update: [ConfigurationKey] = [
    ConfigurationKey(section: "update", name: "server", isFileOnly: true) {
      address($1, limit: 512, &$0.update.server)
    },
    ConfigurationKey(section: "update", name: "name") { word($1, &$0.update.name) },
    ConfigurationKey(section: "update", name: "token", isSecret: true) { token($1, &$0.update.token) },
    ConfigurationKey(section: "update", name: "token_file", isFileOnly: true) { (configuration, path) throws(Errno) in
      var text = ""
      if let complaint = try secret(from: path, into: &text) { return complaint }
      return token(text, &configuration.update.token).map { "what stands in \(path) \($0)" }
    },
    ConfigurationKey(section: "update", name: "token_kind") {
      choice($1, [("target", .target), ("gateway", .gateway)], &$0.update.tokenKind)
    },
    ConfigurationKey(section: "update", name: "certificate", isFileOnly: true) { path($1, &$0.update.certificate) },
    ConfigurationKey(section: "update", name: "key", isFileOnly: true) { path($1, &$0.update.key) },
    ConfigurationKey(section: "update", name: "ca_file", isFileOnly: true) { path($1, &$0.update.authorities) },
    ConfigurationKey(section: "update", name: "url", isFileOnly: true) { address($1, limit: 1024, &$0.update.list) },
    ConfigurationKey(section: "update", name: "channel") { word($1, &$0.update.channel, limit: 32) },
    ConfigurationKey(section: "update", name: "channel_key", isFileOnly: true) { listKey($1, &$0.update) },
    ConfigurationKey(section: "update", name: "window") { configuration, value in
      configuration.update.window = DayWindow(value.utf8.span)
      return configuration.update.window == nil
        ? "must be hours as 02:00-05:00, with days before them if not all count: sat,sun 02:00-05:00" : nil
    },
    ConfigurationKey(section: "update", name: "proof", isFileOnly: true) {
      choice($1, [("gateway", .gateway), ("server", .server), ("self-test", .selfTest)], &$0.update.proof)
    },
    ConfigurationKey(section: "update", name: "command", isFileOnly: true) { bool($1, &$0.update.hasCommand) },
    ConfigurationKey(section: "update", name: "region") { text($1, limit: Budget.updateNameBytes, &$0.update.region) },
  ]

  /// An address with TLS, or of this board itself.
  static func address(_ value: String, limit: Int, _ target: inout String) -> String? {
    guard value.utf8.count <= limit else { return "must have at most \(limit) bytes" }
    do throws(WebURLError) {
      let url = try WebURL(value.utf8.span)
      guard url.isSecure || url.isLoopback else { return "must begin with https://" }
    } catch {
      return error == .scheme ? "must begin with https://" : String(error.text)
    }
    var text = value
    while text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
    target = text
    return nil
  }

  /// What may stand in an address as it is.
  private static func word(_ value: String, _ target: inout String, limit: Int = Budget.updateNameBytes) -> String? {
    guard value.utf8.count <= limit, InlineText<64>(cutting: value).isWord else {
      return "must have at most \(limit) letters, digits and . _ - + : ~"
    }
    target = value
    return nil
  }

  static func token(_ value: String, _ target: inout String) -> String? {
    guard value.utf8.count <= Budget.updateTokenBytes else {
      return "must have at most \(Budget.updateTokenBytes) bytes"
    }
    guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "must be one word of visible ASCII" }
    target = value
    return nil
  }

  private static func listKey(_ value: String, _ target: inout UpdateSettings) -> String? {
    var key = InlineArray<32, UInt8>(repeating: 0)
    var span = key.mutableSpan
    let text = value.utf8.span
    let count = span.withUnsafeMutableBufferPointer { buffer in
      text.withUnsafeBufferPointer {
        try? Base64Decoder.decode(Span(_unsafeElements: $0), .standard, padding: .optional, into: buffer)
      }
    }
    guard count == 32 else { return "must be a public key of Ed25519: 32 bytes in base64 (see docs/owners/updates.md)" }
    target.listKey = key
    target.hasListKey = true
    return nil
  }
}
