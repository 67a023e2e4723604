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

  /// `fchown(2)`: gives a file to the owner and group of a folder.
  public static func give(_ file: Descriptor, toOwnerOf folder: Path) throws(Errno) {
    defer { withExtendedLifetime(folder) {} }
    try check(tl_give_to_owner(file.number, folder.cString))
  }
}
