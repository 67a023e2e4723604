import Codec
import Runtime

extension JSONView {
  /// A duration in milliseconds, clamped to `Budget.peerMilliseconds`; nil when it is not a number, or negative. A
  /// number too large for an integer counts as a long time, not as missing.
  public var peerMilliseconds: Int64? {
    if let value = int64 { return value < 0 ? nil : PeerTime.milliseconds(value) }
    guard let value = double, value >= 0 else { return nil }
    return PeerTime.milliseconds(value)
  }
}
