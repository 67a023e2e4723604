import CLinux

/// Time; a simulation replaces it.
public protocol Clock: AnyObject {
  /// Milliseconds since some fixed instant; never goes back, whatever a person does to the date.
  var monotonic: Int64 { get }
  /// Milliseconds since the Unix epoch; may jump. For stamps that people read, never for durations.
  var wall: Int64 { get }
}

/// The board's own clocks (`CLOCK_MONOTONIC`, `CLOCK_REALTIME`).
public final class SystemClock: Clock {
  @export(interface)
  public init() {}
  public var monotonic: Int64 { tl_monotonic_ns() / 1_000_000 }
  public var wall: Int64 { tl_wall_ms() }
  /// The monotonic instant in microseconds, as service managers count (`CLOCK_MONOTONIC`).
  public static var monotonicMicroseconds: Int64 { tl_monotonic_ns() / 1000 }

  /// Milliseconds of processor time that the calling thread has used (`CLOCK_THREAD_CPUTIME_ID`).
  public static var threadMilliseconds: Int64 { tl_thread_ns() / 1_000_000 }

  /// Minutes that local time is ahead of UTC at an instant, in milliseconds since the Unix epoch, by the board's time
  /// zone (`localtime_r(3)`).
  public static func localOffset(at wall: Int64) -> Int64 { Int64(tl_local_offset_minutes(wall)) }

  /// Sets the date, in milliseconds since the Unix epoch (`clock_settime(2)`). Needs `CAP_SYS_TIME`.
  public static func setWall(_ milliseconds: Int64) throws(Errno) { try check(tl_set_wall_ms(milliseconds)) }
}

/// Random bytes; a simulation replaces them by seeded ones.
public protocol RandomSource: AnyObject {
  /// Fills `bytes` with unpredictable values.
  func fill(_ bytes: UnsafeMutableRawBufferPointer)
}

/// A random number in `0..<bound`; `bound` is at least 1. Its bias is below 2^-32 for the bounds used here.
///
/// A function and not a method of an extension: Swift 6.3.1 compiles such a method, called on `any RandomSource`, to
/// an empty body in Embedded mode (docs/developers/COMPILER-NOTES.md, "Traps").
public func randomNumber(below bound: UInt32, _ source: any RandomSource) -> UInt32 {
  var value: UInt64 = 0
  withUnsafeMutableBytes(of: &value) { source.fill($0) }
  return UInt32(truncatingIfNeeded: ((value >> 32) * UInt64(bound)) >> 32)
}

/// `getrandom(2)`. TLS without random numbers is not secure, so failure ends the program.
public final class SystemRandom: RandomSource {
  @export(interface)
  public init() {}
  public func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    var done = 0
    while done < bytes.count {
      let count = tl_random(bytes.baseAddress! + done, numericCast(bytes.count - done))
      if count <= 0 { Process.fail("getrandom(2) failed: without random numbers TLS is not secure", code: 71) }
      done += Int(count)
    }
  }
}
