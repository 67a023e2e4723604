import CLinux

/// Calls on what is below an opened folder, of which nobody can make the kernel follow a link out of it.
extension Syscall {
  /// `openat2(2)` of a name in an opened folder: neither a symbolic link nor a magic link of `/proc` is followed, `..`
  /// is refused, and a mount point is not crossed unless `leavesMount`. A kernel before Linux 5.6, and a filter that
  /// knows no such call, get `openat(2)` with `O_NOFOLLOW`: the same for a name without a slash, but for mount points.
  ///
  /// Throws `.tooManyLinks` or `.notDirectory` for a link, and `.otherFileSystem` for a mount point.
  public static func openBeneath(
    _ name: Path, in folder: Descriptor, _ mode: OpenMode, permissions: UInt32 = 0o600, leavesMount: Bool = false
  ) throws(Errno) -> Descriptor {
    defer { withExtendedLifetime(name) {} }
    let result = tl_openat2(folder.number, name.cString, mode.rawValue, permissions, leavesMount ? 1 : 0)
    if result >= 0 { return Descriptor(Int32(result)) }
    let reason = Errno(Int32(truncatingIfNeeded: -result))
    guard reason == .noSuchCall || reason == .notPermitted else { throw reason }
    let flags = mode.union(.noFollow).rawValue
    return Descriptor(Int32(try check(tl_openat(folder.number, name.cString, flags, permissions))))
  }

  /// `renameat2(2)` of two names in an opened folder. Without `replaces` it throws `.exists` where the second is taken;
  /// a file system that cannot tell is asked before, and then somebody else may still be faster.
  public static func rename(
    _ from: Path, to: Path, in folder: Descriptor, replaces: Bool
  ) throws(Errno) {
    defer { withExtendedLifetime((from, to)) {} }
    do throws(Errno) {
      try check(tl_renameat(folder.number, from.cString, to.cString, replaces ? 1 : 0))
      return
    } catch {
      guard !replaces, error == .invalidArgument || error == .noSuchCall else { throw error }
    }
    guard !has(to, in: folder) else { throw .exists }
    try check(tl_renameat(folder.number, from.cString, to.cString, 1))
  }

  private static func has(_ name: Path, in folder: Descriptor) -> Bool {
    do throws(Errno) {
      _ = try linkStatus(name, in: folder)
      return true
    } catch {
      return error != .noSuchFile
    }
  }

  /// `mkdirat(2)`.
  public static func makeFolder(_ name: Path, in folder: Descriptor, permissions: UInt32) throws(Errno) {
    defer { withExtendedLifetime(name) {} }
    try check(tl_mkdirat(folder.number, name.cString, permissions))
  }

  /// `fstatvfs(3)`: size and free space in bytes of the file system of an opened folder, and whether it is read-only.
  public static func space(
    of folder: Descriptor
  ) throws(Errno) -> (total: UInt64, free: UInt64, isReadOnly: Bool) {
    var raw = tl_space_t()
    try check(tl_fstatvfs(folder.number, &raw))
    return (raw.total_bytes, raw.free_bytes, raw.is_read_only != 0)
  }
}
