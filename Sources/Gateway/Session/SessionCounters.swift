import Codec
import Runtime

/// What a session counts from the start on, for people who look after many boards.
public struct SessionCounters: Sendable {
  /// Online connections that were lost: by the network, closed by the gateway, given up because the gateway was silent,
  /// and ended because it broke the protocol.
  public internal(set) var network: UInt64 = 0
  public internal(set) var closed: UInt64 = 0
  public internal(set) var silent: UInt64 = 0
  public internal(set) var violations: UInt64 = 0
  /// Online connections that were ended because the gateway refused what was asked on them.
  public internal(set) var refused: UInt64 = 0
  /// Milliseconds from the last ping to what came after it; nil before the first.
  public private(set) var roundTrip: Int64?
  private var pingedAt: Int64?

  /// Nothing has happened.
  public init() {}

  mutating func pinged(at now: Int64) { pingedAt = now }

  mutating func heard(at now: Int64) {
    guard let pingedAt else { return }
    roundTrip = now - pingedAt
    self.pingedAt = nil
  }

  /// An online connection ended like this.
  mutating func count(_ end: LinkEnd) {
    pingedAt = nil
    switch end {
    case .closed: closed += 1
    case .violation: violations += 1
    case .transport, .refused, .handshake, .unanswered: network += 1
    }
  }
}

extension Session {
  /// Milliseconds for which the connection has been online; 0 when it is not.
  public var onlineMilliseconds: Int64 { phase == .online ? clock.monotonic - onlineSince : 0 }
}
