/// The generations of gateways (gateway reference 0.1).
public enum Generation: Int, CaseIterable, Sendable {
  case old, early, april, may, june, newest

  /// The letter of the reference.
  public var letter: StaticString {
    switch self {
    case .old: "O"
    case .early: "F"
    case .april: "A"
    case .may: "M"
    case .june: "J"
    case .newest: "N"
    }
  }

  /// `hello-ok.protocol` (gateway reference 3.4).
  var wireProtocol: Int64 { self >= .june ? 4 : 3 }
  var hasDetails: Bool { self >= .early }
  var knowsDeviceToken: Bool { self >= .early }
  var knowsBootstrapToken: Bool { self >= .april }
  var takesProofVersion3: Bool { self >= .early }
  var knowsPendingPull: Bool { self >= .early }
  var reportsEvents: Bool { self >= .may }
  var sendsPings: Bool { self >= .may }
  var wantsPongs: Bool { self == .newest }
  var hasStartupPhase: Bool { self >= .june }
  /// Everybody hears every chat (gateway reference 9.13).
  var isNoisy: Bool { self <= .april }
  /// Bytes of a message before and after `hello-ok` (gateway reference 1.3).
  var earlyLimit: Int { self == .old ? 524_288 : self == .early ? 26_214_400 : 65_536 }
  var limit: Int { self == .old ? 524_288 : 26_214_400 }
  /// Milliseconds from accepting to `hello-ok` (gateway reference 3.1).
  var handshakeBudget: Int64 { self >= .may ? 15_000 : 10_000 }
  /// Milliseconds that a signature may be away from the gateway's clock (gateway reference 4.4).
  var skew: Int64 { self == .old ? 600_000 : 120_000 }

  /// A release of this generation.
  func version(_ build: Int) -> String {
    switch self {
    case .old: "2026.2.\(1 + build % 3)"
    case .early: "2026.3.\(1 + build % 9)"
    case .april: "2026.4.\(1 + build % 12)"
    case .may: "2026.5.\(1 + build % 28)"
    case .june: "2026.6.\(1 + build % 28)"
    case .newest: tellsOfApproval(build) ? "2026.10.\(1 + build % 5)" : "2026.8.\(1 + build % 22)"
    }
  }

  /// A node hears that its commands were approved (newer-gateways 12): every second of the newest does that.
  func tellsOfApproval(_ build: Int) -> Bool { self == .newest && build % 2 == 1 }
}

extension Generation: Comparable {
  public static func < (left: Generation, right: Generation) -> Bool { left.rawValue < right.rawValue }
}
