import CLinux

/// An open file, device or socket of the kernel. Its owner closes it exactly once.
public struct Descriptor: Equatable, Sendable {
  /// The kernel's number.
  public let number: Int32

  /// Wraps a descriptor of a C library.
  public init(_ number: Int32) { self.number = number }

  /// `close(2)`. Linux releases the number even when `close` reports a delayed write error, so nothing is thrown.
  public func close() { _ = tl_close(number) }
}

/// How a file is opened: the flags of `open(2)`.
public struct OpenMode: OptionSet, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }
  public static let read = OpenMode(rawValue: TL_O_RDONLY)
  public static let write = OpenMode(rawValue: TL_O_WRONLY)
  public static let readWrite = OpenMode(rawValue: TL_O_RDWR)
  public static let create = OpenMode(rawValue: TL_O_CREAT)
  public static let exclusive = OpenMode(rawValue: TL_O_EXCL)
  public static let truncate = OpenMode(rawValue: TL_O_TRUNC)
  public static let nonBlocking = OpenMode(rawValue: TL_O_NONBLOCK)
  public static let noControllingTerminal = OpenMode(rawValue: TL_O_NOCTTY)
  public static let directory = OpenMode(rawValue: TL_O_DIRECTORY)
  public static let noFollow = OpenMode(rawValue: TL_O_NOFOLLOW)
  /// Neither reads nor writes: the descriptor names a folder, for files in it.
  public static let pathOnly = OpenMode(rawValue: TL_O_PATH)
  /// With `write`, and a folder as the path: a new file in it that has no name, and is gone when it is closed.
  public static let unnamed = OpenMode(rawValue: TL_O_TMPFILE)
}

/// The system calls of Talon, each named for the C call that it stands for, with a typed errno. All go through one C
/// function in `CLinux` (EINTR, tracing, fault injection).
///
/// Paths are null-terminated UTF-8; `StaticString.path` and `Path` give them without allocation.
public enum Syscall {

