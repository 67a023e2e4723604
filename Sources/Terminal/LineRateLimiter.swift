/// Limits the bytes on a serial line, as a token bucket of `burst` bytes.
public struct LineRateLimiter: Sendable {
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

  /// Counts sent bytes.
  public mutating func spend(_ bytes: Int) { saved -= Int64(bytes) * 1000 }

  /// Milliseconds until this many bytes may be sent.
  public func wait(for bytes: Int) -> Int64 {
    let missing = min(Int64(bytes) * 1000, most) - saved
    return missing <= 0 ? 0 : (missing + bytesPerSecond - 1) / bytesPerSecond
  }
}
