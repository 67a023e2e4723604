import CLinux

/// Confines this process for good: a seccomp filter and resource limits.
public enum Confinement {
  /// Exit code of a process that could not be confined or lacks its descriptors: it has not run.
  public static let refused: Int32 = 72
  /// Exit code of one that ran out of memory (`Process.endWithoutMemory`, EX_OSERR).
  static let withoutMemory: Int32 = 71

  public enum Work: Sendable {
    /// Allows memory, the clock, and exit.
    case computing
    /// Allows also the socket to the process that started it.
    case talking
  }

  /// True when this kernel has seccomp filters. On the rare kernel without them the other limits still hold, and
  /// pictures are decoded all the same.
  public static var hasFilter: Bool { tl_has_seccomp() != 0 }

  /// Drops everything that the work does not need; see `tl_confine`. Throws when the kernel refuses any of it.
  /// - Parameter seconds: processor seconds after which it is killed; nil: no limit.
  public static func enter(_ work: Work, dataBytes: Int, addressBytes: Int, seconds: Int64?) throws(Errno) {
    var allowance = tl_allowance(
      data_bytes: Int64(dataBytes), address_bytes: Int64(addressBytes), cpu_seconds: seconds ?? 0)
    try check(tl_confine(Int32(work == .computing ? TL_CONFINED_TO_COMPUTE : TL_CONFINED_TO_TALK), &allowance))
  }
}
