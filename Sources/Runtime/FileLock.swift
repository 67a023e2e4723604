/// Keeps two processes from changing the same file at once: `flock(2)` on a file beside it, which stays there, empty.
public final class FileLock {
  private static let pauseMilliseconds: Int32 = 20

  private let path: Path
  private var file: Descriptor?

  /// The lock with this path; nobody has it yet.
  public init(_ path: String) throws(Errno) { self.path = try Path(path) }

  /// Takes it; throws `.wouldBlock` when another one has it for so long. Blocks: on a worker.
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

  /// Gives it to the next.
  public func release() {
    file?.close()
    file = nil
  }
}
