import Codec
import Runtime

extension JSONView {
  /// A member that names a span of time in milliseconds, within `Budget.peerMilliseconds`; nil when it is no number, or less
  /// than 0. Numbers too large for an integer are long times, not missing ones.
  public var peerMilliseconds: Int64? {
    if let value = int64 { return value < 0 ? nil : PeerTime.milliseconds(value) }
    guard let value = double, value >= 0 else { return nil }
    return PeerTime.milliseconds(value)
  }
}
