/// Keeps two processes from changing the same file at once: `flock(2)` on an empty file beside it, which is not
/// removed.
public final class FileLock {
  /// Between two tries: the kernel cannot wait for a lock with a timeout.
  private static let pauseMilliseconds: Int32 = 20

  private let path: Path
  private var file: Descriptor?

  /// The lock file's path. Does not take the lock.
  @export(interface)
  public init(_ path: String) throws(Errno) { self.path = try Path(path) }

  /// Takes the lock; throws `.wouldBlock` when another process holds it for that long. Blocks, so for workers.
  public func take(milliseconds: Int64) throws(Errno) {
    let file = try Syscall.openPlain(path, [.write, .create])
    let deadline = SystemClock().monotonic + milliseconds
    while true {
      do throws(Errno) {
        try Syscall.lock(file)
        self.file = file
        return
      } catch {
        guard error == .wouldBlock, SystemClock().monotonic < deadline else {
          file.close()
          throw error
        }
        Syscall.pause(milliseconds: Self.pauseMilliseconds)
      }
    }
  }

  /// Releases the lock.
  public func release() {
    file?.close()
    file = nil
  }
}
