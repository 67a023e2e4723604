/// The ages of gateways, oldest first (protocol reference, section 0.1; newer-gateways 0). The letters are theirs.
enum Era: String, CaseIterable, Comparable, Sendable {
  case old = "O"
  case early = "F"
  case april = "A"
  case may = "M"
  case june = "J"
  case july = "N"
  case september = "S"
  case next = "T"
  /// What October 2026 brought.
  case autumn = "U"

  /// The newest release: what a gateway is like unless somebody says otherwise.
  static let newest = Era.september

  static func < (left: Era, right: Era) -> Bool { left.order < right.order }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The numbers and schemas in which one generation of gateways differs from another (protocol reference,
/// sections 1.3, 3.1, 3.4, 4.4 and 14.1). How it behaves differently is in GenerationBehaviour.swift; everything
/// else in this gateway is common to all of them.
struct Generation: Sendable {
  let era: Era
  let serverVersion: String
  /// What `hello-ok.protocol` says and every client's range must contain.
  let wireProtocol: Int64
  /// From accept to `hello-ok`.
  var handshakeMillisecondsMax: Int64
  let preAuthMessageBytesMax: Int
  var messageBytesMax: Int
  /// What may be queued towards one client.
  var bufferedBytesMax: Int
  /// Nil: it never pings.
  var pingIntervalMilliseconds: Int64?
  /// How far `device.signedAt` may be from the gateway's clock.
  let signatureSkewMillisecondsMax: Int64
  let invokeTimeoutMillisecondsDefault: Int64
  let schemas: WireSchemas
}

extension Generation {
  static let newest = Generation(.newest)

  init(_ era: Era) {
    let messageBytesMax = era == .old ? 524_288 : 26_214_400
    self.init(
      era: era,
      serverVersion: Self.version(of: era),
      wireProtocol: era >= .june ? 4 : 3,
      handshakeMillisecondsMax: era >= .may ? 15_000 : 10_000,
      preAuthMessageBytesMax: era >= .april ? 65_536 : messageBytesMax,
      messageBytesMax: messageBytesMax,
      bufferedBytesMax: era == .old ? 1_572_864 : 52_428_800,
      pingIntervalMilliseconds: era >= .may ? 25_000 : nil,
      signatureSkewMillisecondsMax: era == .old ? 600_000 : 120_000,
      invokeTimeoutMillisecondsDefault: 30_000,
      schemas: WireSchemas(era))
  }

  /// A release of that age, marked as what it is.
  private static func version(of era: Era) -> String {
    switch era {
    case .old: "2026.2.3-talon"
    case .early: "2026.3.9-talon"
    case .april: "2026.4.12-talon"
    case .may: "2026.5.7-talon"
    case .june: "2026.6.8-talon"
    case .july: "2026.8.0-talon"
    case .september: "2026.9.4-talon"
    case .next: "2026.9.9-talon"
    case .autumn: "2026.10.2-talon"
    }
  }
}
