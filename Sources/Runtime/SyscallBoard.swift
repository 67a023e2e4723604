import CLinux

/// What the board tells of itself beside files.
extension Syscall {
  /// `adjtimex(2)`: true when something keeps the system's clock right.
  public static func clockIsSynchronized() throws(Errno) -> Bool { try check(tl_clock_is_synchronized()) != 0 }
}
