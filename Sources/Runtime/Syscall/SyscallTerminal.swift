import CLinux

/// Saved settings of a terminal.
public struct TerminalSettings {
  fileprivate var raw = tl_terminal_t()
}

/// Terminals (`termios(3)`).
extension Syscall {
  /// `cfmakeraw(3)`, and reads that do not block. Returns the settings from before.
  public static func makeTerminalRaw(_ terminal: Descriptor) throws(Errno) -> TerminalSettings {
    var settings = TerminalSettings()
    try check(tl_terminal_raw(terminal.number, &settings.raw))
    return settings
  }

  /// `tcsetattr(3)`: restores the settings.
  public static func restoreTerminal(_ terminal: Descriptor, _ settings: TerminalSettings) throws(Errno) {
    var raw = settings.raw
    try check(tl_terminal_restore(terminal.number, &raw))
  }

  /// `TIOCGWINSZ`: 0 where the size is unknown; throws `ENOTTY` for anything but a terminal.
  public static func terminalSize(_ terminal: Descriptor) throws(Errno) -> (rows: Int, columns: Int) {
    let size = try check(tl_terminal_size(terminal.number))
    return (Int(size >> 16), Int(size & 0xFFFF))
  }

  /// Opens an open file again, so that its flags are not shared (`/proc/self/fd`).
  public static func reopen(_ file: Descriptor, _ mode: OpenMode) throws(Errno) -> Descriptor {
    let path = try Path("/proc/self/fd/\(file.number)")
    return try open(path, mode)
  }
}

/// For files that are replaced.
extension Syscall {
  /// `realpath(3)`: the path without symbolic links. Allocates.
  public static func realPath(_ path: Path) throws(Errno) -> String {
    defer { withExtendedLifetime(path) {} }
    return try text { tl_real_path(path.cString, $0, $1) }
  }

  /// `getcwd(3)`. Allocates.
  public static func currentFolder() throws(Errno) -> String { try text { tl_current_folder($0, $1) } }

  /// `fchown(2)`, `fchmod(2)`: copies owner and permissions of another file, as far as the file system and the
  /// process's rights allow.
  public static func make(_ file: Descriptor, like other: Descriptor) throws(Errno) {
    try check(tl_make_like(file.number, other.number))
  }

  private static func text(_ call: (UnsafeMutablePointer<CChar>, Int) -> Int64) throws(Errno) -> String {
    let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Budget.pathBytes)
    defer { buffer.deallocate() }
    buffer.initialize(repeating: 0)
    try check(call(buffer.baseAddress!, buffer.count))
    return String(cString: buffer.baseAddress!)
  }
}
