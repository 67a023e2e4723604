import Codec
import Runtime

/// The record as JSON, and back. Older records lack some members; those that only a newer release knows are written
/// again as they are, so that going back to this release loses nothing.
extension GatewayRecord {

  /// Writes the record; the length needed.
  func encode(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var writer = JSONWriter(into: buffer)
    writer.beginObject()
    writer.key("gateway")
    writer.string(key)
    if let path {
      writer.key("path")
      writer.string(path)
    }
    write("pin", pin, &writer)
    write("keyPin", keyPin, &writer)
    // A release that does not know this member finds nothing trusted, and trusts the first certificate: a board that
    // goes back to an older system must reach its gateway.
    if trust == .authorities {
      writer.key("trust")
      writer.string(Self.authorities)
    }
    writer.key("tokens")
    writer.beginObject()
    for secret in Secret.all where !self.secret(secret).isEmpty {
      writer.key(secret.name)
      writer.string(Span(_unsafeElements: self.secret(secret)))
    }
    writer.endObject()
    writer.key("operatorScopes")
    operatorScopes.write(to: &writer)
    writer.key("urls")
    writer.beginArray()
    for url in urls { writer.string(url.text) }
    writer.endArray()
    if !lastURL.isEmpty {
      writer.key("lastURL")
      writer.string(lastURL)
    }
    writer.key("quirks")
    writer.int(Int64(quirks.bits))
    writer.key("serverVersion")
    writer.string(serverVersion.span)
    if let bootstrapExpiresAt, !secret(.bootstrapToken).isEmpty {
      writer.key("bootstrapExpiresAt")
      writer.int(bootstrapExpiresAt)
    }
    if wasInvoked {
      writer.key("invoked")
      writer.bool(true)
    }
    // Pieces of JSON that were checked when they were read.
    if !unknown.isEmpty { unknown.withUnsafeBufferPointer { writer.raw(Span(_unsafeElements: $0)) } }
    writer.endObject()
    return writer.count
  }

  private func write(_ key: StaticString, _ fingerprint: Fingerprint?, _ writer: inout JSONWriter) {
    guard let hex = fingerprint?.hex else { return }
    writer.key(key)
    writer.string(hex.span)
  }

  /// Reads the record from JSON; false when it is not valid.
  func decode(_ text: Span<UInt8>) -> Bool {
    guard (try? JSONValidator.check(text, depthLimit: 4)) != nil else { return false }
    let root = JSONView(text)
    var pin: Fingerprint?
    var keyPin: Fingerprint?
    guard Self.read("pin", root, &pin), Self.read("keyPin", root, &keyPin) else { return false }
    setPin(pin, key: keyPin)
    if pin == nil, let trust = root.member("trust"), trust.equals(Self.authorities) { self.trust = .authorities }
    guard let stored = root.member("tokens") else { return false }
    for secret in Secret.all {
      guard read(secret, stored) else { return false }
    }
    if let scopes = root.member("operatorScopes") { operatorScopes = Scopes(scopes) }
    if let quirks = root.member("quirks"), let bits = quirks.int64 {
      self.quirks = Quirks(bits: UInt16(truncatingIfNeeded: bits))
    }
    bootstrapExpiresAt = nil
    if let instant = root.member("bootstrapExpiresAt") { bootstrapExpiresAt = instant.int64 }
    wasInvoked = false
    if let invoked = root.member("invoked") { wasInvoked = invoked.bool == true }
    if let version = root.member("serverVersion") { serverVersion.fill { version.copyString(into: $0) } }
    path = Self.text("path", root)
    lastURL = Self.text("lastURL", root) ?? ""
    if let urls = root.member("urls"), urls.kind == .array { read(urls) }
    keepUnknown(root)
    return true
  }

  private static let authorities: StaticString = "authorities"
  private static let known: [StaticString] = [
    "gateway", "path", "pin", "keyPin", "trust", "tokens", "operatorScopes", "urls", "lastURL", "quirks",
    "serverVersion", "bootstrapExpiresAt", "invoked",
  ]

  /// Keeps the members that this release does not know, as far as there is room.
  private func keepUnknown(_ root: borrowing JSONView) {
    unknown = []
    var members = root.members()
    while let member = members.next() {
      let name = member.name
      var isKnown = false
      for known in Self.known where name.equals(known) { isKnown = true }
      if isKnown { continue }
      let key = name.rawText.withUnsafeBufferPointer { Array($0) }
      let value = member.value.rawText.withUnsafeBufferPointer { Array($0) }
      guard unknown.count + key.count + value.count + 2 <= Budget.unknownMemberBytes else { continue }
      if !unknown.isEmpty { unknown.append(UInt8(ascii: ",")) }
      unknown += key + [UInt8(ascii: ":")] + value
    }
  }

  private static func read(_ key: StaticString, _ root: borrowing JSONView, _ result: inout Fingerprint?) -> Bool {
    guard let member = root.member(key) else { return true }
    var hex = InlineText<64>()
    guard hex.fill({ member.copyString(into: $0) }) else { return false }
    result = Fingerprint(text: hex.span)
    return result != nil
  }

  private func read(_ secret: Secret, _ stored: borrowing JSONView) -> Bool {
    guard let member = stored.member(secret.name) else { return true }
    let buffer = FixedBuffer(capacity: Budget.tokenBytes)
    guard let count = member.copyString(into: buffer.bytes) else { return false }
    return set(secret, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
  }

  /// An address or its path.
  private static func text(_ key: StaticString, _ root: borrowing JSONView) -> String? {
    guard let member = root.member(key), member.kind == .string else { return nil }
    let buffer = FixedBuffer(capacity: Budget.urlBytes)
    guard let count = member.copyString(into: buffer.bytes) else { return nil }
    return String(decoding: buffer.bytes[..<count], as: UTF8.self)
  }

  /// An invalid address is skipped: the others may still work.
  private func read(_ urls: borrowing JSONView) {
    let buffer = FixedBuffer(capacity: Budget.urlBytes)
    var elements = urls.elements()
    while let element = elements.next() {
      guard let count = element.copyString(into: buffer.bytes) else { continue }
      guard let url = try? GatewayURL(String(decoding: buffer.bytes[..<count], as: UTF8.self)) else { continue }
      add(url)
    }
  }
}
