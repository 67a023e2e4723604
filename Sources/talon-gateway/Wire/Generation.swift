/// The numbers and schemas in which one generation of gateways differs from another (protocol reference,
/// section 0.1). Everything else in this gateway is common to all of them.
struct Generation: Sendable {
  let serverVersion: String
  /// What `hello-ok.protocol` says and every client's range must contain.
  let wireProtocol: Int64
  /// Also accepted from a node in mode `node`, and from a probe.
  let legacyNodeProtocol: Int64
  /// From accept to `hello-ok`.
  var handshakeMillisecondsMax: Int64
  let preAuthMessageBytesMax: Int
  let messageBytesMax: Int
  /// What may be queued towards one client.
  var bufferedBytesMax: Int
  /// A peer that has not answered one ping when the next is due is dropped.
  var pingIntervalMilliseconds: Int64
  /// How far `device.signedAt` may be from the gateway's clock.
  let signatureSkewMillisecondsMax: Int64
  let invokeTimeoutMillisecondsDefault: Int64
  let schemas: WireSchemas
}

extension Generation {
  /// Generation N: 2026.7 to 2026-08.
  static let newest = Generation(
    serverVersion: "2026.8.0-talon",
    wireProtocol: 4,
    legacyNodeProtocol: 3,
    handshakeMillisecondsMax: 15_000,
    preAuthMessageBytesMax: 65_536,
    messageBytesMax: 26_214_400,
    bufferedBytesMax: 52_428_800,
    pingIntervalMilliseconds: 25_000,
    signatureSkewMillisecondsMax: 120_000,
    invokeTimeoutMillisecondsDefault: 30_000,
    schemas: .newest)
}
