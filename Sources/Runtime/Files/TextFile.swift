/// Whole small files, for start-up: configuration, tokens, the status of a running agent.
public enum TextFile {
  /// Reads a file of at most `limit` bytes; throws `EFBIG` for a larger one.
  public static func read(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
    let file = try Syscall.open(Path(path), .read)
    defer { file.close() }
    // One byte more than allowed, to detect a file that is too large.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit + 1, alignment: 1)
    defer { buffer.deallocate() }
    let count = try Syscall.readAll(file, into: buffer)
    guard count <= limit else { throw Errno(27) }
    return Array(buffer[..<count])
  }

  /// Replaces a file by a rename, so that a reader sees the old or the new contents and never a part. Not synced:
  /// for files that need not survive a power cut.
  public static func replace(
    _ path: Path, temporary: Path, _ bytes: UnsafeRawBufferPointer
  ) throws(Errno) {
    let file = try Syscall.openNew(temporary, permissions: 0o644)
    do throws(Errno) {
      defer { file.close() }
      try Syscall.writeAll(file, bytes)
      try Syscall.rename(temporary, to: path)
    } catch {
      do throws(Errno) { try Syscall.unlink(temporary) } catch {}
      throw error
    }
  }
}
