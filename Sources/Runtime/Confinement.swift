import CLinux

/// What a confined process has taken away from itself.
public enum Confinement {
  /// The exit code of a process that could not be confined, or was not given what it needs: it has done nothing.
  public static let refused: Int32 = 72
  /// The exit code of one that could not go on without memory (`Process.endWithoutMemory`, EX_OSERR).
  static let withoutMemory: Int32 = 71

  public enum Work: Sendable {
    /// Memory, the clock, and the end.
    case computing
    /// These, and its line to its owner.
    case talking
  }

  /// This kernel can filter the system calls of a process. One that cannot, which is rare, leaves a confined process without the filter and with
  /// all else: to refuse pictures altogether would take more from a board than it gives.
  public static var hasFilter: Bool { tl_has_seccomp() != 0 }

  /// Gives up what the work does not need, for good; see `tl_confine`. Throws when the kernel refuses any of it, the filter included, unless it
  /// has none.
  /// - Parameter seconds: of the processor, until it is ended; nil: as many as it likes.
  public static func enter(_ work: Work, dataBytes: Int, addressBytes: Int, seconds: Int64?) throws(Errno) {
    var allowance = tl_allowance(data_bytes: Int64(dataBytes), address_bytes: Int64(addressBytes), cpu_seconds: seconds ?? 0)
    try check(tl_confine(Int32(work == .computing ? TL_CONFINED_TO_COMPUTE : TL_CONFINED_TO_TALK), &allowance))
  }
}
