import CLinux

/// The calls that take a path, with a `Path` that stays alive for as long as the kernel reads it.
extension Syscall {
  /// `open(2)` with `O_CLOEXEC`.
  public static func open(
    _ path: Path, _ mode: OpenMode, permissions: UInt32 = 0o600
  ) throws(Errno) -> Descriptor {
    defer { withExtendedLifetime(path) {} }
    return try open(path.cString, mode, permissions: permissions)
  }

  /// `rename(2)`.
  public static func rename(_ from: Path, to: Path) throws(Errno) {
    defer { withExtendedLifetime((from, to)) {} }
    try rename(from.cString, to: to.cString)
  }

  /// `unlink(2)`.
  public static func unlink(_ path: Path) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try unlink(path.cString)
  }

  /// `mkdir(2)`.
  public static func makeFolder(_ path: Path, permissions: UInt32) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try makeFolder(path.cString, permissions: permissions)
  }

  /// `stat(2)`.
  public static func status(_ path: Path) throws(Errno) -> Status {
    defer { withExtendedLifetime(path) {} }
    return try status(path.cString)
  }

  /// `access(2)`: throws when this user may not read the file and write to it.
  public static func access(_ path: Path) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try check(tl_access(path.cString))
  }

  /// `statvfs(3)`: bytes.
  public static func space(_ path: Path) throws(Errno) -> (total: UInt64, free: UInt64, isReadOnly: Bool) {
    defer { withExtendedLifetime(path) {} }
    return try space(path.cString)
  }

  /// Whether the file system of a folder takes no file any more: it is asked for one that never has a name. `space`
  /// does not tell: since Linux 6.12 and the stable releases of its time, ext4 that met an error refuses to be written
  /// without being mounted read-only. False where nobody can say, as on FAT, which knows no files without a name.
  public static func refusesFiles(in folder: Path) -> Bool {
    do throws(Errno) {
      try open(folder, [.write, .unnamed]).close()
      return false
    } catch {
      return error == .readOnlyFileSystem
    }
  }

  /// `lstat(2)`: of a symbolic link itself.
  public static func linkStatus(_ path: Path) throws(Errno) -> Status {
    defer { withExtendedLifetime(path) {} }
    var raw = tl_stat_t()
    try check(tl_lstat(path.cString, &raw))
    return Status(raw)
  }

  /// `symlink(2)`: makes a symbolic link to `target`; throws when there is something at `path`.
  public static func link(_ target: String, at path: Path) throws(Errno) {
    let target = try Path(target)
    defer { withExtendedLifetime((target, path)) {} }
    try check(tl_symlink(target.cString, path.cString))
  }

  /// `readlink(2)`: where a symbolic link points. Allocates.
  public static func target(ofLink path: Path) throws(Errno) -> String {
    defer { withExtendedLifetime(path) {} }
    let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Budget.pathBytes)
    defer { buffer.deallocate() }
    let count = Int(try check(tl_readlink(path.cString, buffer.baseAddress, buffer.count)))
    guard count < buffer.count else { throw Errno(36) }
    buffer[count] = 0
    return String(cString: buffer.baseAddress!)
  }

  /// `rmdir(2)`.
  public static func removeFolder(_ path: Path) throws(Errno) {
    defer { withExtendedLifetime(path) {} }
    try check(tl_rmdir(path.cString))
  }

  /// Opens a file in a folder that another user can write: a symbolic link is not followed, opening a pipe does not
  /// block, and anything but a regular file is refused (`.notPlainFile`).
  public static func openPlain(
    _ path: Path, _ mode: OpenMode, permissions: UInt32 = 0o600
  ) throws(Errno) -> Descriptor {
    try plain(open(path, mode.union([.noFollow, .nonBlocking]), permissions: permissions))
  }

  /// The same for the name of a file in an opened folder (`openat(2)`).
  public static func openPlain(_ name: Path, in folder: Descriptor, _ mode: OpenMode) throws(Errno) -> Descriptor {
    defer { withExtendedLifetime(name) {} }
    let flags = mode.union([.noFollow, .nonBlocking]).rawValue
    return try plain(Descriptor(Int32(try check(tl_openat(folder.number, name.cString, flags, 0o600)))))
  }

  /// The file, when it is a regular one; closes any other.
  private static func plain(_ file: Descriptor) throws(Errno) -> Descriptor {
    do throws(Errno) {
      if try status(file).isPlain { return file }
    } catch {
      file.close()
      throw error
    }
    file.close()
    throw .notPlainFile
  }

  /// `fstatat(2)`: of a name in an opened folder, and of a symbolic link itself.
  public static func linkStatus(_ name: Path, in folder: Descriptor) throws(Errno) -> Status {
    defer { withExtendedLifetime(name) {} }
    var raw = tl_stat_t()
    try check(tl_lstatat(folder.number, name.cString, &raw))
    return Status(raw)
  }

  /// `unlinkat(2)`: of a name in an opened folder.
  public static func unlink(_ name: Path, in folder: Descriptor) throws(Errno) {
    defer { withExtendedLifetime(name) {} }
    try check(tl_unlinkat(folder.number, name.cString))
  }

  /// Creates a new file, open for writing. An existing file or link (left by a power cut or by another user) is removed
  /// first and never written through: a link's target is not changed.
  public static func openNew(_ path: Path, permissions: UInt32 = 0o600) throws(Errno) -> Descriptor {
    let mode: OpenMode = [.write, .create, .exclusive, .noFollow]
    do throws(Errno) {
      return try open(path, mode, permissions: permissions)
    } catch {
      guard error == .exists else { throw error }
    }
    try unlink(path)
    return try open(path, mode, permissions: permissions)
  }
}