  /// `open(2)` with `O_CLOEXEC`.
  public static func open(
    _ path: UnsafePointer<CChar>, _ mode: OpenMode, permissions: UInt32 = 0o600
  ) throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_open(path, mode.rawValue, permissions))))
  }

  /// `read(2)`: the count read; 0 at the end.
  public static func read(
    _ file: Descriptor, into bytes: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    Int(try check(tl_read(file.number, bytes.baseAddress, bytes.count)))
  }

  /// `write(2)`: the count written, which may be less than asked.
  public static func write(_ file: Descriptor, _ bytes: UnsafeRawBufferPointer) throws(Errno) -> Int {
    Int(try check(tl_write(file.number, bytes.baseAddress, bytes.count)))
  }

  /// `write(2)` until everything is written.
  public static func writeAll(_ file: Descriptor, _ bytes: UnsafeRawBufferPointer) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let count = try write(file, UnsafeRawBufferPointer(rebasing: bytes[done...]))
      guard count > 0 else { throw .inputOutput }
      done += count
    }
  }

  /// `read(2)` until `bytes` is full or the file ends: the count read.
  public static func readAll(
    _ file: Descriptor, into bytes: UnsafeMutableRawBufferPointer
  ) throws(Errno) -> Int {
    var done = 0
    while done < bytes.count {
      let count = try read(file, into: UnsafeMutableRawBufferPointer(rebasing: bytes[done...]))
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// `fsync(2)`. Blocks; call it on a worker.
  public static func fsync(_ file: Descriptor) throws(Errno) { try check(tl_fsync(file.number)) }

  /// `rename(2)`: atomic replacement within one file system.
  public static func rename(
    _ from: UnsafePointer<CChar>, to: UnsafePointer<CChar>
  ) throws(Errno) { try check(tl_rename(from, to)) }

  /// `unlink(2)`.
  public static func unlink(_ path: UnsafePointer<CChar>) throws(Errno) { try check(tl_unlink(path)) }

  /// `mkdir(2)`.
  public static func makeFolder(
    _ path: UnsafePointer<CChar>, permissions: UInt32
  ) throws(Errno) { try check(tl_mkdir(path, permissions)) }

  /// What `stat(2)` tells that Talon uses.
  public struct Status: Sendable {
    /// Bytes.
    public let size: Int64
    /// Type and permission bits.
    public let mode: UInt32
    /// Owner, and the group that it belongs to.
    public let user: UInt32, group: UInt32
    /// Numbers of the block device that holds the file.
    public let disk: (major: UInt32, minor: UInt32)
    /// Number of the file in its file system.
    public let inode: UInt64
    /// When the contents were last changed: milliseconds since the Unix epoch.
    public let modified: Int64

    /// True for a folder, false for a file of any kind.
    public var isFolder: Bool { mode & 0o170000 == 0o040000 }
    /// True for a regular file: no folder, link, pipe, socket or device.
    public var isPlain: Bool { mode & 0o170000 == 0o100000 }
    /// True for a pipe, with or without a name.
    public var isPipe: Bool { mode & 0o170000 == 0o010000 }
    /// True for a socket, as a name for one in a folder is.
    public var isSocket: Bool { mode & 0o170000 == 0o140000 }
    /// True for a symbolic link, which only `linkStatus` reports.
    public var isLink: Bool { mode & 0o170000 == 0o120000 }

    init(_ raw: tl_stat_t) {
      size = raw.size
      mode = raw.mode
      (user, group) = (raw.uid, raw.gid)
      disk = (raw.disk_major, raw.disk_minor)
      inode = raw.inode
      modified = raw.modified_ms
    }

    /// True for one and the same file, whatever names it has.
    public func isSame(as other: Status) -> Bool { inode == other.inode && disk == other.disk }
  }

  /// `stat(2)`.
  public static func status(_ path: UnsafePointer<CChar>) throws(Errno) -> Status {
    var raw = tl_stat_t()
    try check(tl_stat(path, &raw))
    return Status(raw)
  }

  /// `fstat(2)`.
  public static func status(_ file: Descriptor) throws(Errno) -> Status {
    var raw = tl_stat_t()
    try check(tl_fstat(file.number, &raw))
    return Status(raw)
  }

  /// `flock(2)`, exclusive, without waiting: throws `.wouldBlock` when another process holds it.
  public static func lock(_ file: Descriptor) throws(Errno) { try check(tl_lock(file.number)) }

  /// `statvfs(3)`: size and free space of the file system at `path`, in bytes, and whether it is read-only.
  public static func space(
    _ path: UnsafePointer<CChar>
  ) throws(Errno) -> (total: UInt64, free: UInt64, isReadOnly: Bool) {
    var raw = tl_space_t()
    try check(tl_statvfs(path, &raw))
    return (raw.total_bytes, raw.free_bytes, raw.is_read_only != 0)
  }

  /// `getdents64(2)`: calls `body` with the name of each entry of an open folder, "." and ".." left out.
  public static func entries(
    of folder: Descriptor, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafePointer<CChar>) -> Void
  ) throws(Errno) {
    try names(in: folder, scratch: scratch) { name in
      body(name)
      return true
    }
  }

  /// The same until `body` returns false.
  public static func names(
    in folder: Descriptor, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafePointer<CChar>) -> Bool
  ) throws(Errno) {
    while true {
      let count = Int(try check(tl_getdents(folder.number, scratch.baseAddress, scratch.count)))
      if count == 0 { return }
      var offset = 0
      while offset < count {
        var name: UnsafePointer<CChar>?
        offset = Int(tl_dirent(scratch.baseAddress, numericCast(offset), &name))
        if let name, !isDotEntry(name), !body(name) { return }
      }
    }
  }

  private static func isDotEntry(_ name: UnsafePointer<CChar>) -> Bool {
    guard name[0] == 46 else { return false }
    return name[1] == 0 || (name[1] == 46 && name[2] == 0)
  }

  /// Raw 8N1 at `baud` bits per second (termios).
  public static func makeSerialRaw(_ port: Descriptor, baud: UInt32) throws(Errno) {
    try check(tl_serial_raw(port.number, baud))
  }

  /// Data bits, parity (0 none, 1 odd, 2 even) and stop bits of a raw line (termios).
  public static func setSerialFraming(
    _ port: Descriptor, dataBits: Int32, parity: Int32, stopBits: Int32
  ) throws(Errno) {
    try check(tl_serial_framing(port.number, dataBits, parity, stopBits))
  }

  /// `tcflush(3)`: leaves out what has arrived on a line and was not read.
  public static func discardInput(_ port: Descriptor) throws(Errno) { try check(tl_serial_discard(port.number)) }

  /// `poll(2)`: waits up to `milliseconds` (-1: for ever) until `file` is readable or `wakeup` is.
  public static func waitReadable(
    _ file: Descriptor, or wakeup: Descriptor?, milliseconds: Int32
  ) throws(Errno) -> (ready: Bool, woken: Bool) {
    let bits = try check(tl_poll(file.number, UInt32(TL_IN), wakeup?.number ?? -1, milliseconds))
    return (bits & 1 != 0, bits & 2 != 0)
  }

  /// Sleeps. For worker threads.
  public static func pause(milliseconds: Int32) { _ = tl_poll(-1, 0, -1, milliseconds) }

  /// `inotify(7)`, non-blocking: reports files of a folder that were written and closed, or got their name.
  public static func watchFolder(_ path: Path) throws(Errno) -> Descriptor {
    defer { withExtendedLifetime(path) {} }
    return Descriptor(Int32(try check(tl_watch_folder(path.cString))))
  }

  /// `eventfd(2)`, non-blocking.
  public static func eventDescriptor() throws(Errno) -> Descriptor {
    Descriptor(Int32(try check(tl_eventfd())))
  }

  /// Makes an event descriptor readable. A failed write is repeated: a lost wake-up would leave finished work
  /// unnoticed.
  public static func signal(_ event: Descriptor) {
    var one: UInt64 = 1
    for _ in 0..<3 where tl_write(event.number, &one, 8) == 8 { return }
  }

  /// Makes an event descriptor unreadable again.
  public static func clear(_ event: Descriptor) {
    var count: UInt64 = 0
    _ = tl_read(event.number, &count, 8)
  }
}
