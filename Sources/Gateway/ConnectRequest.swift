import Codec
import Runtime

/// Writes the `connect` request (gateway reference 3.3). Gateways refuse unknown keys, null, and empty strings, so
/// empty values are left out.
struct ConnectRequest: ~Escapable {
  let configuration: SessionConfiguration
  let identity: NodeIdentity
  let credential: Credential
  let token: UnsafeBufferPointer<UInt8>
  let scopes: Scopes
  let quirks: Quirks
  let nonce: Span<UInt8>
  /// Milliseconds: the challenge's own time, so that a board without a clock authenticates too.
  let signedAt: Int64
  let signature: InlineArray<64, UInt8>

  /// Signs and prepares. `scratch` holds the payload while it is signed.
  @_lifetime(copy nonce)
  init(
    configuration: SessionConfiguration, identity: NodeIdentity, credential: Credential,
    token: UnsafeBufferPointer<UInt8>, scopes: Scopes, quirks: Quirks, nonce: Span<UInt8>, signedAt: Int64,
    cryptography: any Cryptography, scratch: UnsafeMutableBufferPointer<UInt8>
  ) {
    self.configuration = configuration
    self.identity = identity
    self.credential = credential
    self.token = token
    self.scopes = scopes
    self.quirks = quirks
    self.nonce = nonce
    self.signedAt = signedAt
    let slot = credential.isSigned ? token : UnsafeBufferPointer(start: nil, count: 0)
    var joined = InlineText<256>()
    joined.fill { buffer in
      var writer = ByteWriter(into: buffer)
      scopes.forEach { name in
        if writer.count > 0 { writer.text(",") }
        writer.text(name)
      }
      return writer.count
    }
    var payload = ByteWriter(into: scratch)
    DeviceProof.write(
      deviceID: identity.id.span, clientID: ClientKind.id.utf8Bytes, clientMode: ClientKind.mode.utf8Bytes,
      role: configuration.role.name.utf8Bytes, scopes: joined.span, signedAt: signedAt,
      token: Span(_unsafeElements: slot), nonce: nonce, platform: ClientKind.platform.utf8Bytes,
      deviceFamily: ClientKind.deviceFamily.utf8Bytes, isOlder: quirks.contains(.olderProof), into: &payload)
    precondition(payload.isComplete, "tokens and nonces are bounded by the budget")
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(scratch)[..<payload.count])
    signature = cryptography.ed25519Signature(Span(_unsafeElements: text), seed: identity.seed)
  }

  func write(id: Span<UInt8>, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("type")
    writer.string("req")
    writer.key("id")
    writer.string(id)
    writer.key("method")
    writer.string("connect")
    writer.key("params")
    writer.beginObject()
    writer.key("minProtocol")
    writer.int(ClientKind.protocolMinimum)
    writer.key("maxProtocol")
    writer.int(ClientKind.protocolMaximum)
    writeClient(&writer)
    writer.key("role")
    writer.string(configuration.role.name)
    writer.key("scopes")
    scopes.write(to: &writer)
    writeSurface(&writer)
    writeDevice(&writer)
    writeAuth(&writer)
    text("locale", configuration.locale, &writer)
    text("userAgent", UserAgent.text(version: configuration.version), &writer)
    writer.endObject()
    writer.endObject()
  }

  private func writeClient(_ writer: inout JSONWriter) {
    writer.key("client")
    writer.beginObject()
    writer.key("id")
    writer.string(ClientKind.id)
    text("displayName", configuration.displayName, &writer)
    text("version", configuration.version, &writer)
    writer.key("platform")
    writer.string(ClientKind.platform)
    writer.key("deviceFamily")
    writer.string(ClientKind.deviceFamily)
    text("modelIdentifier", configuration.model, &writer)
    writer.key("mode")
    writer.string(ClientKind.mode)
    if !quirks.omits("instanceId") {
      writer.key("instanceId")
      writer.string(identity.instanceID.span)
    }
    writer.endObject()
  }

  /// Capabilities, commands and permissions. An operator connection offers none, so its lists are empty.
  private func writeSurface(_ writer: inout JSONWriter) {
    if !quirks.omits("caps") {
      writer.key("caps")
      writer.beginArray()
      for name in configuration.capabilities { writer.string(name) }
      writer.endArray()
    }
    if configuration.role == .operator { return }
    writer.key("commands")
    writer.beginArray()
    for name in configuration.commands { writer.string(name) }
    writer.endArray()
    if quirks.omits("permissions") { return }
    writer.key("permissions")
    writer.beginObject()
    for permission in configuration.permissions {
      writer.key(permission.name)
      writer.bool(permission.isGranted)
    }
    writer.endObject()
  }

  private func writeDevice(_ writer: inout JSONWriter) {
    var publicKey = InlineText<43>()
    var proof = InlineText<86>()
    publicKey.fill { Base64.url.encode(identity.publicKey.span, into: $0) }
    proof.fill { Base64.url.encode(signature.span, into: $0) }
    writer.key("device")
    writer.beginObject()
    writer.key("id")
    writer.string(identity.id.span)
    writer.key("publicKey")
    writer.string(publicKey.span)
    writer.key("signature")
    writer.string(proof.span)
    writer.key("signedAt")
    writer.int(signedAt)
    writer.key("nonce")
    writer.string(nonce)
    writer.endObject()
  }

  private func writeAuth(_ writer: inout JSONWriter) {
    let key: StaticString
    switch credential {
    case .deviceToken: key = quirks.contains(.tokenInToken) ? "token" : "deviceToken"
    case .bootstrapToken: key = "bootstrapToken"
    case .sharedToken: key = "token"
    case .password: key = "password"
    case .none: return
    }
    writer.key("auth")
    writer.beginObject()
    writer.key(key)
    writer.string(Span(_unsafeElements: token))
    writer.endObject()
  }

  private func text(_ key: StaticString, _ value: String, _ writer: inout JSONWriter) {
    if value.isEmpty || quirks.omits(key) { return }
    writer.key(key)
    writer.string(value)
  }
}

/// The user agent in HTTP and in `connect`.
public enum UserAgent {
  public static func text(version: String) -> String { "openclaw-linux-node/\(version) (talon)" }
}
