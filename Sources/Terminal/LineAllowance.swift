/// How much may be sent on a line of so many bytes a second: what is saved up in silence is a tenth of a second's worth.
public struct LineAllowance: Sendable {
  private let bytesPerSecond: Int64
  private let most: Int64
  /// Thousandths of a byte.
  private var saved: Int64
  private var last: Int64?

  public init(bytesPerSecond: Int, burst: Int) {
    self.bytesPerSecond = Int64(bytesPerSecond)
    most = Int64(burst) * 1000
    saved = most
  }

  /// Bytes that may be sent at a monotonic instant in milliseconds.
  public mutating func bytes(at now: Int64) -> Int {
    let elapsed = min(max(now - (last ?? now), 0), 60_000)
    last = now
    saved = min(saved + elapsed * bytesPerSecond, most)
    return Int(max(saved, 0) / 1000)
  }

  /// So many were sent.
  public mutating func spend(_ bytes: Int) { saved -= Int64(bytes) * 1000 }

  /// Milliseconds until so many may be sent.
  public func wait(for bytes: Int) -> Int64 {
    let missing = min(Int64(bytes) * 1000, most) - saved
    return missing <= 0 ? 0 : (missing + bytesPerSecond - 1) / bytesPerSecond
  }
}
