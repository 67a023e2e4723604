/// New files whose contents are on flash before anything else names them.
public enum FreshFile {
  /// Makes the file (`Syscall.openNew`) and has `bytes` on flash when this returns. When it throws, no file stays: a
  /// card without room has it back.
  public static func write(
    _ path: Path, _ bytes: UnsafeRawBufferPointer, permissions: UInt32 = 0o600
  ) throws(Errno) {
    let file = try Syscall.openNew(path, permissions: permissions)
    do throws(Errno) {
      defer { file.close() }
      try Syscall.writeAll(file, bytes)
      try Syscall.fsync(file)
    } catch {
      remove(path)
      throw error
    }
  }

  /// Puts a file that `write` made in the place of `path`, on flash when this returns. When it throws, `fresh` is gone,
  /// and `path` is the old or the new file.
  public static func place(_ fresh: Path, at path: Path, in folder: Path) throws(Errno) {
    do throws(Errno) {
      try Syscall.rename(fresh, to: path)
    } catch {
      remove(fresh)
      throw error
    }
    try sync(folder: folder)
  }

  /// `fsync(2)` of a folder: names in it that were made, changed or removed are on flash when this returns.
  public static func sync(folder: Path) throws(Errno) {
    let handle = try Syscall.open(folder, [.read, .directory])
    defer { handle.close() }
    try Syscall.fsync(handle)
  }

  private static func remove(_ path: Path) { do throws(Errno) { try Syscall.unlink(path) } catch {} }
}
